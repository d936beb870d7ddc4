// The cost of tiers: policies of two tiers against EASY, both in Lua on the same
// machine and jobs, FWload at the size of the paper (200,000 jobs, 320 processors, load
// 0.9).
//
// bench_two_tier [REPEATS] : medians of that many interleaved runs, 3 unless given.

#include <fmt/format.h>

#include <cstdlib>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 3;
  if (repeats < 1) {
    fmt::print(stderr, "bench_two_tier [REPEATS]: at least 1\n");
    return 2;
  }
  const bench::Work work = bench::fwload(0.90);
  bench::print_heading("policy", "easy");
  bool met = true;
  for (const auto* name : {"keasy", "reasy", "measy"}) {
    met = bench::compare_costs({fmt::format("{}, {}", work.name, name), 25.0},
                               bench::two_tier_lua(work, name),
                               bench::two_tier_lua(work, "easy"), repeats) &&
          met;
  }
  return met ? 0 : 1;
}
