#include "bench/interleaved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

namespace berth::bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_ratio(const std::vector<double>& measured,
                    const std::vector<double>& against) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    ratios.push_back(measured[i] / against[i]);
  }
  return median(std::move(ratios));
}

void take_turns(const std::vector<Runner>& runners, int repeats,
                std::vector<Seconds>& seconds) {
  for (int i = 0; i < repeats; ++i) {
    for (std::size_t each = 0; each < runners.size(); ++each) {
      seconds[each].push_back(runners[each].seconds());
    }
  }
}

std::vector<Seconds> in_turns(const std::vector<Runner>& runners, int repeats) {
  std::vector<Seconds> seconds(runners.size());
  take_turns(runners, repeats, seconds);
  return seconds;
}

void print_ratio(const Row& row, const Seconds& measured, const Seconds& against,
                 const std::string& verdict) {
  fmt::print("{:<32} {:>9.4f} {:>9.4f} {:>8.3f} / {:<6.3f} {}\n", row.name,
             median(measured), median(against), median_ratio(measured, against),
             row.goal, verdict);
  std::fflush(stdout);
}

std::string verdict(bool same_schedule) {
  return same_schedule ? "same schedule" : "ANOTHER SCHEDULE";
}

bool compare(const Row& row, const Runner& measured, const Runner& against,
             int repeats) {
  const auto seconds = in_turns({measured, against}, repeats);
  const bool same = measured.starts() == against.starts();
  print_ratio(row, seconds[0], seconds[1], verdict(same));
  return same;
}

bool compare_costs(const Row& row, const Runner& measured, const Runner& against,
                   int repeats) {
  const auto seconds = in_turns({measured, against}, repeats);
  const bool met = median_ratio(seconds[0], seconds[1]) <= row.goal;
  print_ratio(row, seconds[0], seconds[1], met ? "met" : "NOT MET");
  return met;
}

void print_heading(const std::string& measured, const std::string& against) {
  fmt::print("{:<32} {:>9} {:>9} {:>8} / {:<6}\n", "CPU seconds", measured, against,
             "ratio", "goal");
}

}  // namespace berth::bench
