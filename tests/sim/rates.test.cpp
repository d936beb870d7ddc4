// Rates and re-prediction with sharing models made here: the
// engine knows nothing of theirs.

#include <doctest/doctest.h>

#include <map>

#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

// One processor with an upper and a lower place.  The upper job runs at 1 - loss while
// the lower place is taken, the lower one at eff * (1 - u); if the upper one leaves,
// the lower one moves up.  (docs/model.md#two-tier).
class TwoPlaces : public SharingModel {
 public:
  static constexpr double kUpper = 1 - 0.02;
  static constexpr double kLower = 0.86 * (1 - 0.6);

  TwoPlaces() : SharingModel(2) {}
  [[nodiscard]] Result<Placement, Refusal> choose(JobId, const Demand&,
                                                  const Placement*) const override {
    if (held_.size() == 2) return Refusal::kBusy;
    return Placement(IntervalSet(0, 0));
  }
  [[nodiscard]] bool fits(JobId, const Demand&) const override {
    return held_.size() < 2;
  }
  void put(JobId job, const Demand&, const Placement*, Affected& affected) override {
    held_.push_back(job);
    set_idle(idle() - 1);
    name_all(affected);
  }
  void leave(JobId job, Affected& affected) override {
    std::erase(held_, job);
    set_idle(idle() + 1);
    affected.push_back(job);
    name_all(affected);
  }
  void freeze(JobId, Frozen, Affected&) override {}
  [[nodiscard]] double rate(JobId job) const override {
    if (held_.front() != job) return kLower;
    return held_.size() == 2 ? kUpper : 1.0;
  }
  [[nodiscard]] const Placement& placement(JobId) const override { return place_; }

 private:
  void name_all(Affected& affected) const {
    for (const JobId job : held_) affected.push_back(job);
  }
  std::vector<JobId> held_;
  Placement place_ = IntervalSet(0, 0);
};

// Every job runs at a rate that depends on how many run.
class Crowd : public SharingModel {
 public:
  using Rate = std::function<double(JobId, std::size_t running)>;
  explicit Crowd(Rate rate) : SharingModel(100), rate_(std::move(rate)) {}
  [[nodiscard]] Result<Placement, Refusal> choose(JobId, const Demand&,
                                                  const Placement*) const override {
    return Placement(IntervalSet(0, 0));
  }
  [[nodiscard]] bool fits(JobId, const Demand&) const override { return true; }
  void put(JobId job, const Demand&, const Placement*, Affected& affected) override {
    held_.push_back(job);
    affected.insert(affected.end(), held_.begin(), held_.end());
  }
  void leave(JobId job, Affected& affected) override {
    std::erase(held_, job);
    affected.insert(affected.end(), held_.begin(), held_.end());
  }
  void freeze(JobId, Frozen, Affected&) override {}
  [[nodiscard]] double rate(JobId job) const override {
    return rate_(job, held_.size());
  }
  [[nodiscard]] const Placement& placement(JobId) const override { return place_; }

 private:
  Rate rate_;
  std::vector<JobId> held_;
  Placement place_ = IntervalSet(0, 0);
};

constexpr auto kCourse =
    sim::kinds<sim::StartRecord, sim::RateRecord, sim::EndRecord, sim::LeftRecord>();

std::string course(const std::vector<Job>& jobs, std::unique_ptr<SharingModel> model,
                   const sim::Machine& machine = a_machine(100)) {
  ScriptedPolicy policy(fcfs);
  Told events(kCourse);
  Simulation simulation(machine, {}, jobs, policy, std::move(model));
  simulation.audience().observe(events);
  (void)simulation.advance(kNever);
  simulation.finish();
  return events.text;
}

}  // namespace

TEST_SUITE("sim/rates") {
  TEST_CASE("two jobs that slow each other down end to the microsecond") {
    CHECK(course({a_job(1, 0, 1, 100), a_job(2, 0, 1, 50)},
                 std::make_unique<TwoPlaces>(), a_machine(2)) ==
          "0 start 1 on 0; 0 start 2 on 0; 0 rate of 1 = 0.98; 102.040816 end 1; "
          "102.040816 rate of 2 = 1; 116.938775 end 2");
    // 116.9387755 if the first end were not rounded to its tick: 0.3265 us earlier.
  }

  TEST_CASE("so they do if the lower one ends first") {
    CHECK(course({a_job(1, 0, 1, 100), a_job(2, 0, 1, 20)},
                 std::make_unique<TwoPlaces>(), a_machine(2)) ==
          "0 start 1 on 0; 0 start 2 on 0; 0 rate of 1 = 0.98; 58.139535 end 2; "
          "58.139535 rate of 1 = 1; 101.162791 end 1");
  }

  TEST_CASE("a third job changes rates in the middle") {
    // Alone 1, together 0.5: 1 runs 10 s alone, 20 s beside job 2, 10 s alone.
    const auto half = [](JobId, std::size_t n) { return n > 1 ? 0.5 : 1.0; };
    CHECK(course({a_job(1, 0, 1, 30), a_job(2, 10, 1, 10)},
                 std::make_unique<Crowd>(half)) ==
          "0 start 1 on 0; 10 start 2 on 0; 10 rate of 1 = 0.5; 30 end 2; "
          "30 rate of 1 = 1; 40 end 1");
  }

  TEST_CASE("a job whose rate did not change keeps its event: no record, no new end") {
    const auto steady = [](JobId job, std::size_t n) {
      return job == JobId{0} || n == 1 ? 1.0 : 0.25;
    };
    CHECK(course({a_job(1, 0, 1, 20), a_job(2, 3, 1, 2)},
                 std::make_unique<Crowd>(steady)) ==
          "0 start 1 on 0; 3 start 2 on 0; 11 end 2; 20 end 1");
    // Its version is that of its start: nothing was cancelled.
    const std::vector jobs{a_job(1, 0, 1, 20), a_job(2, 3, 1, 2)};
    ScriptedPolicy policy(fcfs);
    Simulation simulation(a_machine(100), {}, jobs, policy,
                          std::make_unique<Crowd>(steady));
    (void)simulation.advance(seconds(12));
    CHECK(simulation.world().jobs()[JobId{0}].version == 1);
    CHECK(simulation.world().jobs()[JobId{0}].settled == 0);
  }

  TEST_CASE("a job at rate 0 has no completion") {
    const auto blocked = [](JobId job, std::size_t) {
      return job == JobId{0} ? 0.0 : 1.0;
    };
    CHECK(course({a_job(1, 0, 1, 5), a_job(2, 0, 1, 3)},
                 std::make_unique<Crowd>(blocked)) ==
          "0 start 1 on 0; 0 start 2 on 0; 3 end 2; 3 left 1 on 0");
  }

  TEST_CASE("a job that stood still goes on where it was") {
    const auto yields = [](JobId job, std::size_t n) {
      return job == JobId{0} && n > 1 ? 0.0 : 1.0;
    };
    CHECK(course({a_job(1, 0, 1, 5), a_job(2, 2, 1, 7)},
                 std::make_unique<Crowd>(yields)) ==
          "0 start 1 on 0; 2 start 2 on 0; 2 rate of 1 = 0; 9 end 2; "
          "9 rate of 1 = 1; 12 end 1");
  }

  TEST_CASE("the longest job at a tiny rate ends never rather than at once") {
    const auto tiny = [](JobId, std::size_t) { return 1e-6; };
    CHECK(course({a_job(1, 0, 1, 100'000'000'000)}, std::make_unique<Crowd>(tiny)) ==
          "0 start 1 on 0; 0 left 1 on 0");
  }

  TEST_CASE("slowed down, a job is killed at its walltime where the machine kills") {
    auto machine = a_machine(100);
    machine.overrun = sim::Overrun::kKill;
    const auto slow = [](JobId, std::size_t) { return 0.5; };
    CHECK(course({a_job(1, 0, 1, 10, 12), a_job(2, 0, 1, 6, 12)},
                 std::make_unique<Crowd>(slow),
                 machine) == "0 start 1 on 0; 0 start 2 on 0; 12 kill 1; 12 end 2");
  }

  TEST_CASE("at its end a job has done exactly its length, whatever the residue") {
    const auto third = [](JobId, std::size_t n) { return n > 1 ? 1.0 / 3 : 0.7; };
    const std::vector jobs{a_job(1, 0, 1, 10), a_job(2, 1, 1, 7), a_job(3, 2, 1, 11)};
    ScriptedPolicy policy(fcfs);
    Simulation simulation(a_machine(100), {}, jobs, policy,
                          std::make_unique<Crowd>(third));
    (void)simulation.advance(kNever);
    for (std::uint32_t i = 0; i < 3; ++i) {
      CHECK(simulation.world().jobs()[JobId{i}].progress ==
            static_cast<double>(jobs[i].length));
    }
  }

  TEST_CASE("at rate 1 the end is start + length in ticks, however large they are") {
    const auto full = [](JobId, std::size_t) { return 1.0; };
    const Duration length = seconds(90'000'000'000) + 1;
    auto job = a_job(1, 9'000'000'000, 1, 1);
    job.length = job.walltime = length;
    ScriptedPolicy policy(fcfs);
    const std::vector jobs{job};
    Told events(sim::kinds<sim::EndRecord>());
    Simulation simulation(a_machine(1), {}, jobs, policy,
                          std::make_unique<Crowd>(full));
    simulation.audience().observe(events);
    (void)simulation.advance(kNever);
    CHECK(events.text == "99000000000.000001 end 1");
  }
}
