#pragma once
// Why jobs waited, from the waits.csv of `berth explain RUN --out`.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
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

struct Waits {
  std::string label;                     // of the run; else of the folder
  std::vector<WaitsOfReason> reasons;    // by seconds, the longest first; ties by name
  std::vector<WaitsOfBlocker> blockers;  // the same, ties by job; at most 20
};

// Throws Error{kInput}, "file:line:column: column: what is wrong".
[[nodiscard]] Waits read_waits(ByteSource& source, const std::string& name,
                               Budget& budget);

}  // namespace berth::report
