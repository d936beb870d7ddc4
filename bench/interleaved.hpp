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

// The median of the ratios, each of one turn: what slows the machine down for a while
// slows both of a turn.  REQUIRES: as many of both, and some.
[[nodiscard]] double median_ratio(const std::vector<double>& measured,
                                  const std::vector<double>& against);

// Seconds by turn.
using Seconds = std::vector<double>;

// Runs all of them `repeats` times in turns and adds the seconds of each to its own.
// A turn begins when the core is quiet.
// REQUIRES: as many of both.
void take_turns(const std::vector<Runner>& runners, int repeats,
                std::vector<Seconds>& seconds);
// The same from the beginning: the seconds of each.
[[nodiscard]] std::vector<Seconds> in_turns(const std::vector<Runner>& runners,
                                            int repeats);

// One line of the table: median seconds of both, median ratio, goal and a last word.
void print_ratio(const Row& row, const Seconds& measured, const Seconds& against,
                 const std::string& verdict);
// The last word of a row whose schedules have to be the same.
[[nodiscard]] std::string verdict(bool same_schedule);

// Runs both `repeats` times in turns and prints their line, with whether their
// schedules are the same.  False where they are not.
bool compare(const Row& row, const Runner& measured, const Runner& against,
             int repeats);

// The same for two that need not agree: whether the ratio meets its goal.
bool compare_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats);

// What begins the table.
void print_heading(const std::string& measured, const std::string& against);

}  // namespace berth::bench
