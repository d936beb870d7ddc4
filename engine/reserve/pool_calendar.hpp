#pragma once
// The calendar of a pool: a profile for each kind that the machine has.
//
// Earliest     The first start that suits every kind: each kind in turn moves the start
//              to where it has room, until none moves it.
//
//   operation   time
//   earliest    that of AvailabilityProfile, times kinds and moves
//   others      that of AvailabilityProfile, times kinds

#include <vector>

#include "engine/reserve/calendar.hpp"
#include "engine/reserve/kind_profile.hpp"

namespace berth {

class PoolCalendar final : public Calendar {
 public:
  // REQUIRES: a pool, which outlives it.
  PoolCalendar(const SeveralKinds& machine, Time now, Budget& budget);

  void reset(Time now, std::span<const Held> held) override;
  void advance(Time now) override;
  void begin_round() override;
  [[nodiscard]] std::optional<Time> earliest(JobId job, Duration length,
                                             Time from) const override;
  [[nodiscard]] std::optional<Time> earlier(JobId job, Duration length,
                                            Time held) override;
  [[nodiscard]] bool fits_at(JobId job, Duration length, Time now, Time held) override;
  void reserve(JobId job, Time start, Time end) override { claim(job, start, end); }
  void move(JobId job, Duration length, Time held, Time start) override;
  void claim(JobId job, Time from, Time to) override;
  void release(JobId job, Time from, Time to) override;
  void forget(JobId) override {}
  void settle(JobId) override {}
  [[nodiscard]] bool sits_as_named(JobId) const override { return true; }
  [[nodiscard]] bool has_room(JobId job, Time from, Time to) const override;
  [[nodiscard]] bool is_overbooked(Time from, Time to) const override;
  [[nodiscard]] std::int64_t free_at(Time t) const override {
    return kinds_.front().profile.free_at(t);
  }
  [[nodiscard]] std::optional<Time> earliest_of(std::int64_t processors,
                                                Duration length,
                                                Time from) const override {
    return kinds_.front().profile.earliest(processors, length, from);
  }

 private:
  using Profile = ProfileOf<std::int64_t>;
  // Calls with each profile of which the job needs some, and the amount.
  template <class Call>
  void for_needed(JobId job, const Call& call);

  const SeveralKinds& machine_;
  Budget& budget_;
  std::vector<KindProfile> kinds_;     // those of which there is any
  std::vector<Profile::Taken> taken_;  // scratch
};

}  // namespace berth
