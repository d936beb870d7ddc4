// What a decision costs: EASY in Lua on the engine against the plain list.
//
// bench_decision [REPEATS] : medians of so many interleaved runs, 7 unless given.

#include <fmt/format.h>

#include <cstdlib>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

bool row(const bench::Work& work, double goal, int repeats) {
  const bool same = bench::lua_starts(work, "easy") == bench::list_easy_starts(work);
  const bench::Rivals rivals{[&] { return bench::lua_seconds(work, "easy"); },
                             [&] { return bench::list_easy_seconds(work); }};
  (void)bench::compare({work.name, goal}, rivals, repeats,
                       same ? "same schedule" : "ANOTHER SCHEDULE");
  return same;
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_decision [REPEATS]: at least 1\n");
    return 2;
  }
  bench::print_heading("Lua", "list");
  const bool kth = row(bench::kth(), 2.5, repeats);
  if (count > 2) return 0;
  const bool busy = row(bench::lublin(0.90), 2.0, repeats);
  const bool full = row(bench::lublin(0.95), 1.0, repeats);
  return kth && busy && full ? 0 : 1;
}
