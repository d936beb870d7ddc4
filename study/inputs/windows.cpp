#include "study/inputs/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/spread.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/life/host_events.hpp"

namespace berth::study {

namespace {

constexpr auto kWindow = "workload.window";

[[noreturn]] void refuse(const Windows& windows, std::string_view what) {
  throw Error(ErrorCode::kInput,
              fmt::format("{}sweep.windows: {}", windows.place, what));
}

const SweepAxis* find_axis(const Scenario& scenario, std::string_view key) {
  const auto at = std::find_if(scenario.sweep.begin(), scenario.sweep.end(),
                               [&](const auto& axis) { return axis.key == key; });
  return at == scenario.sweep.end() ? nullptr : &*at;
}

// REQUIRES: jobs by submit.
bool has_job(const std::vector<Job>& jobs, Time from, Time to) {
  const auto first =
      std::lower_bound(jobs.begin(), jobs.end(), from,
                       [](const Job& job, Time at) { return job.submit < at; });
  return first != jobs.end() && first->submit < to;
}

std::vector<std::string> windows_in(const Windows& windows,
                                    const std::vector<Job>& jobs) {
  std::vector<std::string> found;
  if (jobs.empty()) return found;
  constexpr std::size_t kMost = 10'000;
  const Time last = jobs.back().submit;
  for (Time from = jobs.front().submit; from + windows.length <= last + kSecond;
       from += windows.step) {
    const Time to = from + windows.length;
    if (has_job(jobs, from, to)) {
      found.push_back(fmt::format("{}..{}", seconds_text(from), seconds_text(to)));
    }
    if (found.size() > kMost) refuse(windows, "more than 10000 windows");
  }
  return found;
}

std::string window_text(const SweepAxis& axis) {
  const auto first = spread_from_text(axis.values.front()).value();
  auto text = fmt::format("{} windows of {}", axis.values.size(),
                          human_time(first.most - first.least));
  if (axis.values.size() < 2) return text;
  const auto next = spread_from_text(axis.values[1]).value();
  if (next.least >= first.most) return text;
  return fmt::format(
      "{}, {} apart: neighbours share jobs, so that intervals are "
      "narrower than those of separate logs",
      text, human_time(next.least - first.least));
}

}  // namespace

void resolve_windows(Scenario& scenario, Budget& budget) {
  if (!scenario.windows) return;
  const auto windows = *scenario.windows;
  scenario.windows.reset();
  if (find_axis(scenario, "workload.trace") != nullptr ||
      scenario.workload.trace.empty()) {
    refuse(windows, "only one trace has windows; of a model vary the seed");
  }
  const auto workload = read_trace_of(scenario, budget);
  SweepAxis axis{kWindow, windows_in(windows, workload.jobs)};
  if (axis.values.size() < 2) {
    refuse(windows, fmt::format("{} of {} in this trace; replications need two",
                                axis.values.size() == 1 ? "there is one window"
                                                        : "there is no window",
                                human_time(to_seconds(windows.length))));
  }
  scenario.sweep.push_back(std::move(axis));
}

std::string replications_text(const Scenario& scenario) {
  if (const auto* windows = find_axis(scenario, kWindow)) return window_text(*windows);
  const auto* seeds = find_axis(scenario, "seed");
  if (seeds == nullptr || seeds->values.size() < 2) return {};
  auto text = fmt::format("{} seeds", seeds->values.size());
  const auto& keys = scenario.workload;
  if (keys.resample == Resample::kUsers) text += ", users resampled";
  if (keys.shake > 0) {
    text += fmt::format(", submits shaken by up to {}",
                        human_time(static_cast<double>(keys.shake)));
  }
  if (draws_failures(scenario)) text += ", failures drawn";
  return text;
}

std::vector<std::string> replication_warnings(const Scenario& scenario) {
  const auto* seeds = find_axis(scenario, "seed");
  if (seeds == nullptr || seeds->values.size() < 2) return {};
  if (draws(scenario) || draws_failures(scenario)) return {};
  for (const auto* key :
       {"workload.model", "workload.estimates", "machine.sharing", "workload.shake",
        "workload.resample", "machine.failures.mtbf"}) {
    if (find_axis(scenario, key) != nullptr) return {};
  }
  return {fmt::format(
      "a seed changes nothing about the jobs of a trace: {} seeds are one run, unless "
      "a policy draws; for intervals set run.batches, [sweep] windows, workload.shake "
      "or workload.resample",
      seeds->values.size())};
}

}  // namespace berth::study
