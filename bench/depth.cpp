// What a deep queue costs EASY in Lua: time, crossings and memory of a decision.
//
// bench_depth [REPEATS] : the best of so many runs, 7 unless given.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "bench/schedules.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

constexpr std::int64_t kShallow = 100;
constexpr std::int64_t kDeep = 100'000;
constexpr std::int64_t kDecisions = 20'000;

bench::Effort best(const bench::Work& work, int repeats) {
  auto best = bench::effort(work, "easy");
  for (int i = 1; i < repeats; ++i) {
    const auto next = bench::effort(work, "easy");
    best.seconds_a_decision =
        std::min(best.seconds_a_decision, next.seconds_a_decision);
  }
  return best;
}

void print(const char* row, double measured, double goal) {
  fmt::print("{:<44} {:>10.3f} / {:<6.2f}\n", row, measured, goal);
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_depth [REPEATS]: at least 1\n");
    return 2;
  }
  const auto shallow = best(bench::backlog(kShallow, kDecisions), repeats);
  const auto deep = best(bench::backlog(kDeep, kDecisions), repeats);
  const auto busy = best(bench::lublin(0.90), 1);
  fmt::print("{:<44} {:>10} / {:<6}\n", "", "measured", "goal");
  print("decision at 100,000 waiting / at 100",
        deep.seconds_a_decision / shallow.seconds_a_decision, 4);
  print("crossings an event, L 0.90", busy.crossings_an_event, 6);
  print("Lua bytes a waiting job",
        (static_cast<double>(deep.lua_bytes) - static_cast<double>(shallow.lua_bytes)) /
            static_cast<double>(kDeep - kShallow),
        0);
  return 0;
}
