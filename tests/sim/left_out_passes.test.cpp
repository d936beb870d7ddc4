// Passes that are left out because the book would only move along with the clock, and
// how little shows that they are.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/error.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Passes;

constexpr auto kBook = sim::kinds<sim::ReservationRecord, sim::WakeRecord,
                                  sim::StartRecord, sim::EndRecord, sim::PassRecord>();
constexpr auto kNotOfPasses =
    sim::kAllKinds &
    ~sim::kinds<sim::ReservationRecord, sim::WakeRecord, sim::PassRecord>();

// Conservative backfilling by arrival or by the share of its walltime that a job has
// waited for, looked at anew each 40 s.
class Conservative final : public sim::Policy {
 public:
  struct How {
    Compress compress = Compress::kEarlyEnds;
    bool by_share = false;
    bool looks = false;  // at who comes first, at each pass
  };

  explicit Conservative(Passes passes) : Conservative(passes, How{}) {}
  Conservative(Passes passes, const How& how) : how_(how) {
    traits_.label = "conservative";
    traits_.passes = passes;
    if (how.by_share) traits_.orders = {{"share", seconds(40)}};
  }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] double key(sim::Simulation& world, std::size_t, JobId job) override {
    const auto& asked = world.jobs().job(job);
    return to_seconds(asked.submit - world.now()) / (1 + to_seconds(asked.walltime));
  }
  void schedule(sim::Simulation& world) override {
    const std::size_t order = how_.by_share ? 1 : 0;
    answers.push_back(sim::Book(world).update(order, how_.compress));
    auto due = sim::Selection::due(order);
    while (const auto job = due.next(world)) (void)world.start(*job);
    const auto next = world.book().next(world.now());
    nexts.emplace(world.decision(), next);
    const auto head = world.queue(order).head();
    if (how_.looks && head) heads.emplace(world.decision(), world.book().of(head->job));
    world.wake_at(next);
  }

  std::vector<Updated> answers;
  std::map<std::int64_t, std::optional<Time>> nexts;  // by decision
  std::map<std::int64_t, std::optional<Time>> heads;

 private:
  How how_;
  sim::PolicyTraits traits_;
};

// What the records say at the end of each pass.
class Seen final : public sim::Observer {
 public:
  struct AtPass {
    Time at;
    sim::Causes causes;
    std::int64_t actions;
    std::map<JobId, Time> reserved;
    std::optional<Time> wake;
    friend bool operator==(const AtPass&, const AtPass&) = default;
  };

  [[nodiscard]] sim::RecordKinds wants() const override { return kBook; }
  void note(const sim::Record& record) override {
    if (const auto* moved = std::get_if<sim::ReservationRecord>(&record)) {
      now_.reserved.erase(moved->job);
      if (moved->start) now_.reserved.emplace(moved->job, *moved->start);
    } else if (const auto* start = std::get_if<sim::StartRecord>(&record)) {
      now_.reserved.erase(start->who.id);
    } else if (const auto* wake = std::get_if<sim::WakeRecord>(&record)) {
      now_.wake = wake->wake;
    } else if (const auto* pass = std::get_if<sim::PassRecord>(&record)) {
      now_.at = pass->at;
      now_.causes = pass->causes;
      now_.actions = pass->actions;
      passes.emplace(pass->number, now_);
    }
  }
  void finish(Time at) override { finished_at = at; }

  std::map<std::int64_t, AtPass> passes;  // by number
  Time finished_at = kNever;

 private:
  AtPass now_{};
};

struct Ran {
  explicit Ran(sim::RecordKinds kinds) : others(kinds) {}
  Told others;
  Seen seen;
  Time now = 0;
  std::int64_t decision = 0;
};

// Up to `until`, with whoever watches.
Ran ran(const std::vector<Job>& jobs, sim::Policy& policy,
        const sim::Settings& settings, bool watches_book, Time until = kNever) {
  Ran out(watches_book ? kNotOfPasses : sim::kinds<sim::StartRecord>());
  sim::Simulation simulation(a_machine(8), settings, jobs, policy);
  simulation.observe(out.others);
  if (watches_book) simulation.observe(out.seen);
  (void)simulation.advance(until);
  simulation.finish();
  out.now = simulation.now();
  out.decision = simulation.decision();
  return out;
}

// Overruns that last for many passes; few things fall together, and some do.
std::vector<Job> long_overruns(std::uint64_t seed) {
  auto jobs = random_jobs(seed, {24, 8, false, true});
  const auto scale = static_cast<std::int64_t>(1 + seed % 20);
  for (auto& job : jobs) {
    job.submit *= scale;
    job.length *= scale;
    job.walltime *= scale;
    if (seed % 2 == 0) job.length += kSecond / 4;
  }
  return jobs;
}

sim::Settings settings_of(std::uint64_t seed) {
  sim::Settings settings;
  if (seed % 3 == 1) settings.pass = sim::PassMode::kEvent;
  if (seed % 5 == 1) settings.ties = Ties::kSubmitsFirst;
  return settings;
}

// Passes of `some` that are not those of `all`.
std::size_t differing(const std::map<std::int64_t, Seen::AtPass>& all,
                      const std::map<std::int64_t, Seen::AtPass>& some) {
  std::size_t differing = 0;
  for (const auto& [number, pass] : some) {
    const auto at = all.find(number);
    differing += at != all.end() && at->second == pass ? 0 : 1;
  }
  return differing;
}

template <class Value>
bool is_part(const std::map<std::int64_t, Value>& part,
             const std::map<std::int64_t, Value>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// The first fills the machine and runs for longer than it said; the second waits for
// it.
std::vector<Job> one_overrun(std::int64_t length) {
  return {a_job(1, 0, 8, length, 3), a_job(2, 1, 8, 2)};
}

std::string book_of(Passes passes) {
  Conservative policy(passes);
  return told(one_overrun(6), a_machine(8), policy, {}, kBook);
}

std::string standstill(Passes passes) {
  Conservative policy(passes);
  sim::Settings settings;
  settings.idle_passes_in_a_row = 50;
  try {
    (void)ran(one_overrun(100), policy, settings, false);
  } catch (const Error& error) {
    return error.what();
  }
  return "it ended";
}

}  // namespace

TEST_SUITE("sim/left_out_passes") {
  TEST_CASE("while the book only moves along, nobody is asked") {
    CHECK(book_of(Passes::kEvery) ==
          "0 book 1 0; 0 start 1 on 0-7; 0 pass 1; 1 wake 3; 1 book 2 3; 1 pass 2; "
          "3 wake 4; 3 book 2 4; 3 pass 3; 4 wake 5; 4 book 2 5; 4 pass 4; "
          "5 wake 6; 5 book 2 6; 5 pass 5; 6 end 1; 6 start 2 on 0-7; 6 pass 6; "
          "8 end 2; 8 pass 7");
    CHECK(book_of(Passes::kWhenTheBookChanges) ==
          "0 book 1 0; 0 start 1 on 0-7; 0 pass 1; 1 wake 3; 1 book 2 3; 1 pass 2; "
          "3 wake 4; 3 book 2 4; 3 pass 3; "
          "5 wake 6; 5 book 2 6; 6 end 1; 6 start 2 on 0-7; 6 pass 6; "
          "8 end 2; 8 pass 7");
  }

  TEST_CASE("on random workloads every pass that is made is as if all were made") {
    std::size_t left_out = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
      CAPTURE(seed);
      const auto jobs = long_overruns(seed);
      const Conservative::How how{std::array{Compress::kEarlyEnds, Compress::kEveryPass,
                                             Compress::kStartNow}[seed % 3],
                                  seed % 4 == 3, seed % 7 == 0};
      Conservative always(Passes::kEvery, how);
      Conservative seldom(Passes::kWhenTheBookChanges, how);
      const auto all = ran(jobs, always, settings_of(seed), true);
      const auto some = ran(jobs, seldom, settings_of(seed), true);
      REQUIRE(some.others.text == all.others.text);
      REQUIRE(some.seen.finished_at == all.seen.finished_at);
      REQUIRE(some.decision == all.decision);
      REQUIRE(differing(all.seen.passes, some.seen.passes) == 0);
      REQUIRE(is_part(seldom.nexts, always.nexts));
      REQUIRE(is_part(seldom.heads, always.heads));
      left_out += all.seen.passes.size() - some.seen.passes.size();
    }
    CHECK(left_out > 100'000);
  }

  TEST_CASE("nor does it matter that nobody watches") {
    std::size_t left_out = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      CAPTURE(seed);
      const auto jobs = long_overruns(seed);
      const Conservative::How how{std::array{Compress::kStartNow, Compress::kEarlyEnds,
                                             Compress::kEveryPass}[seed % 3],
                                  seed % 4 == 1, seed % 7 == 0};
      Conservative always(Passes::kEvery, how);
      Conservative seldom(Passes::kWhenTheBookChanges, how);
      const auto all = ran(jobs, always, settings_of(seed), false);
      const auto some = ran(jobs, seldom, settings_of(seed), false);
      REQUIRE(some.others.text == all.others.text);
      REQUIRE(some.decision == all.decision);
      REQUIRE(is_part(seldom.nexts, always.nexts));
      REQUIRE(is_part(seldom.heads, always.heads));
      left_out += always.answers.size() - seldom.answers.size();
    }
    CHECK(left_out > 60'000);
  }

  TEST_CASE("a run that is stopped early has come as far") {
    for (const auto until : {seconds(2), seconds(3), seconds(44), seconds(45) - 1}) {
      Conservative always(Passes::kEvery);
      Conservative seldom(Passes::kWhenTheBookChanges);
      const auto all = ran(one_overrun(100), always, {}, true, until);
      const auto some = ran(one_overrun(100), seldom, {}, true, until);
      CHECK(some.now == all.now);
      CHECK(some.decision == all.decision);
      CHECK(some.seen.finished_at == all.seen.finished_at);
    }
  }

  TEST_CASE("passes that are left out are idle ones: a run stands still as soon") {
    const auto says = standstill(Passes::kWhenTheBookChanges);
    CHECK(says == standstill(Passes::kEvery));
    CHECK(says.find("stands still at t=52: 50 passes in a row") != std::string::npos);
  }

  TEST_CASE("who wakes at another time than the book's next start is woken then") {
    sim::PolicyTraits traits;
    traits.passes = Passes::kWhenTheBookChanges;
    ScriptedPolicy policy(
        [](sim::Simulation& world) {
          (void)sim::Book(world).update(0, Compress::kEarlyEnds);
          auto due = sim::Selection::due(0);
          while (const auto job = due.next(world)) (void)world.start(*job);
          world.wake_at(world.now() + kSecond / 2);
        },
        traits);
    CHECK(
        told(one_overrun(6), a_machine(8), policy, {}, sim::kinds<sim::PassRecord>()) ==
        "0 pass 1; 0.5 pass 2; 1 pass 3; 1.5 pass 4; 2 pass 5; 2.5 pass 6; 3 pass 7; "
        "3.5 pass 8; 4 pass 9; 4.5 pass 10; 5 pass 11; 5.5 pass 12; 6 pass 13; "
        "6.5 pass 14; 7 pass 15; 7.5 pass 16; 8 pass 17; 8.5 pass 18");
  }
}
