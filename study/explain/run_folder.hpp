#pragma once
// A run that was written into a folder, ready to be made again: its scenario, its
// policy as it was, and where its inputs are now.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/output/manifest.hpp"
#include "study/policies/policy_library.hpp"
#include "study/policies/policy_set.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

struct RunFolder {
  std::filesystem::path path;
  Scenario scenario;  // with one policy; files where they were found
  PolicyLibrary library;
  std::string source;  // SHA-256 of the program that made it
  std::vector<HashedFile> policies;
  std::vector<HashedFile> inputs;
};

// Inputs are looked for in `inputs` if it is not empty, in the folder, beside it, in
// the current folder, where the run read them, and as find_input() does.  Throws
// Error{kUsage} if the folder holds no single run, and Error{kInput} if a file is
// missing or not as berth wrote it.
[[nodiscard]] RunFolder read_run_folder(const std::filesystem::path& path,
                                        const std::filesystem::path& inputs);

// What differs from the run that the folder holds, one line each, with both checksums:
// the program, the texts of the policy, the input.  Empty: nothing.
[[nodiscard]] std::vector<std::string> differences(
    const RunFolder& folder, const LoadedPolicy& policy,
    const std::optional<std::string>& input);

}  // namespace berth::study
