// Hosts that drain (docs/model.md#host-events).

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "engine/jobs/overrun_rule.hpp"
#include "tests/sim/hit_runs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using HostKind = HostEvent::Kind;

// In seconds.
struct HostTurn {
  std::int64_t at;
  HostKind kind;
  std::int32_t host;
  std::int64_t until = 0;
};

std::shared_ptr<const std::vector<HostEvent>> events_of(
    const std::vector<HostTurn>& turns) {
  std::vector<HostEvent> all;
  for (const auto& each : turns) {
    const bool is_up = each.kind == HostKind::kUp;
    all.push_back({seconds(each.at), each.kind, each.host,
                   seconds(is_up ? each.at : each.until)});
  }
  std::sort(all.begin(), all.end());
  return std::make_shared<const std::vector<HostEvent>>(std::move(all));
}

sim::Machine draining_pool(std::int32_t processors,
                           const std::vector<HostTurn>& turns) {
  auto machine = a_machine(processors);
  machine.life.events = events_of(turns);
  return machine;
}

// The groups of a pool of processors, each of which drains by itself.
std::vector<int> one_each(std::int32_t processors) {
  std::vector<int> groups;
  for (int i = 0; i < processors; ++i) groups.push_back(i);
  return groups;
}

// EASY on processors whose groups drain, from the definitions alone: what is expected
// to be free of a group that drains is nothing before its expected return, else what no
// running job holds.
class NaiveEasy {
 public:
  NaiveEasy(const std::vector<Job>& jobs, const sim::Machine& machine,
            std::vector<int> groups)
      : jobs_(jobs),
        events_(*machine.life.events),
        rule_{machine.overrun_grace, machine.overrun_growth},
        min_planned_(machine.min_planned),
        groups_(std::move(groups)),
        holder_(groups_.size()) {}

  Attempts run() {
    while (const auto next = next_instant()) {
      now_ = *next;
      end_jobs();
      change_hosts();
      for (; next_job_ < jobs_.size() && jobs_[next_job_].submit <= now_; ++next_job_) {
        if (jobs_[next_job_].size <= static_cast<int>(groups_.size())) {
          queue_.push_back(&jobs_[next_job_]);
        }
      }
      pass();
    }
    return attempts_;
  }

 private:
  struct RunningJob {
    Time ends;
    Time planned_end;
  };

  std::optional<Time> next_instant() const {
    Time next = kNever;
    for (const auto& [job, run] : running_) next = std::min(next, run.ends);
    if (next_event_ < events_.size()) next = std::min(next, events_[next_event_].at);
    if (next_job_ < jobs_.size()) next = std::min(next, jobs_[next_job_].submit);
    const bool is_over =
        queue_.empty() && running_.empty() && next_job_ == jobs_.size();
    return next == kNever || is_over ? std::nullopt : std::optional(next);
  }

  void end_jobs() {
    std::erase_if(running_, [&](const auto& each) {
      if (each.second.ends > now_) return false;
      std::replace(holder_.begin(), holder_.end(), each.first,
                   static_cast<const Job*>(nullptr));
      return true;
    });
  }

  void change_hosts() {
    for (; next_event_ < events_.size() && events_[next_event_].at <= now_;
         ++next_event_) {
      const auto& event = events_[next_event_];
      if (event.kind == HostKind::kUp) {
        away_.erase(event.host);
      } else {
        away_[event.host] = event.until;
      }
    }
  }

  [[nodiscard]] bool is_idle(std::size_t processor) const {
    return holder_[processor] == nullptr && !away_.contains(groups_[processor]);
  }

  // When the processor is expected to be free.
  [[nodiscard]] Time free_from(std::size_t processor) const {
    Time from = now_;
    const auto away = away_.find(groups_[processor]);
    if (away != away_.end()) from = rule_.expected_end(away->second, now_);
    if (const auto* job = holder_[processor]) {
      const auto planned = running_.at(job).planned_end;
      from = std::max(from, rule_.expected_end(planned, now_));
    }
    return from;
  }

  [[nodiscard]] std::int64_t free_at(Time at) const {
    std::int64_t free = 0;
    for (std::size_t i = 0; i < holder_.size(); ++i) free += free_from(i) <= at ? 1 : 0;
    return free;
  }

  [[nodiscard]] Time planned_end(const Job& job) const {
    return now_ + std::max(job.walltime, min_planned_);
  }

  bool start(const Job& job) {
    std::vector<std::size_t> idle;
    for (std::size_t i = 0; i < holder_.size(); ++i) {
      if (is_idle(i)) idle.push_back(i);
    }
    if (idle.size() < static_cast<std::size_t>(job.size)) return false;
    for (std::int32_t i = 0; i < job.size; ++i) {
      holder_[idle[static_cast<std::size_t>(i)]] = &job;
    }
    running_[&job] = {now_ + job.length, planned_end(job)};
    attempts_[job.id] = {{to_seconds(now_), to_seconds(now_ + job.length)}};
    return true;
  }

  void pass() {
    while (!queue_.empty() && start(*queue_.front())) queue_.erase(queue_.begin());
    if (queue_.empty()) return;
    const auto& head = *queue_.front();
    std::vector<Time> times;
    for (std::size_t i = 0; i < holder_.size(); ++i) times.push_back(free_from(i));
    std::sort(times.begin(), times.end());
    const Time shadow = times[static_cast<std::size_t>(head.size) - 1];
    for (auto at = queue_.begin() + 1; at != queue_.end();) {
      const auto& job = **at;
      const bool in_time = planned_end(job) <= shadow;
      const bool starts =
          (in_time || free_at(shadow) - job.size >= head.size) && start(job);
      at = starts ? queue_.erase(at) : at + 1;
    }
  }

  const std::vector<Job>& jobs_;
  const std::vector<HostEvent>& events_;
  OverrunRule rule_;
  Duration min_planned_;
  std::vector<int> groups_;  // by processor
  std::vector<const Job*> holder_;
  std::map<int, Time> away_;  // groups that drain, and when they are expected back
  std::map<const Job*, RunningJob> running_;
  std::vector<const Job*> queue_;
  Attempts attempts_;
  std::size_t next_event_ = 0;
  std::size_t next_job_ = 0;
  Time now_ = 0;
};

struct Drawing {
  std::mt19937_64& random;
  int operator()(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  }
};

std::vector<Job> random_jobs(Drawing drawn, std::int32_t widest) {
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 16); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(1, 12);
    jobs.push_back(
        a_job(i, submit, drawn(1, widest), length, std::max(0, length + drawn(-4, 8))));
  }
  return jobs;
}

// Each host drains now and then; of those one in four goes down before it is back if
// they may.
std::vector<HostTurn> random_turns(Drawing drawn, std::int32_t hosts, bool may_fail) {
  std::vector<HostTurn> all;
  for (std::int32_t host = 0; host < hosts; ++host) {
    for (int at = drawn(0, 40); at < 70; at += drawn(1, 25)) {
      all.push_back({at, HostKind::kDrain, host, at + drawn(1, 15)});
      at += drawn(1, 20);
      if (may_fail && drawn(0, 3) == 0) {
        all.push_back({at, HostKind::kDown, host, at + drawn(1, 10)});
        at += drawn(1, 8);
      }
      all.push_back({at, HostKind::kUp, host});
    }
  }
  return all;
}

// Three hosts with three, three and two processors, or a pool of as many.
sim::Machine eight_processors(bool has_hosts) {
  auto machine = a_machine(8);
  machine.overrun_grace = seconds(3);
  if (has_hosts) machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
  return machine;
}

constexpr std::array kAllPolicies{
    kPolicies[0], kPolicies[1], kPolicies[2], kPolicies[3],
    Named{conservative_every_pass, sim::Promise::kConservative}};

}  // namespace

TEST_SUITE("sim/drains") {
  TEST_CASE("no job starts on a host that drains, and those that run there run on") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 20), a_job(2, 1, 2, 15),
                                a_job(3, 6, 2, 5), a_job(4, 7, 4, 10),
                                a_job(5, 8, 1, 40)};
    auto machine =
        draining_pool(4, {{5, HostKind::kDrain, 1, 50}, {50, HostKind::kUp, 1}});
    machine.resources.hosts = {{"a", 2, 2}};
    for (const auto& policy : {kFcfs, kEasyPolicy, kConservativePolicy}) {
      const auto run = run_full(jobs, machine, policy);
      CHECK(run.watched.attempts == Attempts{{1, {{0, 20}}},
                                             {2, {{1, 16}}},
                                             {3, {{20, 25}}},
                                             {4, {{50, 60}}},
                                             {5, {{60, 100}}}});
      CHECK(run.watched.hits == 0);
      CHECK(run.checked.at("L2") > 0);
    }
  }

  TEST_CASE("what a job leaves of a draining pool is expected before the rest") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 10), a_job(2, 1, 2, 5),
                                a_job(3, 6, 1, 20)};
    const auto machine =
        draining_pool(2, {{5, HostKind::kDrain, 0, 30}, {30, HostKind::kUp, 0}});
    const auto run = run_full(jobs, machine, kEasyPolicy);
    CHECK(run.watched.shadows.at({1, 1}) == 10);
    CHECK(run.watched.shadows.at({6, 1}) == 30);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 10}}}, {2, {{30, 35}}}, {3, {{10, 30}}}});
    const auto booked = run_full(jobs, machine, kConservativePolicy);
    CHECK(booked.watched.attempts == run.watched.attempts);
  }

  TEST_CASE("a processor that is back before its job ends was never away") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 10), a_job(2, 1, 2, 5)};
    const auto machine =
        draining_pool(2, {{5, HostKind::kDrain, 0, 30}, {8, HostKind::kUp, 0}});
    for (const auto& policy : kAllPolicies) {
      const auto run = run_full(jobs, machine, policy);
      CHECK(run.watched.attempts == Attempts{{1, {{0, 10}}}, {2, {{10, 15}}}});
    }
  }

  TEST_CASE("a host that drains may go down, and who holds a part of it is hit") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 20), a_job(2, 1, 2, 5)};
    auto machine = draining_pool(4, {{5, HostKind::kDrain, 0, 30},
                                     {10, HostKind::kDown, 0, 40},
                                     {25, HostKind::kUp, 0}});
    machine.resources.hosts = {{"a", 2, 2}};
    const auto run = run_full(jobs, machine, kEasyPolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 10}, {10, 30}}}, {2, {{1, 6}}}});
  }

  TEST_CASE("what is left of the machine counts as capacity until its job has ended") {
    auto machine = draining_pool(4, {{10, HostKind::kDrain, 0, 100}});
    machine.resources.hosts = {{"a", 2, 2}};
    machine.pick = Pick::kLowest;
    const auto run = run_full({a_job(1, 0, 1, 20), a_job(2, 1, 2, 39)}, machine, kFcfs);
    CHECK(run.watched.attempts.at(2).front().end == 40);
    // Job 1 has processor 0, job 2 processors 1 and 2: nothing of host 0 is idle.
    CHECK(run.summary.find("availability")->value.value() ==
          doctest::Approx((4 * 20 + 3 * 20) / 160.0));
  }
}

TEST_SUITE("sim/drains/random") {
  TEST_CASE("EASY on what drains starts as an independent program does") {
    std::mt19937_64 random(4310);
    std::int64_t later = 0;
    for (std::uint64_t round = 0; round < rounds(2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = eight_processors(has_hosts);
      const auto jobs = random_jobs({random}, 8);
      machine.life.events = events_of(random_turns({random}, has_hosts ? 3 : 8, false));
      CAPTURE(round);
      const auto groups = has_hosts ? std::vector{0, 0, 0, 1, 1, 1, 2, 2} : one_each(8);
      const auto wanted = NaiveEasy(jobs, machine, groups).run();
      const auto run = run_full(jobs, machine, kEasyPolicy);
      CHECK(run.watched.attempts == wanted);
      machine.life.events = nullptr;
      later += run_full(jobs, machine, kEasyPolicy).watched.attempts == wanted ? 0 : 1;
    }
    CHECK(later > 0);
  }

  TEST_CASE("every rule of the audit holds while hosts drain and go down") {
    std::mt19937_64 random(4311);
    std::int64_t hits = 0;
    std::int64_t excused = 0;
    for (std::uint64_t round = 0; round < rounds(2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = eight_processors(has_hosts);
      const bool has_kinds = round % 4 == 2;
      if (has_kinds) machine.resources.wide = {{"licences", 3}};
      const auto jobs = random_jobs({random}, 8);
      machine.life.events = events_of(random_turns({random}, has_hosts ? 3 : 8, true));
      CAPTURE(round);
      for (const auto& policy : kAllPolicies) {
        const auto run = run_full(jobs, machine, policy);
        const auto light = run_hit(jobs, machine, policy, audit::Thoroughness::kLight);
        CHECK(run.watched.attempts == light.watched.attempts);
        CHECK(run.watched.left.empty());
        hits += run.watched.hits;
        excused += run.excuses.jobs;
      }
    }
    CHECK(hits > 0);
    CHECK(excused > 0);
  }

  TEST_CASE(
      "a host that drains while no job holds a part of it is as one that is down") {
    std::mt19937_64 random(4312);
    for (std::uint64_t round = 0; round < rounds(500); ++round) {
      auto machine = eight_processors(round % 2 == 1);
      auto jobs = random_jobs({random}, 8);
      for (auto& job : jobs) job.submit += seconds(1);
      const auto until = static_cast<std::int64_t>(1 + round % 40);
      const auto back = until + static_cast<std::int64_t>(round % 9);
      machine.life.events =
          events_of({{0, HostKind::kDrain, 1, until}, {back, HostKind::kUp, 1}});
      auto failing = machine;
      failing.life.events =
          events_of({{0, HostKind::kDown, 1, until}, {back, HostKind::kUp, 1}});
      CAPTURE(round);
      for (const auto& policy : kAllPolicies) {
        CHECK(run_full(jobs, machine, policy).watched.attempts ==
              run_full(jobs, failing, policy).watched.attempts);
      }
    }
  }
}
