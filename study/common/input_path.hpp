#pragma once
// Where an input is: a trace, or another file that a scenario names.
//
// It is looked for under its own path, then at the places where it may be besides, then
// by its base name in the folders of the environment variable BERTH_TRACES, which stand
// with ':' between.  The first file that is there counts; what it must hold is checked
// by checksums, not here.

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace berth::study {

// Paths of inputs by base name, as a run found them.
using InputPaths = std::map<std::string, std::string>;

// The path of the file; "-" and "" are as they are.  `others` are paths, tried in their
// order.  Throws Error{kInput} that lists where was looked if there is no such file.
[[nodiscard]] std::string find_input(
    const std::string& path, std::span<const std::filesystem::path> others = {});

// The inputs that the run in this folder read, or the runs below it: of several
// policies or of a sweep.  Empty if there is none.
[[nodiscard]] InputPaths remembered_inputs(const std::filesystem::path& folder);

}  // namespace berth::study
