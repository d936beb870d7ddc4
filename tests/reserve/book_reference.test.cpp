// The book against docs/model.md#conservative written down literally: the reference has
// no profile, it adds up what is held at each question.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Held {
  Time from;
  Time to;
  std::int64_t size;
};

class Reference {
 public:
  [[nodiscard]] const std::map<JobId, Time>& reservations() const {
    return reservations_;
  }
  void started(const sim::Simulation& world, JobId job) {
    reservations_.erase(job);
    const Time end = world.world().jobs()[job].planned_end;
    ran_[job] = {end, end};
  }
  // To be told right before the job is suspended.
  void suspends(const sim::Simulation& world, JobId job) {
    note_end(world, ran_.at(job));
    ran_.erase(job);
  }

  Updated update(const sim::Simulation& world, Compress when) {
    look(world);
    const bool early = std::exchange(ended_early_, false);
    if (missed()) return rebuild();
    if (early && when == Compress::kStartNow) {
      return pull_to_now() ? Updated::kCompressed : rebuild();
    }
    if (early || when == Compress::kEveryPass) {
      return compress() ? Updated::kCompressed : rebuild();
    }
    auto answer = Updated::kUnchanged;
    for (const auto& member : members_) {
      if (reservations_.contains(member.job)) continue;
      reservations_[member.job] = earliest(member);
      answer = Updated::kPlaced;
    }
    return answer;
  }

 private:
  struct Ran {
    Time planned_end;
    Time expected_end;
  };

  void note_end(const sim::Simulation& world, const Ran& ran) {
    const auto& rule = world.world().running().rule();
    const Time now = world.world().now();
    ended_early_ =
        ended_early_ || ran.expected_end > now || rule.ends_early(ran.planned_end, now);
  }

  // What is known now: running jobs with their expected ends, and the queue.
  void look(const sim::Simulation& world) {
    now_ = world.world().now();
    capacity_ = world.world().machine().processors;
    for (const auto& [job, ran] : ran_) {
      if (world.world().jobs()[job].state != JobState::kRunning) note_end(world, ran);
    }
    ran_.clear();
    running_.clear();
    late_ = false;
    for (const auto& each : world.world().running().releases(now_)) {
      // An end that is due now, and not handled yet, holds nothing from now on.
      const bool is_due = each.planned_end == now_ &&
                          !world.world().running().rule().has_overrun(now_, now_);
      const Time end = is_due ? now_ : each.at;
      ran_[each.job] = {each.planned_end, end};
      late_ = late_ || end > each.planned_end;
      running_.push_back({now_, end, each.size});
    }
    members_.clear();
    for (auto at = world.queue(0).head(); at; at = world.queue(0).next(&*at)) {
      members_.push_back({at->job, world.world().jobs().job(at->job).size,
                          world.world().planned(at->job).span});
    }
  }

  [[nodiscard]] std::int64_t free_at(Time t) const {
    auto free = capacity_;
    for (const auto& held : running_)
      free -= held.from <= t && t < held.to ? held.size : 0;
    for (const auto& member : members_) {
      const auto at = reservations_.find(member.job);
      if (at == reservations_.end()) continue;
      free -= at->second <= t && t < at->second + member.planned ? member.size : 0;
    }
    return free;
  }

  // Instants at which processors begin or cease to be held.
  [[nodiscard]] std::vector<Time> instants() const {
    std::vector<Time> out{now_};
    for (const auto& held : running_) out.push_back(held.to);
    for (const auto& member : members_) {
      const auto at = reservations_.find(member.job);
      if (at == reservations_.end()) continue;
      out.push_back(at->second);
      out.push_back(at->second + member.planned);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  [[nodiscard]] Time earliest(const Request& member) const {
    const auto changes = instants();
    for (const Time start : changes) {
      if (start < now_) continue;
      bool room = free_at(start) >= member.size;
      for (const Time t : changes) {
        if (start < t && t < start + member.planned)
          room = room && free_at(t) >= member.size;
      }
      if (room) return start;
    }
    FAIL("no start");
    return kNever;
  }

  // A reservation lies before now, or is due now while a late job holds its processors.
  [[nodiscard]] bool missed() const {
    for (const auto& [job, start] : reservations_) {
      if (start < now_) return true;
    }
    return late_ && free_at(now_) < 0;
  }

  Updated rebuild() {
    reservations_.clear();
    for (const auto& member : members_) reservations_[member.job] = earliest(member);
    return Updated::kRebuilt;
  }

  bool compress() {
    for (const auto& member : members_) {
      const auto at = reservations_.find(member.job);
      const auto before = at == reservations_.end() ? kNever : at->second;
      if (at != reservations_.end()) reservations_.erase(at);
      const Time start = earliest(member);
      if (start > before) return false;
      reservations_[member.job] = start;
    }
    return true;
  }

  bool pull_to_now() {
    for (const Time t : instants()) {
      if (t >= now_ && free_at(t) < 0) return false;  // an overrun is in the way
    }
    for (const auto& member : members_) {
      const auto at = reservations_.find(member.job);
      const auto before = at == reservations_.end() ? kNever : at->second;
      if (at != reservations_.end()) reservations_.erase(at);
      const Time start = earliest(member);
      reservations_[member.job] = before == kNever || start == now_ ? start : before;
    }
    return true;
  }

  Time now_ = 0;
  std::int64_t capacity_ = 0;
  bool late_ = false;
  bool ended_early_ = false;
  std::map<JobId, Ran> ran_;
  std::vector<Held> running_;
  std::vector<Request> members_;
  std::map<JobId, Time> reservations_;
};

// Conservative backfilling that asks both at every pass.
class Lockstep final : public sim::Policy {
 public:
  Lockstep(Compress compress, std::int64_t suspend_every)
      : compress_(compress), suspend_every_(suspend_every) {}
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }

  void schedule(sim::Simulation& world) override {
    suspend_one(world);
    const auto answer = sim::Book(world).update(0, compress_);
    ++answers[answer];
    REQUIRE(answer == reference_.update(world, compress_));
    compare(world);
    auto due = sim::Selection::due(0);
    while (const auto job = due.next(world)) {
      if (world.actions().start(*job)) reference_.started(world, *job);
    }
    compare(world);
    world.actions().wake_at(world.parts().world.book().next(world.world().now()));
  }

  std::map<Updated, std::int64_t> answers;

 private:
  void suspend_one(sim::Simulation& world) {
    const bool is_time =
        suspend_every_ > 0 && world.world().decision().number % suspend_every_ == 0;
    if (!is_time || world.world().running().size() == 0) return;
    const JobId job = world.world().running().releases(world.world().now()).back().job;
    reference_.suspends(world, job);
    world.actions().suspend(job);
  }

  void compare(sim::Simulation& world) {
    auto& book = world.parts().world.book();
    const auto& wanted = reference_.reservations();
    CHECK(wanted.size() == world.queue(0).length());
    std::optional<Time> next;
    for (const auto& [job, start] : wanted) {
      REQUIRE(book.of(job) == start);
      if (start > world.world().now() && (!next || start < *next)) next = start;
    }
    REQUIRE(book.next(world.world().now()) == next);
  }

  sim::PolicyTraits traits_;
  Compress compress_;
  std::int64_t suspend_every_;
  Reference reference_;
};

std::map<Updated, std::int64_t> run_both(std::uint64_t seed, const RandomShape& shape,
                                         const sim::Settings& settings,
                                         std::int64_t suspend_every = 0) {
  auto machine = a_machine(shape.processors);
  constexpr std::array<std::int64_t, 4> kGraces{1, 60, 3, 8};
  machine.overrun_grace = seconds(kGraces[seed % 4]);
  machine.overrun_growth = static_cast<std::int64_t>(1 + seed % 3);
  machine.preemption = suspend_every > 0;
  machine.migration_cost = suspend_every > 0 ? seconds(2) : 0;
  constexpr std::array kModes{Compress::kEarlyEnds, Compress::kEveryPass,
                              Compress::kStartNow};
  Lockstep policy(kModes[seed % 3], suspend_every);
  const auto jobs = random_jobs(seed, shape);
  CHECK(run(jobs, machine, policy, settings).watched.left.empty());
  return policy.answers;
}

}  // namespace

TEST_SUITE("reserve/book_reference") {
  TEST_CASE("on 120 workloads the book is the one of the reference") {
    std::map<Updated, std::int64_t> all;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
      CAPTURE(seed);
      const RandomShape shape{25, static_cast<std::int32_t>(2 + seed % 9),
                              seed % 5 == 0, seed % 3 == 0};
      for (const auto& [answer, times] : run_both(seed, shape, {}))
        all[answer] += times;
    }
    for (const auto answer : {Updated::kUnchanged, Updated::kPlaced,
                              Updated::kCompressed, Updated::kRebuilt}) {
      CHECK(all[answer] > 100);
    }
  }

  TEST_CASE("so it is with a pass after each event") {
    sim::Settings settings;
    settings.pass = sim::PassMode::kEvent;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      CAPTURE(seed);
      settings.ties = seed % 3 == 0 ? Ties::kEndsFirst : Ties::kSubmitsFirst;
      (void)run_both(seed, {25, 6, false, seed % 4 < 2}, settings);
    }
  }

  TEST_CASE("so it is if running jobs are suspended and come back") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      CAPTURE(seed);
      (void)run_both(seed, {25, 6, false, seed % 4 < 2}, {}, 5);
    }
  }
}
