#pragma once
// The parts of a sweep, put together.
//
// What is needed is in the folders: sweep.json says which points there are, the points
// hold their results.  Neither scenario nor policies are read.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "study/results/outcome.hpp"
#include "study/results/study_folder.hpp"

namespace berth::study {

enum class Gaps : std::uint8_t {
  kRefuse,
  kMark,  // cells with a missing result have no mean, and the table says so
};

struct MergedSweep {
  Scenario scenario;  // what comparison_of() needs of it alone
  StudyOutcome outcome;
  std::string plan;                            // text of sweep.json
  std::vector<std::filesystem::path> folders;  // of the points, empty if missing
  std::vector<std::string> missing;            // points and runs without a result

  // That of the gravest failure that the parts recorded; 0 if there is none.
  [[nodiscard]] int failed_code() const;
};

// Throws Error{kUsage} for a folder that holds no sweep or another one than the first,
// Error{kInput} for results of different programs or policies, for a point of which two
// folders have different results, and, unless gaps are marked, for an incomplete grid;
// where runs of it failed, with the code of the gravest failure.
[[nodiscard]] MergedSweep merge_sweep(const std::vector<std::filesystem::path>& parts,
                                      Gaps gaps);

// Copies the points into one folder, as if one process had run the sweep.  Throws as
// StudyFolder does.
void write_merged(const MergedSweep& merged, const std::filesystem::path& out,
                  Existing existing);

}  // namespace berth::study
