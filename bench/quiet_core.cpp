#include "bench/quiet_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "bench/cpu_seconds.hpp"

namespace berth::bench {

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 5min;
constexpr auto kNap = 20ms;
constexpr double kQuiet = 1.15;  // times the best: what it varies by when left alone

// About 1 ms of additions that do not wait for each other.
double seconds_of_additions() {
  const double begin = cpu_seconds();
  std::uint64_t a = 1;
  std::uint64_t b = 2;
  std::uint64_t c = 3;
  std::uint64_t d = 4;
  std::uint64_t e = 5;
  std::uint64_t f = 6;
  for (int i = 0; i < 1'500'000; ++i) {
    a += 3;
    b += 5;
    c += 7;
    d += 9;
    e += 11;
    f += 13;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
  }
  return cpu_seconds() - begin;
}

double best_of_additions() {
  double best = seconds_of_additions();
  for (int i = 0; i < 100; ++i) best = std::min(best, seconds_of_additions());
  return best;
}

}  // namespace

void wait_for_quiet_core() {
  static double best = best_of_additions();
  static std::chrono::nanoseconds left = kPatience;
  while (left > 0ns) {
    const double seconds = seconds_of_additions();
    best = std::min(best, seconds);
    if (seconds <= kQuiet * best) return;
    std::this_thread::sleep_for(kNap);
    left -= kNap;
    if (left <= 0ns) {
      fmt::print(stderr,
                 "waited for a quiet core for five minutes: it stays loud, and the "
                 "ratios may be too high\n");
    }
  }
}

}  // namespace berth::bench
