// What a decision costs: EASY in Lua on the engine against the plain list, and against
// EASY in C++ on the same engine.  "In parts" is EASY spelled out in single primitives
// (bench/easy_in_parts.lua), as one writes a variant of it.
//
// bench_decision [REPEATS [WORK]...] : medians of so many interleaved runs, 7 unless
// given, and five times as many over KTH; works are kth, l90, l95, l105 (all unless
// given).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

struct Goals {
  std::string key;
  bench::Work (*work)();
  double against_list;
  double against_native;
  int times;  // as many repeats as asked for
};

// A run over KTH is short, and so the more uneven.
const std::vector<Goals> kGoals{
    {"kth", [] { return bench::kth(); }, 2.5, 2.2, 5},
    {"l90", [] { return bench::lublin(0.90); }, 2.0, 2.2, 1},
    {"l95", [] { return bench::lublin(0.95); }, 1.0, 2.2, 1},
    {"l105", [] { return bench::lublin(1.05); }, 1.0 / 40, 2.2, 1},
};

bool rows(const Goals& goals, int repeats) {
  const auto work = goals.work();
  const std::vector<bench::Runner> all{
      bench::lua(work, "easy"), bench::native_easy(work),
      bench::lua(work, "bench/easy_in_parts.lua"), bench::list_easy(work)};
  const auto seconds = bench::in_turns(all, goals.times * repeats);
  const auto list = all[3].starts();
  const std::array same{all[0].starts() == list, all[1].starts() == list,
                        all[2].starts() == list};
  bench::print_ratio({work.name + ", Lua / native", goals.against_native}, seconds[0],
                     seconds[1], bench::verdict(same[0] && same[1]));
  bench::print_ratio({work.name + ", Lua / list", goals.against_list}, seconds[0],
                     seconds[3], bench::verdict(same[0]));
  bench::print_ratio({work.name + ", in parts / list", goals.against_list}, seconds[2],
                     seconds[3], bench::verdict(same[2]));
  return same[0] && same[1] && same[2];
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_decision [REPEATS [WORK]...]: at least 1\n");
    return 2;
  }
  bench::print_heading("measured", "against");
  bool same = true;
  for (const auto& goals : kGoals) {
    char** const end = arguments + count;
    const bool is_asked = count <= 2 || std::find(arguments + 2, end, goals.key) != end;
    if (is_asked) same = rows(goals, repeats) && same;
  }
  return same ? 0 : 1;
}
