#include "bench/interleaved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace berth::bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> medians(const std::vector<Runner>& runners, int repeats) {
  std::vector<std::vector<double>> seconds(runners.size());
  for (int i = 0; i < repeats; ++i) {
    for (std::size_t each = 0; each < runners.size(); ++each) {
      seconds[each].push_back(runners[each].seconds());
    }
  }
  std::vector<double> out;
  for (const auto& all : seconds) out.push_back(median(all));
  return out;
}

void print_ratio(const Row& row, double measured, double against,
                 const std::string& verdict) {
  fmt::print("{:<32} {:>9.4f} {:>9.4f} {:>8.3f} / {:<6.3f} {}\n", row.name, measured,
             against, measured / against, row.goal, verdict);
  std::fflush(stdout);
}

std::string verdict(bool same_schedule) {
  return same_schedule ? "same schedule" : "ANOTHER SCHEDULE";
}

bool compare(const Row& row, const Runner& measured, const Runner& against,
             int repeats) {
  const auto costs = medians({measured, against}, repeats);
  const bool same = measured.starts() == against.starts();
  print_ratio(row, costs[0], costs[1], verdict(same));
  return same;
}

bool compare_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats) {
  const auto costs = medians({measured, against}, repeats);
  const bool met = costs[0] <= row.goal * costs[1];
  print_ratio(row, costs[0], costs[1], met ? "met" : "NOT MET");
  return met;
}

void print_heading(const std::string& measured, const std::string& against) {
  fmt::print("{:<32} {:>9} {:>9} {:>8} / {:<6}\n", "CPU seconds", measured, against,
             "ratio", "goal");
}

}  // namespace berth::bench
