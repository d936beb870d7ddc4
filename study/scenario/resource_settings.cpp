#include "study/scenario/resource_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <mutex>
#include <set>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/setting_list.hpp"
#include "engine/jobs/label.hpp"

namespace berth::study {

namespace {

constexpr std::string_view kResources = "machine.resources";
constexpr std::string_view kBilling = "shares.billing";
constexpr std::string_view kHosts = "machine.hosts";
constexpr Range kAmounts{0, static_cast<double>(kMostAmount)};

constexpr std::string_view kWideHelp =
    "how much of this kind the whole machine has, such as licences";
constexpr std::string_view kOnHostHelp = "how much of this kind each host has";

std::int64_t whole(const SettingValue& value) { return std::get<std::int64_t>(value); }

void put(NamedAmounts& amounts, std::string_view name, std::int64_t amount) {
  for (auto& [known, held] : amounts) {
    if (known != name) continue;
    held = amount;
    return;
  }
  amounts.emplace_back(name, amount);
}

std::optional<SettingValue> amount_in(const NamedAmounts& amounts,
                                      std::string_view name) {
  for (const auto& [known, held] : amounts) {
    if (known == name) return SettingValue(held);
  }
  return std::nullopt;
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

// A key of a host group.
struct GroupKey {
  std::string_view name;
  SettingKind kind;
  Range range;
  std::string_view help;
  void (*set)(HostGroup&, const SettingValue&);
  std::optional<SettingValue> (*value)(const HostGroup&);
};

const std::array kGroupKeys{
    GroupKey{"count",
             SettingKind::kWhole,
             {1, 10'000'000},
             "how many such hosts there are",
             [](HostGroup& group, const SettingValue& value) {
               group.count = static_cast<std::int32_t>(whole(value));
             },
             [](const HostGroup& group) -> std::optional<SettingValue> {
               if (group.count == 0) return std::nullopt;
               return SettingValue(std::int64_t{group.count});
             }},
    GroupKey{"processors",
             SettingKind::kWhole,
             {1, 10'000'000},
             "processors of each",
             [](HostGroup& group, const SettingValue& value) {
               group.processors = static_cast<std::int32_t>(whole(value));
             },
             [](const HostGroup& group) -> std::optional<SettingValue> {
               if (group.processors == 0) return std::nullopt;
               return SettingValue(std::int64_t{group.processors});
             }},
    GroupKey{"memory",
             SettingKind::kReal,
             {0, 4294967296.0},
             "GiB of each",
             [](HostGroup& group, const SettingValue& value) {
               group.memory = kib_of(real_of(value));
             },
             [](const HostGroup& group) -> std::optional<SettingValue> {
               if (group.memory == 0) return std::nullopt;
               return SettingValue(gib_of(group.memory));
             }},
    GroupKey{"partition",
             SettingKind::kWhole,
             {0, kLargestLabel},
             "takes only jobs of this partition of the trace; open: all",
             [](HostGroup& group, const SettingValue& value) {
               group.partition = label_code(whole(value));
             },
             [](const HostGroup& group) -> std::optional<SettingValue> {
               if (!group.partition) return std::nullopt;
               return SettingValue(label_number(*group.partition));
             }},
};

const GroupKey* find_group_key(std::string_view name) {
  const auto* const at =
      std::find_if(kGroupKeys.begin(), kGroupKeys.end(),
                   [&](const auto& each) { return each.name == name; });
  return at == kGroupKeys.end() ? nullptr : at;
}

Setting wide(std::string_view name) {
  return {{kResources, name, SettingKind::kWhole, kAmounts, {}, kWideHelp},
          [name](Scenario& scenario, const SettingValue& value) {
            put(scenario.machine.resources.wide, name, whole(value));
          },
          [name](const Scenario& scenario) {
            return amount_in(scenario.machine.resources.wide, name);
          }};
}

Setting of_group(std::string_view section, std::string_view group, const GroupKey& of) {
  return {{section, of.name, of.kind, of.range, {}, of.help},
          [group, set = of.set](Scenario& scenario, const SettingValue& value) {
            set(group_named(scenario, group), value);
          },
          [group,
           value = of.value](const Scenario& scenario) -> std::optional<SettingValue> {
            const auto* found = find_group(scenario, group);
            return found == nullptr ? std::nullopt : value(*found);
          }};
}

Setting on_host(std::string_view section, std::string_view group,
                std::string_view name) {
  return {{section, name, SettingKind::kWhole, kAmounts, {}, kOnHostHelp},
          [group, name](Scenario& scenario, const SettingValue& value) {
            put(group_named(scenario, group).resources, name, whole(value));
          },
          [group, name](const Scenario& scenario) -> std::optional<SettingValue> {
            const auto* found = find_group(scenario, group);
            return found == nullptr ? std::nullopt : amount_in(found->resources, name);
          }};
}

Setting billing(std::string_view name) {
  return {{kBilling,
           name,
           SettingKind::kReal,
           {0, 1e9},
           {},
           "under charge = billing: what one of this kind costs, memory by GiB"},
          [name](Scenario& scenario, const SettingValue& value) {
            scenario.shares.billing[std::string(name)] = real_of(value);
          },
          [name](const Scenario& scenario) -> std::optional<SettingValue> {
            const auto at = scenario.shares.billing.find(name);
            if (at == scenario.shares.billing.end()) return std::nullopt;
            return SettingValue(at->second);
          }};
}

// A word that may stand for a kind or a group.
bool is_name(std::string_view name) {
  const auto right = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= 60 &&
         std::all_of(name.begin(), name.end(), right);
}

// Made from a key that lives as long as the record.
std::optional<Setting> make(std::string_view key) {
  if (key.starts_with("machine.resources.")) {
    const auto name = key.substr(kResources.size() + 1);
    return is_name(name) ? std::optional(wide(name)) : std::nullopt;
  }
  if (key.starts_with("shares.billing.")) {
    const auto name = key.substr(kBilling.size() + 1);
    return is_name(name) ? std::optional(billing(name)) : std::nullopt;
  }
  if (!key.starts_with("machine.hosts.")) return std::nullopt;
  const auto rest = key.substr(kHosts.size() + 1);
  const auto dot = rest.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto group = rest.substr(0, dot);
  const auto name = rest.substr(dot + 1);
  if (!is_name(group)) return std::nullopt;
  const auto section = key.substr(0, kHosts.size() + 1 + dot);
  if (const auto* of = find_group_key(name)) return of_group(section, group, *of);
  constexpr std::string_view kOn = "resources.";
  if (!name.starts_with(kOn) || !is_name(name.substr(kOn.size()))) return std::nullopt;
  return on_host(key.substr(0, section.size() + kOn.size()), group,
                 name.substr(kOn.size()));
}

void add(std::vector<const Setting*>& all, const Scenario& scenario,
         const std::string& key) {
  const auto* setting = find_resource_setting(key);
  if (setting->value(scenario)) all.push_back(setting);
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

std::vector<MixPart> mix_of(std::string_view text) {
  std::vector<MixPart> all;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    auto part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    MixPart made;
    const auto [at, code] =
        std::from_chars(part.data(), part.data() + part.size(), made.share);
    const bool has_share = code == std::errc() && made.share > 0 && made.share <= 1;
    part.remove_prefix(static_cast<std::size_t>(at - part.data()));
    if (!has_share || part.size() < 2 || part.front() != ' ') {
      throw Error(ErrorCode::kInput,
                  "workload.mix: each part is a trace and its share of the load, above "
                  "0 and at most 1: { trace = \"a.swf\", share = 0.5 }");
    }
    made.trace = part.substr(1);
    all.push_back(std::move(made));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::string mix_text(const std::vector<MixPart>& mix) {
  std::string text;
  for (const auto& [trace, share] : mix) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", share, trace);
  }
  return text;
}

std::vector<std::int32_t> numbers_of(std::string_view key, std::string_view text) {
  std::vector<std::int32_t> all;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    std::int64_t number = 0;
    const auto* end = text.data() + comma;
    const auto [at, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || at != end || number > kLargestLabel) {
      throw Error(ErrorCode::kInput, fmt::format("{}: '{}' is no number of the trace",
                                                 key, text.substr(0, comma)));
    }
    all.push_back(label_code(number));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return all;
}

std::string numbers_text(std::span<const std::int32_t> labels) {
  std::string text;
  for (const auto label : labels) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", label_number(label));
  }
  return text;
}

std::vector<Setting> any_resource_settings() {
  std::vector<Setting> all;
  all.reserve(std::size(kGroupKeys) + 3);
  for (const auto& each : kGroupKeys) {
    all.push_back(of_group("machine.hosts.*", "*", each));
  }
  all.push_back(on_host("machine.hosts.*.resources", "*", "*"));
  all.push_back(wide("*"));
  all.push_back(billing("*"));
  return all;
}

Setting memory_setting() {
  return {{"machine",
           "memory",
           SettingKind::kReal,
           {0, 4294967296.0},
           {},
           "GiB of a pool in all; open: memory does not count"},
          [](Scenario& s, const SettingValue& v) {
            s.machine.resources.memory = kib_of(real_of(v));
          },
          [](const Scenario& s) -> std::optional<SettingValue> {
            const auto& memory = s.machine.resources.memory;
            if (!memory) return std::nullopt;
            return SettingValue(gib_of(*memory));
          }};
}

std::vector<Setting> need_settings() {
  SettingList<Scenario> to;
  to.section("workload");
  to.add({{"workload",
           "mix",
           SettingKind::kNames,
           {},
           {},
           "several traces merged, such as [{ trace = \"a.swf\", share = 0.5 }, ...]: "
           "each begins at 0 and is stretched to its share of workload.load"},
          [](Scenario& s, const SettingValue& v) {
            s.workload.mix = mix_of(text_of(v));
            s.workload.trace =
                s.workload.mix.empty() ? std::string() : s.workload.mix.front().trace;
            s.workload.model.clear();
          },
          [](const Scenario& s) -> std::optional<SettingValue> {
            if (s.workload.mix.empty()) return std::nullopt;
            return SettingValue(mix_text(s.workload.mix));
          }});
  to.choice(
      "size", {"requested", "allocated"},
      "processors of a job: those requested (field 8, else 5) or given (5, else 8)",
      [](auto& s) -> auto& { return s.workload.fields.size; });
  to.choice(
      "memory", {"requested", "used", "none"},
      "memory of each processor of a job: as requested (field 10) or used (7)",
      [](auto& s) -> auto& { return s.workload.fields.memory; });
  to.choice(
      "missing_memory", {"none", "other", "leave_out"},
      "a job without memory: needs none, what the other field says, or is left out",
      [](auto& s) -> auto& { return s.workload.fields.missing_memory; });
  to.add({{"workload",
           "partitions",
           SettingKind::kNames,
           {},
           {},
           "only jobs of these partitions, such as [1, 3]; open: all"},
          [](Scenario& s, const SettingValue& v) {
            s.workload.fields.partitions =
                numbers_of("workload.partitions", text_of(v));
          },
          [](const Scenario& s) -> std::optional<SettingValue> {
            const auto& all = s.workload.fields.partitions;
            if (all.empty()) return std::nullopt;
            return SettingValue(numbers_text(all));
          }});
  return to.take();
}

const Setting* find_resource_setting(std::string_view key) {
  static std::mutex mutex;
  static std::map<std::string, Setting, std::less<>> made;
  const std::lock_guard lock(mutex);
  const auto known = made.find(key);
  if (known != made.end()) return &known->second;
  if (!make(key)) return nullptr;
  const auto at = made.try_emplace(std::string(key)).first;
  at->second = *make(at->first);
  return &at->second;
}

std::vector<const Setting*> resource_settings_of(const Scenario& scenario) {
  std::vector<const Setting*> all;
  const auto& resources = scenario.machine.resources;
  for (const auto& group : resources.hosts) {
    const auto section = fmt::format("{}.{}", kHosts, group.name);
    for (const auto& each : kGroupKeys) {
      add(all, scenario, fmt::format("{}.{}", section, each.name));
    }
    for (const auto& [name, amount] : group.resources) {
      add(all, scenario, fmt::format("{}.resources.{}", section, name));
    }
  }
  for (const auto& [name, amount] : resources.wide) {
    add(all, scenario, fmt::format("{}.{}", kResources, name));
  }
  for (const auto& [name, weight] : scenario.shares.billing) {
    add(all, scenario, fmt::format("{}.{}", kBilling, name));
  }
  return all;
}

bool is_resource_section(std::string_view section) {
  return section == kResources || section == kBilling || section == kHosts ||
         section.starts_with("machine.hosts.");
}

WrongResources wrong_resources(const Scenario& scenario) {
  const auto& resources = scenario.machine.resources;
  if (resources.empty()) return {};
  for (const auto& group : resources.hosts) {
    const auto section = fmt::format("{}.{}", kHosts, group.name);
    if (group.count == 0) return {section, "how many hosts? add count"};
    if (group.processors == 0) {
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
  if (scenario.machine.sharing != "exclusive") {
    return {resources.hosts.empty() ? "machine.memory" : std::string(kHosts),
            fmt::format("comes with sharing = \"exclusive\" alone, and it is \"{}\"",
                        scenario.machine.sharing)};
  }
  return wrong_kinds(resources);
}

}  // namespace berth::study
