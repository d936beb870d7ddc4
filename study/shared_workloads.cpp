#include "study/shared_workloads.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "study/settings_table.hpp"

namespace berth::study {

namespace {

// Whether anything about the jobs is drawn.
bool draws(const Scenario& scenario) {
  const auto& workload = scenario.workload;
  const bool drawn_estimates =
      workload.estimates && *workload.estimates != Estimates::kExact;
  return workload.trace.empty() || drawn_estimates ||
         scenario.machine.sharing != "exclusive";
}

}  // namespace

std::string workload_key(const Scenario& scenario) {
  auto key = draws(scenario) ? fmt::format("seed {}\n", scenario.seed) : std::string();
  for (const auto& setting : settings()) {
    if (setting.section != "machine" && setting.section != "workload") continue;
    if (const auto value = setting.value(scenario)) {
      key += fmt::format("{} = {}\n", setting.key(), text_of(*value));
    }
  }
  return key;
}

std::shared_ptr<const PreparedWorkload> SharedWorkloads::take(
    const std::string& key, const Scenario& scenario) {
  std::promise<Made> promise;
  std::shared_future<Made> made;
  bool is_mine = false;
  {
    const std::lock_guard lock(mutex_);
    const auto at = shelf_.find(key);
    BERTH_ASSERT(at != shelf_.end() && at->second.uses > 0);
    is_mine = !at->second.made.valid();
    if (is_mine) at->second.made = promise.get_future().share();
    made = at->second.made;
    if (--at->second.uses == 0) shelf_.erase(at);
  }
  if (is_mine) {
    try {
      promise.set_value(prepare_workload(scenario, options_));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return made.get();
}

}  // namespace berth::study
