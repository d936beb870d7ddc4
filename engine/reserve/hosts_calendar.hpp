#pragma once
// The calendar of a machine with hosts: a profile for each host and kind, and for each
// machine-wide kind.  A reservation names its hosts: by ascending number, as many
// chunks on each as fit there all the time.
//
// Search       A host has room for so many chunks at a start, and until its profiles
//              next have room for one more it never has more.  So the search goes from
//              one such time to the next, and asks those hosts again that reached it.
// Gains        A reservation can move forward only if a host that the job may use
//              gained room for one or more of its chunks: see
//              AvailabilityProfile::earlier.
//
// Cost         Of earliest, and of earlier where room was gained: a walk over the
//              profiles of all hosts.  Of the others: the profiles of the hosts of the
//              job.

#include <vector>

#include "engine/base/job_map.hpp"
#include "engine/reserve/calendar.hpp"
#include "engine/reserve/kind_profile.hpp"

namespace berth {

class HostsCalendar final : public Calendar {
 public:
  // REQUIRES: a machine with hosts, which outlives it.
  HostsCalendar(const SeveralKinds& machine, Time now, Budget& budget);

  void reset(Time now, std::span<const Held> held) override;
  void advance(Time now) override;
  void begin_round() override;
  [[nodiscard]] std::optional<Time> earliest(JobId job, Duration length,
                                             Time from) const override;
  [[nodiscard]] std::optional<Time> earlier(JobId job, Duration length,
                                            Time held) override;
  [[nodiscard]] bool fits_at(JobId job, Duration length, Time now, Time held) override;
  void reserve(JobId job, Time start, Time end) override;
  void move(JobId job, Duration length, Time held, Time start) override;
  void claim(JobId job, Time from, Time to) override;
  void release(JobId job, Time from, Time to) override;
  void forget(JobId job) override;
  void settle(JobId job) override;
  [[nodiscard]] bool sits_as_named(JobId job) const override;
  [[nodiscard]] std::span<const HostChunks> place_of(JobId job) const override;
  [[nodiscard]] bool has_room(JobId job, Time from, Time to) const override;
  [[nodiscard]] bool is_overbooked(Time from, Time to) const override;
  [[nodiscard]] std::int64_t free_at(Time t) const override;
  [[nodiscard]] std::optional<Time> earliest_of(std::int64_t processors,
                                                Duration length,
                                                Time from) const override;

 private:
  using Profile = ProfileOf<std::int64_t>;
  using Place = std::vector<HostChunks>;
  struct Host {
    std::vector<KindProfile> kinds;  // processors first
  };
  // So many chunks fit on the host from `start` on, and no more from a start before
  // `until`.  Of a job no more than its own are counted.
  struct Limit {
    std::int64_t chunks;
    Time start;
    Time until;
  };

  // Begins a search on all hosts, from this start.
  void begin_search(Time from) const;
  // The first start in [from, before) at which there is room on the hosts of the
  // search.
  [[nodiscard]] std::optional<Time> first_start(const Need& need, Duration length,
                                                Time from, Time before) const;
  // The same on the hosts that the job may use.
  [[nodiscard]] std::optional<Time> first_start_of(JobId job, Duration length,
                                                   Time from, Time before) const;
  // `start` if the hosts have room for all chunks then; else a later time, before which
  // they have not.
  [[nodiscard]] Time next_room(const Need& need, Duration length, Time start) const;
  // Asks again the hosts that may have more room at `start`, or, exactly, any other.
  void renew_limits(const Need& need, Duration length, Time start, bool exactly) const;
  [[nodiscard]] Limit limit_of(const Host& host, const Need& need, Duration length,
                               Time start) const;
  [[nodiscard]] bool has_gained(JobId job, Time held, Time end) const;
  // Of the kinds on hosts, how many are needed.
  [[nodiscard]] std::size_t kinds_on_hosts(const Need& need) const;
  template <class Call>
  void for_each_profile(const Call& call);
  // Where the job fits in [start, end); empty: nowhere.
  [[nodiscard]] Place find_place(JobId job, Time start, Time end) const;
  [[nodiscard]] std::int64_t room(const Host& host, const Need& need, Time start,
                                  Time end) const;
  // Calls with each profile that the job's place concerns, and the amount.
  template <class Call>
  void for_claimed(JobId job, const Call& call);

  const SeveralKinds& machine_;
  Budget& budget_;
  std::vector<KindProfile> wide_;
  std::vector<Host> hosts_;
  Time now_;
  JobMap<Place> places_;
  mutable std::vector<Limit> limits_;  // scratch: of each host
};

}  // namespace berth
