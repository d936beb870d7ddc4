#pragma once
// Builders for tests: jobs, machines, C++ policies, and an observer that keeps records.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/jobs/job_columns.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/machines/two_tier/two_tier_settings.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/unlimited.hpp"

namespace berth::test {

// A job in whole seconds; the walltime is the length unless given.
[[nodiscard]] Job a_job(std::int64_t id, std::int64_t submit, std::int32_t size,
                        std::int64_t length, std::optional<std::int64_t> walltime = {});

[[nodiscard]] sim::Machine a_machine(std::int32_t processors);

// What is given of the processes of a job; what is left out is drawn.
struct CpuGiven {
  std::vector<double> use{};       // by process; in (0, 1]
  std::vector<double> declared{};  // empty: as `use`
  std::optional<double> loss{};
  std::optional<double> efficiency{};
};
using CpuGivenTable = std::map<std::int64_t, CpuGiven>;  // by job number

// A machine with what its model is made from besides.
struct TestMachine : sim::Machine {
  // NOLINTNEXTLINE(google-explicit-constructor): any machine will do
  TestMachine(sim::Machine machine) : sim::Machine(std::move(machine)) {}
  CpuGivenTable given{};
  std::uint64_t seed = 0;

  // REQUIRES: two tiers.
  [[nodiscard]] TwoTierSettings& tiers() {
    return std::any_cast<TwoTierSettings&>(model_settings);
  }
};

[[nodiscard]] ModelSpec spec_of(const TestMachine& machine, std::span<const Job> jobs);
[[nodiscard]] inline std::unique_ptr<SharingModel> make_model(
    const TestMachine& machine, std::span<const Job> jobs) {
  return model_of(machine).make(test::spec_of(machine, jobs));
}
[[nodiscard]] inline std::unique_ptr<audit::Law> law_of(const TestMachine& machine,
                                                        std::span<const Job> jobs) {
  return model_of(machine).law(test::spec_of(machine, jobs));
}

// With two tiers, processors from the highest number, a migration delay of 20 s; jobs
// lose nothing in the foreground.
[[nodiscard]] TestMachine a_two_tier_machine(std::int32_t processors,
                                             CpuGivenTable given = {});

// A star of servers with two slots each and links of 100 Mb/s; every job asks for
// 10 Mb/s, placed by AdaBa; a migration delay of 20 s.  REQUIRES: an even number.
[[nodiscard]] TestMachine a_network_machine(std::int32_t processors);

// A policy out of one function, for cases that need one action at one moment.
class ScriptedPolicy : public sim::Policy {
 public:
  using Schedule = std::function<void(sim::Simulation&)>;
  explicit ScriptedPolicy(Schedule schedule, sim::PolicyTraits traits = {})
      : traits_(std::move(traits)), schedule_(std::move(schedule)) {}
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return unlimited(); }
  void schedule(sim::Simulation& simulation) override { schedule_(simulation); }

 private:
  sim::PolicyTraits traits_;
  Schedule schedule_;
};

// The same algorithms as the Lua policies, in C++: they tell an error of the engine
// from one of the bindings.
void fcfs(sim::Simulation& simulation);
void easy(sim::Simulation& simulation);
void conservative(sim::Simulation& simulation);
void conservative_every_pass(sim::Simulation& simulation);

// What a run did, by the trace's job numbers, in seconds.
class Remembering : public sim::Observer {
 public:
  [[nodiscard]] sim::RecordKinds wants() const override { return sim::kAllKinds; }
  void note(const sim::Record& record) override;
  void finish(Time at) override { finished_at = at; }

  struct Span {
    double start;
    double end;
    friend bool operator==(const Span&, const Span&) = default;
  };
  std::map<std::int64_t, Span> spans;  // first start and end
  std::map<std::int64_t, Time> starts;
  std::vector<sim::PlanRecord> plans;
  std::vector<sim::ReservationRecord> reservations;
  std::vector<sim::PassRecord> passes;
  std::vector<std::int64_t> rejected;
  std::vector<std::int64_t> left;
  std::vector<std::pair<std::int64_t, double>> rates;  // job, new rate
  std::int64_t records = 0;
  Time finished_at = kNever;
};

struct Outcome {
  Remembering watched;
  double mean_wait = 0;      // s, over started jobs
  double mean_response = 0;  // s, over ended jobs
  double makespan = 0;       // s
};

// Runs the jobs (put in order first) to the end.
[[nodiscard]] Outcome run(std::vector<Job> jobs, const sim::Machine& machine,
                          sim::Policy& policy, const sim::Settings& settings = {});
[[nodiscard]] Outcome run(std::vector<Job> jobs, const sim::Machine& machine,
                          ScriptedPolicy::Schedule schedule,
                          const sim::Settings& settings = {});

}  // namespace berth::test
