#pragma once
// The files that a scenario names as inputs: traces, instances, values of jobs, trees.

#include <functional>
#include <string>
#include <vector>

#include "study/common/input_path.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// As they are named, in a fixed order; those of the axes of a sweep are not among them.
[[nodiscard]] std::vector<std::string> input_files(const Scenario& scenario);

// Replaces each of their paths, those of the axes of a sweep, too.
void rename_inputs(Scenario& scenario,
                   const std::function<std::string(const std::string&)>& rename);

// Where each is now, as an absolute path by base name; standard input is nowhere.
// Throws as find_input().
[[nodiscard]] InputPaths found_inputs(const Scenario& scenario);

// Gives an input that is not at its path the one that a run in `folder` remembers, if
// it is there.
void recall_inputs(Scenario& scenario, const std::filesystem::path& folder);

}  // namespace berth::study
