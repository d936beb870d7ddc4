#include "study/inputs/prepared_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "bindings/tools/job_classes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/hosts/host_room.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/output/manifest.hpp"
#include "engine/sim/job_needs.hpp"
#include "engine/workload/warnings.hpp"
#include "study/common/time_limit.hpp"
#include "study/inputs/machine_source.hpp"
#include "study/life/host_events.hpp"
#include "study/life/machine_windows.hpp"
#include "study/scenario/named_settings.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

Point make_point(const Scenario& scenario, std::int32_t processors,
                 std::span<const Job> jobs) {
  Point point{scenario.machine, {}, scenario.run, jobs};
  point.machine.processors = processors;
  const auto& model = model_of(scenario.machine);
  point.machine.pick = scenario.pick.value_or(model.default_pick);
  point.machine.migration_cost =
      scenario.migration_cost.value_or(model.default_migration_cost);
  auto& rule = point.machine.life.checkpoints;
  const auto& checkpoints = scenario.checkpoints;
  rule = {checkpoints.every.value_or(rule.every), checkpoints.cost.value_or(rule.cost),
          checkpoints.restart.value_or(rule.restart)};
  point.machine.preemption = scenario.machine.preemption || model.preempts;
  point.machine.model_settings = model_settings(scenario);
  point.settings.pass = scenario.run.pass;
  point.settings.cycle = scenario.run.cycle.value_or(0);
  point.settings.ties = scenario.run.ties;
  point.settings.shares = scenario.shares;
  if (const auto [key, wrong] = wrong_accounts(scenario); !wrong.empty()) {
    refuse_key(scenario, key, wrong);
  }
  if (!scenario.limits.empty()) {
    point.settings.limits = std::make_shared<const LimitSettings>(scenario.limits);
  }
  point.settings.departures = scenario.workload.departures;
  point.settings.seed = static_cast<std::uint64_t>(scenario.seed);
  return point;
}

namespace {

bool has_memory(const Resources& resources) {
  return resources.memory.has_value() ||
         std::any_of(resources.hosts.begin(), resources.hosts.end(),
                     [](const HostGroup& group) { return group.memory > 0; });
}

// Jobs that say nothing of memory on a machine that counts it.  Empty: none.
std::string without_memory(const SizedWorkload& loaded, const Resources& resources) {
  if (!has_memory(resources)) return {};
  const auto* column = loaded.attributes->column("needs.memory");
  std::int64_t count = 0;
  for (std::size_t i = 0; i < loaded.workload.jobs.size(); ++i) {
    const JobId job{static_cast<std::uint32_t>(i)};
    const bool is_told = column != nullptr && !column->of(job).empty();
    count += loaded.workload.jobs[i].memory_kib > 0 || is_told ? 0 : 1;
  }
  if (count == 0) return {};
  return fmt::format("{} job{} no memory: {} counted as needing none", count,
                     count == 1 ? " has" : "s have", count == 1 ? "it is" : "they are");
}

// The kind without which the job would fit the empty machine, or what else is missing.
std::string blamed_kind(const HostRoom& empty, std::span<const ResourceKind> kinds,
                        const Need& need) {
  std::vector<std::int64_t> amounts(need.amounts, need.amounts + kinds.size());
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto wanted = std::exchange(amounts[kind], 0);
    if (empty.fits({amounts.data(), need.chunks, need.partition})) {
      return kinds[kind].name;
    }
    amounts[kind] = wanted;
  }
  std::fill(amounts.begin(), amounts.end(), 0);
  const bool may_go = empty.fits({amounts.data(), need.chunks, need.partition});
  return may_go ? "several kinds" : "partition";
}

// Jobs that no set of hosts holds, by kind; those wider than the machine are told
// elsewhere.  Empty: none.
std::string too_big(const SizedWorkload& loaded, sim::Machine machine) {
  if (machine.resources.empty() || model_of(machine).counts_hosts) return {};
  machine.processors = loaded.processors;
  const auto& jobs = loaded.workload.jobs;
  const auto needs = needs_of(machine, jobs, loaded.attributes.get());
  const auto kinds = kinds_of(machine.processors, machine.resources);
  const HostRoom empty(kinds, machine.resources);
  std::map<std::string, std::int64_t> by_kind;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto need = needs->of(JobId{static_cast<std::uint32_t>(i)});
    if (jobs[i].size > loaded.processors || empty.fits(need)) continue;
    ++by_kind[blamed_kind(empty, kinds, need)];
    ++count;
  }
  if (count == 0) return {};
  std::vector<std::string> parts;
  parts.reserve(by_kind.size());
  for (const auto& [kind, jobs_of] : by_kind) {
    parts.push_back(fmt::format("{} {}", kind, jobs_of));
  }
  return fmt::format(
      "{} job{} not fit the empty machine, so {} rejected, for want of: {}", count,
      count == 1 ? " does" : "s do", count == 1 ? "it is" : "they are",
      fmt::join(parts, ", "));
}

// Jobs that name no user, where others do.  Empty: none.
std::string without_user(const SizedWorkload& loaded) {
  const auto count = loaded.census.without_user;
  if (count == 0 || count == std::ssize(loaded.workload.jobs)) return {};
  return fmt::format("{} job{} no user: together they count as one user, -1", count,
                     count == 1 ? " names" : "s name");
}

// What the trace asks for and no machine of berth has; dependencies are a finding of
// the reader.  Empty: nothing.
std::string not_modelled(const Scenario& scenario, const JobCensus& census) {
  const auto& resources = scenario.machine.resources;
  std::vector<std::string> all;
  bool has_partitions = false;
  for (const auto& group : resources.hosts) {
    has_partitions = has_partitions || group.partition.has_value();
  }
  const bool is_counted =
      has_memory(resources) || model_of(scenario.machine).counts_memory;
  if (census.with_memory > 0 && !is_counted) {
    all.push_back(fmt::format("requested memory ({} job{})", census.with_memory,
                              census.with_memory == 1 ? "" : "s"));
  }
  if (census.partitions > 1 && !has_partitions) {
    all.push_back(fmt::format("partitions ({} of them)", census.partitions));
  }
  if (all.empty()) return {};
  return fmt::format("not modelled, so ignored: {}", fmt::join(all, ", "));
}

// For messages.
std::string workload_name(const WorkloadKeys& keys) {
  return keys.trace.empty() ? keys.model : printable_name(keys.trace);
}

ModelSpec spec_of(const Point& point, const SizedWorkload& loaded) {
  return {point.machine, point.jobs, loaded.attributes, point.settings.seed};
}

std::vector<std::string> remarks_of_machine(const Scenario& scenario,
                                            const SizedWorkload& loaded) {
  const auto& model = model_of(scenario.machine);
  if (model.remarks == nullptr) return {};
  const auto point = make_point(scenario, loaded.processors, loaded.workload.jobs);
  return model.remarks(spec_of(point, loaded));
}

// REQUIRES: some job is too wide.
void add_too_wide(std::vector<std::string>& lines, SizedWorkload& loaded, Naming naming,
                  Budget& budget) {
  auto& workload = loaded.workload;
  const auto typed = workload.source;
  if (naming == Naming::kBaseName) workload.source = workload.name;
  const auto wide = *too_wide(workload, loaded.widest, budget);
  workload.source = typed;
  lines.push_back(wide.first_text);
  if (static_cast<std::size_t>(wide.count) < workload.jobs.size()) return;
  lines.insert(lines.begin(),
               fmt::format("every job is rejected: none of the {} jobs fits a machine "
                           "of {} processors",
                           wide.count, loaded.processors));
}

}  // namespace

std::vector<std::string> workload_warnings(SizedWorkload& loaded, Naming naming,
                                           Budget& budget) {
  auto& workload = loaded.workload;
  auto lines = warnings(workload);
  if (!loaded.links_told.empty()) lines.push_back(loaded.links_told);
  if (loaded.census.widest > loaded.widest) add_too_wide(lines, loaded, naming, budget);
  // For a trace the reader's own line says it.
  const auto exact = loaded.census.without_walltime;
  if (exact > 0 && workload.repairs.count("no_walltime") == 0) {
    lines.push_back(fmt::format("estimates are exact for {} jobs", exact));
  }
  return lines;
}

Scenario resolved_scenario(const Scenario& scenario, const Point& point) {
  auto filled = scenario;
  // Of both, a file of hosts says them.
  if (filled.hosts.are_read) {
    filled.processors.reset();
  } else if (point.machine.resources.hosts.empty()) {
    filled.processors = point.machine.processors;
  }
  filled.pick = point.machine.pick;
  filled.migration_cost = point.machine.migration_cost;
  filled.machine.preemption = point.machine.preemption;
  return filled;
}

std::string never_fits(const Scenario& scenario, const SizedWorkload& loaded,
                       Budget& budget) {
  const auto& model = model_of(scenario.machine);
  const auto& jobs = loaded.workload.jobs;
  const auto point = make_point(scenario, loaded.processors, jobs);
  const auto machine = model.make(spec_of(point, loaded));
  // Of kinds and hosts too_big() tells more.
  if (machine->traits().fits_by_count || machine->kinds() != nullptr) return {};
  machine->charge_to(budget);
  budget.charge_each(jobs.size());
  std::int64_t count = 0;
  std::uint32_t index = 0;
  for (const auto& job : jobs) {
    const JobId id{index++};
    if (job.size > loaded.processors) continue;
    count += machine->arrive(id, job.demand()).has_value() ? 1 : 0;
  }
  if (count == 0) return {};
  return fmt::format("{} job{} not fit the empty machine, so {} rejected", count,
                     count == 1 ? " does" : "s do", count == 1 ? "it is" : "they are");
}

bindings::NeedColumns needs_of_kinds(const sim::Machine& machine,
                                     const JobAttributes* attributes) {
  bindings::NeedColumns needs;
  if (attributes == nullptr) return needs;
  for (const auto& kind : kinds_of(machine.processors, machine.resources)) {
    const auto* column = attributes->column("needs." + kind.name);
    if (column != nullptr) needs.emplace_back("need." + kind.name, column);
  }
  return needs;
}

std::shared_ptr<const PreparedWorkload> prepare_workload(const Scenario& given,
                                                         const ReadingOptions& options,
                                                         Budget& budget) {
  auto made = std::make_shared<PreparedWorkload>();
  made->hosts = hosts_of_file(given, options.strict, budget);
  auto scenario = given;
  use_hosts(scenario, made->hosts);
  if (const auto [key, wrong] = wrong_checkpoints(scenario); !wrong.empty()) {
    refuse_key(scenario, key, wrong);
  }
  if (const auto [key, wrong] = wrong_events(scenario); !wrong.empty()) {
    refuse_key(scenario, key, wrong);
  }
  if (const auto wrong = wrong_windows(scenario); !wrong.empty()) {
    refuse(scenario, wrong);
  }
  made->loaded = load_workload(scenario, options, budget);
  made->messages = made->hosts.said;
  for (auto& line : workload_warnings(made->loaded, Naming::kAsTyped, budget)) {
    made->messages.push_back(std::move(line));
  }
  if (made->loaded.sha256) {
    auto ignored = not_modelled(scenario, made->loaded.census);
    if (!ignored.empty()) made->messages.push_back(std::move(ignored));
  }
  for (auto& remark : remarks_of_machine(scenario, made->loaded)) {
    made->messages.push_back(std::move(remark));
  }
  auto missing = without_memory(made->loaded, scenario.machine.resources);
  if (!missing.empty()) made->messages.push_back(std::move(missing));
  auto rejected = too_big(made->loaded, scenario.machine);
  if (!rejected.empty()) made->messages.push_back(std::move(rejected));
  // What a policy sets for itself may decide it, and then the run tells.
  const bool is_open = !model_of(scenario.machine).own_parameter.empty();
  auto never = is_open ? std::string() : never_fits(scenario, made->loaded, budget);
  if (!never.empty()) made->messages.push_back(std::move(never));
  auto no_user = without_user(made->loaded);
  if (!no_user.empty()) made->messages.push_back(std::move(no_user));
  made->result_warnings = workload_warnings(made->loaded, Naming::kBaseName, budget);
  made->events = host_events(scenario, made->loaded.processors, budget);
  made->windows = machine_windows(scenario, made->loaded.processors, budget);
  if (!made->loaded.sha256) made->checksum = workload_checksum(made->loaded.workload);
  if (!scenario.run.classes.empty()) {
    const auto machine = make_point(scenario, made->loaded.processors, {}).machine;
    const bindings::SubmittedJobs jobs(
        made->loaded.workload.jobs,
        needs_of_kinds(machine, made->loaded.attributes.get()));
    made->classes =
        bindings::classes_of(scenario.run.classes, jobs, options.limits, budget);
  }
  return made;
}

namespace {

Scenario with_hosts(Scenario scenario, const HostMachine& hosts) {
  use_hosts(scenario, hosts);
  return scenario;
}

}  // namespace

PreparedPoint::PreparedPoint(Scenario of, std::shared_ptr<const PreparedWorkload> with)
    : scenario(with_hosts(std::move(of), with->hosts)),
      workload(std::move(with)),
      point(make_point(scenario, workload->loaded.processors,
                       workload->loaded.workload.jobs)) {
  point.attributes = workload->loaded.attributes;
  point.links = workload->loaded.links;
  take_arrays(workload->loaded, point);
  point.run.metrics.classes = workload->classes;
  point.machine.life.events = workload->events;
  point.machine.life.failures = drawn_failures(scenario, workload->loaded.processors);
  point.machine.life.windows = workload->windows;
  if (point.machine.life.has_events()) {
    point.run.metrics.requeue_delay = point.machine.life.requeue_delay;
    point.run.metrics.has_checkpoints = point.machine.life.has_checkpoints();
  }
}

void take_arrays(const SizedWorkload& loaded, Point& point) {
  if (loaded.arrays == nullptr) return;
  auto settings =
      point.settings.limits != nullptr ? *point.settings.limits : LimitSettings();
  settings.table(LimitScope::kArray).named = loaded.arrays->limits;
  settings.arrays = loaded.arrays;
  point.settings.limits = std::make_shared<const LimitSettings>(std::move(settings));
}

void hold_back(Point& point) {
  if (point.links == nullptr) return;
  point.releases = std::make_shared<sim::JobReleases>(point.jobs, point.links);
  point.jobs = point.releases->jobs();
  if (point.attributes == nullptr) return;
  point.attributes = std::make_shared<SelectedAttributes>(std::move(point.attributes),
                                                          point.releases->order());
}

std::string_view why_no_windows(const Scenario& scenario,
                                const PreparedWorkload& workload) {
  if (workload.loaded.links != nullptr)
    return "jobs that wait for others stay together";
  if (!workload.classes.empty()) return "take [classes] out of the scenario";
  if (scenario.run.expectations) return "set run.expectations = false";
  if (!workload.loaded.workload.recorded.empty()) {
    return "take \"recorded\" out of run.policies";
  }
  return {};
}

void keep_window(PreparedPoint& prepared, const JobWindow& window) {
  const std::span<const Job> all = prepared.workload->loaded.workload.jobs;
  auto& point = prepared.point;
  point.jobs = all.subspan(window.first, window.jobs);
  prepared.kept.resize(window.jobs);
  std::iota(prepared.kept.begin(), prepared.kept.end(),
            static_cast<std::uint32_t>(window.first));
  if (prepared.workload->loaded.attributes != nullptr) {
    point.attributes = std::make_shared<SelectedAttributes>(
        prepared.workload->loaded.attributes, prepared.kept);
  }
  point.run.measure = window.warm == 0 ? Measure::kAll : Measure::kSteady;
  // That share of the jobs, rounded down, is the number of those that warm up.
  point.run.warmup_fraction =
      (static_cast<double>(window.warm) + 0.5) / static_cast<double>(window.jobs);
}

std::string scenario_name(const Scenario& scenario, const Workload& workload) {
  if (!scenario.title.empty()) return scenario.title;
  if (!scenario.file.empty()) {
    return std::filesystem::path(scenario.file).stem().string();
  }
  return workload.name;
}

bool draws(const Scenario& scenario) {
  const auto& workload = scenario.workload;
  const bool drawn_estimates =
      workload.estimates && *workload.estimates != Estimates::kExact;
  return workload.trace.empty() || drawn_estimates || workload.shake > 0 ||
         workload.resample != Resample::kNone ||
         workload.arrivals != ArrivalTimes::kTrace ||
         scenario.machine.sharing != "exclusive";
}

std::string workload_key(const Scenario& scenario) {
  auto key = draws(scenario) ? fmt::format("seed {}\n", scenario.seed) : std::string();
  for (const auto* setting : settings_of(scenario)) {
    const auto section = setting->section.substr(0, setting->section.find('.'));
    const bool is_input = setting->section == "machine" || section == "workload" ||
                          find_case_study(section) != nullptr ||
                          setting->section == "machine.resources" ||
                          setting->section.starts_with("machine.hosts.");
    if (!is_input) continue;
    if (const auto value = setting->value(scenario)) {
      ((key += setting->key()) += " = ") += text_of(*value);
      key += '\n';
    }
  }
  return key;
}

std::shared_ptr<const PreparedWorkload> SharedWorkloads::make(
    const Scenario& scenario) const {
  return within_time(seconds_, workload_name(scenario.workload), [&](Budget& budget) {
    return prepare_workload(scenario, options_, budget);
  });
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
      promise.set_value(make(scenario));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return made.get();
}

}  // namespace berth::study
