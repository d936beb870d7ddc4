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

double compare(const Row& row, const Rivals& rivals, int repeats,
               const std::string& remark) {
  std::vector<double> measured;
  std::vector<double> against;
  for (int i = 0; i < repeats; ++i) {
    measured.push_back(rivals.measured());
    against.push_back(rivals.against());
  }
  const double ratio = median(measured) / median(against);
  fmt::print("{:<24} {:>9.4f} {:>9.4f} {:>8.3f} / {:<6.3f} {}\n", row.name,
             median(measured), median(against), ratio, row.goal, remark);
  std::fflush(stdout);
  return ratio;
}

void print_heading(const std::string& measured, const std::string& against) {
  fmt::print("{:<24} {:>9} {:>9} {:>8} / {:<6}\n", "user seconds", measured, against,
             "ratio", "goal");
}

}  // namespace berth::bench
