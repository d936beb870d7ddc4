#pragma once
// Two ways of doing the same, run in turns: on a busy machine only their ratio inside
// one run can be trusted.

#include <string>
#include <vector>

#include "bench/schedules.hpp"

namespace berth::bench {

struct Row {
  std::string name;
  double goal;  // of the ratio
};

// The upper one of an even number.  REQUIRES: there are values.
[[nodiscard]] double median(std::vector<double> values);

// Runs both `repeats` times in turns and prints one line: medians of their seconds,
// ratio, goal, and whether their schedules are the same.  False where they are not.
bool compare(const Row& row, const Runner& measured, const Runner& against,
             int repeats);

// The same for two that need not agree: whether the ratio meets its goal.
bool compare_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats);

// What begins the table.
void print_heading(const std::string& measured, const std::string& against);

}  // namespace berth::bench
