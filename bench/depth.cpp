// A decision of EASY in Lua with a deep queue: time, crossings and memory.
//
// bench_depth [REPEATS] : medians of that many interleaved runs, 7 unless given.

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/schedules.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

constexpr std::int64_t kShallow = 100;
constexpr std::int64_t kDeep = 100'000;
constexpr std::int64_t kDecisions = 20'000;

struct Costs {
  bench::Work work;
  std::vector<double> nanoseconds;
  std::size_t lua_bytes = 0;

  void measure() {
    const auto effort = bench::effort(work, "easy");
    nanoseconds.push_back(effort.seconds_a_decision * 1e9);
    lua_bytes = effort.lua_bytes;
  }
};

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
  Costs shallow{bench::backlog(kShallow, kDecisions), {}, 0};
  Costs deep{bench::backlog(kDeep, kDecisions), {}, 0};
  for (int i = 0; i < repeats; ++i) {
    shallow.measure();
    deep.measure();
  }
  const auto busy = bench::effort(bench::lublin(0.90), "easy");
  fmt::print("{:<44} {:>10} / {:<6}\n", "", "measured", "goal");
  const double short_cost = bench::median(shallow.nanoseconds);
  const double deep_cost = bench::median(deep.nanoseconds);
  print("decision at 100,000 waiting / at 100",
        bench::median_ratio(deep.nanoseconds, shallow.nanoseconds), 4);
  fmt::print("  ({:.0f} ns / {:.0f} ns)\n", deep_cost, short_cost);
  print("crossings an event, L 0.90", busy.crossings_an_event, 6);
  print("Lua bytes a waiting job",
        (static_cast<double>(deep.lua_bytes) - static_cast<double>(shallow.lua_bytes)) /
            static_cast<double>(kDeep - kShallow),
        0);
  return 0;
}
