// What conservative backfilling costs: the engine's book against remove and refit on a
// sorted array, and the Lua policy against the same steps in C++.
//
// bench_conservative [REPEATS] : medians of so many interleaved runs, 7 unless given.

#include <fmt/format.h>

#include <cstdlib>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

bool rows(const bench::Work& work, int repeats) {
  const auto native = bench::native_conservative(work);
  const bool same = bench::compare({work.name + ", book / refit", 0.6}, native,
                                   bench::refit_conservative(work), repeats);
  return bench::compare({work.name + ", Lua / native", 1.5},
                        bench::lua(work, "conservative"), native, repeats) &&
         same;
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_conservative [REPEATS]: at least 1\n");
    return 2;
  }
  bench::print_heading("measured", "against");
  const bool kth = rows(bench::kth(), repeats);
  const bool deep = rows(bench::backlog(1'000, 6'000), repeats);
  const bool deeper = rows(bench::backlog(10'000, 1'000), repeats);
  return kth && deep && deeper ? 0 : 1;
}
