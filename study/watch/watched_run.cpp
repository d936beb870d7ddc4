#include "study/watch/watched_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "engine/base/printable.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/metrics/metric_record.hpp"
#include "study/runs/single_run.hpp"
#include "study/watch/fullest_moment.hpp"

namespace berth::study {

namespace {

constexpr std::array<std::string_view, 4> kShown{
    "mean_wait", "max_wait", "mean_bounded_slowdown", "utilisation"};
constexpr std::size_t kJobsShown = 5;

std::map<std::int64_t, Time> starts_of(const Point& point, const Outcomes& outcomes) {
  std::map<std::int64_t, Time> starts;
  for (const auto& outcome : OutcomeView(outcomes).finished()) {
    const auto& job = point.jobs[index(outcome.job)];
    starts[job.id] = job.submit + outcome.wait;
  }
  return starts;
}

const WatchedPolicy* find(const WatchedRun* run, const std::string& label) {
  if (run == nullptr) return nullptr;
  for (const auto& each : run->policies) {
    if (each.label == label) return &each;
  }
  return nullptr;
}

std::string cell(const WatchedPolicy& now, const WatchedPolicy* before,
                 std::string_view name) {
  const auto value = [name](const WatchedPolicy& of) {
    const auto* metric = of.summary.find(name);
    return metric != nullptr ? metric->value : std::nullopt;
  };
  const auto here = value(now);
  if (!here) return "-";
  const std::array values{*here};
  auto text = display(here, decimals_for(values));
  const auto there = before != nullptr ? value(*before) : std::nullopt;
  if (!there || *there == *here) return text;
  if (*there == 0) return text + " (was 0)";
  return text + fmt::format(" ({:+.2f} %)", 100 * (*here - *there) / *there);
}

// "job 17 3:00 sooner", those that moved most first; ties by number.
std::string moves_of(const WatchedPolicy& now, const WatchedPolicy& before) {
  std::vector<std::pair<Duration, std::int64_t>> moved;
  for (const auto& [job, start] : now.starts) {
    const auto was = before.starts.find(job);
    if (was != before.starts.end() && was->second != start) {
      moved.emplace_back(start - was->second, job);
    }
  }
  if (moved.empty()) return {};
  std::stable_sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) {
    return std::abs(a.first) > std::abs(b.first);
  });
  auto text = fmt::format("{}: {} job{} moved, most of all: ", now.label, moved.size(),
                          moved.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kJobsShown, moved.size()); ++i) {
    const auto [by, job] = moved[i];
    text += fmt::format("{}job {} {} s {}", i == 0 ? "" : ", ", job,
                        seconds_text(std::abs(by)), by < 0 ? "sooner" : "later");
  }
  return text + "\n";
}

// nullopt: the hosts of the machine have no parts.
std::optional<FullestMoment> fullest_moment_of(const Point& point) {
  const auto& model = model_of(point.machine);
  if (model.drawn == nullptr) return std::nullopt;
  return FullestMoment(
      model.drawn({point.machine, point.jobs, point.attributes, point.settings.seed}));
}

void run_one(const PreparedPoint& prepared, LoadedPolicy& policy, const Watch& watch,
             WatchedRun& made) {
  if (policy.failure.code != kDone) return made.failures.push_back(policy.failure);
  try {
    if (policy.recorded) {
      policy.recorded->replay(prepared.workload->loaded.workload, prepared.scenario);
    }
    const auto point = point_for(prepared.point, policy);
    auto fullest = fullest_moment_of(point);
    std::vector<sim::Observer*> watchers;
    if (fullest) watchers.push_back(&*fullest);
    auto result = run_policy(point, policy.decider(), Audit::kOn, {watchers}, watch);
    if (result.audit_failure) throw audit::AuditFailure(*result.audit_failure);
    made.policies.push_back({policy.label, std::move(result.summary),
                             starts_of(point, result.outcomes),
                             fullest ? fullest->text() : std::string()});
  } catch (const Interrupted&) {
    throw;
  } catch (...) {
    made.failures.push_back(failure_now());
  }
}

}  // namespace

WatchedRun run_watched(const Scenario& scenario, const PolicyLibrary& library,
                       const LoadingOptions& loading, const Watch& watch) {
  ReadingOptions reading;
  reading.keep_recorded = replays(scenario);
  Budget budget;
  const PreparedPoint prepared(scenario, prepare_workload(scenario, reading, budget));
  WatchedRun made;
  for (const auto& policy : load_policies(scenario, library, loading)) {
    run_one(prepared, *policy, watch, made);
  }
  return made;
}

std::string watched_text(const WatchedRun& run, const WatchedRun* before) {
  TextTable table;
  table.words = 1;
  table.lines.push_back({"policy"});
  for (const auto name : kShown) table.lines.back().emplace_back(name);
  for (const auto& policy : run.policies) {
    const auto* was = find(before, policy.label);
    table.lines.push_back({policy.label});
    for (const auto name : kShown) {
      table.lines.back().push_back(cell(policy, was, name));
    }
  }
  auto text = aligned_text(table);
  for (const auto& policy : run.policies) {
    const auto* was = find(before, policy.label);
    if (was != nullptr) text += moves_of(policy, *was);
  }
  for (const auto& policy : run.policies) {
    if (!policy.fullest.empty()) text += policy.label + ": " + policy.fullest;
  }
  return text;
}

}  // namespace berth::study
