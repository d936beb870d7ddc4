#pragma once
// What is printed about single jobs: a table of reasons, those that overtook, what
// would have let the job start sooner, and what a change made of it.

#include <optional>
#include <span>
#include <string>

#include "engine/base/json.hpp"
#include "study/explain/replay.hpp"

namespace berth::study {

enum class TableForm : std::uint8_t { kText, kMarkdown };

// The change that is proposed: as --try takes it, and when the job would have started.
struct Proposal {
  std::string text;  // "walltime=8000"
  Time at;
};
// The soonest walltime that is no shorter than the job ran; else the soonest size; else
// the soonest walltime.  nullopt: nothing would have helped.
[[nodiscard]] std::optional<Proposal> proposal(const ExplainedJob& explained,
                                               const Job& job);

// In at most 100 columns.  `command` begins the command line that is proposed: "berth
// explain r/easy".
[[nodiscard]] std::string job_report(const ExplainedJob& explained,
                                     const std::string& label,
                                     std::span<const Job> jobs,
                                     const std::string& command, TableForm form);
[[nodiscard]] Json job_json(const ExplainedJob& explained, std::span<const Job> jobs);

// What the change did: to the job, to the others, and where the runs part.
[[nodiscard]] std::string change_report(const Replay& before, const Replay& after,
                                        const Change& change, std::optional<JobId> job,
                                        std::span<const Job> jobs);
[[nodiscard]] Json change_json(const Replay& before, const Replay& after,
                               std::optional<JobId> job, std::span<const Job> jobs);

// Two columns of reasons side by side.
[[nodiscard]] std::string side_by_side(const Replay& left, const Replay& right,
                                       JobId job, std::span<const Job> jobs,
                                       TableForm form);

}  // namespace berth::study
