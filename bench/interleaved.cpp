#include "bench/interleaved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace berth::bench {

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

bool compare(const Row& row, const Rivals& rivals, int repeats) {
  std::vector<double> measured;
  std::vector<double> against;
  bool same = true;
  for (int i = 0; i < repeats; ++i) {
    const Timed first = rivals.measured();
    const Timed second = rivals.against();
    measured.push_back(first.user_seconds);
    against.push_back(second.user_seconds);
    same = same && first.starts == second.starts;
  }
  const double ratio = median(measured) / median(against);
  fmt::print("{:<24} {:>9.4f} {:>9.4f} {:>8.3f} / {:<6.2f} {}\n", row.name,
             median(measured), median(against), ratio, row.goal,
             same ? "same schedule" : "ANOTHER SCHEDULE");
  std::fflush(stdout);
  return same;
}

void print_heading(const std::string& measured, const std::string& against) {
  fmt::print("{:<24} {:>9} {:>9} {:>8} / {:<6}\n", "user seconds", measured, against,
             "ratio", "goal");
}

}  // namespace berth::bench
