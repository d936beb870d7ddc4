// The queue in the policy's orders.

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "engine/sim/selection.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

// Orders: "shortest" by walltime, and "fading" by a number that the test sets,
// recomputed every 10 s.
class Ordered : public sim::Policy {
 public:
  explicit Ordered(std::size_t default_order = 0, Duration refresh = seconds(10)) {
    traits_.orders = {{"shortest", {}}, {"fading", refresh}};
    traits_.default_order = default_order;
  }
  void leave_out() { traits_.passes = sim::Passes::kWhenAJobFits; }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }
  void schedule(Simulation& world) override {
    if (pass) pass(world);
  }
  double key(Simulation& world, std::size_t order, JobId job) override {
    ++asked;
    if (in_key) in_key(world);
    if (order == 0) return to_seconds(world.world().jobs().job(job).walltime);
    return fading * static_cast<double>(index(job));
  }
  void keys(Simulation& world, std::size_t order, std::span<const JobId> jobs,
            std::span<double> out) override {
    batches.push_back(jobs.size());
    Policy::keys(world, order, jobs, out);
  }
  std::function<void(Simulation&)> pass;
  std::function<void(Simulation&)> in_key;
  double fading = 1;
  std::int64_t asked = 0;
  std::vector<std::size_t> batches;  // members at each refresh

 private:
  sim::PolicyTraits traits_;
};

std::string order(const Simulation& world, std::size_t number) {
  std::string out;
  const auto& queue = world.queue(number);
  for (auto at = queue.head(); at; at = queue.next(&*at)) {
    out += std::to_string(world.world().jobs().job(at->job).id) + " ";
  }
  return out;
}

std::vector<Job> three() {
  return {a_job(1, 0, 1, 30), a_job(2, 0, 1, 10), a_job(3, 0, 1, 20)};
}

}  // namespace

TEST_SUITE("sim/orders") {
  TEST_CASE("each order sorts by its key, equal keys by (submit, id)") {
    Ordered policy;
    policy.pass = [](Simulation& world) {
      CHECK(order(world, 0) == "1 2 3 4 ");
      CHECK(order(world, 1) == "2 4 3 1 ");
      CHECK(order(world, 2) == "1 2 3 4 ");
    };
    auto jobs = three();
    jobs.push_back(a_job(4, 0, 1, 10));
    (void)run(jobs, a_machine(4), policy);
  }

  TEST_CASE(
      "a key is asked for once when the job comes in, and again when it is back") {
    Ordered policy;
    auto machine = a_machine(4);
    machine.preemption = true;
    policy.pass = [&](Simulation& world) {
      if (world.world().now() > 0) return;
      CHECK(policy.asked == 6);
      policy.fading = -1;
      CHECK(world.actions().start(JobId{1}));
      CHECK(order(world, 2) == "1 3 ");
      world.actions().suspend(JobId{1});
      CHECK(policy.asked == 8);
      CHECK(order(world, 2) == "2 1 3 ");
      CHECK(order(world, 1) == "2 3 1 ");
    };
    (void)run(three(), machine, policy);
  }

  TEST_CASE(
      "an order with a refresh is computed anew at the first pass so much later") {
    Ordered policy(2);
    std::vector<std::string> seen;
    policy.pass = [&](Simulation& world) {
      policy.fading = -policy.fading;
      if (world.world().now() < seconds(25))
        world.actions().wake_at(world.world().now() + seconds(5));
      seen.push_back(seconds_text(world.world().now()) + ": " + order(world, 2));
    };
    CHECK(told({a_job(1, 0, 1, 1), a_job(2, 0, 1, 1)}, a_machine(1), policy, {},
               sim::kinds<sim::RekeyRecord>()) ==
          "10 key of 1 = 0; 10 key of 2 = 1; 20 key of 1 = 0; 20 key of 2 = 1");
    // 0, 5: as they came in with +; at 10 and 20 the sign was + again.
    CHECK(seen.front() == "0: 1 2 ");
    CHECK(seen.size() == 6);
  }

  TEST_CASE("a period counts from its multiples, and no due pass is left out") {
    Ordered policy(2);
    policy.leave_out();
    std::vector<std::string> seen;
    policy.pass = [&](Simulation& world) {
      seen.push_back(seconds_text(world.world().now()));
      if (world.world().now() == 0) CHECK(world.actions().start(JobId{0}));
    };
    // Nothing fits from 0 on: of the submits at 7, 13, 19, 21 and 39 those at or after
    // 10, 20 and 30 make a pass.
    (void)run({a_job(1, 0, 1, 50), a_job(2, 7, 1, 1), a_job(3, 13, 1, 1),
               a_job(4, 19, 1, 1), a_job(5, 21, 1, 1), a_job(6, 39, 1, 1)},
              a_machine(1), policy);
    CHECK(seen == std::vector<std::string>{"0", "13", "21", "39", "50"});
  }

  TEST_CASE("an order may be computed anew at every pass that is made, in one go") {
    Ordered policy(2, Duration{0});
    std::vector<std::string> seen;
    policy.pass = [&](Simulation& world) {
      policy.fading = -policy.fading;
      seen.push_back(order(world, 2));
      if (world.world().now() == 0) world.actions().wake_at(seconds(1));
    };
    (void)run({a_job(1, 0, 1, 1), a_job(2, 0, 1, 1)}, a_machine(1), policy);
    CHECK(seen == std::vector<std::string>{"1 2 ", "2 1 "});
    CHECK(policy.batches == std::vector<std::size_t>{2, 2});

    Ordered lazy(2, Duration{0});
    lazy.leave_out();
    std::int64_t passes = 0;
    lazy.pass = [&](Simulation&) { ++passes; };
    (void)run({a_job(1, 0, 2, 1), a_job(2, 5, 2, 1)}, a_machine(2), lazy);
    CHECK(lazy.batches.size() == static_cast<std::size_t>(passes));
  }

  TEST_CASE("a refresh sorts as inserting one by one would") {
    Ordered policy;
    std::vector<Job> jobs;
    for (std::int64_t i = 1; i <= 300; ++i) jobs.push_back(a_job(i, 0, 1, 1));
    std::int64_t passes = 0;
    policy.pass = [&](Simulation& world) {
      if (passes++ == 0) {
        policy.fading = -1;
        return world.actions().wake_at(seconds(10));
      }
      std::optional<Place> last;
      std::size_t count = 0;
      for (auto at = world.queue(2).head(); at; at = world.queue(2).next(&*at)) {
        CHECK((!last || *last < *at));
        CHECK(at->key == -static_cast<double>(index(at->job)));
        last = at;
        ++count;
      }
      CHECK(count == 300);
      CHECK(world.queue(2).head()->job == JobId{299});
    };
    (void)run(jobs, a_machine(1), policy);
    CHECK(passes == 2);
  }

  TEST_CASE("a function for keys may only read") {
    Ordered policy;
    std::string said;
    policy.in_key = [&](Simulation& world) {
      said = wrong_call([&] { (void)world.actions().start(JobId{0}); });
      CHECK(wrong_call([&] { world.actions().wake_at(seconds(9)); }) ==
            "wake_at: not allowed in an order's key or a function passed in");
    };
    (void)run({a_job(1, 0, 1, 1)}, a_machine(1), policy);
    CHECK(said == "start: not allowed in an order's key or a function passed in");
  }

  TEST_CASE("the order does not change during a decision") {
    Ordered policy;
    policy.pass = [&](Simulation& world) {
      if (world.world().now() > 0) return;
      policy.fading = -1;
      CHECK(order(world, 2) == "1 2 3 ");
      CHECK(world.actions().start(JobId{1}));
      CHECK(order(world, 2) == "1 3 ");
    };
    (void)run(three(), a_machine(4), policy);
  }

  TEST_CASE("the default order's key is told with submissions and suspensions") {
    class Keys : public sim::Observer {
     public:
      [[nodiscard]] sim::RecordKinds wants() const override {
        return sim::kinds<sim::SubmitRecord, sim::SuspendRecord>();
      }
      void note(const sim::Record& record) override {
        if (const auto* in = std::get_if<sim::SubmitRecord>(&record))
          keys.push_back(in->key);
        if (const auto* out = std::get_if<sim::SuspendRecord>(&record)) {
          keys.push_back(out->key);
        }
      }
      void finish(Time) override {}
      std::vector<double> keys;
    };
    Ordered policy(1);
    auto machine = a_machine(4);
    machine.preemption = true;
    policy.pass = [](Simulation& world) {
      if (world.world().now() > 0) return;
      CHECK(world.actions().start(JobId{2}));
      world.actions().suspend(JobId{2});
    };
    const auto jobs = three();
    Keys keys;
    Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
    simulation.audience().observe(keys);
    (void)simulation.advance(kNever);
    CHECK(keys.keys == std::vector<double>{30, 10, 20, 20});
  }
}
