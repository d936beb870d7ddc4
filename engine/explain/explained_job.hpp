#pragma once
// Why one job did not start, pass by pass, and what became of it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/explain/reason.hpp"

namespace berth {

// Passes in a row with one reason; of a time in which it was not in the queue: none.
struct ReasonLine {
  Time from;
  Time to;  // the next line, the start or the end of the run
  std::int64_t passes;
  Reason first;
  Reason last;
  std::int64_t idle_least;
  std::int64_t idle_most;
  // Behind the job in order, and started meanwhile: the first few.
  std::vector<JobId> taken_by{};
  // Of its passes, the one that names the largest size or the longest walltime.
  struct Remedy {
    std::int64_t value;  // processors, or ticks
    Time at;
  };
  std::optional<Remedy> first_size{};
  std::optional<Remedy> size{};
  std::optional<Remedy> walltime{};
};

struct Overtaker {
  JobId job;
  Time start;
  std::int32_t size;
  std::string because;  // the policy's reason, or what let it start; may be empty
  std::optional<Time> ended{};
  // It counts at most the size of the other job, while that one had no room.
  Int128 processor_time = 0;
};

// How a job began.
struct BeginOfJob {
  Time at;
  std::optional<JobId> beside{};  // the job of a plan that admitted it
  bool in_time = false;           // it ends by that plan; else out of the spare
  std::string because{};
};

// The time that a job spent under one reason.
struct ReasonTime {
  Why why;
  std::int64_t passes = 0;
  Duration time = 0;
  Time first = 0;
  Time last = 0;  // the end of its last interval
  std::vector<std::pair<JobId, Duration>> blockers{};
};

// A job in detail.
struct ExplainedJob {
  enum class Fate : std::uint8_t { kWaits, kStarted, kRejected };
  JobId job;
  Fate fate = Fate::kWaits;
  bool rejected_by_machine = false;
  std::string_view rejected_by = "the policy";  // else
  std::string rejected_because{};
  std::optional<Time> submitted{};  // nullopt: it was held to the end
  std::optional<BeginOfJob> begin{};
  std::optional<Time> ended{};
  std::vector<ReasonTime> times{};  // by Why; of the wait until the first start
  std::vector<ReasonLine> lines{};
  std::vector<Overtaker> overtakers{};
};

}  // namespace berth
