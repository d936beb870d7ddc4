#pragma once
// What is free over time on a machine with several kinds of resource: the profile of a
// book of reservations there.
//
// A claim is that of a job: the amounts it needs, on hosts at the place that was named
// for it.  As in AvailabilityProfile, what is free may fall below nothing where a late
// job holds what is reserved.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/several_kinds.hpp"

namespace berth {

class Calendar {
 public:
  virtual ~Calendar() = default;

  // A running job and the end of its claim, later than now.
  struct Held {
    JobId job;
    Time until;
  };
  // Starts again at `now` with these jobs where they sit, and nothing else.
  // REQUIRES: sorted by `until`.
  virtual void reset(Time now, std::span<const Held> held) = 0;
  // Drops what lies before `now`.
  virtual void advance(Time now) = 0;
  // See AvailabilityProfile::begin_round.
  virtual void begin_round() = 0;

  // Earliest start >= `from` of a job without a claim, which reserve() would give it;
  // nullopt: never.
  [[nodiscard]] virtual std::optional<Time> earliest(JobId job, Duration length,
                                                     Time from) const = 0;
  // The first start to which the reservation of a job could move forward, all others
  // unchanged; nullopt: none.
  [[nodiscard]] virtual std::optional<Time> earlier(JobId job, Duration length,
                                                    Time held) = 0;
  // Whether it could move forward to `now`.
  [[nodiscard]] virtual bool fits_at(JobId job, Duration length, Time now,
                                     Time held) = 0;
  // Claims [start, end) for a job that has none, and names its place.
  // REQUIRES: there is room.
  virtual void reserve(JobId job, Time start, Time end) = 0;
  // Moves a reservation of this length.  REQUIRES: there is room.
  virtual void move(JobId job, Duration length, Time held, Time start) = 0;
  // Claims [from, to) again for a job that has a place, even if less is free.
  virtual void claim(JobId job, Time from, Time to) = 0;
  // Gives back [from, to); the job keeps its place until forget().
  virtual void release(JobId job, Time from, Time to) = 0;
  virtual void forget(JobId job) = 0;
  // The job has started: from now on its place is where it sits.
  virtual void settle(JobId job) = 0;
  // Whether a job that has started sits where it was to sit.
  [[nodiscard]] virtual bool sits_as_named(JobId job) const = 0;

  // The hosts named for a job; none in a pool.
  [[nodiscard]] virtual std::span<const HostChunks> place_of(JobId) const { return {}; }

  // Whether the running job's amounts are free where it sits.
  [[nodiscard]] virtual bool has_room(JobId job, Time from, Time to) const = 0;
  // Whether more than there is is claimed anywhere in [from, to).
  [[nodiscard]] virtual bool is_overbooked(Time from, Time to) const = 0;

  // Processors alone, of the whole machine.
  [[nodiscard]] virtual std::int64_t free_at(Time t) const = 0;
  [[nodiscard]] virtual std::optional<Time> earliest_of(std::int64_t processors,
                                                        Duration length,
                                                        Time from) const = 0;
};

// All free from `now` on.  The machine and the budget outlive it.
[[nodiscard]] std::unique_ptr<Calendar> make_calendar(const SeveralKinds& machine,
                                                      Time now, Budget& budget);

}  // namespace berth
