#include "report/units_of_hosts.hpp"

#include <algorithm>

// Bounded in this file: groups of hosts that were read whole, and the processors of a
// job, for which the reader of jobs charges.

namespace berth::report {

namespace {

constexpr std::int64_t kMostUnits = 16;
constexpr std::int64_t kBeyondAll = std::int64_t{1} << 32;  // processors

bool has(const std::vector<std::string>& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::vector<std::string> kinds_in_units(const std::vector<RowsOfHosts>& groups) {
  std::vector<std::string> names;
  std::vector<std::string> many;
  for (const auto& group : groups) {
    for (const auto& [name, amount] : group.kinds) {
      if (amount > kMostUnits) many.push_back(name);
      if (!has(names, name)) names.push_back(name);
    }
  }
  std::erase_if(names, [&](const auto& name) { return has(many, name); });
  return names;
}

}  // namespace

UnitsOfHosts::UnitsOfHosts(const std::vector<RowsOfHosts>& groups)
    : kinds_(kinds_in_units(groups)) {
  FirstHost next{0, 0, 1};
  for (const auto& group : groups) {
    next.each = group.each;
    firsts_.push_back(next);
    next.host += group.count;
    next.processor =
        std::min(next.processor + std::int64_t{group.count} * group.each, kBeyondAll);
  }
  columns_.reserve(kinds_.size());
  for (const auto& kind : kinds_) columns_.push_back("need_" + kind);
}

void UnitsOfHosts::add(std::size_t kind, std::int64_t need,
                       std::span<const Interval> held,
                       std::vector<DrawnPart>& to) const {
  std::int64_t size = 0;
  for (const auto& each : held) size += each.last - each.first + 1;
  for (const auto& [host, processors] : by_host(held)) {
    const auto share = need * processors / size;
    if (share == 0) continue;
    to.push_back(
        {static_cast<std::int32_t>(host), static_cast<std::int32_t>(kind), share});
  }
}

UnitsOfHosts::Held UnitsOfHosts::by_host(std::span<const Interval> held) const {
  Held made;
  for (const auto& each : held) {
    for (auto at = each.first; at <= each.last; ++at) {
      const auto host = host_of(at);
      if (made.empty() || made.back().first != host) made.emplace_back(host, 0);
      ++made.back().second;
    }
  }
  return made;
}

std::int64_t UnitsOfHosts::host_of(std::int32_t processor) const {
  const auto next = std::upper_bound(
      firsts_.begin(), firsts_.end(), processor,
      [](auto at, const FirstHost& first) { return at < first.processor; });
  const auto& first = *(next - 1);
  return first.host + (processor - first.processor) / first.each;
}

}  // namespace berth::report
