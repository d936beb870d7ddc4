// What a decision costs: EASY in Lua on the engine against the plain list, and against
// EASY in C++ on the same engine.  "In parts" is EASY spelled out in single primitives
// (bench/easy_in_parts.lua), as one writes a variant of it.
//
// bench_decision [REPEATS [WORK]...] : medians of so many interleaved runs, 7 unless
// given; works are kth, l90, l95, l105 (all unless given).

#include <fmt/format.h>

#include <algorithm>
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
};

const std::vector<Goals> kGoals{
    {"kth", [] { return bench::kth(); }, 2.5, 2.2},
    {"l90", [] { return bench::lublin(0.90); }, 2.0, 2.2},
    {"l95", [] { return bench::lublin(0.95); }, 1.0, 2.2},
    {"l105", [] { return bench::lublin(1.05); }, 1.0 / 40, 2.2},
};

bool rows(const Goals& goals, int repeats) {
  const auto work = goals.work();
  const auto lua = bench::lua(work, "easy");
  const auto list = bench::list_easy(work);
  const bool same_as_native =
      bench::compare({work.name + ", Lua / native", goals.against_native}, lua,
                     bench::native_easy(work), repeats);
  const bool same_as_list = bench::compare(
      {work.name + ", Lua / list", goals.against_list}, lua, list, repeats);
  const auto parts = bench::lua(work, "bench/easy_in_parts.lua");
  return bench::compare({work.name + ", in parts / list", goals.against_list}, parts,
                        list, repeats) &&
         same_as_native && same_as_list;
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
