#include "engine/base/placement.hpp"

#include <algorithm>

namespace berth {

namespace {

IntervalSet set_of(const IntervalSet& set) { return set; }

IntervalSet set_of(const VirtualCluster& cluster) { return cluster.processors; }

// Each number counts once.
IntervalSet set_of(std::vector<std::int32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  IntervalSet set;
  for (std::size_t from = 0; from < numbers.size();) {
    std::size_t to = from;
    while (to + 1 < numbers.size() && numbers[to + 1] == numbers[to] + 1) ++to;
    set.insert(Interval{numbers[from], numbers[to]});
    from = to + 1;
  }
  return set;
}

IntervalSet set_of(const TierSlots& slots) { return set_of(slots.processors); }

IntervalSet set_of(const TaskHosts& tasks) { return set_of(tasks.hosts); }

std::int64_t count_of(const IntervalSet& set) { return set.count(); }

std::int64_t count_of(const TierSlots& slots) { return std::ssize(slots.processors); }

std::int64_t count_of(const VirtualCluster& cluster) {
  std::int64_t vms = 0;
  for (const auto& each : cluster.vms) vms += each.vms;
  return vms;
}

std::int64_t count_of(const TaskHosts& tasks) { return std::ssize(tasks.hosts); }

}  // namespace

std::string_view name(Tier tier) {
  return tier == Tier::kForeground ? "foreground" : "background";
}

IntervalSet processors_of(const Placement& placement) {
  return std::visit([](const auto& form) { return set_of(form); }, placement);
}

std::int64_t parts_of(const Placement& placement) {
  return std::visit([](const auto& form) { return count_of(form); }, placement);
}

std::optional<Tier> tier_of(const Placement& placement) {
  const auto* slots = std::get_if<TierSlots>(&placement);
  return slots != nullptr ? std::optional(slots->tier) : std::nullopt;
}

}  // namespace berth
