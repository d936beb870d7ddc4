#include "engine/machines/exclusive/exclusive.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/hosts/room_outlook.hpp"
#include "engine/reserve/room_profiles.hpp"

namespace berth {

namespace {

// Puts the numbers of the set that are in the range into another.
void insert_common(const IntervalSet& set, Interval range, IntervalSet& into) {
  for (const auto& part : set.intervals()) {
    const auto first = std::max(part.first, range.first);
    const auto last = std::min(part.last, range.last);
    if (first <= last) into.insert(Interval{first, last});
  }
}

IntervalSet within(const IntervalSet& set, Interval range) {
  IntervalSet inside;
  insert_common(set, range, inside);
  return inside;
}

// The numbers that are in both sets.
IntervalSet common(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet both;
  for (const auto& part : b.intervals()) insert_common(a, part, both);
  return both;
}

}  // namespace

Exclusive::Kinds::Kinds(std::int32_t processors, const Resources& resources,
                        std::shared_ptr<const Needs> needs_of_jobs)
    : all(kinds_of(processors, resources)),
      groups(resources.hosts),
      room(all, resources),
      empty(room),
      needs(std::move(needs_of_jobs)) {
  BERTH_ASSERT(needs->kinds() == all.size());
  std::int32_t first = 0;
  for (const auto& group : groups) {
    for (std::int32_t i = 0; i < group.count; ++i, first += group.processors) {
      hosts.push_back({first, first + group.processors - 1});
    }
  }
}

Exclusive::Exclusive(std::int32_t processors, Pick pick)
    : Exclusive(processors, pick, Asks::kCount) {}

Exclusive::Exclusive(std::int32_t processors, Pick pick, Asks asks)
    : SharingModel(processors,
                   {.fits_by_count = asks != Asks::kEach,
                    .plans_by_count = asks != Asks::kEach,
                    .takes_estimates = true},
                   {asks == Asks::kCount ? nullptr : this}),
      map_(processors),
      pick_(pick) {}

Exclusive::Exclusive(std::int32_t processors, const Resources& resources,
                     std::shared_ptr<const Needs> needs, Pick pick)
    : SharingModel(processors, {.plans_by_count = false, .takes_estimates = true},
                   {this, this}),
      map_(processors),
      pick_(pick),
      kinds_(std::make_unique<Kinds>(processors, resources, std::move(needs))) {}

std::optional<Refusal> Exclusive::arrive(JobId job, const Demand& demand) {
  const bool is_too_wide = demand.processors() > widest();
  if (is_too_wide || (kinds_ != nullptr && !kinds_->empty.fits(need(job)))) {
    return Refusal::kTooBig;
  }
  return std::nullopt;
}

bool Exclusive::fits(JobId job, const Demand& demand) const {
  if (kinds_ == nullptr) return demand.processors() <= idle();
  return has_hosts() ? lay_out(job) : room().fits(need(job));
}

// Whether the job fits; `laid_out` is where, then.  REQUIRES: there are hosts.
bool Exclusive::lay_out(JobId job) const {
  if (kinds_->laid_out_job == job) return true;
  kinds_->laid_out_job.reset();
  if (!room().spread(need(job), kinds_->laid_out)) return false;
  kinds_->laid_out_job = job;
  return true;
}

std::unique_ptr<Outlook> Exclusive::outlook(JobId job, const Demand&) const {
  if (kinds_ == nullptr) return nullptr;
  return std::make_unique<RoomOutlook>(*this, job);
}

std::unique_ptr<HostProfiles> Exclusive::host_profiles(Time now, Budget& budget) const {
  return has_hosts() ? std::make_unique<RoomProfiles>(*this, now, budget) : nullptr;
}

Shortage Exclusive::shortage(JobId job, const Demand& demand) const {
  if (kinds_ == nullptr) return {demand.processors(), idle()};
  const auto wanted = need(job);
  const auto kind = room().lacks(wanted);
  if (kind < kinds().size()) {
    return {need_in_all(job, kind), room().free(kind), kinds()[kind].name};
  }
  std::int64_t chunks = 0;
  for (std::size_t host = 0; host < room().hosts(); ++host) {
    chunks += room().room(wanted, static_cast<std::int32_t>(host));
  }
  return {wanted.chunks, chunks, "chunks"};
}

Result<Placement, Refusal> Exclusive::choose(JobId job, const Demand& demand,
                                             const Placement* where) const {
  if (!fits(job, demand)) return Refusal::kBusy;
  if (has_hosts()) {
    if (where == nullptr) return place(job, kinds_->laid_out);
    const auto& wanted = where->processors();
    if (!may_take(job, wanted)) return Refusal::kBusy;
    return Placement(wanted);
  }
  auto allowed = map_.idle_processors();
  if (where != nullptr) allowed = common(allowed, where->processors());
  if (demand.processors() > allowed.count()) return Refusal::kBusy;
  return Placement(pick(std::move(allowed), demand.processors()));
}

// Whether these processors are idle and whole chunks of the job, for which their hosts
// have room.
bool Exclusive::may_take(JobId job, const IntervalSet& processors) const {
  if (!map_.has(processors)) return false;
  const auto wanted = need(job);
  std::int64_t chunks = 0;
  for (const auto& at : chunks_of(job, processors)) {
    const auto here = within(processors, host(at.host)).count();
    const bool is_right =
        at.chunks * wanted[0] == here && at.chunks <= room().room(wanted, at.host);
    if (!is_right) return false;
    chunks += at.chunks;
  }
  return chunks == wanted.chunks && chunks * wanted[0] == processors.count();
}

std::vector<HostChunks> Exclusive::chunks_of(JobId job,
                                             const Placement& placement) const {
  std::vector<HostChunks> onto;
  const auto each = need(job)[0];
  const auto& hosts = kinds_->hosts;
  auto open = hosts.end();
  std::int64_t here = 0;
  const auto close = [&] {
    if (here >= each) {
      onto.push_back({static_cast<std::int32_t>(open - hosts.begin()),
                      static_cast<std::int32_t>(here / each)});
    }
    here = 0;
  };
  for (const auto& part : placement.processors().intervals()) {
    auto at = std::partition_point(
        hosts.begin(), hosts.end(),
        [&](const Interval& host) { return host.last < part.first; });
    for (; at != hosts.end() && at->first <= part.last; ++at) {
      if (at != open) close();
      open = at;
      here += std::min(at->last, part.last) - std::max(at->first, part.first) + 1;
    }
  }
  close();
  return onto;
}

bool Exclusive::spread(JobId job, std::vector<HostChunks>& onto) const {
  onto.clear();
  if (!has_hosts()) return true;
  if (!lay_out(job)) return false;
  onto = kinds_->laid_out;
  return true;
}

Placement Exclusive::place(JobId job, std::span<const HostChunks> onto) const {
  const auto wanted = need(job);
  if (!has_hosts()) return pick(map_.idle_processors(), wanted[0]);
  IntervalSet all;
  for (const auto& at : onto) {
    all.insert(pick(map_.idle_processors(host(at.host)), wanted[0] * at.chunks));
  }
  return all;
}

void Exclusive::put(JobId job, const Demand& demand, const Placement* placement,
                    Affected&) {
  if (kinds_ != nullptr) take_kinds(job, placement);
  auto& share = new_allocation(job).share;
  if (placement != nullptr) {
    map_.remove(placement->processors(), share);
  } else if (has_hosts()) {
    take_on_hosts(job, share);
  } else if (pick_ == Pick::kLowest) {
    map_.take_lowest(demand.processors(), share);
  } else {
    map_.take_highest(demand.processors(), share);
  }
  set_idle(map_.idle());
}

void Exclusive::take_kinds(JobId job, const Placement* placement) {
  std::vector<HostChunks> hosts;
  if (placement != nullptr) {
    hosts = chunks_of(job, *placement);
  } else {
    const bool fits = spread(job, hosts);
    BERTH_ASSERT(fits);
  }
  kinds_->room.take(need(job), hosts);
  kinds_->laid_out_job.reset();
  kinds_->hosts_of.insert(job, std::move(hosts));
}

void Exclusive::take_on_hosts(JobId job, ProcessorMap::Share& share) {
  const auto each = need(job)[0];
  share.clear();
  for (const auto& at : hosts_of(job)) {
    map_.take_of(host(at.host), each * at.chunks, pick_, share);
  }
}

void Exclusive::leave(JobId job, Affected&) {
  map_.give(allocations_[job].share);
  set_idle(map_.idle());
  if (!frozen_.empty()) frozen_.erase(job);
  allocations_.close(job);
  if (kinds_ == nullptr) return;
  kinds_->room.give(need(job), kinds_->hosts_of.take(job));
  kinds_->laid_out_job.reset();
}

void Exclusive::freeze(JobId job, Frozen frozen, Affected& affected) {
  BERTH_ASSERT(allocations_.has(job));
  if (frozen == Frozen::kYes) {
    frozen_.insert(job);
  } else {
    frozen_.erase(job);
  }
  affected.push_back(job);
}

double Exclusive::rate(JobId job) const {
  return !frozen_.empty() && frozen_.contains(job) ? 0.0 : 1.0;
}

const Placement& Exclusive::placement(JobId job) const {
  const auto& allocation = allocations_[job];
  if (allocation.placement == nullptr) {
    allocation.placement =
        std::make_unique<Placement>(ProcessorMap::intervals(allocation.share));
  }
  return *allocation.placement;
}

Exclusive::Allocation& Exclusive::new_allocation(JobId job) {
  auto& allocation = allocations_.reopen(job);
  allocation.placement.reset();
  return allocation;
}

std::string_view Exclusive::group(std::int32_t host) const {
  for (const auto& group : kinds_->groups) {
    if (host < group.count) return group.name;
    host -= group.count;
  }
  BERTH_ASSERT(false);
  return {};
}

}  // namespace berth
