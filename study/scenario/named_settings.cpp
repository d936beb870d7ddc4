#include "study/scenario/named_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <span>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/setting_list.hpp"
#include "engine/jobs/label.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth::study {

namespace {

constexpr std::string_view kHosts = "machine.hosts";
constexpr Range kAmounts{0, static_cast<double>(kMostAmount)};
constexpr Range kGib{0, 4294967296.0};

std::int64_t whole(const SettingValue& value) { return std::get<std::int64_t>(value); }

void put(NamedAmounts& all, std::string_view name, const SettingValue& value) {
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const auto& each) { return each.first == name; });
  auto& amount = at != all.end() ? at->second : all.emplace_back(name, 0).second;
  amount = whole(value);
}

std::optional<SettingValue> value_in(const NamedAmounts& all, std::string_view name) {
  for (const auto& [known, held] : all) {
    if (known == name) return SettingValue(held);
  }
  return std::nullopt;
}

// Kinds are kept by name, users, groups and classes by label.
void read_key(std::string_view name, std::string& key) { key = name; }
void read_key(std::string_view name, std::int32_t& key) {
  std::int64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  key = label_code(number);
}
void put(std::map<std::string, std::string>& all, std::string_view name,
         const SettingValue& value) {
  all[std::string(name)] = std::get<std::string>(value);
}
std::string name_of(const std::string& key) { return key; }
std::string name_of(std::int32_t key) { return fmt::to_string(label_number(key)); }

template <class Numbers>
void put(Numbers& all, std::string_view name, const SettingValue& value) {
  typename Numbers::key_type key{};
  read_key(name, key);
  all[key] = real_of(value);
}

template <class Numbers>
std::optional<SettingValue> value_in(const Numbers& all, std::string_view name) {
  typename Numbers::key_type key{};
  read_key(name, key);
  const auto at = all.find(key);
  if (at == all.end()) return std::nullopt;
  return SettingValue(at->second);
}

template <class All>
std::vector<std::string> names_kept(const All& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& each : all) names.push_back(name_of(each.first));
  return names;
}

// What a scenario keeps by name.
template <class All>
NamedSetting by_name(SettingShape shape, NameKind kind, All all) {
  return {std::move(shape), kind,
          [all](Scenario& scenario, std::string_view name, const SettingValue& value) {
            put(all(scenario), name, value);
          },
          [all](const Scenario& scenario, std::string_view name) {
            return value_in(all(scenario), name);
          },
          [all](const Scenario& scenario) { return names_kept(all(scenario)); }};
}

HostGroup& group_named(Scenario& scenario, std::string_view name) {
  auto& groups = scenario.machine.resources.hosts;
  for (auto& group : groups) {
    if (group.name == name) return group;
  }
  groups.emplace_back();
  groups.back().name = name;
  return groups.back();
}

const HostGroup* find_group(const Scenario& scenario, std::string_view name) {
  for (const auto& group : scenario.machine.resources.hosts) {
    if (group.name == name) return &group;
  }
  return nullptr;
}

std::vector<SettingOf<HostGroup>> group_settings() {
  SettingList<HostGroup> to;
  to.section("machine.hosts.*");
  to.whole("count", {1, 10'000'000}, "how many such hosts there are", &HostGroup::count)
      .aliases = {"hosts.*.count"};
  to.whole("processors", {1, 10'000'000}, "processors of each", &HostGroup::processors)
      .aliases = {"hosts.*.processors"};
  auto& memory = to.gib("memory", kGib, "GiB of each", &HostGroup::memory);
  memory.aliases = {"hosts.*.memory"};
  memory.value = [](const HostGroup& group) -> std::optional<SettingValue> {
    if (group.memory == 0) return std::nullopt;
    return SettingValue(gib_of(group.memory));
  };
  to.add({{"machine.hosts.*",
           "partition",
           SettingKind::kWhole,
           {0, kLargestLabel},
           {},
           "takes only jobs of this partition of the trace; open: all",
           {"hosts.*.partition"}},
          [](HostGroup& group, const SettingValue& value) {
            group.partition = label_code(whole(value));
          },
          [](const HostGroup& group) -> std::optional<SettingValue> {
            if (!group.partition) return std::nullopt;
            return SettingValue(label_number(*group.partition));
          }});
  return to.take();
}

// Those of the scenario itself: groups that a file makes are not its settings.
std::span<const HostGroup> own_groups(const Scenario& scenario) {
  if (scenario.hosts.are_read) return {};
  return scenario.machine.resources.hosts;
}

NamedSetting of_group(const SettingOf<HostGroup>& of) {
  const SettingShape& shape = of;
  return {shape, NameKind::kWord,
          [set = of.set](Scenario& scenario, std::string_view name,
                         const SettingValue& value) {
            set(group_named(scenario, name), value);
          },
          [of](const Scenario& scenario,
               std::string_view name) -> std::optional<SettingValue> {
            const auto* found = find_group(scenario, name);
            auto value = found == nullptr ? std::nullopt : of.value(*found);
            if (value && !wrong_with(of, *value).empty()) value.reset();  // not given
            return value;
          },
          [](const Scenario& scenario) {
            std::vector<std::string> names;
            for (const auto& group : own_groups(scenario)) names.push_back(group.name);
            return names;
          }};
}

// "gpu" of "zewura.gpu"; the group is what stands before it.
std::string_view kind_part(std::string_view name) {
  return name.substr(name.find('.') + 1);
}
std::string_view group_part(std::string_view name) {
  return name.substr(0, name.find('.'));
}

std::vector<std::string> names_on_hosts(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& group : own_groups(scenario)) {
    for (const auto& each : group.resources) {
      names.push_back(group.name + "." + each.first);
    }
  }
  return names;
}

NamedSetting on_host() {
  return {{"machine.hosts.*.resources",
           "*",
           SettingKind::kWhole,
           kAmounts,
           {},
           "how much of this kind each host has",
           {"hosts.*.*"}},
          NameKind::kWord,
          [](Scenario& scenario, std::string_view name, const SettingValue& value) {
            put(group_named(scenario, group_part(name)).resources, kind_part(name),
                value);
          },
          [](const Scenario& scenario,
             std::string_view name) -> std::optional<SettingValue> {
            const auto* found = find_group(scenario, group_part(name));
            return found == nullptr ? std::nullopt
                                    : value_in(found->resources, kind_part(name));
          },
          names_on_hosts};
}

bool has_own_key(const std::string& kind) {
  return kind == "processors" || kind == "memory";
}

// Adds the kinds of the group.
WrongResources wrong_group(const HostGroup& group, std::set<std::string>& on_hosts) {
  for (const auto& [name, amount] : group.resources) {
    if (has_own_key(name)) {
      return {fmt::format("machine.hosts.{}.resources.{}", group.name, name),
              fmt::format("write it beside count, as machine.hosts.{}.{}", group.name,
                          name)};
    }
    on_hosts.insert(name);
  }
  return {};
}

// Tells what cannot stand beside a file of hosts, before that file is read.
WrongResources wrong_beside_file(const Scenario& scenario) {
  if (!scenario.machine.resources.hosts.empty()) {
    return {"machine.hosts_file",
            "[machine.hosts] gives hosts, too; leave one of the two out"};
  }
  if (!scenario.processors) return {};
  return {"machine.processors",
          "the hosts have the processors; leave one of the two out"};
}

WrongResources wrong_kinds(const Resources& resources) {
  std::set<std::string> on_hosts;
  for (const auto& group : resources.hosts) {
    auto wrong = wrong_group(group, on_hosts);
    if (!wrong.what.empty()) return wrong;
  }
  for (const auto& [name, amount] : resources.wide) {
    const auto key = fmt::format("machine.resources.{}", name);
    if (has_own_key(name)) {
      return {key, fmt::format("write it as machine.{}", name)};
    }
    if (on_hosts.contains(name)) {
      return {key, "hosts have this kind, too; a kind is on hosts or machine-wide"};
    }
  }
  const auto kinds = kinds_of(1, resources);
  if (kinds.size() <= kMostKinds) return {};
  const auto& last = kinds[kMostKinds].name;
  const bool is_wide = !on_hosts.contains(last);
  return {is_wide ? fmt::format("machine.resources.{}", last) : std::string(kHosts),
          fmt::format("{} is the 17th kind of resource; a machine has at most {}", last,
                      kMostKinds)};
}

}  // namespace

std::vector<NamedSetting> resource_settings() {
  std::vector<NamedSetting> all;
  for (const auto& each : group_settings()) all.push_back(of_group(each));
  all.push_back(on_host());
  all.push_back(by_name(
      {"machine.resources",
       "*",
       SettingKind::kWhole,
       kAmounts,
       {},
       "how much of this kind the whole machine has, such as licences",
       {"resources.*"}},
      NameKind::kWord, [](auto& s) -> auto& { return s.machine.resources.wide; }));
  all.push_back(by_name(
      {"shares.billing",
       "*",
       SettingKind::kReal,
       {0, 1e9},
       {},
       "under charge = billing: what one of this kind costs, memory "
       "by GiB"},
      NameKind::kWord, [](auto& s) -> auto& { return s.shares.billing; }));
  return all;
}

std::vector<NamedSetting> column_settings() {
  return {by_name(
      {"workload.columns",
       "*",
       SettingKind::kText,
       {},
       {},
       "which column of a CSV trace says this of a job: its name, a column "
       "or the product of two, * or / a number, or the difference of two"},
      NameKind::kWord, [](auto& s) -> auto& { return s.workload.columns; })};
}

std::vector<Setting> share_settings() {
  constexpr Range kSeconds{0, 1e11};  // see kMaxSeconds
  SettingList<Scenario> to;
  to.section("shares");
  to.time(
        "half_life", kSeconds,
        "seconds in which what a user was charged counts half; 0: it never decays",
        [](auto& s) -> auto& { return s.shares.half_life; })
      .aliases = {"half_life"};
  to.choice(
        "charge", {"processors", "dominant", "billing"},
        "what a job is charged for while it runs",
        [](auto& s) -> auto& { return s.shares.charge; })
      .aliases = {"charge"};
  to.choice(
      "billing_rule", {"sum", "max"},
      "under charge = billing: the weighted needs of a job together, or the largest",
      [](auto& s) -> auto& { return s.shares.billing_rule; });
  to.choice(
      "rule", {"ratio", "fair_tree"},
      "users by usage over weight, or groups and then users by their part of both",
      [](auto& s) -> auto& { return s.shares.rule; });
  to.time(
      "period", kSeconds,
      "usage is read as it was at the last multiple of these seconds; 0: of now",
      [](auto& s) -> auto& { return s.shares.period; });
  return to.take();
}

std::vector<NamedSetting> weight_settings() {
  constexpr Range kWeight{0, 1e9, true};
  return {by_name(
              {"shares.users",
               "*",
               SettingKind::kReal,
               kWeight,
               {},
               "weight of the user of this number; one that is not named has 1",
               {"weights.*"}},
              NameKind::kWholeNumber, [](auto& s) -> auto& { return s.shares.users; }),
          by_name(
              {"shares.groups",
               "*",
               SettingKind::kReal,
               kWeight,
               {},
               "weight of the group of this number under rule = fair_tree; one that "
               "is not named has 1"},
              NameKind::kWholeNumber, [](auto& s) -> auto& { return s.shares.groups; }),
          by_name(
              {"shares.class_factor",
               "*",
               SettingKind::kReal,
               {0, 1000},
               {},
               "factor of the charge for jobs of this class (the trace's queue "
               "number); 0: free"},
              NameKind::kWholeNumber,
              [](auto& s) -> auto& { return s.shares.class_factor; })};
}

WrongResources wrong_resources(const Scenario& scenario) {
  const auto& resources = scenario.machine.resources;
  if (!scenario.hosts.file.empty() && !scenario.hosts.are_read) {
    return wrong_beside_file(scenario);
  }
  if (resources.empty()) return {};
  const auto& model = model_of(scenario.machine);
  for (const auto& group : resources.hosts) {
    const auto section = fmt::format("{}.{}", kHosts, group.name);
    if (group.count == 0) return {section, "how many hosts? add count"};
    if (model.counts_hosts && group.processors > 0) {
      return {section + ".processors",
              fmt::format("hosts under sharing = \"{}\" have none; leave it out",
                          model.name)};
    }
    if (!model.counts_hosts && group.processors == 0) {
      return {section, "how many processors has each host? add processors"};
    }
  }
  if (!resources.hosts.empty()) {
    if (scenario.processors) {
      return {"machine.processors",
              "the hosts have the processors; leave one of the two out"};
    }
    if (resources.memory) {
      return {"machine.memory", "hosts have their own memory; write it there"};
    }
    if (processors_of(resources) > 10'000'000) {
      return {std::string(kHosts), "the hosts have more than 10000000 processors"};
    }
    for (const auto& kind : kinds_of(1, resources)) {
      if (kind.capacity <= kMostAmount) continue;
      return {std::string(kHosts),
              fmt::format("all hosts together have more than 2^52 of {}{}", kind.name,
                          kind.name == "memory" ? ", in KiB" : "")};
    }
  }
  if (!model.counts_hosts && scenario.machine.sharing != "exclusive") {
    return {resources.hosts.empty() ? "machine.memory" : std::string(kHosts),
            fmt::format("comes with sharing = \"exclusive\" alone, and it is \"{}\"",
                        scenario.machine.sharing)};
  }
  return wrong_kinds(resources);
}

}  // namespace berth::study
