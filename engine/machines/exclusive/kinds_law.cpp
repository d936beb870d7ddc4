#include "engine/machines/exclusive/kinds_law.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace berth::audit {

namespace {

std::int64_t amount_on(const HostGroup& group, const std::string& kind) {
  if (kind == "processors") return group.processors;
  if (kind == "memory") return group.memory;
  std::int64_t found = 0;
  for (const auto& [name, amount] : group.resources) {
    if (name == kind) found = amount;
  }
  return found;
}

// How many of the processors lie in first..last.  REQUIRES: none in the intervals
// before `from` do.
std::int64_t count_within(std::span<const Interval> from, std::int32_t first,
                          std::int32_t last) {
  std::int64_t count = 0;
  for (const auto& part : from) {
    if (part.first > last) break;
    count += std::min(part.last, last) - std::max(part.first, first) + 1;
  }
  return count;
}

}  // namespace

LawTerms KindsLaw::uncountable() {
  auto terms = countable();
  terms.is_countable = false;
  return terms;
}

KindsLaw::KindsLaw(const sim::Machine& machine, std::span<const Job> jobs,
                   std::shared_ptr<const Needs> needs)
    : ExclusiveLaw(machine, jobs, uncountable(), this),
      kinds_(kinds_of(machine.processors, machine.resources)),
      needs_(std::move(needs)) {
  for (const auto& kind : kinds_) whole_.push_back(kind.capacity);
  free_ = whole_;
  std::int32_t first = 0;
  for (const auto& group : machine.resources.hosts) {
    std::vector<std::int64_t> whole;
    for (const auto& kind : kinds_) {
      whole.push_back(kind.is_on_hosts ? amount_on(group, kind.name) : 0);
    }
    for (std::int32_t i = 0; i < group.count; ++i, first += group.processors) {
      hosts_.push_back(
          {first, first + group.processors - 1, group.partition.value_or(-1), whole});
      count(hosts_.back(), 1);
    }
  }
  empty_ = alike_;
}

std::span<const std::int64_t> KindsLaw::amounts(JobId job) {
  const auto need = needs_->of(job);
  amounts_.clear();
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    amounts_.push_back(need[kind] * (kinds_[kind].is_on_hosts ? need.chunks : 1));
  }
  return amounts_;
}

bool KindsLaw::never_fits(JobId job) {
  const auto need = needs_->of(job);
  if (!has_amounts(need, whole_)) return true;
  return !hosts_.empty() && room_in(empty_, need) < need.chunks;
}

bool KindsLaw::fits_beside(JobId job, std::span<const JobId> gone,
                           std::span<const std::int32_t> hosts) {
  const auto need = needs_->of(job);
  auto gained = room_gained(need, gone);
  for (const auto host : hosts) {
    const auto& closed = hosts_[std::size_t(host)];
    gained -= room(need, closed.partition, closed.free);
  }
  // Most jobs that do not fit lack some kind in all, which spares a look at the hosts.
  const bool fits = has_amounts(need, free_) &&
                    (hosts_.empty() || gained + room_in(alike_, need) >= need.chunks);
  for (const JobId each : gone) lend(needs_->of(each), spread_.at(each), -1);
  return fits;
}

std::int64_t KindsLaw::room_gained(const Need& need, std::span<const JobId> gone) {
  std::int64_t gained = 0;
  const auto add_room = [&](JobId of, int sign) {
    for (const auto& at : spread_.at(of)) {
      const auto& host = hosts_[std::size_t(at.host)];
      gained += sign * room(need, host.partition, host.free);
    }
  };
  for (const JobId each : gone) {
    add_room(each, -1);
    lend(needs_->of(each), spread_.at(each), 1);
    add_room(each, 1);
  }
  return gained;
}

bool KindsLaw::has_amounts(const Need& need, std::span<const std::int64_t> free) const {
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto in_all = need[kind] * (kinds_[kind].is_on_hosts ? need.chunks : 1);
    if (in_all > free[kind]) return false;
  }
  return true;
}

std::int64_t KindsLaw::room(const Need& need, std::int32_t partition,
                            std::span<const std::int64_t> free) const {
  if (partition >= 0 && partition != need.partition) return 0;
  std::int64_t room = need.chunks;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto wanted = kinds_[kind].is_on_hosts ? need[kind] : 0;
    if (wanted <= 0) continue;
    room = std::min(room, std::max(std::int64_t{0}, free[kind]) / wanted);
  }
  return room;
}

std::int64_t KindsLaw::room_in(const HostStates& hosts, const Need& need) const {
  std::int64_t chunks = 0;
  for (const auto& [state, count] : hosts) {
    chunks += count * room(need, state.first, state.second);
  }
  return chunks;
}

Verdict KindsLaw::start(JobId job, const Placement* placement, bool resumed) {
  if (const auto fault = ExclusiveLaw::start(job, placement, resumed)) return fault;
  Spread onto;
  const auto& processors = placement->processors();
  auto fault = find_chunks(job, processors, onto);
  if (!fault) fault = take(job, onto);
  if (fault) {
    ExclusiveLaw::leave(job);  // it holds nothing
    return fault;
  }
  spread_.insert(job, std::move(onto));
  return std::nullopt;
}

Verdict KindsLaw::find_chunks(JobId job, const IntervalSet& processors,
                              Spread& onto) const {
  const auto need = needs_->of(job);
  auto host = hosts_.begin();
  const std::span<const Interval> parts(processors.intervals());
  const auto fault_of = [&](const Host& on, std::int64_t here) -> Verdict {
    if (here % need[0] != 0) {
      return Fault{kWholePlacement, "one of its chunks is spread over two hosts"};
    }
    if (on.partition < 0 || on.partition == need.partition) return std::nullopt;
    return Fault{kWholePlacement, "it sits on a host that its partition may not use"};
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& part = parts[i];
    host = std::partition_point(
        host, hosts_.end(), [&](const Host& each) { return each.last < part.first; });
    for (; host != hosts_.end() && host->first <= part.last; ++host) {
      const auto here = count_within(parts.subspan(i), host->first, host->last);
      if (const auto fault = fault_of(*host, here)) return fault;
      onto.push_back(
          {std::int32_t(host - hosts_.begin()), std::int32_t(here / need[0])});
    }
  }
  return std::nullopt;
}

Verdict KindsLaw::take(JobId job, const Spread& onto) {
  give(job, onto, -1);
  auto fault = overfull(onto);
  if (fault) give(job, onto, 1);
  return fault;
}

Verdict KindsLaw::overfull(const Spread& onto) {
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto& name = kinds_[kind].name;
    if (!kinds_[kind].is_on_hosts && free_[kind] < 0) {
      what_ =
          fmt::format("{}: {} more in use than the machine has", name, -free_[kind]);
      return Fault{kCapacity, what_};
    }
    for (const auto& at : onto) {
      const auto free = hosts_[std::size_t(at.host)].free[kind];
      if (free >= 0) continue;
      what_ = fmt::format("{}: {} more in use on host {} than it has", name, -free,
                          at.host);
      return Fault{kCapacity, what_};
    }
  }
  return std::nullopt;
}

void KindsLaw::give(JobId job, const Spread& onto, int sign) {
  for (const auto& at : onto) count(hosts_[std::size_t(at.host)], -1);
  lend(needs_->of(job), onto, sign);
  for (const auto& at : onto) count(hosts_[std::size_t(at.host)], 1);
}

void KindsLaw::count(const Host& host, int sign) {
  auto at = alike_.find(host);
  if (at == alike_.end()) at = alike_.try_emplace({host.partition, host.free}).first;
  at->second += sign;
  if (at->second == 0) alike_.erase(at);
}

void KindsLaw::lend(const Need& need, const Spread& onto, int sign) {
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    if (!kinds_[kind].is_on_hosts) {
      free_[kind] += sign * need[kind];
      continue;
    }
    for (const auto& at : onto) {
      const auto amount = sign * need[kind] * at.chunks;
      hosts_[std::size_t(at.host)].free[kind] += amount;
      free_[kind] += amount;
    }
  }
}

void KindsLaw::leave(JobId job) {
  ExclusiveLaw::leave(job);
  give(job, spread_.take(job), 1);
}

}  // namespace berth::audit
