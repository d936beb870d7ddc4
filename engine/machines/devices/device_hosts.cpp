#include "engine/machines/devices/device_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <charconv>
#include <utility>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

constexpr std::int64_t kMostHosts = 10'000'000;  // and devices of all of them
constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kGpu = "gpu";

[[noreturn]] void refuse_hosts(const std::string& what) {
  throw Error(ErrorCode::kInput, what);
}

// What stands for hosts where a policy is tried without a scenario.
std::vector<DeviceHostRow> rows_of_trial() {
  DeviceHostRow row;
  row.amounts.name = "host";
  row.amounts.count = 4;
  row.amounts.resources = {{std::string(kCpu), 16'000}};
  row.type = "GPU";
  row.devices = 4;
  return {std::move(row)};
}

std::string key_of_group(std::string_view name, std::string_view key) {
  return fmt::format("machine.hosts.{}.{}", name, key);
}

void check_group(std::string_view name, const DeviceGroup& group) {
  const bool has_any = group.count || group.parts || !group.slices.empty();
  if (group.type.empty() && has_any) {
    refuse_hosts(key_of_group(name, "devices") +
                 ": of which type are they? add type = \"NAME\"");
  }
  if (!group.type.empty() && !group.count) {
    refuse_hosts(key_of_group(name, "devices") + ": how many has each host? add count");
  }
}

DeviceHostRow row_of_group(const HostGroup& amounts, const DeviceGroup& group,
                           std::int64_t parts) {
  check_group(amounts.name, group);
  DeviceHostRow row{amounts};
  row.amounts.resources.emplace_back(kCpu, group.cpu);
  row.type = group.type;
  row.devices = group.count.value_or(0);
  if (group.slices.empty()) return row;
  try {
    row.slices = slices_from(group.slices, parts);
  } catch (const Error& error) {
    refuse_hosts(fmt::format("{}: {}", key_of_group(amounts.name, "devices.slices"),
                             error.what()));
  }
  return row;
}

// Of all groups; those that name no devices have any.
std::int64_t parts_of_groups(const std::vector<HostGroup>& hosts,
                             const DeviceSettings& settings) {
  std::optional<std::pair<std::string, std::int64_t>> first;
  for (const auto& each : hosts) {
    const auto at = settings.groups.find(each.name);
    if (at == settings.groups.end() || at->second.type.empty()) continue;
    const auto parts = at->second.parts.value_or(kUsualParts);
    if (!first) first.emplace(each.name, parts);
    if (first->second == parts) continue;
    refuse_hosts(fmt::format(
        "{}: {} parts, but the devices of {} have {}; all devices of a machine have as "
        "many",
        key_of_group(each.name, "devices.parts"), parts, first->first, first->second));
  }
  return first ? first->second : kUsualParts;
}

std::vector<DeviceHostRow> rows_of_groups(const std::vector<HostGroup>& hosts,
                                          const DeviceSettings& settings,
                                          std::int64_t parts) {
  std::vector<DeviceHostRow> rows;
  rows.reserve(hosts.size());
  for (const auto& each : hosts) {
    const auto at = settings.groups.find(each.name);
    static const DeviceGroup kNone;
    rows.push_back(
        row_of_group(each, at == settings.groups.end() ? kNone : at->second, parts));
  }
  return rows;
}

// One row a host, each with its name.
std::vector<DeviceHostRow> one_by_one(std::vector<DeviceHostRow> rows) {
  std::vector<DeviceHostRow> hosts;
  std::int64_t count = 0;
  for (auto& row : rows) {
    count += row.amounts.count;
    if (count > kMostHosts) refuse_hosts("machine.hosts: there are more than 10000000");
    const auto many = std::exchange(row.amounts.count, 1);
    const auto name = row.name;
    for (std::int32_t i = 0; i < many; ++i) {
      if (name.empty()) row.name = fmt::format("{}-{}", row.amounts.name, i);
      hosts.push_back(row);
    }
  }
  return hosts;
}

void shuffle_hosts(std::vector<DeviceHostRow>& hosts, std::uint64_t seed) {
  auto engine = random_stream(seed, "machine.shuffle_hosts");
  for (auto left = hosts.size(); left > 1; --left) {
    const auto at =
        boost::random::uniform_int_distribution<std::size_t>(0, left - 1)(engine);
    std::swap(hosts[left - 1], hosts[at]);
  }
}

}  // namespace

std::vector<std::int64_t> slices_from(std::string_view text, std::int64_t parts) {
  const auto whole = text;
  std::vector<std::int64_t> slices;
  const auto wrong = [&](std::string_view part, std::string_view why) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} in {} {}", printable(part), printable(whole), why));
  };
  while (!text.empty()) {
    const auto part = text.substr(0, text.find_first_of(",;|"));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    std::int64_t size = 0;
    const auto* end = part.data() + part.size();
    const auto [at, code] = std::from_chars(part.data(), end, size);
    if (code != std::errc() || at != end) wrong(part, "is no whole number");
    if (size < 1 || size > parts) {
      wrong(part, fmt::format("is not from 1 to {}, the parts of a device", parts));
    }
    if (!slices.empty() && size <= slices.back()) wrong(part, "does not rise");
    slices.push_back(size);
  }
  if (slices.empty()) throw Error(ErrorCode::kInput, "there is no size in the list");
  return slices;
}

DeviceHosts::DeviceHosts(const sim::Machine& machine, const DeviceSettings& settings,
                         std::uint64_t seed) {
  const auto& groups = machine.resources.hosts;
  std::vector<DeviceHostRow> rows;
  if (!settings.hosts_file.empty()) {
    rows = host_rows_from_file(settings);
  } else if (groups.empty()) {
    rows = rows_of_trial();
  } else {
    parts_ = parts_of_groups(groups, settings);
    rows = rows_of_groups(groups, settings, parts_);
  }
  rows = one_by_one(std::move(rows));
  if (settings.shuffles_hosts) shuffle_hosts(rows, seed);
  number(rows);
  speeds_ = DeviceSpeeds(settings, types_);
  add_kinds(machine);
}

void DeviceHosts::number(const std::vector<DeviceHostRow>& rows) {
  std::int64_t devices = 0;
  hosts_.reserve(rows.size());
  amounts_.hosts.reserve(rows.size());
  for (const auto& row : rows) {
    hosts_.push_back({row.name, row.type.empty() ? kUntyped : number_of_type(row.type),
                      static_cast<std::int32_t>(devices),
                      static_cast<std::int32_t>(row.devices), row.slices});
    devices += row.devices;
    if (devices > kMostHosts) refuse_hosts("machine.hosts: more than 10000000 devices");
    auto& amounts = amounts_.hosts.emplace_back(row.amounts);
    amounts.resources.emplace_back(kGpu, row.devices * parts_);
  }
  devices_ = static_cast<std::int32_t>(devices);
}

std::int32_t DeviceHosts::number_of_type(const std::string& name) {
  if (const auto known = type_named(name)) return *known;
  types_.push_back(name);
  return static_cast<std::int32_t>(types_.size() - 1);
}

std::optional<std::int32_t> DeviceHosts::type_named(std::string_view name) const {
  const auto at = std::find(types_.begin(), types_.end(), name);
  if (at == types_.end()) return std::nullopt;
  return static_cast<std::int32_t>(at - types_.begin());
}

void DeviceHosts::add_kinds(const sim::Machine& machine) {
  add_kind(std::string(kCpu));
  const bool has_memory =
      std::any_of(amounts_.hosts.begin(), amounts_.hosts.end(),
                  [](const HostGroup& host) { return host.memory > 0; });
  if (has_memory) add_kind("memory");
  gpu_ = kinds_.size();
  add_kind(std::string(kGpu));
  for (const auto& group : machine.resources.hosts) {
    for (const auto& each : group.resources) add_kind(each.first);
  }
  for (const auto& [name, amount] : machine.resources.wide) {
    kinds_.push_back({name, amount, false});
    largest_.push_back(0);
  }
  if (kinds_.size() > kMostKinds) {
    refuse_hosts(
        fmt::format("machine.resources: {} kinds of resource; a machine has at "
                    "most {}",
                    kinds_.size(), kMostKinds));
  }
}

// Unless it is there.
void DeviceHosts::add_kind(const std::string& name) {
  const bool is_there =
      std::any_of(kinds_.begin(), kinds_.end(),
                  [&](const ResourceKind& kind) { return kind.name == name; });
  if (is_there) return;
  Int128 sum = 0;
  std::int64_t most = 0;
  for (const auto& host : amounts_.hosts) {
    sum += amount_of(host, name);
    most = std::max(most, amount_of(host, name));
  }
  if (sum > kMostAmount) {
    refuse_hosts(fmt::format(
        "machine.hosts: all hosts together have more than 2^52 of {}", name));
  }
  kinds_.push_back({name, static_cast<std::int64_t>(sum), true});
  largest_.push_back(most);
}

std::int64_t DeviceHosts::share_on(const DeviceHost& host, std::int64_t share) const {
  if (host.slices.empty()) return share;
  const auto at = std::lower_bound(host.slices.begin(), host.slices.end(), share);
  return at == host.slices.end() ? 0 : *at;
}

}  // namespace berth
