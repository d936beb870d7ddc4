// The cost of the audit: EASY in Lua with and without it.
//
// bench_audit [REPEATS] : medians of five times that many interleaved runs, 7 unless
// given.

#include <fmt/format.h>

#include <cstdlib>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_audit [REPEATS]: at least 1\n");
    return 2;
  }
  const auto work = bench::kth();
  bench::print_heading("audited", "without");
  return bench::compare({work.name + ", auditor on / off", 1.3},
                        bench::audited_lua(work, "easy"), bench::lua(work, "easy"),
                        5 * repeats)
             ? 0
             : 1;
}
