#pragma once
// What all jobs of a run waited for: by reason, by the jobs in the way, by user and by
// size; and what two policies did differently.

#include <span>
#include <string>
#include <vector>

#include "bindings/tools/explain_script.hpp"
#include "engine/base/json.hpp"
#include "study/explain/job_report.hpp"
#include "study/explain/replay.hpp"

namespace berth::study {

// By tools/explain.lua, or by that of the folder `tools`, which stands for tools/ of
// the program where it has a file.  REQUIRES: the replay is of that point.
[[nodiscard]] bindings::ExplainAnswer all_report(
    const PreparedPoint& prepared, const Replay& replay,
    const bindings::ExplainScript::Wanted& wanted, const std::string& tools = {});

// Where two runs of the same jobs part.
struct Parting {
  Time at = kNever;  // kNever: nowhere
  // Started then by one alone.
  std::vector<JobId> only_left;
  std::vector<JobId> only_right;
  std::vector<JobId> waiting;  // in both, just before
  // Whose waits differ most: most_different(), not found by parting().
  std::vector<JobId> others{};
};
// REQUIRES: both ran to the end.
[[nodiscard]] Parting parting(const Replay& left, const Replay& right,
                              std::span<const Job> jobs);
// The jobs whose waits differ most, at most `count`; ties by number.
[[nodiscard]] std::vector<JobId> most_different(const Replay& left, const Replay& right,
                                                std::size_t count);
// `tools` is as that of all_report().  REQUIRES: both explain the jobs of the parting
// that one alone started, in detail, and have the times of these others.
[[nodiscard]] bindings::Page between_report(const PreparedPoint& prepared,
                                            const Replay& left, const Replay& right,
                                            const Parting& parting,
                                            const std::string& tools = {});
[[nodiscard]] Json between_json(const Replay& left, const Replay& right,
                                const Parting& parting, std::span<const Job> jobs);

}  // namespace berth::study
