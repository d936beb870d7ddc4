// The cost of a decision: EASY in Lua (policies/easy.lua) against the plain list, and
// EASY by cluster:backfill against the same call in C++.
//
// bench_decision [REPEATS [WORK]...] : medians of that many turns, 7 unless given, and
// five times as many over KTH; works are kth, l90, l95, l105 (all unless given).

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

struct Goals {
  std::string key;
  bench::Work (*work)();
  double against_list;
  int times;  // turns of each repeat: a short run varies more
};

const std::vector<Goals> kGoals{
    {"kth", [] { return bench::kth(); }, 3.0, 5},
    {"l90", [] { return bench::lublin(0.90); }, 1.6, 1},
    {"l95", [] { return bench::lublin(0.95); }, 0.3, 1},
    {"l105", [] { return bench::lublin(1.05); }, 1.0 / 40, 1},
};

// One work with its runners and their times.
class Contest {
 public:
  explicit Contest(const Goals& goals)
      : goals_(goals),
        work_(goals.work()),
        runners_{bench::lua(work_, "easy"), bench::list_easy(work_),
                 bench::lua(work_, "bench/backfill.lua"), bench::native_easy(work_)},
        seconds_(runners_.size()) {}
  Contest(const Contest&) = delete;  // the runners refer to the work
  Contest& operator=(const Contest&) = delete;

  void take_turns() { bench::take_turns(runners_, goals_.times, seconds_); }

  // Prints the rows; whether all schedules are equal.
  [[nodiscard]] bool judge() const {
    const bool same = print("EASY / list", goals_.against_list, 0);
    return print("backfill / native", 2.2, 2) && same;
  }

 private:
  // Of the runner `measured` against the next one.
  [[nodiscard]] bool print(const std::string& row, double goal,
                           std::size_t measured) const {
    const bool same = runners_[measured].starts() == runners_[1].starts();
    bench::print_ratio({work_.name + ", " + row, goal}, seconds_[measured],
                       seconds_[measured + 1], bench::verdict(same));
    return same;
  }

  const Goals& goals_;
  bench::Work work_;
  std::vector<bench::Runner> runners_;
  std::vector<bench::Seconds> seconds_;
};

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  if (repeats < 1) {
    fmt::print(stderr, "bench_decision [REPEATS [WORK]...]: at least 1\n");
    return 2;
  }
  std::deque<Contest> contests;
  for (const auto& goals : kGoals) {
    char** const end = arguments + count;
    const bool is_selected =
        count <= 2 || std::find(arguments + 2, end, goals.key) != end;
    if (is_selected) contests.emplace_back(goals);
  }
  // A machine may be slow for minutes: the turns of each work are spread.
  for (int i = 0; i < repeats; ++i) {
    for (auto& contest : contests) contest.take_turns();
  }
  bench::print_heading("measured", "against");
  bool same = true;
  for (const auto& contest : contests) same = contest.judge() && same;
  return same ? 0 : 1;
}
