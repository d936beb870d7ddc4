#include "study/runs/expectations.hpp"

#include <algorithm>

#include "engine/hosts/need_in_all.hpp"
#include "engine/metrics/expectation_metrics.hpp"
#include "engine/sim/job_needs.hpp"

namespace berth::study {

namespace {

// Of a kind that hosts or the whole machine have beside processors.
std::vector<Time> ends_in(std::size_t number, const ResourceKind& kind,
                          const PreparedPoint& point,
                          const std::vector<ResourceKind>& kinds, const Needs& needs) {
  const auto& jobs = point.workload->loaded.workload.jobs;
  std::vector<std::int64_t> amounts;
  amounts.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    amounts.push_back(
        need_in_all(needs, JobId{static_cast<std::uint32_t>(i)}, kinds, number));
  }
  auto settings = point.scenario.expectations;
  settings.processors =
      kind.name == "memory" ? settings.memory_kib : std::optional<std::int64_t>();
  const auto sizes =
      share_sizes(jobs, kind.capacity, point.scenario.shares.users, settings);
  return expected_end_times(jobs, amounts, sizes, settings.overshoot);
}

}  // namespace

std::vector<Time> expected_ends(const PreparedPoint& point) {
  const auto& settings = point.scenario.expectations;
  const auto& jobs = point.workload->loaded.workload.jobs;
  const auto& machine = point.point.machine;
  const auto sizes =
      share_sizes(jobs, machine.processors, point.scenario.shares.users, settings);
  auto ends = expected_end_times(jobs, sizes, settings.overshoot);
  if (machine.resources.empty()) return ends;
  const auto kinds = kinds_of(machine.processors, machine.resources);
  const auto needs = needs_of(machine, point.point.jobs, point.point.attributes.get());
  for (std::size_t number = 1; number < kinds.size(); ++number) {
    const bool counts =
        settings.kinds == ExpectedKinds::kAll || kinds[number].name == "memory";
    if (!counts) continue;
    const auto own = ends_in(number, kinds[number], point, kinds, *needs);
    std::transform(ends.begin(), ends.end(), own.begin(), ends.begin(),
                   [](Time a, Time b) { return std::max(a, b); });
  }
  return ends;
}

std::vector<std::optional<Time>> judged_ends(const PreparedPoint& point,
                                             const PolicyResult& result) {
  const auto& settings = point.scenario.expectations;
  const auto& jobs = point.workload->loaded.workload.jobs;
  const auto window = window_of(point.point.jobs, point.point.run.measure,
                                point.point.run.warmup_fraction);
  std::vector<std::optional<Time>> ends(jobs.size());
  for (const auto& outcome :
       OutcomeView(result.outcomes, window.first_job, OutcomeView::Those::kFinished)) {
    const auto i = index(outcome.job);
    if (settings.judges(jobs[i])) ends[i] = jobs[i].submit + outcome.response;
  }
  return ends;
}

void judge_expectations(const PreparedPoint& point, PolicyResult& result) {
  if (point.expected == nullptr) return;
  const auto& jobs = point.workload->loaded.workload.jobs;
  TardinessOfUsers tardiness(jobs, *point.expected,
                             point.scenario.expectations.ignore_before);
  const auto ends = judged_ends(point, result);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i]) tardiness.finished(JobId{static_cast<std::uint32_t>(i)}, *ends[i]);
  }
  result.tardiness = tardiness.users();
  result.summary.add(expectation_metrics(result.tardiness));
}

}  // namespace berth::study
