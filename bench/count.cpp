// What .ci/count counts the instructions of: one run over KTH, unless it says
// otherwise.
//
// bench_count WHICH, one of
//   lua loops list audited conservative conservative_lua refit deep turns users keys
//   hosts network crowd crowd4
//
//   lua, list             EASY in Lua, as the frozen list
//   loops                 EASY in Lua, each start by a call of its own
//   audited               EASY in Lua with the light auditor watching
//   conservative, refit   the engine's book, the frozen refit; without overruns
//   deep                  EASY in Lua: 100,000 jobs come at once, then one at a time
//   turns                 fairshare_easy in Lua: 20,000 jobs of 200 users wait for the
//                         whole machine, and others of these users come
//   users, keys           fairshare_easy and multifactor in Lua
//   hosts                 EASY in Lua, 10,000 jobs on 1,000 hosts of 8 processors
//   network               admission in Lua of 5,000 clusters by adaba on a fat tree
//                         with 432 servers
//   crowd, crowd4         10,000 jobs, or 40,000, that start and end at one instant,
//                         with equal walltimes and with different ones

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <vector>

#include "bench/schedules.hpp"
#include "bench/works.hpp"

using namespace berth;

namespace {

struct Named {
  std::string_view key;
  void (*run)();
};

using MakeRunner = bench::Runner (*)(const bench::Work& work);

void run(const bench::Work& work, MakeRunner make) {
  (void)make(work).seconds();
  fmt::print("{}\n", work.name);
}

template <MakeRunner make>
void over_kth() {
  run(bench::kth(1), make);
}

template <MakeRunner make>
void over_users_of_kth() {
  auto work = bench::kth(1);
  work.shares.emplace();
  run(work, make);
}

template <MakeRunner make>
void over_normalised_kth() {
  run(bench::normalised_kth(1), make);
}

bench::Runner easy(const bench::Work& work) { return bench::lua(work, "easy"); }
bench::Runner loops(const bench::Work& work) {
  return bench::lua(work, "bench/easy_in_loops.lua");
}
bench::Runner audited(const bench::Work& work) {
  return bench::audited_lua(work, "easy");
}
bench::Runner users(const bench::Work& work) {
  return bench::lua(work, "fairshare_easy");
}
bench::Runner keys(const bench::Work& work) { return bench::lua(work, "multifactor"); }
bench::Runner admission(const bench::Work& work) {
  return bench::lua(work, "admission");
}
bench::Runner conservative(const bench::Work& work) {
  return bench::lua(work, "conservative");
}

void deep() {
  const auto work = bench::backlog(100'000, 20'000);
  (void)bench::effort(work, "easy");
  fmt::print("{}\n", work.name);
}

void turns() {
  constexpr std::size_t kWaiting = 20'000;
  auto work = bench::backlog(kWaiting, 20'000);
  work.shares.emplace();
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    work.jobs[i].user = static_cast<std::int32_t>(i % 200);
    if (i < kWaiting) work.jobs[i].size = work.machine.processors;
  }
  run(work, users);
}

void hosts() { run(bench::on_hosts(1000), easy); }
void network() { run(bench::clusters(12, 5000), admission); }

template <std::int32_t jobs>
void crowd() {
  for (const auto ends : {bench::Ends::kEqual, bench::Ends::kDifferent}) {
    const auto work = bench::crowd(jobs, ends);
    for (const auto* policy : {"fcfs", "first_fit", "easy", "conservative"}) {
      (void)bench::lua(work, policy).seconds();
    }
    fmt::print("{}\n", work.name);
  }
}

constexpr std::array kRuns{
    Named{"lua", over_kth<easy>},
    Named{"loops", over_kth<loops>},
    Named{"list", over_kth<bench::list_easy>},
    Named{"audited", over_kth<audited>},
    Named{"conservative_lua", over_normalised_kth<conservative>},
    Named{"conservative", over_normalised_kth<bench::native_conservative>},
    Named{"refit", over_normalised_kth<bench::refit_conservative>},
    Named{"deep", deep},
    Named{"turns", turns},
    Named{"users", over_users_of_kth<users>},
    Named{"keys", over_users_of_kth<keys>},
    Named{"hosts", hosts},
    Named{"network", network},
    Named{"crowd", crowd<10'000>},
    Named{"crowd4", crowd<40'000>},
};

}  // namespace

int main(int count, char** arguments) {
  const std::string_view which = count == 2 ? arguments[1] : "";
  for (const auto& run : kRuns) {
    if (run.key != which) continue;
    run.run();
    return 0;
  }
  std::vector<std::string_view> keys;
  for (const auto& run : kRuns) keys.push_back(run.key);
  fmt::print(stderr, "bench_count {}\n", fmt::join(keys, "|"));
  return 2;
}
