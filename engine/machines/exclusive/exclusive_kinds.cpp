#include "engine/machines/exclusive/exclusive_kinds.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/hosts/room_outlook.hpp"
#include "engine/reserve/room_profiles.hpp"

namespace berth {

namespace {

// The numbers of `set` from `first` to `last`, less `first`.
IntervalSet within(const IntervalSet& set, std::int32_t first, std::int32_t last) {
  IntervalSet inside;
  for (const auto& part : set.intervals()) {
    const auto from = std::max(part.first, first);
    const auto to = std::min(part.last, last);
    if (from <= to) inside.insert(Interval{from - first, to - first});
  }
  return inside;
}

void insert_shifted(IntervalSet& into, const IntervalSet& from, std::int32_t by) {
  for (const auto& part : from.intervals()) {
    into.insert(Interval{part.first + by, part.last + by});
  }
}

}  // namespace

ExclusiveKinds::ExclusiveKinds(std::int32_t processors, const Resources& resources,
                               std::shared_ptr<const Needs> needs, Pick pick)
    : SharingModel(processors, {.plans_by_count = false}, {this, this}),
      kinds_(kinds_of(processors, resources)),
      groups_(resources.hosts),
      room_(kinds_, resources),
      empty_(room_),
      needs_(std::move(needs)),
      pick_(pick) {
  BERTH_ASSERT(needs_->kinds() == kinds_.size());
  std::int32_t first = 0;
  for (const auto& group : resources.hosts) {
    for (std::int32_t i = 0; i < group.count; ++i, first += group.processors) {
      blocks_.push_back({first, ProcessorMap(group.processors)});
    }
  }
  if (blocks_.empty()) blocks_.push_back({0, ProcessorMap(processors)});
}

std::optional<Refusal> ExclusiveKinds::arrive(JobId job, const Demand& demand) {
  const auto is_too_wide = SharingModel::arrive(job, demand);
  if (is_too_wide || empty_.fits(need(job))) return is_too_wide;
  return Refusal::kTooBig;
}

bool ExclusiveKinds::fits(JobId job, const Demand&) const {
  return is_pool() ? room_.fits(need(job)) : lay_out(job);
}

// Whether the job fits; `laid_out_` is where, then.  REQUIRES: there are hosts.
bool ExclusiveKinds::lay_out(JobId job) const {
  if (laid_out_job_ == job) return true;
  laid_out_job_.reset();
  if (!room_.spread(need(job), laid_out_)) return false;
  laid_out_job_ = job;
  return true;
}

std::unique_ptr<Outlook> ExclusiveKinds::outlook(JobId job, const Demand&) const {
  return std::make_unique<RoomOutlook>(*this, job);
}

std::unique_ptr<HostProfiles> ExclusiveKinds::host_profiles(Time now,
                                                            Budget& budget) const {
  return is_pool() ? nullptr : std::make_unique<RoomProfiles>(*this, now, budget);
}

Shortage ExclusiveKinds::shortage(JobId job, const Demand&) const {
  const auto wanted = need(job);
  const auto kind = room_.lacks(wanted);
  if (kind < kinds_.size()) {
    return {need_in_all(job, kind), room_.free(kind), kinds_[kind].name};
  }
  std::int64_t chunks = 0;
  for (std::size_t host = 0; host < room_.hosts(); ++host) {
    chunks += room_.room(wanted, static_cast<std::int32_t>(host));
  }
  return {wanted.chunks, chunks, "chunks"};
}

Result<Placement, Refusal> ExclusiveKinds::choose(JobId job, const Demand& demand,
                                                  const Placement* where) const {
  if (!fits(job, demand)) return Refusal::kBusy;
  if (where == nullptr) {
    return place(job, laid_out_);
  }
  const auto& wanted = where->processors();
  if (is_pool()) {
    auto allowed = within(wanted, 0, std::int32_t(kinds_[0].capacity) - 1);
    IntervalSet idle = blocks_.front().idle.idle_processors();
    IntervalSet both;
    for (const auto& part : allowed.intervals()) {
      insert_shifted(both, within(idle, part.first, part.last), part.first);
    }
    if (demand.processors() > both.count()) return Refusal::kBusy;
    return Placement(pick_ == Pick::kLowest ? both.take_lowest(demand.processors())
                                            : both.take_highest(demand.processors()));
  }
  if (!may_take(job, wanted)) return Refusal::kBusy;
  return Placement(wanted);
}

// Whether these processors are idle and whole chunks of the job, for which their hosts
// have room.
bool ExclusiveKinds::may_take(JobId job, const IntervalSet& processors) const {
  const auto wanted = need(job);
  const auto onto = chunks_of(job, processors);
  std::int64_t chunks = 0;
  for (const auto& at : onto) {
    const auto number = std::size_t(at.host);
    const auto& block = blocks_[number];
    const auto here = within(processors, block.first, last_of(number));
    const bool right = at.chunks * wanted[0] == here.count() && block.idle.has(here) &&
                       at.chunks <= room_.room(wanted, at.host);
    if (!right) return false;
    chunks += at.chunks;
  }
  return chunks == wanted.chunks && chunks * wanted[0] == processors.count();
}

std::vector<HostChunks> ExclusiveKinds::chunks_of(JobId job,
                                                  const Placement& placement) const {
  std::vector<HostChunks> onto;
  if (is_pool()) return onto;
  const auto& processors = placement.processors();
  const auto each = need(job)[0];
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto here = within(processors, blocks_[i].first, last_of(i)).count();
    if (here < each) continue;
    onto.push_back(
        {static_cast<std::int32_t>(i), static_cast<std::int32_t>(here / each)});
  }
  return onto;
}

std::int32_t ExclusiveKinds::last_of(std::size_t block) const {
  return block + 1 < blocks_.size() ? blocks_[block + 1].first - 1
                                    : std::int32_t(kinds_[0].capacity) - 1;
}

bool ExclusiveKinds::spread(JobId job, std::vector<HostChunks>& onto) const {
  onto.clear();
  if (is_pool()) return true;
  if (!lay_out(job)) return false;
  onto = laid_out_;
  return true;
}

Placement ExclusiveKinds::place(JobId job, std::span<const HostChunks> onto) const {
  const auto wanted = need(job);
  const auto lowest_of = [&](IntervalSet idle, std::int64_t count) {
    return pick_ == Pick::kLowest ? idle.take_lowest(count) : idle.take_highest(count);
  };
  if (is_pool()) return lowest_of(blocks_.front().idle.idle_processors(), wanted[0]);
  IntervalSet all;
  for (const auto& at : onto) {
    const auto& block = blocks_[std::size_t(at.host)];
    insert_shifted(all, lowest_of(block.idle.idle_processors(), wanted[0] * at.chunks),
                   block.first);
  }
  return all;
}

void ExclusiveKinds::put(JobId job, const Demand&, const Placement* placement,
                         Affected&) {
  Allocation made;
  if (placement == nullptr) {
    put_by_rule(job, made);
  } else {
    put_there(job, placement->processors(), made);
  }
  add(job, std::move(made));
}

void ExclusiveKinds::put_by_rule(JobId job, Allocation& made) {
  const auto wanted = need(job);
  const bool fits = spread(job, made.hosts);
  BERTH_ASSERT(fits);
  if (is_pool()) {
    made.pieces.resize(1);
    return take_from(0, wanted[0], made.pieces[0]);
  }
  made.pieces.resize(made.hosts.size());
  for (std::size_t i = 0; i < made.hosts.size(); ++i) {
    const auto& at = made.hosts[i];
    take_from(std::size_t(at.host), wanted[0] * at.chunks, made.pieces[i]);
  }
}

void ExclusiveKinds::put_there(JobId job, const IntervalSet& processors,
                               Allocation& made) {
  made.hosts = chunks_of(job, processors);
  made.pieces.resize(is_pool() ? 1 : made.hosts.size());
  for (std::size_t i = 0; i < made.pieces.size(); ++i) {
    const auto number = is_pool() ? 0 : std::size_t(made.hosts[i].host);
    auto& block = blocks_[number];
    made.pieces[i].block = number;
    block.idle.remove(within(processors, block.first, last_of(number)),
                      made.pieces[i].share);
  }
}

void ExclusiveKinds::take_from(std::size_t block, std::int64_t processors,
                               Piece& piece) {
  piece.block = block;
  auto& idle = blocks_[block].idle;
  if (pick_ == Pick::kLowest) {
    idle.take_lowest(processors, piece.share);
  } else {
    idle.take_highest(processors, piece.share);
  }
}

void ExclusiveKinds::add(JobId job, Allocation allocation) {
  room_.take(need(job), allocation.hosts);
  laid_out_job_.reset();
  set_idle(room_.free(0));
  allocations_.insert(job, std::make_unique<Allocation>(std::move(allocation)));
}

void ExclusiveKinds::leave(JobId job, Affected&) {
  const auto left = allocations_.take(job);
  for (const auto& piece : left->pieces) blocks_[piece.block].idle.give(piece.share);
  room_.give(need(job), left->hosts);
  laid_out_job_.reset();
  set_idle(room_.free(0));
  if (!frozen_.empty()) frozen_.erase(job);
}

void ExclusiveKinds::freeze(JobId job, Frozen frozen, Affected& affected) {
  if (frozen == Frozen::kYes) {
    frozen_.insert(job);
  } else {
    frozen_.erase(job);
  }
  affected.push_back(job);
}

double ExclusiveKinds::rate(JobId job) const {
  return !frozen_.empty() && frozen_.contains(job) ? 0.0 : 1.0;
}

const Placement& ExclusiveKinds::placement(JobId job) const {
  const auto& held = *allocations_.at(job);
  if (held.placement == nullptr) {
    IntervalSet all;
    for (const auto& piece : held.pieces) {
      insert_shifted(all, ProcessorMap::intervals(piece.share),
                     blocks_[piece.block].first);
    }
    held.placement = std::make_unique<Placement>(std::move(all));
  }
  return *held.placement;
}

std::span<const HostChunks> ExclusiveKinds::hosts_of(JobId job) const {
  return allocations_.at(job)->hosts;
}

std::string_view ExclusiveKinds::group(std::int32_t host) const {
  for (const auto& group : groups_) {
    if (host < group.count) return group.name;
    host -= group.count;
  }
  BERTH_ASSERT(false);
  return {};
}

}  // namespace berth
