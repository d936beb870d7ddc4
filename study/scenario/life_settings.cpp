// The keys of [machine] that say which hosts it has, and what happens to them and to
// the jobs on them; and those of [limits].

#include <charconv>

#include "engine/base/setting_list.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace {

constexpr double kMostSeconds = 1e11;  // see kMaxSeconds

// nullopt: "*", which is each.
std::optional<std::int32_t> label_of(std::string_view name) {
  if (name == "*") return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return label_code(number);
}

std::vector<std::string> limited_labels(const LimitSettings::Table& table) {
  std::vector<std::string> names{"*"};
  names.reserve(1 + table.named.size());
  for (const auto& [label, limits] : table.named) {
    names.push_back(std::to_string(label_number(label)));
  }
  return names;
}

using Limit = std::optional<std::int64_t> ScopeLimits::*;

NamedSetting limit_of(LimitScope scope, const SettingShape& shape, Limit limit) {
  return {shape, NameKind::kNumberOrAll,
          [=](Scenario& scenario, std::string_view name, const SettingValue& value) {
            auto& table = scenario.limits.table(scope);
            const auto label = label_of(name);
            auto& limits = label ? table.named[*label] : table.each;
            limits.*limit = std::get<std::int64_t>(value);
          },
          [=](const Scenario& scenario,
              std::string_view name) -> std::optional<SettingValue> {
            const auto& table = scenario.limits.table(scope);
            const auto label = label_of(name);
            if (!label) return table.each.*limit;
            const auto at = table.named.find(*label);
            return at == table.named.end() ? std::nullopt : at->second.*limit;
          },
          [=](const Scenario& scenario) {
            return limited_labels(scenario.limits.table(scope));
          }};
}

void add_limits(LimitScope scope, std::string_view section,
                std::array<std::string_view, 2> help, std::vector<NamedSetting>& to) {
  constexpr Range kMost{0, 1e9};
  to.push_back(limit_of(
      scope, {section, "running_jobs", SettingKind::kWhole, kMost, {}, help[0]},
      &ScopeLimits::running_jobs));
  to.push_back(
      limit_of(scope, {section, "processors", SettingKind::kWhole, kMost, {}, help[1]},
               &ScopeLimits::processors));
  to.push_back(limit_of(scope,
                        {section,
                         "waiting_jobs",
                         SettingKind::kWhole,
                         {1, 1e9},
                         {},
                         "how many of its waiting jobs, the first by (submit, id), may "
                         "start"},
                        &ScopeLimits::waiting_jobs));
}

void add_hosts_file(SettingList<Scenario>& to) {
  to.text(
        "hosts_file",
        "a file of hosts instead of [machine.hosts]: sinfo --json, scontrol show node, "
        "a "
        "Batsim platform, a CSV file of name, processors, memory, partition, count and "
        "kinds; on sharing = devices a CSV file of name, cpu, memory, devices, type, "
        "slices, partition, count; plain or gzip",
        [](auto& s) -> auto& { return s.hosts.file; })
      .kind = SettingKind::kInputFile;
  auto& states = to.choice(
      "hosts_states", {"all", "up"},
      "which hosts of hosts_file there are: all, or those that are neither down nor "
      "drained, failing, in maintenance, silent or switched off",
      [](auto& s) -> auto& { return s.hosts.states; });
  // Without a file it says nothing.
  states.value = [shown = std::move(states.value)](const Scenario& scenario) {
    return scenario.hosts.file.empty() ? std::nullopt : shown(scenario);
  };
}

// What becomes of jobs that lose a host.
void add_hit_jobs(SettingList<Scenario>& to) {
  to.choice(
      "on_failure", {"requeue", "kill", "resume"},
      "what becomes of a job whose host goes down, or that a window hits: it waits "
      "again and begins anew, it fails, or it waits and goes on from its last "
      "checkpoint",
      [](auto& s) -> auto& { return s.machine.life.on_failure; });
  to.choice(
      "requeue_priority", {"keep", "lose"},
      "where such a job stands in the queue: by its submit, or by its return",
      [](auto& s) -> auto& { return s.machine.life.requeue_place; });
  to.time(
      "requeue_delay", {0, kMostSeconds},
      "it is in the queue again so many seconds after it lost its host",
      [](auto& s) -> auto& { return s.machine.life.requeue_delay; });
  to.whole(
      "max_attempts", {1, 1e9}, "after so many attempts that lost a host a job fails",
      [](auto& s) -> auto& { return s.machine.life.max_attempts; });
  to.time(
      "checkpoint", {1e-6, kMostSeconds},
      "with on_failure = resume a job writes a checkpoint after each so many seconds "
      "of work, but not at its end; without it 3600",
      [](auto& s) -> auto& { return s.checkpoints.every; });
  to.time(
      "checkpoint_cost", {0, kMostSeconds},
      "to write one takes so many seconds, in which no work is done; without it 0",
      [](auto& s) -> auto& { return s.checkpoints.cost; });
  to.time(
      "restart_cost", {0, kMostSeconds},
      "an attempt that has saved work begins with so many seconds of reading it; "
      "without it 0",
      [](auto& s) -> auto& { return s.checkpoints.restart; });
}

// How the hosts of one section fail.
std::vector<SettingOf<FailureKeys>> failure_keys(std::string_view section) {
  constexpr Range kShapes{0.1, 100};
  SettingList<FailureKeys> to;
  to.section(section);
  to.time("mtbf", {1e-6, kMostSeconds},
          "hosts, of a pool processors, go down and come back at times that are drawn: "
          "each is up for so many seconds in the mean",
          &FailureKeys::mtbf);
  to.time("repair", {1e-6, kMostSeconds},
          "each is down for so many seconds in the mean, after which it is expected "
          "back; without it 3600",
          &FailureKeys::repair);
  to.real("shape", kShapes,
          "shape of the Weibull distribution of the times up; without it 1, which is "
          "exponential",
          &FailureKeys::shape);
  to.real("repair_shape", kShapes, "likewise of the times down",
          &FailureKeys::repair_shape);
  to.whole("unit", {1, 1e9}, "so many in a row fail together; without it 1",
           &FailureKeys::unit);
  return to.take();
}

}  // namespace

std::vector<Setting> failure_settings() {
  std::vector<Setting> all;
  for (const auto& each : failure_keys("machine.failures")) {
    const SettingShape& shape = each;
    all.push_back({shape,
                   [set = each.set](Scenario& scenario, const SettingValue& value) {
                     set(scenario.failures, value);
                   },
                   [value = each.value](const Scenario& scenario) {
                     return value(scenario.failures);
                   }});
  }
  return all;
}

std::vector<NamedSetting> host_failure_settings() {
  const auto names = [](const Scenario& scenario) {
    std::vector<std::string> all;
    for (const auto& each : scenario.host_failures) all.push_back(each.first);
    return all;
  };
  std::vector<NamedSetting> all;
  for (const auto& each : failure_keys("machine.hosts.*.failures")) {
    const SettingShape& shape = each;
    all.push_back({shape, NameKind::kWord,
                   [set = each.set](Scenario& scenario, std::string_view name,
                                    const SettingValue& value) {
                     set(scenario.host_failures[std::string(name)], value);
                   },
                   [value = each.value](const Scenario& scenario, std::string_view name)
                       -> std::optional<SettingValue> {
                     const auto at = scenario.host_failures.find(name);
                     if (at == scenario.host_failures.end()) return std::nullopt;
                     return value(at->second);
                   },
                   names});
  }
  return all;
}

std::vector<NamedSetting> limit_settings() {
  std::vector<NamedSetting> all;
  add_limits(LimitScope::kUser, "limits.users.*",
             {"how many jobs of this user, or with * of each user, may run at once",
              "how many processors its running jobs may have"},
             all);
  add_limits(LimitScope::kGroup, "limits.groups.*",
             {"how many jobs of this group, or with * of each group, may run at once",
              "how many processors its running jobs may have"},
             all);
  add_limits(LimitScope::kQueue, "limits.queues.*",
             {"how many jobs of this queue of the trace, or with * of each queue, may "
              "run at once",
              "how many processors its running jobs may have"},
             all);
  all.push_back(limit_of(LimitScope::kQueue,
                         {"limits.queues.*",
                          "tier",
                          SettingKind::kWhole,
                          {-1000, 1000},
                          {},
                          "every order of the run is by the tier of the queue first, "
                          "the highest first; without it 0"},
                         &ScopeLimits::tier));
  return all;
}

std::vector<Setting> life_settings() {
  SettingList<Scenario> to;
  to.section("machine");
  add_hosts_file(to);
  to.text(
        "events",
        "a CSV file of hosts that go down and come back: time, event (down or up), "
        "hosts (of a pool processors), until; plain or gzip",
        [](auto& s) -> auto& { return s.machine_events; })
      .kind = SettingKind::kInputFile;
  to.text(
        "windows",
        "a CSV file of times that a pool keeps for maintenance or for some users: "
        "name, from, to, processors, announced, users, at_start (wait or hit); plain "
        "or "
        "gzip",
        [](auto& s) -> auto& { return s.machine_windows; })
      .kind = SettingKind::kInputFile;
  to.time(
      "expected_repair", {1e-6, kMostSeconds},
      "a host that goes down is expected back after so many seconds, where its row "
      "does not say when",
      [](auto& s) -> auto& { return s.machine.life.expected_repair; });
  add_hit_jobs(to);
  to.section("limits");
  to.flag(
      "stop",
      "whether the first job that a limit of running jobs bars hides all jobs behind "
      "it",
      [](auto& s) -> auto& { return s.limits.stop; });
  return to.take();
}

}  // namespace berth::study
