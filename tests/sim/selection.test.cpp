// Selections: the cursor rule, and why_not as their twin.

#include "engine/sim/selection.hpp"

#include <doctest/doctest.h>

#include <array>
#include <boost/random/uniform_int_distribution.hpp>

#include "engine/sim/book.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Selection;
using sim::Simulation;
using Numbers = std::vector<std::int64_t>;

// One decision with these jobs waiting on 10 processors.
void decide(std::vector<Job> jobs, const std::function<void(Simulation&)>& decision) {
  bool done = false;
  auto machine = a_machine(10);
  machine.preemption = true;
  (void)run(std::move(jobs), machine, [&](Simulation& world) {
    if (!std::exchange(done, true)) decision(world);
  });
  CHECK(done);
}

std::int64_t number(const std::optional<JobId>& job) {
  return job ? static_cast<std::int64_t>(index(*job)) + 1 : 0;
}

Numbers rest(Selection selection, Simulation& world) {
  Numbers out;
  while (const auto job = selection.next(world)) out.push_back(number(job));
  CHECK_FALSE(selection.next(world));
  return out;
}

// Jobs of these sizes, all of 10 s, all at 0.
std::vector<Job> sized(std::initializer_list<std::int32_t> sizes) {
  std::vector<Job> jobs;
  std::int64_t id = 0;
  for (const auto size : sizes) jobs.push_back(a_job(++id, 0, size, 10));
  return jobs;
}

void start(Simulation& world, std::uint32_t id) {
  REQUIRE(world.actions().start(JobId{id - 1}));
}

// Every job of the queue, in order, of which `holds` is true.
template <class Holds>
Numbers members(const Simulation& world, std::size_t order, Holds&& holds) {
  Numbers out;
  for (auto at = world.queue(order).head(); at; at = world.queue(order).next(&*at)) {
    if (holds(at->job)) out.push_back(number(at->job));
  }
  return out;
}

// At every pass compares each selection with what why_not says of the members, then
// starts some jobs at random.
class Comparing final : public sim::Policy {
 public:
  explicit Comparing(std::uint64_t seed) : stream_(random_stream(seed, "test.walk")) {
    traits_.orders.push_back({"by_size", {}});
  }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }
  double key(Simulation& world, std::size_t, JobId job) override {
    return world.world().jobs().job(job).size;
  }
  void schedule(Simulation& world) override {
    for (const std::size_t order : {0U, 1U}) {
      compare(world, order);
      compare_plans(world, order);
    }
    for (const auto job : rest(Selection::fitting(0), world)) {
      if (draw(0, 2) == 0)
        (void)world.actions().start(JobId{static_cast<std::uint32_t>(job - 1)});
    }
    if (!world.queue(0).head()) return;
    world.actions().wake_at(world.world().now() + seconds(draw(1, 9)));
  }
  std::int64_t shown = 0;
  std::int64_t held = 0;

 private:
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream_);
  }

  void compare(Simulation& world, std::size_t order) {
    const auto fits = [&](JobId job) { return !world.actions().why_not(job, {}); };
    const auto all = members(world, order, [](JobId) { return true; });
    CHECK(rest(Selection::all(order), world) == all);
    const auto fitting = members(world, order, fits);
    CHECK(rest(Selection::fitting(order), world) == fitting);
    Numbers startable;
    for (const auto job : all) {
      if (!fits(JobId{static_cast<std::uint32_t>(job - 1)})) break;
      startable.push_back(job);
    }
    // Without starts in between every one of them fits by itself.
    CHECK(rest(Selection::startable(order), world) == startable);
    Numbers tightest;
    for (const auto job : fitting) {
      if (tightest.empty() || size(world, job) > size(world, tightest[0]))
        tightest = {job};
    }
    const auto found = sim::tightest(world, order);
    CHECK((found ? Numbers{number(found)} : Numbers{}) == tightest);
    const auto smallest = std::min_element(
        fitting.begin(), fitting.end(),
        [&](auto a, auto b) { return size(world, a) < size(world, b); });
    const auto least = sim::tightest(world, order, std::array{-0.5});
    CHECK((least ? number(least) : 0) == (fitting.empty() ? 0 : *smallest));
  }

  void compare_plans(Simulation& world, std::size_t order) {
    std::vector<sim::PlanId> plans;
    for (auto at = world.queue(order).head(); at && plans.size() < 2;
         at = world.queue(order).next(&*at)) {
      plans.push_back(world.actions().reserve(at->job).value());
      const auto depth = draw(0, 6);
      const auto behind = world.place(at->job, order);
      std::int64_t tried = 0;
      const auto admitted = [&](JobId job) {
        if (world.place(job, order) <= behind) return false;
        bool right = true;
        for (const auto& plan : plans) {
          const auto why = world.actions().why_not(job, plan);
          held += why && why->reason == Refusal::kHeld ? 1 : 0;
          right = right && !why;
        }
        return right;
      };
      const auto wanted = members(world, order, admitted);
      CHECK(rest(Selection::backfillable(world, order, plans), world) == wanted);
      const auto near = members(world, order, [&](JobId job) {
        if (world.place(job, order) <= behind) return false;
        return ++tried <= depth && admitted(job);
      });
      CHECK(rest(Selection::backfillable(world, order, plans, depth), world) == near);
      shown += static_cast<std::int64_t>(wanted.size());
    }
  }

  static std::int32_t size(const Simulation& world, std::int64_t job) {
    return world.world().jobs().job(JobId{static_cast<std::uint32_t>(job - 1)}).size;
  }

  sim::PolicyTraits traits_;
  RandomEngine stream_;
};

}  // namespace

TEST_SUITE("sim/selection") {
  TEST_CASE("on random states every selection shows whom why_not has nothing against") {
    std::int64_t shown = 0;
    std::int64_t held = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      Comparing policy(seed);
      const auto jobs = random_jobs(seed, {30, 8, false, seed % 3 == 0});
      (void)run(jobs, a_machine(8), policy);
      shown += policy.shown;
      held += policy.held;
    }
    CHECK(shown > 1000);
    CHECK(held > 1000);
  }

  TEST_CASE(
      "a job shown may be started: the walk goes on with the next that fits then") {
    decide(sized({4, 7, 5, 2, 1, 1}), [](Simulation& world) {
      auto walk = Selection::fitting(0);
      Numbers shown;
      while (const auto job = walk.next(world)) {
        shown.push_back(number(job));
        CHECK(world.actions().start(*job));
      }
      CHECK(shown == Numbers{1, 3, 5});  // 4 + 5 + 1; then nothing is idle
    });
  }

  TEST_CASE("a job shown may be left alone: nothing is shown twice") {
    decide(sized({4, 9, 5, 2}), [](Simulation& world) {
      start(world, 4);
      CHECK(rest(Selection::fitting(0), world) == Numbers{1, 3});
    });
  }

  TEST_CASE("a job shown may be rejected") {
    decide(sized({4, 5, 2}), [](Simulation& world) {
      auto walk = Selection::all(0);
      CHECK(number(walk.next(world)) == 1);
      world.actions().reject(JobId{0});
      CHECK(number(walk.next(world)) == 2);
      world.actions().reject(JobId{2});
      CHECK_FALSE(walk.next(world));
    });
  }

  TEST_CASE("another job may be started instead") {
    decide(sized({4, 5, 6, 3}), [](Simulation& world) {
      auto walk = Selection::fitting(0);
      CHECK(number(walk.next(world)) == 1);
      start(world, 3);
      CHECK(number(walk.next(world)) == 4);
      start(world, 1);
      CHECK_FALSE(walk.next(world));
    });
  }

  TEST_CASE("a member that comes to lie before the place is not shown") {
    auto jobs = sized({4, 5, 1});
    decide(jobs, [](Simulation& world) {
      start(world, 1);
      auto walk = Selection::all(0);
      CHECK(number(walk.next(world)) == 2);
      world.actions().suspend(JobId{0});
      CHECK(number(walk.next(world)) == 3);
      CHECK_FALSE(walk.next(world));
      CHECK(rest(Selection::all(0), world) == Numbers{1, 2, 3});
    });
  }

  TEST_CASE("a member that comes to lie behind the place is shown") {
    decide(sized({4, 5, 1}), [](Simulation& world) {
      start(world, 3);
      auto walk = Selection::all(0);
      CHECK(number(walk.next(world)) == 1);
      world.actions().suspend(JobId{2});
      CHECK(number(walk.next(world)) == 2);
      CHECK(number(walk.next(world)) == 3);
    });
  }

  TEST_CASE("startable ends at the first that does not fit, also later") {
    decide(sized({4, 7, 5}), [](Simulation& world) {
      auto walk = Selection::startable(0);
      CHECK(number(walk.next(world)) == 1);
      start(world, 1);
      CHECK_FALSE(walk.next(world));  // 7 > 6
      world.actions().suspend(JobId{0});
      CHECK_FALSE(walk.next(world));  // once over, over
    });
  }

  TEST_CASE("startable goes on where the job shown was left alone") {
    decide(sized({4, 7, 5}), [](Simulation& world) {
      CHECK(rest(Selection::startable(0), world) == Numbers{1, 2, 3});
    });
  }

  TEST_CASE("fitting behind a job that is no member any more begins at its place") {
    decide(sized({4, 3, 2, 1}), [](Simulation& world) {
      start(world, 2);
      CHECK(rest(Selection::fitting(0, world.place(JobId{1}, 0)), world) ==
            Numbers{3, 4});
    });
  }

  TEST_CASE("backfillable begins behind the plan's job and follows the spare down") {
    // 6 run until 10; job 2 (8) waits with shadow 10 and spare 2.
    decide({a_job(1, 0, 6, 10), a_job(2, 0, 8, 9), a_job(3, 0, 1, 99),
            a_job(4, 0, 2, 99), a_job(5, 0, 2, 10), a_job(6, 0, 1, 99)},
           [](Simulation& world) {
             start(world, 1);
             const auto plan = world.actions().reserve(JobId{1}).value();
             CHECK(rest(Selection::backfillable(world, 0, std::array{plan}), world) ==
                   Numbers{3, 4, 5, 6});
             auto walk = Selection::backfillable(world, 0, std::array{plan});
             CHECK(number(walk.next(world)) == 3);
             start(world, 3);
             CHECK(number(walk.next(world)) == 5);  // 4 needs 2 of 1 spare
             start(world, 5);
             CHECK(number(walk.next(world)) == 6);
           });
  }

  TEST_CASE("backfillable with a depth counts members tried, fitting or not") {
    decide(sized({10, 10, 9, 2, 3}), [](Simulation& world) {
      const auto plan = world.actions().reserve(JobId{0}).value();
      CHECK(world.plans().at(plan).start == 0);
      CHECK(rest(Selection::backfillable(world, 0, std::array{plan}), world).empty());
    });
    decide({a_job(1, 0, 6, 10), a_job(2, 0, 8, 9), a_job(3, 0, 5, 9), a_job(4, 0, 2, 9),
            a_job(5, 0, 2, 9)},
           [](Simulation& world) {
             start(world, 1);
             const auto plan = world.actions().reserve(JobId{1}).value();
             const auto with = [&](std::int64_t depth) {
               return rest(Selection::backfillable(world, 0, std::array{plan}, depth),
                           world);
             };
             CHECK(with(0).empty());
             CHECK(with(1).empty());  // job 3 was tried
             CHECK(with(2) == Numbers{4});
             CHECK(with(3) == Numbers{4, 5});
             CHECK(with(99) == Numbers{4, 5});
             auto walk = Selection::backfillable(world, 0, std::array{plan}, 2);
             start(world, 4);  // the last member within the depth is gone
             CHECK_FALSE(walk.next(world));
           });
  }

  TEST_CASE(
      "several plans: each must admit, and the last one's job is where to begin") {
    decide({a_job(1, 0, 6, 10), a_job(2, 0, 8, 9), a_job(3, 0, 10, 9),
            a_job(4, 0, 1, 15), a_job(5, 0, 1, 10), a_job(6, 0, 1, 99)},
           [](Simulation& world) {
             start(world, 1);
             const auto first =
                 world.actions().reserve(JobId{1}).value();  // at 10, spare 2
             const auto second =
                 world.actions().reserve(JobId{2}).value();  // at 10, spare 0
             CHECK(rest(Selection::backfillable(world, 0, std::array{first}), world) ==
                   Numbers{4, 5, 6});
             CHECK(rest(Selection::backfillable(world, 0, std::array{first, second}),
                        world) == Numbers{5});
           });
  }

  TEST_CASE("due shows members whose reservation has come, in order of the queue") {
    decide(sized({4, 10, 5, 1}), [](Simulation& world) {
      for (const std::uint32_t id : {4U, 3U, 1U, 2U}) {
        (void)sim::Book(world).place(JobId{id - 1});
      }
      CHECK(rest(Selection::due(0), world) == Numbers{1, 3, 4});
      auto walk = Selection::due(0);
      CHECK(number(walk.next(world)) == 1);
      start(world, 3);
      CHECK(number(walk.next(world)) == 4);
      CHECK_FALSE(walk.next(world));
    });
  }

  TEST_CASE("tightest is the largest that fits, the first of equals") {
    decide(sized({4, 8, 8, 1}), [](Simulation& world) {
      CHECK(number(sim::tightest(world, 0)) == 2);
      CHECK(number(sim::tightest(world, 0, std::array{0.25})) == 2);
      CHECK(number(sim::tightest(world, 0, std::array{0.0})) == 1);
      CHECK(number(sim::tightest(world, 0, std::array{-1.0})) == 4);
      start(world, 2);
      CHECK(number(sim::tightest(world, 0)) == 4);
      start(world, 4);
      CHECK_FALSE(sim::tightest(world, 0));
    });
  }
}
