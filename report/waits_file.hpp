#pragma once
// Why jobs waited, from the waits.csv of `berth explain RUN --out`.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::report {

struct WaitsOfReason {
  std::string name;   // "no_room"
  std::string words;  // "no room"; the name for a reason that is not known
  std::string help;   // one sentence; empty for such a reason
  std::int64_t jobs = 0;
  std::int64_t passes = 0;
  double seconds = 0.0;  // of all jobs together
};

struct WaitsOfBlocker {
  std::int64_t job = 0;
  std::int64_t jobs = 0;  // that waited for it
  double seconds = 0.0;
};

// One job's wait for one reason.
struct WaitOfJob {
  std::int64_t job = 0;
  std::string reason;
  std::int64_t passes = 0;
  Duration time = 0;
  std::int64_t blocker = -1;  // the job longest in the way; -1: none is known
};

struct Waits {
  std::string label;                     // of the run; else of the folder
  std::vector<WaitsOfReason> reasons;    // by seconds, the longest first; ties by name
  std::vector<WaitsOfBlocker> blockers;  // the same, ties by job; at most 20
  std::vector<WaitOfJob> rows;           // as in the file; the longest, if too many
  bool has_all_rows = true;
};

inline constexpr std::size_t kMostWaitRows = 2'000'000;
inline constexpr std::size_t kLongestWaitRows = 100'000;  // are kept of more

// Throws Error{kInput}, "file:line:column: column: what is wrong".
[[nodiscard]] Waits read_waits(ByteSource& source, const std::string& name,
                               Budget& budget);

}  // namespace berth::report
