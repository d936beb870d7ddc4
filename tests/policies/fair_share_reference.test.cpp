// The fair order against a small simulator of its own, which keeps usage in long double
// and searches plainly: every start on a real trace, at half-lives of a second to ten
// years.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/swf_reader.hpp"
#include "study/common/file_source.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t kProcessors = 100;
constexpr std::int64_t kDay = 86'400;

// Processor seconds of a user: of ended jobs as of `at`, and of running ones from their
// starts on.
struct Account {
  long double past = 0;
  Time at = 0;
  std::vector<const Job*> running;
};

enum class Backfill : bool { kNo, kYes };

class Reference {
 public:
  // `tested`: the starts that are to be right.
  Reference(const std::vector<Job>& jobs, Duration half_life, Backfill backfill,
            const std::map<std::int64_t, Time>& tested)
      : jobs_(jobs), half_life_(half_life), backfill_(backfill), tested_(tested) {}

  std::map<std::int64_t, Time> starts() {
    std::size_t next = 0;
    while (next < jobs_.size() || !ends_.empty()) {
      const Time arrival = next < jobs_.size() ? jobs_[next].submit : kNever;
      const Time end = ends_.empty() ? kNever : ends_.begin()->first;
      now_ = std::min(arrival, end);
      while (!ends_.empty() && ends_.begin()->first == now_) {
        finish(*ends_.begin()->second);
        ends_.erase(ends_.begin());
      }
      for (; next < jobs_.size() && jobs_[next].submit == now_; ++next) {
        waiting_[jobs_[next].user].push_back(&jobs_[next]);
      }
      pass();
    }
    return starts_;
  }

 private:
  [[nodiscard]] long double halves(Duration span) const {
    return static_cast<long double>(span) / static_cast<long double>(half_life_);
  }

  [[nodiscard]] long double charge(const Job& job) const {
    const auto endless = static_cast<long double>(half_life_) / kSecond / kLog;
    const Time since = starts_.at(job.id);
    return -job.size * endless * std::expm1(-halves(now_ - since) * kLog);
  }

  [[nodiscard]] long double usage(std::int32_t user) const {
    const auto at = accounts_.find(user);
    if (at == accounts_.end()) return 0;
    const auto& account = at->second;
    auto sum = account.past * std::exp2(-halves(now_ - account.at));
    for (const auto* job : account.running) sum += charge(*job);
    return sum < 0x1p-1000L ? 0 : sum;
  }

  void finish(const Job& job) {
    auto& account = accounts_.at(job.user);
    account.past = account.past * std::exp2(-halves(now_ - account.at)) + charge(job);
    account.at = now_;
    std::erase(account.running, &job);
    idle_ += job.size;
  }

  void start(const Job& job) {
    starts_[job.id] = now_;
    idle_ -= job.size;
    accounts_[job.user].running.push_back(&job);
    ends_.emplace(now_ + job.length, &job);
    std::erase(waiting_.at(job.user), &job);
  }

  // The users that wait, in classes that rounding alone could tell apart: two who have
  // held as many processors for a hundred half-lives differ by 2^-100 of what they
  // have.
  [[nodiscard]] std::vector<std::vector<std::int32_t>> classes() const {
    std::vector<std::pair<long double, std::int32_t>> all;
    for (const auto& [user, jobs] : waiting_) {
      if (!jobs.empty()) all.emplace_back(usage(user), user);
    }
    std::sort(all.begin(), all.end());
    std::vector<std::vector<std::int32_t>> made;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_near = i > 0 && all[i].first <= all[i - 1].first * (1 + 1e-12L);
      if (!is_near) made.emplace_back();
      made.back().push_back(all[i].second);
    }
    return made;
  }

  // By class, then by the rank in it, then by arrival.
  using Ranks = std::map<std::int32_t, int>;
  using Classes = std::vector<std::vector<std::int32_t>>;
  [[nodiscard]] std::vector<const Job*> in_order(const Classes& near,
                                                 const Ranks& ranks) const {
    std::vector<std::tuple<std::size_t, int, const Job*>> all;
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (const auto user : near[i]) {
        const auto rank = ranks.find(user);
        for (const auto* job : waiting_.at(user)) {
          all.emplace_back(i, rank == ranks.end() ? 0 : rank->second, job);
        }
      }
    }
    std::sort(all.begin(), all.end());  // the address is the place in the trace
    std::vector<const Job*> jobs;
    for (const auto& each : all) jobs.push_back(std::get<2>(each));
    return jobs;
  }

  // Users with usage in one class may stand in any order, or together; of users without
  // any there is one order.  All together comes first.
  [[nodiscard]] std::vector<Ranks> possible_ranks(const Classes& all_near) const {
    std::vector<Ranks> all{{}};
    for (const auto& near : all_near) {
      constexpr std::size_t kMostOrders = 2'000;
      if (all.size() > kMostOrders) break;
      if (near.size() < 2 || near.size() > 4 || usage(near.front()) == 0) continue;
      for (const auto user : near) {
        std::vector<Ranks> more;
        for (int rank = 0; rank < static_cast<int>(near.size()); ++rank) {
          for (auto ranks : all) {
            ranks[user] = rank;
            more.push_back(std::move(ranks));
          }
        }
        all = std::move(more);
      }
    }
    return all;
  }

  static Duration planned(const Job& job) { return std::max(job.walltime, kSecond); }

  [[nodiscard]] Time expected_end(const Job& job) const {
    const Time end = starts_.at(job.id) + planned(job);
    Duration grace = seconds(60);
    if (end > now_) return end;
    while (end + grace <= now_) grace *= 2;
    return end + grace;
  }

  // Starts what the order of the users says; where rounding leaves several orders, one
  // that gives the starts under test, if there is any.
  void pass() {
    const auto near = classes();
    const auto right = [&](const Ranks& ranks) {
      const auto queue = in_order(near, ranks);
      const auto is_tested = [&](const Job* job) {
        return tested_.at(job->id) == now_;
      };
      auto started = decided(queue);
      const auto wanted = std::count_if(queue.begin(), queue.end(), is_tested);
      const bool is_right =
          std::count_if(started.begin(), started.end(), is_tested) == wanted &&
          wanted == static_cast<std::ptrdiff_t>(started.size());
      return std::pair(is_right, std::move(started));
    };
    auto chosen = right({});
    if (!chosen.first) {
      for (const auto& ranks : possible_ranks(near)) {
        auto other = right(ranks);
        if (!other.first) continue;
        chosen = std::move(other);
        break;
      }
    }
    for (const auto* job : chosen.second) start(*job);
  }

  [[nodiscard]] std::vector<const Job*> decided(
      const std::vector<const Job*>& queue) const {
    std::vector<const Job*> started;
    std::int64_t idle = idle_;
    std::size_t at = 0;
    for (; at < queue.size() && queue[at]->size <= idle; ++at) {
      idle -= queue[at]->size;
      started.push_back(queue[at]);
    }
    if (backfill_ == Backfill::kNo || at == queue.size()) return started;
    std::vector<std::pair<Time, std::int64_t>> frees;
    for (const auto& [end, job] : ends_) {
      frees.emplace_back(expected_end(*job), job->size);
    }
    for (const auto* job : started) frees.emplace_back(now_ + planned(*job), job->size);
    std::sort(frees.begin(), frees.end());
    std::int64_t free = idle;
    std::size_t freed = 0;
    Time shadow = now_;
    while (free < queue[at]->size ||
           (freed < frees.size() && frees[freed].first == shadow)) {
      shadow = frees[freed].first;
      free += frees[freed++].second;
    }
    std::int64_t spare = free - queue[at]->size;
    while (++at < queue.size()) {
      const auto& job = *queue[at];
      const bool ends_by_then = now_ + planned(job) <= shadow;
      if (job.size > idle || (!ends_by_then && job.size > spare)) continue;
      if (!ends_by_then) spare -= job.size;
      idle -= job.size;
      started.push_back(&job);
    }
    return started;
  }

  static constexpr long double kLog = 0.693147180559945309417232121458176568L;
  const std::vector<Job>& jobs_;  // by (submit, id)
  Duration half_life_;
  Backfill backfill_;
  const std::map<std::int64_t, Time>& tested_;
  Time now_ = 0;
  std::int64_t idle_ = kProcessors;
  std::map<std::int32_t, Account> accounts_;
  std::map<std::int32_t, std::vector<const Job*>> waiting_;
  std::multimap<Time, const Job*> ends_;
  std::map<std::int64_t, Time> starts_;
};

class Starts final : public sim::RecordVisitor<Starts, sim::StartRecord> {
 public:
  void on(const sim::StartRecord& record) { at[record.who.job->id] = record.at; }
  void finish(Time) override {}
  std::map<std::int64_t, Time> at;
};

// Under audit.
std::map<std::int64_t, Time> starts_of(const std::string& name,
                                       const std::vector<Job>& jobs,
                                       Duration half_life) {
  const auto policy = lua_policy(name);
  const auto machine = a_machine(kProcessors);
  sim::Settings settings;
  settings.shares.emplace().half_life = half_life;
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  Starts starts;
  audit::Auditor auditor({machine, settings, jobs, policy->traits()},
                         law_of(machine, jobs));
  simulation.audience().observe(starts);
  simulation.audience().observe(auditor);
  simulation.advance(kNever);
  simulation.finish();
  return starts.at;
}

}  // namespace

TEST_SUITE("policies/fair_share_reference") {
  TEST_CASE("F34: on KTH each start is that of the closed form, at any half-life") {
    const auto path = shared_data("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    if (!path) return;
    study::FileSource file(path->string());
    GzipSource plain(file, path->filename().string(), unlimited());
    const auto workload = read_swf(plain, {.name = "kth"}, unlimited());
    const std::vector<Job> jobs(workload.jobs.begin(), workload.jobs.end());
    const std::array<std::int64_t, 6> lives{60, 3 * kDay, 1, 3600, kDay, 3650 * kDay};
    for (std::size_t i = 0; i < (kIsOptimised ? lives.size() : 2); ++i) {
      const auto life = lives[i];
      CAPTURE(life);
      const auto check = [&](const char* policy, Backfill backfill) {
        const auto tested = starts_of(policy, jobs, seconds(life));
        auto reference = Reference(jobs, seconds(life), backfill, tested).starts();
        CHECK(tested.size() == jobs.size());
        CHECK(tested == reference);
      };
      check("fairshare_fifo", Backfill::kNo);
      check("fairshare_easy", Backfill::kYes);
    }
  }
}
