#include "study/policy_run.hpp"

#include <chrono>

#include "engine/audit/auditor.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/models/sharing_models.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::study {

Point make_point(const Scenario& scenario, std::int32_t processors,
                 const SpillingView<Job>& jobs) {
  Point point{scenario.machine, {}, scenario.run, jobs};
  point.machine.processors = processors;
  const auto& model = model_of(scenario.machine);
  point.machine.pick = scenario.pick.value_or(model.default_pick);
  point.machine.migration_cost =
      scenario.migration_cost.value_or(model.default_migration_cost);
  point.machine.preemption = scenario.machine.preemption || model.preempts;
  const auto own = scenario.model_settings.find(model.name);
  if (own != scenario.model_settings.end()) point.machine.model_settings = own->second;
  point.settings.pass = scenario.run.pass;
  point.settings.ties = scenario.run.ties;
  point.settings.seed = static_cast<std::uint64_t>(scenario.seed);
  return point;
}

namespace {

// The metric that both watchers know: the audit's integral of processors held against
// the utilisation that is reported.
void audit_utilisation(const Point& point, const Summary& summary,
                       audit::Auditor& auditor) {
  const auto* utilisation = summary.find("utilisation");
  const auto* makespan = summary.find("makespan");
  const bool whole = point.run.measure == Measure::kAll &&
                     summary.jobs.not_finished == 0 && utilisation != nullptr &&
                     makespan != nullptr && utilisation->value && makespan->value;
  if (!whole) return;
  const auto span = ticks_from_seconds(*makespan->value);
  BERTH_ASSERT(span.has_value());
  auditor.check_utilisation(*utilisation->value, *span);
}

}  // namespace

std::string_view name(Audit audit) {
  switch (audit) {
    case Audit::kOn: return "on";
    case Audit::kFull: return "full";
    case Audit::kOff: return "off";
  }
  return "?";
}

PolicyResult run_policy(const Point& point, sim::Policy& policy, Audit audit,
                        std::span<sim::Observer* const> more, const Watch& watch) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& model = model_of(point.machine);
  const ModelSpec spec{point.machine, point.jobs, point.attributes,
                       point.settings.seed};
  sim::Simulation simulation(point.machine, point.settings, point.jobs, policy,
                             model.make(spec));
  RunMetrics metrics(
      point.jobs, window_of(point.jobs, point.run.measure, point.run.warmup_fraction),
      point.run.metrics, model.busy != nullptr ? model.busy(spec) : nullptr);
  simulation.observe(metrics);
  std::optional<audit::Auditor> auditor;
  if (audit != Audit::kOff) {
    const audit::AuditedRun audited{point.machine, point.settings, point.jobs,
                                    policy.traits()};
    auditor.emplace(audited, model.law(spec),
                    audit == Audit::kFull ? audit::Thoroughness::kFull
                                          : audit::Thoroughness::kLight);
    simulation.observe(*auditor);
  }
  for (auto* watcher : more) simulation.observe(*watcher);
  drive(simulation, point.jobs, watch);

  PolicyResult result;
  result.summary = metrics.summary();
  result.outcomes = metrics.take_outcomes();
  if (auditor) {
    audit_utilisation(point, result.summary, *auditor);
    result.checked = auditor->checked();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  return result;
}

}  // namespace berth::study
