// What an agent may do, against what the actions of the engine say.

#include "engine/learn/decisions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using learn::Choose;
using learn::Decisions;
using learn::Rules;

// Runs the jobs with these decisions; `choose` is asked for an action of each.
using Chooses = std::function<std::size_t(const Decisions&, sim::Simulation&)>;

Outcome decided(std::vector<Job> jobs, std::int32_t processors, const Rules& rules,
                std::size_t shown, const Chooses& choose) {
  Decisions decisions(rules, shown);
  decisions.begin();
  return run(std::move(jobs), a_machine(processors), [&](sim::Simulation& simulation) {
    bool is_open = true;
    while (is_open && decisions.find(simulation)) {
      is_open = decisions.take(simulation, choose(decisions, simulation));
    }
  });
}

std::size_t first_allowed(const Decisions& decisions, sim::Simulation&) {
  const auto mask = decisions.mask();
  return static_cast<std::size_t>(
      std::distance(mask.begin(), std::find(mask.begin(), mask.end(), 1)));
}

// The job of this number among those shown.
std::size_t place_of(const Decisions& decisions, const sim::Simulation& simulation,
                     std::int64_t number) {
  const auto jobs = decisions.jobs();
  const auto at = std::find_if(jobs.begin(), jobs.end(), [&](JobId job) {
    return simulation.world().jobs().job(job).id == number;
  });
  return static_cast<std::size_t>(std::distance(jobs.begin(), at));
}

// Compares what "safe" allows with the question that the engine answers, then takes
// some of it at random.
class Judge {
 public:
  explicit Judge(std::uint64_t seed)
      : stream_(std::make_shared<RandomEngine>(random_stream(seed, "test.safe"))) {}

  std::size_t operator()(const Decisions& decisions, sim::Simulation& simulation) {
    auto& actions = simulation.actions();
    const auto plan = actions.reserve(decisions.jobs().front()).value();
    const auto jobs = decisions.jobs();
    std::vector<std::uint8_t> fits(jobs.size());
    std::vector<std::uint8_t> safe(jobs.size());
    std::vector<std::size_t> allowed;
    allowed.reserve(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      fits[i] = simulation.world().fits(jobs[i]) ? 1 : 0;
      safe[i] = i == 0 ? fits[i] : actions.why_not(jobs[i], plan) ? 0 : 1;
      *held_ += fits[i] - safe[i];
      if (safe[i] != 0) allowed.push_back(i);
    }
    const auto mask = decisions.mask().first(jobs.size());
    CHECK(std::equal(mask.begin(), mask.end(), safe.begin()));
    CHECK(std::equal(fits.begin(), fits.end(), decisions.fits().begin()));
    const double share = uniform(*stream_) * static_cast<double>(allowed.size());
    return allowed[static_cast<std::size_t>(share)];
  }
  // Jobs that fitted and were not allowed; of all copies.
  [[nodiscard]] std::size_t held() const { return *held_; }

 private:
  std::shared_ptr<RandomEngine> stream_;
  std::shared_ptr<std::size_t> held_ = std::make_shared<std::size_t>(0);
};

}  // namespace

TEST_SUITE("learn/decisions") {
  TEST_CASE("rules have names, and a head is filled behind only where there is one") {
    CHECK(learn::rules_of("safe", "none").choose == Choose::kSafe);
    CHECK(learn::rules_of("safe", "none").plans());
    CHECK_FALSE(learn::rules_of("fitting", "none").plans());
    CHECK(learn::rules_of("any", "easy").plans());
    CHECK_THROWS_AS((void)learn::rules_of("every", "none"), Error);
    CHECK_THROWS_AS((void)learn::rules_of("any", "all"), Error);
    CHECK_THROWS_AS((void)learn::rules_of("fitting", "easy"), Error);
  }

  // Processors: 4.  Job 1 holds 3 of them until 10.  Then the agent picks job 4, which
  // is the last of the queue and does not fit: it is the head, planned for 10, when it
  // takes all.  Job 2 (1 processor, 5 s) ends before and stands before it; job 3 (1
  // processor, 20 s) would delay it.
  TEST_CASE("what is filled in behind a head may stand before it in the queue") {
    const std::vector<Job> jobs{a_job(1, 0, 3, 10), a_job(2, 1, 1, 5),
                                a_job(3, 1, 1, 20), a_job(4, 1, 4, 6)};
    const auto picks = [](const Decisions& decisions, sim::Simulation& simulation) {
      const auto last = place_of(decisions, simulation, 4);
      return last < decisions.jobs().size() ? last : std::size_t{0};
    };
    const auto filled = decided(jobs, 4, {Choose::kAny, true}, 8, picks).watched.spans;
    CHECK(filled.at(2) == Remembering::Span{1, 6});
    CHECK(filled.at(4) == Remembering::Span{10, 16});
    CHECK(filled.at(3) == Remembering::Span{16, 36});
    const auto plain = decided(jobs, 4, {Choose::kAny, false}, 8, picks).watched.spans;
    CHECK(plain.at(2) == Remembering::Span{16, 21});
    CHECK(plain.at(4) == Remembering::Span{10, 16});
  }

  TEST_CASE("waiting is allowed only where an event is to come") {
    std::vector<std::uint8_t> waits;
    const auto watches = [&](const Decisions& decisions, sim::Simulation& simulation) {
      waits.push_back(decisions.mask().back());
      return first_allowed(decisions, simulation);
    };
    // At 0 an arrival is to come, at 5 nothing is.
    (void)decided({a_job(1, 0, 1, 2), a_job(2, 5, 1, 2)}, 4, {}, 2, watches);
    CHECK(waits == std::vector<std::uint8_t>{1, 0});
    waits.clear();
    (void)decided({a_job(1, 0, 1, 2), a_job(2, 5, 1, 2)}, 4, {Choose::kAny, false}, 2,
                  watches);
    CHECK(waits == std::vector<std::uint8_t>{0, 0});
  }

  TEST_CASE("only the first of the queue are shown, by submit and number") {
    std::vector<std::size_t> shown;
    const auto watches = [&](const Decisions& decisions, sim::Simulation& simulation) {
      shown.push_back(decisions.jobs().size());
      CHECK(simulation.world().jobs().job(decisions.jobs()[0]).id ==
            static_cast<std::int64_t>(shown.size()));
      return std::size_t{0};
    };
    (void)decided({a_job(2, 0, 1, 2), a_job(1, 0, 1, 2), a_job(3, 0, 1, 2)}, 4, {}, 2,
                  watches);
    CHECK(shown == std::vector<std::size_t>{2, 2, 1});
  }

  TEST_CASE("always the first of all is FCFS, and filling behind it EASY") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto jobs = random_jobs(seed, {.jobs = 60, .processors = 16});
      const auto same = [&](bool fills, void (*twin)(sim::Simulation&)) {
        const auto mine =
            decided(jobs, 16, {Choose::kAny, fills}, 4, first_allowed).watched.spans;
        CHECK(mine == run(jobs, a_machine(16), twin).watched.spans);
      };
      same(false, fcfs);
      same(true, easy);
    }
  }

  // A job that is allowed under "safe" starts no later than the reservation, or beside
  // it: the first of the queue could start when it was planned, whatever was taken.
  TEST_CASE("what is safe fits and does not delay the first of the queue") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto jobs = random_jobs(seed, {.jobs = 60, .processors = 16});
      Judge judge(seed);
      const auto played = decided(jobs, 16, {Choose::kSafe, false}, 128, judge);
      CHECK(played.watched.spans.size() == jobs.size());
      CHECK(judge.held() > 0);
    }
  }
}
