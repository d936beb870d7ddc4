#include "study/policies/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/sim/selection.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kByStart = 1;  // the order of traits

}  // namespace

std::string_view moving_key(const WorkloadKeys& keys) {
  if (keys.load) return "workload.load";
  if (keys.load_scale) return "workload.load_scale";
  if (keys.interarrival_factor) return "workload.interarrival_factor";
  if (keys.shake > 0) return "workload.shake";
  if (keys.resample != Resample::kNone) return "workload.resample";
  if (keys.links.has_links()) return "workload.dependencies";
  if (keys.links.moves()) return "workload.feedback";
  return {};
}

Recorded::Recorded() {
  traits_.label = kName;
  traits_.orders.push_back({"start", std::nullopt});
  traits_.has_on_submit = false;
  traits_.has_on_end = false;
}

void Recorded::require_submits_as_recorded(const Scenario& scenario) {
  const auto key = moving_key(scenario.workload);
  if (key.empty()) return;
  throw Error(ErrorCode::kInput,
              fmt::format("recorded: the starts are those of the trace as it is; "
                          "leave out {} or this policy",
                          key));
}

void Recorded::replay(const Workload& workload, const Scenario& scenario) {
  if (workload.recorded.empty()) {
    throw Error(ErrorCode::kInput,
                "recorded: the starts are those of a trace; name one: workload.trace");
  }
  require_submits_as_recorded(scenario);
  workload_ = &workload;
}

Time Recorded::start_of(JobId job) const {
  const auto at = index(job);
  return after(workload_->jobs[at].submit,
               std::max<Duration>(0, workload_->recorded[at].wait));
}

double Recorded::key(sim::Simulation&, std::size_t, JobId job) {
  return to_seconds(start_of(job));
}

void Recorded::schedule(sim::Simulation& simulation) {
  const auto now = simulation.world().now();
  auto due = sim::Selection::fitting(kByStart);
  for (auto job = due.next(simulation); job && start_of(*job) <= now;
       job = due.next(simulation)) {
    const bool is_late = start_of(*job) < now;
    if (!simulation.actions().start(*job)) continue;
    postponed_ += is_late ? 1 : 0;
    unknown_ += workload_->recorded[index(*job)].wait < 0 ? 1 : 0;
  }
  const Place last{to_seconds(now), JobId{~std::uint32_t{0}}};
  auto later = sim::Selection::all(kByStart, last);
  if (const auto job = later.next(simulation))
    simulation.actions().wake_at(start_of(*job));
}

bool replays(const Scenario& scenario) {
  return std::any_of(
      scenario.policies.begin(), scenario.policies.end(),
      [](const PolicyChoice& choice) { return choice.name == Recorded::kName; });
}

}  // namespace berth::study
