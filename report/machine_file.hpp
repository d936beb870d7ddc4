#pragma once
// What happened to the machine itself, from machine.csv
// (engine/output/machine_csv.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/json.hpp"
#include "engine/base/time.hpp"
#include "report/columns.hpp"

namespace berth::report {

// Processors were down, or kept for a window.
struct MachineSpan {
  bool is_window = false;
  Time from = 0;
  Time to = 0;  // kNever: it was so when the run ended
  std::string name{};
  std::string users{};
  std::vector<Interval> processors{};  // empty: of a pool, no particular ones
  std::int64_t count = 0;
};

// Throws Error{kInput}, "file:line:column: column: what is wrong", for a missing
// column, a value that is none, a span that ends before it begins, and processors that
// the machine has not.
[[nodiscard]] std::vector<MachineSpan> read_machine_spans(const std::string& file,
                                                          std::int32_t processors,
                                                          Budget& budget);

// For the page: what was down as columns, each window as an object.
[[nodiscard]] Json machine_spans(const std::vector<MachineSpan>& spans, Blocks& blocks);

}  // namespace berth::report
