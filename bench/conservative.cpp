// Conservative backfilling: the engine's book against remove and refit on a sorted
// array, and the Lua policy against the same steps in C++.
//
// bench_conservative [REPEATS [WORK]...] : medians of that many interleaved runs, 7
// unless given; works are kth, 1k, 10k (all unless given).

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

bool rows(const bench::Work& work, int repeats) {
  const std::vector<bench::Runner> all{bench::native_conservative(work),
                                       bench::refit_conservative(work),
                                       bench::lua(work, "conservative")};
  const auto seconds = bench::in_turns(all, repeats);
  const auto native = all[0].starts();
  const bool same = all[1].starts() == native;
  const bool lua_same = all[2].starts() == native;
  bench::print_ratio({work.name + ", book / refit", 0.6}, seconds[0], seconds[1],
                     bench::verdict(same));
  bench::print_ratio({work.name + ", Lua / native", 1.5}, seconds[2], seconds[0],
                     bench::verdict(lua_same));
  return same && lua_same;
}

struct Named {
  std::string key;
  bench::Work (*work)();
};

const std::vector<Named> kWorks{
    {"kth", [] { return bench::normalised_kth(); }},
    {"1k", [] { return bench::backlog(1'000, 6'000); }},
    {"10k", [] { return bench::backlog(10'000, 1'000); }},
};

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_conservative [REPEATS [WORK]...]: at least 1\n");
    return 2;
  }
  bench::print_heading("measured", "against");
  bool same = true;
  for (const auto& named : kWorks) {
    char** const end = arguments + count;
    const bool is_asked = count <= 2 || std::find(arguments + 2, end, named.key) != end;
    if (is_asked) same = rows(named.work(), repeats) && same;
  }
  return same ? 0 : 1;
}
