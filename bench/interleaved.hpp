#pragma once
// Two ways of doing the same, run in turns: on a busy machine only their ratio inside
// one run can be trusted.

#include <functional>
#include <string>

#include "bench/schedules.hpp"

namespace berth::bench {

struct Row {
  std::string name;
  double goal;  // of the ratio
};

struct Rivals {
  std::function<double()> measured;  // user seconds
  std::function<double()> against;
};

// Runs both `repeats` times in turns and prints one line: medians, their ratio, the
// goal, and a remark.  Returns the ratio.
double compare(const Row& row, const Rivals& rivals, int repeats,
               const std::string& remark = {});

// What begins the table.
void print_heading(const std::string& measured, const std::string& against);

}  // namespace berth::bench
