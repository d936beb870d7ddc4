#pragma once
// The host profiles of a machine with several kinds: one for each host and kind.  A
// reservation names its hosts: by ascending number, as many chunks on each as fit there
// all the time.
//
// Search       A host has room for so many chunks at a start, and until its profiles
//              next have room for one more it never has more.  So the search goes from
//              one such time to the next, and asks those hosts again that reached it.
//              Of many hosts none is asked before the processors of a chunk are free.
// Gains        A reservation can move forward only if a host that the job may use
//              gained room for one or more of its chunks: see
//              AvailabilityProfile::earlier.  Those hosts are listed, so a round costs
//              nothing for the others.
//
// Cost         Of first_start: a walk over the profiles of the hosts that have some
//              processors free by the start, until they have room.  Of is_overbooked
//              and of a turn that clears: all profiles.  Of the others: the profiles of
//              the hosts of the job, or of those that gained room.

#include <limits>
#include <span>
#include <vector>

#include "engine/base/job_map.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/reserve/host_profiles.hpp"
#include "engine/reserve/room_times.hpp"

namespace berth {

class RoomProfiles : public HostProfiles {
 public:
  static constexpr std::size_t kFew = 256;

  // Up to `few` hosts cost less to ask one by one than by their times; another number
  // is for tests.  REQUIRES: a machine with hosts, which outlives it, as does the
  // budget.
  RoomProfiles(const SeveralKinds& machine, Time now, Budget& budget,
               std::size_t few = kFew);

  void come_to(Time now, CalendarTurn turn) override;
  [[nodiscard]] bool is_overbooked(Time from, Time to) const override;
  [[nodiscard]] std::optional<Time> first_start(const Search& search,
                                                const Suits& suits) const override;
  [[nodiscard]] bool has_gained(JobId job, Time end) const override;
  void name_place(JobId job, Time start, Time end) override;
  void add(JobId job, Time from, Time to, int sign) override;
  void forget(JobId job) override;
  [[nodiscard]] std::optional<Placement> place_now(JobId job) const override;
  [[nodiscard]] bool sits_as_named(JobId job) const override;
  bool settle(JobId job, Time from, Time to) override;

  // The hosts named for a job; none if there is no place.
  [[nodiscard]] std::span<const HostChunks> place_of(JobId job) const;

 protected:
  using Profile = ProfileOf<std::int64_t>;
  static void turn_to(Profile& profile, Time now, CalendarTurn turn);
  // What bounds the chunks of a job on a host besides its kinds: how many there is room
  // for in [start, end).
  [[nodiscard]] virtual std::int64_t bound(JobId, std::size_t /*host*/, Time /*start*/,
                                           Time /*end*/) const {
    return std::numeric_limits<std::int64_t>::max();
  }
  // The first start >= `start` at which that may be above `chunks`; nullopt: never.
  [[nodiscard]] virtual std::optional<Time> bound_rises(JobId, std::size_t /*host*/,
                                                        std::int64_t /*chunks*/,
                                                        Duration, Time start) const {
    return start;
  }

 private:
  using Place = std::vector<HostChunks>;
  struct Host {
    std::vector<KindProfile> kinds;  // processors first, where it has any
    std::int32_t rounds = 0;         // that begin before nothing gained room there
  };
  // So many chunks fit on the host from `start` on, and no more from a start before
  // `until`.  Of a job no more than its own are counted.
  struct Limit {
    std::int64_t chunks;
    Time start;
    Time until;
  };
  static constexpr Limit kNotAsked{0, kNever, kNever};

  // The hosts that a search has come to, and what is next to look at.
  class RoomSearch;
  // The times before which a host has no room for a chunk; null: it may have at once.
  [[nodiscard]] const TimeTree* times(const Need& need) const;
  void clear();
  // Notes when processors of the host are free, once its profiles have changed.
  void note_times(std::size_t host);
  [[nodiscard]] Limit limit_of(std::size_t host, const Search& search, const Need& need,
                               Time start) const;
  // Counts the kinds on hosts of which some is needed.
  [[nodiscard]] std::size_t kinds_on_hosts(const Need& need) const;
  // Where the job fits in [start, end); empty: nowhere.
  [[nodiscard]] Place find_place(JobId job, Time start, Time end) const;
  [[nodiscard]] std::int64_t room(std::size_t host, std::optional<JobId> job,
                                  const Need& need, Time start, Time end) const;

  const SeveralKinds& machine_;
  Budget& budget_;
  std::vector<Host> hosts_;
  JobMap<Place> places_;
  bool asks_each_;            // in a search each host, at once
  std::int64_t largest_ = 0;  // processors of a host
  RoomTimes room_times_;
  std::vector<std::size_t> gained_;  // hosts on which room was gained
  Time now_;
  mutable std::vector<Limit> limits_;  // scratch: of each host that a search came to
};

}  // namespace berth
