#include "engine/hosts/kinds.hpp"

#include <algorithm>

#include "engine/base/amount.hpp"
#include "engine/base/time.hpp"

namespace berth {

namespace {

// Just above kMostAmount where it is more than that; readers refuse such a machine.
std::int64_t sum_of(const std::vector<HostGroup>& groups, const std::string& name) {
  Int128 sum = 0;
  for (const auto& group : groups) sum += Int128{group.count} * amount_of(group, name);
  return static_cast<std::int64_t>(std::min(sum, Int128{kMostAmount} + 1));
}

bool has_kind(const std::vector<ResourceKind>& kinds, const std::string& name) {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const auto& kind) { return kind.name == name; });
}

void add_of_hosts(std::vector<ResourceKind>& kinds, const Resources& resources) {
  const auto memory = sum_of(resources.hosts, "memory");
  if (memory > 0) kinds.push_back({"memory", memory, true});
  for (const auto& group : resources.hosts) {
    for (const auto& [name, amount] : group.resources) {
      if (has_kind(kinds, name)) continue;
      kinds.push_back({name, sum_of(resources.hosts, name), true});
    }
  }
}

}  // namespace

std::int64_t amount_of(const HostGroup& group, std::string_view kind) {
  if (kind == "processors") return group.processors;
  if (kind == "memory") return group.memory;
  const auto at =
      std::find_if(group.resources.begin(), group.resources.end(),
                   [&](const auto& resource) { return resource.first == kind; });
  return at == group.resources.end() ? 0 : at->second;
}

std::vector<ResourceKind> kinds_of(std::int32_t processors,
                                   const Resources& resources) {
  const bool has_hosts = !resources.hosts.empty();
  std::vector<ResourceKind> kinds{
      {"processors", has_hosts ? processors_of(resources) : processors, has_hosts}};
  if (resources.memory) kinds.push_back({"memory", *resources.memory, false});
  if (has_hosts) add_of_hosts(kinds, resources);
  for (const auto& [name, amount] : resources.wide) {
    kinds.push_back({name, amount, false});
  }
  return kinds;
}

std::int64_t processors_of(const Resources& resources) {
  std::int64_t processors = 0;
  for (const auto& group : resources.hosts) {
    processors += std::int64_t{group.count} * group.processors;
  }
  return processors;
}

}  // namespace berth
