#pragma once
// What is free over time on each host, and the hosts that are named for jobs: the part
// of a calendar that only the machine knows.
//
// A claim is that of a job at the place that was named for it.  What is free may fall
// below nothing where a late job holds what is reserved.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/time.hpp"
#include "engine/reserve/kind_profile.hpp"

namespace berth {

class HostProfiles {
 public:
  virtual ~HostProfiles() = default;

  // It is `now`; what lies before may be dropped.
  enum class CalendarTurn : std::uint8_t {
    kGoesOn,
    kBeginsRound,  // see AvailabilityProfile::begin_round
    kClears,       // nothing is claimed from now on
  };
  virtual void come_to(Time now, CalendarTurn turn) = 0;
  // Whether more than there is has been claimed on a host, at some time in [from, to).
  [[nodiscard]] virtual bool is_overbooked(Time from, Time to) const = 0;

  // A start is sought in [from, before).
  struct Search {
    std::optional<JobId> job;  // nullopt: processors alone, on any hosts
    std::int64_t processors;
    Duration length;
    Time from;
    Time before;
  };
  // The first start that suits the rest of the machine, too, at which the hosts have
  // room all the time; nullopt: there is none.  suits(start) is the first start
  // >= `start` that suits the rest.
  using Suits = std::function<std::optional<Time>(Time start)>;
  [[nodiscard]] virtual std::optional<Time> first_start(const Search& search,
                                                        const Suits& suits) const = 0;
  // Whether a reservation up to `end` could move to where room was gained, in this
  // round or the one before.
  [[nodiscard]] virtual bool has_gained(JobId job, Time end) const = 0;

  // Names the place of a job in [start, end), in place of any other.
  // REQUIRES: there is room.
  virtual void name_place(JobId job, Time start, Time end) = 0;
  // Claims [from, to) at the place of the job (sign 1), or gives it back (-1).  Nothing
  // if it is empty.
  virtual void add(JobId job, Time from, Time to, int sign) = 0;
  virtual void forget(JobId job) = 0;
  // The named place of a waiting job; nullopt: it has none, or there is no room now.
  [[nodiscard]] virtual std::optional<Placement> place_now(JobId job) const = 0;
  // Whether a job that has started sits where it was to sit.
  [[nodiscard]] virtual bool sits_as_named(JobId job) const = 0;
  // The job has started: from now on its place is where it sits.  Whether what it needs
  // is free there in [from, to), which is not empty.
  virtual bool settle(JobId job, Time from, Time to) = 0;
};

// Capability of machines with hosts.
class HasHostProfiles {
 public:
  virtual ~HasHostProfiles() = default;
  // All free from `now` on; null: the machine is a pool.  The machine and the budget
  // outlive it.
  [[nodiscard]] virtual std::unique_ptr<HostProfiles> host_profiles(
      Time now, Budget& budget) const = 0;
};

}  // namespace berth
