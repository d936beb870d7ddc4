#include "study/policy_run.hpp"

#include <chrono>

#include "engine/audit/auditor.hpp"
#include "engine/audit/laws/exclusive_law.hpp"
#include "engine/audit/laws/tier_law.hpp"
#include "engine/hosts/sharing_models.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/sim/simulation.hpp"
#include "study/spread_text.hpp"

namespace berth::study {

Point make_point(const Scenario& scenario, std::int32_t processors,
                 const LongView<Job>& jobs) {
  Point point{scenario.machine, {}, scenario.run, jobs};
  point.machine.processors = processors;
  const auto* sharing = find_sharing_model(scenario.machine.sharing);
  BERTH_ASSERT(sharing != nullptr);
  point.machine.pick = scenario.pick.value_or(sharing->default_pick);
  point.machine.migration_cost =
      scenario.migration_cost.value_or(sharing->default_migration_cost);
  point.machine.preemption = scenario.machine.preemption || sharing->preempts;
  point.machine.two_tier.seed = static_cast<std::uint64_t>(scenario.seed);
  if (const auto use = spread_from_text(scenario.workload.cpu_use)) {
    point.machine.two_tier.cpu_use = use->least;
  }
  point.settings.pass = scenario.run.pass;
  point.settings.ties = scenario.run.ties;
  point.settings.seed = static_cast<std::uint64_t>(scenario.seed);
  return point;
}

namespace {

std::unique_ptr<audit::Law> law_of(const Point& point) {
  if (point.machine.sharing == "two_tier") {
    return std::make_unique<audit::TierLaw>(point.machine, point.jobs);
  }
  return std::make_unique<audit::ExclusiveLaw>(point.machine, point.jobs);
}

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
  sim::Simulation simulation(point.machine, point.settings, point.jobs, policy);
  RunMetrics metrics(
      point.jobs, window_of(point.jobs, point.run.measure, point.run.warmup_fraction),
      point.run.metrics,
      point.machine.sharing == "two_tier" ? std::optional(point.machine.two_tier)
                                          : std::nullopt);
  simulation.observe(metrics);
  std::optional<audit::Auditor> auditor;
  if (audit != Audit::kOff) {
    const audit::AuditedRun audited{point.machine, point.settings, point.jobs,
                                    policy.traits()};
    auditor.emplace(audited, law_of(point),
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
