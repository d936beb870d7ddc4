#pragma once
// What is free over time on a machine: a profile of processors, one of each further
// kind that is counted machine-wide, and those of hosts.
//
// What is free may fall below nothing where a late job holds what is reserved.
//
// Earliest     The first start that suits processors, every further kind and the hosts:
//              each in turn moves the start to where it has room, until none moves it.
// Hosts        Where there are hosts they decide; the profile of processors then tells
//              how many are free in all.
//
//   operation   time
//   all         that of AvailabilityProfile, times kinds; of earliest times moves; on
//               hosts, that of HostProfiles as well

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/reserve/availability_profile.hpp"
#include "engine/reserve/blocks.hpp"
#include "engine/reserve/host_profiles.hpp"
#include "engine/reserve/kind_profile.hpp"

namespace berth {

// What a reservation is made for.
struct Request {
  JobId job;
  std::int32_t size;
  Duration planned;  // > 0
  friend bool operator==(const Request&, const Request&) = default;
};

class Calendar {
 public:
  // All free from `now` on.  `kinds`: null where processors are all that there is.
  // `hosts`: null in a pool.  Kinds and budget outlive the calendar.
  Calendar(Time now, std::int64_t processors, const SeveralKinds* kinds,
           std::unique_ptr<HostProfiles> hosts, Budget& budget);

  // From now on what the machine keeps free is claimed, too.  `held`: every claim that
  // there is.  REQUIRES: processors are all that there is; the calendar moves no more.
  void keep_free(const IdleBlocks& blocks, Time now, std::span<const JobClaim> held);
  // The machine has announced a block.  REQUIRES: keep_free() was called.
  void announced(Time now, std::span<const JobClaim> held) {
    blocks_->announced(now, held);
  }
  [[nodiscard]] bool keeps_free() const { return blocks_ != nullptr; }
  // Whether more is free for some jobs than for others.
  [[nodiscard]] bool differs_by_job() const {
    return blocks_ != nullptr && blocks_->are_open();
  }

  [[nodiscard]] Time start() const { return processors_.start(); }

  // A running job and the end of its claim; not later than now: it has none.
  struct Held {
    JobId job;
    std::int32_t size;
    Time until;
  };
  // Starts again at `now` with these jobs where they sit, and nothing else.
  // REQUIRES: sorted by `until`.
  void reset(Time now, std::span<const Held> held);
  // Drops what lies before `now`.
  void advance(Time now);
  // See AvailabilityProfile::begin_round.
  void begin_round();

  // Earliest start >= `from` of a job without a claim, which reserve() would give it;
  // nullopt: never.
  [[nodiscard]] std::optional<Time> earliest(const Request& request, Time from) const {
    budget_.charge_each(processors_.parts());
    return is_plain_ ? processors_.earliest(request.size, request.planned, from)
                     : earliest_of_others(request, from);
  }
  // The first start to which the reservation of a job, held from `held` on, could move
  // forward, all others unchanged; kNever: none.  An optional of two sources is copied
  // in parts, which stalls.  REQUIRES: not differs_by_job().
  [[nodiscard]] Time earlier(const Request& request, Time held) {
    return kinds_ == nullptr
               ? processors_.earlier(claim_of(request, held), budget_).value_or(kNever)
               : earlier_of_kinds(request, held).value_or(kNever);
  }
  // Whether it could move forward to `now`.
  [[nodiscard]] bool fits_at(const Request& request, Time now, Time held);
  // Claims a job's planned time from `start` on, and names its place.
  // REQUIRES: there is room; the job has no claim.
  void reserve(const Request& request, Time start);
  // Moves a reservation.  REQUIRES: there is room.
  void move(const Request& request, Time held, Time start);
  // Claims [from, to) again for a job that has a place, even if less is free.
  void claim(JobId job, std::int32_t size, Time from, Time to) {
    processors_.claim(size, from, to);
    if (!is_plain_) add_to_others({job, size, from, to}, 1);
  }
  // Gives back [from, to); the job keeps its place until forget().
  void release(JobId job, std::int32_t size, Time from, Time to) {
    processors_.release(size, from, to);
    if (!is_plain_) add_to_others({job, size, from, to}, -1);
  }
  void forget(JobId job) {
    if (hosts_ != nullptr) hosts_->forget(job);
  }
  // The job has started: from now on its place is where it sits.  Whether what it needs
  // is free there in [from, to), which is not empty.
  [[nodiscard]] bool settle(const Request& request, Time from, Time to);
  // Whether a job that has started sits where it was to sit.
  [[nodiscard]] bool sits_as_named(JobId job) const {
    return hosts_ == nullptr || hosts_->sits_as_named(job);
  }
  // See HostProfiles; nullopt in a pool.
  [[nodiscard]] std::optional<Placement> place_now(JobId job) const {
    return hosts_ == nullptr ? std::nullopt : hosts_->place_now(job);
  }
  // Whether more than there is is claimed anywhere in [from, to).
  [[nodiscard]] bool is_overbooked(Time from, Time to) const {
    return kinds_ == nullptr ? processors_.least(from, to) < 0
                             : some_is_overbooked(from, to);
  }

  // Processors alone, of the whole machine.
  [[nodiscard]] std::int64_t free_at(Time t) const { return processors_.free_at(t); }
  [[nodiscard]] std::optional<Time> earliest_of(std::int64_t processors,
                                                Duration length, Time from) const;

 private:
  [[nodiscard]] static AvailabilityProfile::Claim claim_of(const Request& request,
                                                           Time held) {
    return {request.size, request.planned, held};
  }
  // The first start >= `from` that suits all that is counted machine-wide; nullopt:
  // never.  suits(profile, amount, start) is the first start >= `start` that suits one.
  template <class Suits>
  [[nodiscard]] std::optional<Time> first_for_counted(const Request& request, Time from,
                                                      const Suits& suits) const;
  [[nodiscard]] bool have_gained(const Request& request, Time held) const;
  [[nodiscard]] std::optional<Time> earliest_of_kinds(const Request& request,
                                                      Time from) const;
  [[nodiscard]] std::optional<Time> earliest_of_others(const Request& request,
                                                       Time from) const;
  void add_to_others(const JobClaim& claim, int sign);
  // Of processors, as the job sees them.
  [[nodiscard]] std::int64_t least_for(JobId job, Time from, Time to) const;
  [[nodiscard]] std::optional<Time> earlier_of_kinds(const Request& request, Time held);
  [[nodiscard]] std::optional<Time> first_on_hosts(const Request& request, Time from,
                                                   Time before) const;
  [[nodiscard]] bool has_room(const Request& request, Time from, Time to) const;
  void add_to_kinds(JobId job, Time from, Time to, int sign);
  [[nodiscard]] bool some_is_overbooked(Time from, Time to) const;

  AvailabilityProfile processors_;
  const SeveralKinds* kinds_;
  std::vector<KindProfile> counted_;     // kinds behind processors, machine-wide
  std::unique_ptr<HostProfiles> hosts_;  // null: a pool
  std::unique_ptr<BlockClaims> blocks_;  // null: nothing is kept free
  bool is_plain_;                        // no kinds, no hosts, no blocks
  Budget& budget_;
  std::vector<AvailabilityProfile::Taken> taken_;              // scratch
  std::vector<ProfileOf<std::int64_t>::Taken> taken_of_kind_;  // scratch
};

}  // namespace berth
