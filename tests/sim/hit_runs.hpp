#pragma once
// Runs of a machine to which something happens, audited, and what is told of them.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "engine/hosts/host_events.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"

namespace berth::test {

// An attempt of a job, in seconds.
struct Attempt {
  double start;
  double end;
  friend bool operator==(const Attempt&, const Attempt&) = default;
};
using Attempts = std::map<std::int64_t, std::vector<Attempt>>;

// Attempts, shadows and reservations as they are told.
class Watching final
    : public sim::RecordVisitor<Watching, sim::StartRecord, sim::EndRecord,
                                sim::HitRecord, sim::PlanRecord, sim::ReservationRecord,
                                sim::HostRecord, sim::LeftRecord> {
 public:
  void on(const sim::StartRecord& record) {
    attempts[record.who.job->id].push_back({to_seconds(record.at), -1});
    places[record.who.job->id] = (*record.placement).processors();
  }
  void on(const sim::EndRecord& record) { close(record.who, record.at); }
  void on(const sim::HitRecord& record) {
    close(record.who, record.at);
    lost[record.who.job->id] += to_seconds(record.lost);
    if (record.saved) {
      saved[record.who.job->id] = to_seconds(record.saved->in_all);
      overhead[record.who.job->id] += to_seconds(record.saved->overhead);
    }
    ++hits;
  }
  void on(const sim::PlanRecord& record) {
    shadows[{to_seconds(record.at), index(record.job)}] = to_seconds(record.start);
  }
  void on(const sim::ReservationRecord& record) {
    if (record.start) reserved[index(record.job)] = to_seconds(*record.start);
  }
  void on(const sim::HostRecord& record) {
    using Kind = HostEvent::Kind;
    const auto kind = record.is_up    ? Kind::kUp
                      : record.drains ? Kind::kDrain
                                      : Kind::kDown;
    events.push_back({record.since, kind, record.host, record.until});
  }
  void on(const sim::LeftRecord& record) { left.push_back(record.who.job->id); }
  void finish(Time) override {}

  Attempts attempts;
  std::map<std::int64_t, IntervalSet> places;  // of the last attempt
  std::map<std::int64_t, double> lost;
  std::map<std::int64_t, double> saved;     // after the last hit
  std::map<std::int64_t, double> overhead;  // of the attempts that were hit
  std::map<std::pair<double, std::uint32_t>, double> shadows;
  std::map<std::uint32_t, double> reserved;
  std::vector<std::int64_t> left;
  std::int64_t hits = 0;
  std::vector<HostEvent> events;

 private:
  void close(const sim::Subject& who, Time at) {
    attempts[who.job->id].back().end = to_seconds(at);
  }
};

struct HitRun {
  Watching watched;
  audit::Excuses excuses;
  std::map<std::string, std::int64_t> checked;
  Outcomes outcomes;
  Summary summary;
};

inline void first_fit(sim::Simulation& simulation) {
  auto fitting = sim::Selection::fitting(0);
  while (const auto job = fitting.next(simulation)) {
    (void)simulation.actions().start(*job);
  }
}

// A policy and what it promises.
struct Named {
  void (*schedule)(sim::Simulation&);
  sim::Promise promise;
};
inline constexpr std::array kPolicies{
    Named{fcfs, sim::Promise::kInOrder}, Named{first_fit, sim::Promise::kNone},
    Named{easy, sim::Promise::kEasy}, Named{conservative, sim::Promise::kConservative}};

// Audited in full.
inline HitRun run_hit(const std::vector<Job>& jobs, const sim::Machine& machine,
                      const Named& policy_of, audit::Thoroughness how = {}) {
  sim::PolicyTraits traits;
  traits.promise = policy_of.promise;
  ScriptedPolicy policy(policy_of.schedule, traits);
  const sim::Settings settings;
  sim::Simulation simulation(machine, settings, jobs, policy,
                             make_model(machine, jobs));
  MetricOptions options;
  options.requeue_delay = machine.life.requeue_delay;
  options.has_checkpoints = machine.life.has_checkpoints();
  RunMetrics metrics(jobs, {}, options);
  audit::Auditor auditor({machine, settings, jobs, policy.traits()},
                         law_of(machine, jobs), how);
  HitRun run;
  simulation.audience().observe(metrics);
  simulation.audience().observe(run.watched);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever - 1);
  simulation.finish();
  run.excuses = auditor.excuses();
  run.checked = auditor.checked();
  run.summary = metrics.summary();
  run.outcomes = metrics.take_outcomes();
  return run;
}

inline HitRun run_full(const std::vector<Job>& jobs, const sim::Machine& machine,
                       const Named& policy) {
  return run_hit(jobs, machine, policy, audit::Thoroughness::kFull);
}

inline constexpr Named kFcfs{fcfs, sim::Promise::kInOrder};
inline constexpr Named kEasyPolicy{easy, sim::Promise::kEasy};
inline constexpr Named kConservativePolicy{conservative, sim::Promise::kConservative};

}  // namespace berth::test
