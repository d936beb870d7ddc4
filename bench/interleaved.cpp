#include "bench/interleaved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace berth::bench {

namespace {

// Prints medians, ratio and goal; returns the ratio.
double print_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats) {
  std::vector<double> ours;
  std::vector<double> theirs;
  for (int i = 0; i < repeats; ++i) {
    ours.push_back(measured.seconds());
    theirs.push_back(against.seconds());
  }
  const double ratio = median(ours) / median(theirs);
  fmt::print("{:<32} {:>9.4f} {:>9.4f} {:>8.3f} / {:<6.3f}", row.name, median(ours),
             median(theirs), ratio, row.goal);
  return ratio;
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool compare(const Row& row, const Runner& measured, const Runner& against,
             int repeats) {
  (void)print_costs(row, measured, against, repeats);
  const bool same = measured.starts() == against.starts();
  fmt::print(" {}\n", same ? "same schedule" : "ANOTHER SCHEDULE");
  std::fflush(stdout);
  return same;
}

bool compare_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats) {
  const bool met = print_costs(row, measured, against, repeats) <= row.goal;
  fmt::print(" {}\n", met ? "met" : "NOT MET");
  std::fflush(stdout);
  return met;
}

void print_heading(const std::string& measured, const std::string& against) {
  fmt::print("{:<32} {:>9} {:>9} {:>8} / {:<6}\n", "user seconds", measured, against,
             "ratio", "goal");
}

}  // namespace berth::bench
