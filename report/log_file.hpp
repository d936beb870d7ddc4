#pragma once
// The passes of a run, from log.jsonl (engine/output/log_jsonl.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/base/time.hpp"
#include "report/columns.hpp"

namespace berth::report {

// At one instant; of several passes the last one.
struct PassOfLog {
  Time at = 0;
  std::int64_t number = 0;  // of the run's passes
  std::int64_t left = 0;    // jobs in the queue when it was over
};

// In order.  Throws Error{kInput}, "file:line: what is wrong", for a pass that does not
// say when it was.
[[nodiscard]] std::vector<PassOfLog> read_passes(const std::string& file,
                                                 Budget& budget);

// As columns, for the page: {"at", "number", "left"}, the first two as steps.
[[nodiscard]] Json pass_columns(const std::vector<PassOfLog>& passes, Blocks& blocks);

}  // namespace berth::report
