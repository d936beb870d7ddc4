#pragma once
// The calendar of a machine with hosts: a profile for each host and kind, and for each
// machine-wide kind.  A reservation names its hosts: by ascending number, as many
// chunks on each as fit there all the time.
//
// Cost         Of earliest: for each end of a claim that is tried, the profiles of all
//              hosts.  Of the others: the profiles of the hosts of the job.

#include <map>
#include <vector>

#include "engine/base/job_map.hpp"
#include "engine/reserve/availability_profile.hpp"
#include "engine/reserve/calendar.hpp"

namespace berth {

class HostsCalendar final : public Calendar {
 public:
  // REQUIRES: a machine with hosts, which outlives it.
  HostsCalendar(const SeveralKinds& machine, Time now);

  void reset(Time now, std::span<const Held> held) override;
  void advance(Time now) override;
  void begin_round() override {}
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
  // A machine-wide kind, or a kind on a host.
  struct Line {
    std::size_t kind;
    Profile profile;
  };
  struct Host {
    std::vector<Line> lines;
  };

  // The first start in [from, before) at which fits(start) holds: `from` or the end of
  // a claim.
  template <class Fits>
  [[nodiscard]] std::optional<Time> first_start(Time from, Time before,
                                                const Fits& fits) const;
  // Where the job fits in [start, end); empty: nowhere.
  [[nodiscard]] Place find_place(JobId job, Time start, Time end) const;
  [[nodiscard]] std::int64_t room(const Host& host, const Need& need, Time start,
                                  Time end) const;
  // Calls with each profile that the job's place concerns, and the amount.
  template <class Call>
  void for_claimed(JobId job, const Call& call);

  const SeveralKinds& machine_;
  std::vector<Line> wide_;
  std::vector<Host> hosts_;
  Time now_;
  std::map<Time, std::int64_t> ends_;  // how many claims end then
  JobMap<Place> places_;
};

}  // namespace berth
