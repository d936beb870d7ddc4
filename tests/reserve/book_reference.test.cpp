// The book that is kept in place against spec backfilling 5.2 done from nothing: the
// reference has no profile, it adds up who holds what whenever it asks.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

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
    ran_[job] = world.jobs()[job].planned_end;
  }
  // To be told right before the job is suspended.
  void suspends(const sim::Simulation& world, JobId job) {
    ended_early_ = ended_early_ || world.jobs()[job].planned_end > world.now();
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
  // What is known now: who runs until when, who waits.
  void look(const sim::Simulation& world) {
    now_ = world.now();
    capacity_ = world.capacity();
    for (const auto& [job, planned_end] : ran_) {
      const auto state = world.jobs()[job].state;
      const bool ended = state == JobState::kFinished || state == JobState::kFailed;
      ended_early_ = ended_early_ || (ended && planned_end > now_);
    }
    ran_.clear();
    running_.clear();
    late_ = false;
    std::vector<Release> releases;
    world.running().releases(now_, releases);
    for (const auto& [at, job, size] : releases) {
      ran_[job] = world.jobs()[job].planned_end;
      late_ = late_ || at > ran_[job];
      running_.push_back({now_, at, size});
    }
    members_.clear();
    for (auto at = world.queue(0).head(); at; at = world.queue(0).next(&*at)) {
      members_.push_back({at->job, world.jobs().job(at->job).size,
                          world.thaw_time(at->job) + world.planned_left(at->job)});
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

  // Instants at which somebody begins or stops to hold processors.
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

  // A reservation lies before now, or is due while a job that overran holds its
  // processors.
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
  std::map<JobId, Time> ran_;  // and until when that was planned
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

  void schedule(sim::Simulation& world) override {
    suspend_one(world);
    const auto answer = sim::Book(world).update(0, compress_);
    ++answers[answer];
    REQUIRE(answer == reference_.update(world, compress_));
    compare(world);
    auto due = sim::Selection::due(0);
    while (const auto job = due.next(world)) {
      if (world.start(*job)) reference_.started(world, *job);
    }
    compare(world);
    world.wake_at(world.book().next(world.now()));
  }

  std::map<Updated, std::int64_t> answers;

 private:
  void suspend_one(sim::Simulation& world) {
    const bool is_time = suspend_every_ > 0 && world.decision() % suspend_every_ == 0;
    if (!is_time || world.running().size() == 0) return;
    const JobId job = world.running().by_planned_end().back().job;
    reference_.suspends(world, job);
    world.suspend(job);
  }

  void compare(sim::Simulation& world) {
    auto& book = world.book();
    const auto& wanted = reference_.reservations();
    CHECK(wanted.size() == world.queue(0).length());
    std::optional<Time> next;
    for (const auto& [job, start] : wanted) {
      REQUIRE(book.of(job) == start);
      if (start > world.now() && (!next || start < *next)) next = start;
    }
    REQUIRE(book.next(world.now()) == next);
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
  TEST_CASE("on 120 workloads the book is the one that is made from nothing") {
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
