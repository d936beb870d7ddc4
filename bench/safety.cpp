// The cost of the limits of a run (watchdog and memory): EASY in Lua with and without.
//
// bench_safety [REPEATS] : medians of that many interleaved runs, 7 unless given.

#include <fmt/format.h>

#include <cstdlib>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_safety [REPEATS]: at least 1\n");
    return 2;
  }
  bindings::Limits off;
  off.time_seconds = 0;
  off.memory_mib = 0;
  const bench::Work work = bench::kth();
  bench::print_heading("limits", "none");
  return bench::compare({work.name, 1.03}, bench::lua(work, "easy"),
                        bench::lua(work, "easy", off), repeats)
             ? 0
             : 1;
}
