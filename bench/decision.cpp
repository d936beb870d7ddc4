// What a decision costs: EASY in Lua on the engine against the plain list, and against
// EASY in C++ on the same engine.  "In parts" is EASY spelled out in single primitives
// (bench/easy_in_parts.lua), as one writes a variant of it.
//
// bench_decision [REPEATS [WORK]...] : medians of so many interleaved runs, 7 unless
// given, and five times as many over KTH; works are kth, l90, l95, l105 (all unless
// given), and they take turns too.

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// One work and the times of those who run over it.
class Contest {
 public:
  explicit Contest(const Goals& goals)
      : goals_(goals),
        work_(goals.work()),
        runners_{bench::lua(work_, "easy"), bench::native_easy(work_),
                 bench::lua(work_, "bench/easy_in_parts.lua"), bench::list_easy(work_)},
        seconds_(runners_.size()) {}
  Contest(const Contest&) = delete;  // the runners look at the work
  Contest& operator=(const Contest&) = delete;

  void take_turns() { bench::take_turns(runners_, goals_.times, seconds_); }

  // Prints the rows; whether all made the same schedule.
  [[nodiscard]] bool judge() const {
    const auto list = runners_[3].starts();
    const std::array same{runners_[0].starts() == list, runners_[1].starts() == list,
                          runners_[2].starts() == list};
    print("Lua / native", goals_.against_native, 0, 1, same[0] && same[1]);
    print("Lua / list", goals_.against_list, 0, 3, same[0]);
    print("in parts / list", goals_.against_list, 2, 3, same[2]);
    return same[0] && same[1] && same[2];
  }

 private:
  void print(const std::string& who, double goal, std::size_t measured,
             std::size_t against, bool same_schedule) const {
    bench::print_ratio({work_.name + ", " + who, goal}, seconds_[measured],
                       seconds_[against], bench::verdict(same_schedule));
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
    const bool is_asked = count <= 2 || std::find(arguments + 2, end, goals.key) != end;
    if (is_asked) contests.emplace_back(goals);
  }
  // What slows a machine down may last for minutes: no work has all its turns in one.
  for (int i = 0; i < repeats; ++i) {
    for (auto& contest : contests) contest.take_turns();
  }
  bench::print_heading("measured", "against");
  bool same = true;
  for (const auto& contest : contests) same = contest.judge() && same;
  return same ? 0 : 1;
}
