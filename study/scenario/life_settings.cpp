// The keys of [machine] that say which hosts it has, and what happens to them and to
// the jobs on them; and those of [limits].

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <span>

#include "engine/base/printable.hpp"
#include "engine/base/setting_list.hpp"
#include "study/scenario/named_settings.hpp"
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

// A setting of an account: its value is that of the account's label.
template <class Get, class Set>
NamedSetting of_account(SettingShape shape, Set set, Get get) {
  return {std::move(shape), NameKind::kWord,
          [set](Scenario& scenario, std::string_view name, const SettingValue& value) {
            auto& limits = scenario.limits;
            set(limits, limits.accounts.make(name), value);
          },
          [get](const Scenario& scenario,
                std::string_view name) -> std::optional<SettingValue> {
            const auto label = scenario.limits.accounts.find(name);
            if (label == kUnknown) return std::nullopt;
            return get(scenario.limits, label);
          },
          [](const Scenario& scenario) {
            std::vector<std::string> names;
            const auto nodes = scenario.limits.accounts.nodes();
            names.reserve(nodes.size());
            for (const auto& node : nodes) names.push_back(node.name);
            return names;
          }};
}

NamedSetting limit_of_account(std::string_view name, std::string_view help,
                              Limit limit) {
  return of_account(
      {"limits.accounts.*", name, SettingKind::kWhole, {0, 1e9}, {}, help},
      [limit](LimitSettings& limits, std::int32_t label, const SettingValue& value) {
        limits.table(LimitScope::kAccount).named[label].*limit =
            std::get<std::int64_t>(value);
      },
      [limit](const LimitSettings& limits,
              std::int32_t label) -> std::optional<SettingValue> {
        return limits.table(LimitScope::kAccount).of(label).*limit;
      });
}

const LimitedAccounts::Node& node_of(const LimitSettings& limits, std::int32_t label) {
  return limits.accounts.nodes()[static_cast<std::size_t>(label)];
}

void add_accounts(std::vector<NamedSetting>& to) {
  to.push_back(of_account(
      {"limits.accounts.*",
       "parent",
       SettingKind::kText,
       {},
       {},
       "the account above it, in which its jobs count, too; without it none"},
      [](LimitSettings& limits, std::int32_t label, const SettingValue& value) {
        limits.accounts.put_parent(label, std::get<std::string>(value));
      },
      [](const LimitSettings& limits,
         std::int32_t label) -> std::optional<SettingValue> {
        const auto& parent = node_of(limits, label).parent;
        if (parent.empty()) return std::nullopt;
        return SettingValue(parent);
      }));
  to.push_back(of_account(
      {"limits.accounts.*",
       "groups",
       SettingKind::kNames,
       {},
       {},
       "the groups of the trace whose jobs count in it, such as [1, 4]"},
      [](LimitSettings& limits, std::int32_t label, const SettingValue& value) {
        limits.accounts.put_groups(label, numbers_of(std::get<std::string>(value)));
      },
      [](const LimitSettings& limits,
         std::int32_t label) -> std::optional<SettingValue> {
        const auto& groups = node_of(limits, label).groups;
        if (groups.empty()) return std::nullopt;
        return SettingValue(numbers_text(groups));
      }));
  to.push_back(limit_of_account(
      "running_jobs", "how many jobs of it and of those below it may run at once",
      &ScopeLimits::running_jobs));
  to.push_back(limit_of_account("processors",
                                "how many processors its running jobs may have, with "
                                "what it borrows",
                                &ScopeLimits::processors));
  to.push_back(limit_of_account("guaranteed",
                                "beyond so many processors it borrows, which it may "
                                "while no other job waits within its own guarantees",
                                &ScopeLimits::guaranteed));
}

// What is wrong with the accounts.
class AccountsCheck {
 public:
  explicit AccountsCheck(const LimitSettings& limits)
      : limits_(limits), nodes_(limits.accounts.nodes()), below_(nodes_.size()) {
    above_.reserve(nodes_.size());
    for (std::size_t label = 0; label < nodes_.size(); ++label) {
      above_.push_back(limits.accounts.parent(static_cast<std::int32_t>(label)));
    }
  }

  WrongResources run() {
    if (limits_.stop && limits_.has_guarantees()) {
      return {"limits.stop", "not yet where accounts have guaranteed processors"};
    }
    for (std::size_t label = 0; label < nodes_.size(); ++label) {
      if (auto wrong = wrong_parent(label); !wrong.what.empty()) return wrong;
      if (auto wrong = wrong_groups(label); !wrong.what.empty()) return wrong;
    }
    for (std::size_t label = 0; label < nodes_.size(); ++label) note_guarantee(label);
    for (std::size_t label = 0; label < nodes_.size(); ++label) {
      if (auto wrong = wrong_guarantee(label); !wrong.what.empty()) return wrong;
    }
    return {};
  }

 private:
  [[nodiscard]] std::string key(std::size_t label, std::string_view name) const {
    return fmt::format("limits.accounts.{}.{}", nodes_[label].name, name);
  }
  [[nodiscard]] std::optional<std::int64_t> limit(std::size_t label,
                                                  Limit which) const {
    const auto& table = limits_.table(LimitScope::kAccount);
    return table.of(static_cast<std::int32_t>(label)).*which;
  }

  [[nodiscard]] WrongResources wrong_parent(std::size_t label) const {
    const auto& node = nodes_[label];
    if (node.parent.empty()) return {};
    auto above = above_[label];
    if (above == kUnknown) {
      return {key(label, "parent"),
              fmt::format("there is no account {}", printable(node.parent))};
    }
    // More steps than accounts are a cycle.
    for (std::size_t steps = 0; steps <= nodes_.size(); ++steps) {
      above = above_[static_cast<std::size_t>(above)];
      if (above == kUnknown) return {};
    }
    return {key(label, "parent"), "the accounts above it are a cycle"};
  }

  [[nodiscard]] WrongResources wrong_groups(std::size_t label) {
    for (const auto group : nodes_[label].groups) {
      const auto [at, is_new] = of_group_.try_emplace(group, label);
      if (is_new) continue;
      return {key(label, "groups"),
              fmt::format("group {} is in account {} already", label_number(group),
                          nodes_[at->second].name)};
    }
    return {};
  }

  // What is guaranteed to it is a part of that of the next one above it that has any.
  // REQUIRES: there is no cycle.
  void note_guarantee(std::size_t label) {
    const auto own = limit(label, &ScopeLimits::guaranteed);
    auto above = above_[label];
    while (own && above != kUnknown) {
      const auto at = static_cast<std::size_t>(above);
      above = above_[at];
      if (!limit(at, &ScopeLimits::guaranteed)) continue;
      below_[at] += *own;
      return;
    }
  }

  [[nodiscard]] WrongResources wrong_guarantee(std::size_t label) const {
    const auto own = limit(label, &ScopeLimits::guaranteed);
    if (!own) return {};
    const auto most = limit(label, &ScopeLimits::processors);
    if (most && *own > *most) {
      return {key(label, "guaranteed"),
              fmt::format("{} is above its processors, {}", *own, *most)};
    }
    const auto below = below_[label];
    if (below <= *own) return {};
    return {key(label, "guaranteed"),
            fmt::format("the accounts below it are guaranteed {} together, and it {}",
                        below, *own)};
  }

  const LimitSettings& limits_;
  std::span<const LimitedAccounts::Node> nodes_;
  std::vector<std::int64_t> below_;  // guaranteed to those below it, together
  std::vector<std::int32_t> above_;
  std::map<std::int32_t, std::size_t> of_group_;
};

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
  add_accounts(all);
  return all;
}

WrongResources wrong_accounts(const Scenario& scenario) {
  return AccountsCheck(scenario.limits).run();
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
        "a CSV file of times that are kept for maintenance or for some users: name, "
        "from, to, processors (of hosts hosts), announced, users, at_start (wait or "
        "hit); plain or gzip",
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
