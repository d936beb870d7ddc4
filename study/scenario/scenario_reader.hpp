#pragma once
// Reads a scenario: TOML in, a Scenario out, or everything that is wrong with it.

#include <string>
#include <string_view>

#include "study/scenario/scenario.hpp"

namespace berth::study {

// `name` is the file as the user typed it.  Throws Error{kInput} with one line for each
// problem, "file:line:column: key: what is wrong", in the order of the file.
// Traces and policies keep the paths that the text gives them.
[[nodiscard]] Scenario read_scenario(const std::string& name, std::string_view text);

// The same; relative paths of traces, policies and metrics are taken from this folder.
[[nodiscard]] Scenario read_scenario_in(const std::string& folder,
                                        const std::string& name, std::string_view text);

// The same from a file; relative paths of traces and policies are taken from its
// folder. A name that does not end in ".toml" is refused before anything is read.
[[nodiscard]] Scenario load_scenario(const std::string& path);

// Whether a scenario with a trace may not have this key: "workload.jobs".
[[nodiscard]] bool belongs_to_a_model(std::string_view key);

}  // namespace berth::study
