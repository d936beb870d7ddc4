#pragma once
// Ways of doing the same, run in turns.  On a busy machine only ratios of the same turn
// can be trusted.

#include <string>
#include <vector>

#include "bench/schedules.hpp"

namespace berth::bench {

struct Row {
  std::string name;
  double goal;  // of the ratio
};

// The upper median of an even number.  REQUIRES: not empty.
[[nodiscard]] double median(std::vector<double> values);

// The median over the turns of the ratio within each.  REQUIRES: equal lengths, not
// empty.
[[nodiscard]] double median_ratio(const std::vector<double>& measured,
                                  const std::vector<double>& against);

// Seconds by turn.
using Seconds = std::vector<double>;

// Runs all of them `repeats` times in turns and appends the seconds of each to its own.
// REQUIRES: equal lengths.
void take_turns(const std::vector<Runner>& runners, int repeats,
                std::vector<Seconds>& seconds);
// The same from the start: the seconds of each.
[[nodiscard]] std::vector<Seconds> in_turns(const std::vector<Runner>& runners,
                                            int repeats);

// One line of the table: median seconds of both, median ratio, goal and verdict.
void print_ratio(const Row& row, const Seconds& measured, const Seconds& against,
                 const std::string& verdict);
// Of a row whose schedules have to be equal.
[[nodiscard]] std::string verdict(bool same_schedule);

// Runs both `repeats` times in turns and prints their line.  False if their schedules
// differ.
bool compare(const Row& row, const Runner& measured, const Runner& against,
             int repeats);

// The same for schedules that may differ: whether the ratio meets its goal.
bool compare_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats);

// The heading of the table.
void print_heading(const std::string& measured, const std::string& against);

}  // namespace berth::bench
