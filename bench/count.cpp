// What .ci/count counts the instructions of: one run over KTH.
//
// bench_count lua|list|audited|conservative_lua|conservative|refit [1k|10k]
//   lua, list             EASY in Lua, as the frozen list
//   audited               EASY in Lua with the light auditor watching
//   conservative, refit   the engine's book, the frozen remove and refit

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "bench/schedules.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

struct Named {
  std::string_view key;
  bench::Runner (*runner)(const bench::Work& work);
};

const std::vector<Named> kRuns{
    {"lua", [](const bench::Work& work) { return bench::lua(work, "easy"); }},
    {"list", [](const bench::Work& work) { return bench::list_easy(work); }},
    {"audited",
     [](const bench::Work& work) { return bench::audited_lua(work, "easy"); }},
    {"conservative_lua",
     [](const bench::Work& work) { return bench::lua(work, "conservative"); }},
    {"conservative",
     [](const bench::Work& work) { return bench::native_conservative(work); }},
    {"refit", [](const bench::Work& work) { return bench::refit_conservative(work); }},
};

}  // namespace

int main(int count, char** arguments) {
  const std::string_view which = count >= 2 ? arguments[1] : "";
  const std::string_view deep = count >= 3 ? arguments[2] : "";
  for (const auto& run : kRuns) {
    if (run.key != which) continue;
    const auto work = deep == "1k"    ? bench::backlog(1'000, 6'000)
                      : deep == "10k" ? bench::backlog(10'000, 1'000)
                                      : bench::kth(1);
    (void)run.runner(work).seconds();
    fmt::print("{}\n", work.name);
    return 0;
  }
  fmt::print(stderr, "bench_count lua|list|audited|conservative|refit\n");
  return 2;
}
