#pragma once
// A rebuild of the book that nobody has to see: while a job overruns, all reservations
// are made anew each grace, and mostly all that changes is that some move along with
// the clock.
//
// Whether that is so is found out once, at `begin`; then a rebuild is put off for as
// long as MovingProfile says, nothing else happens, and nobody looks at more than who
// is due (nobody) and what comes next (one grace from now).
//
// Source       spec, backfilling 5.2 and A-BF-3.
//
//   operation        time, n = breakpoints, q = members
//   begin            O(q n); at most kMostMembers are looked at
//   goes_on          O(q); `put_off` O(1) for any number of them
//   others           O(1)

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/jobs/running_set.hpp"
#include "engine/reserve/availability_profile.hpp"
#include "engine/reserve/moving_profile.hpp"
#include "engine/reserve/request.hpp"

namespace berth {

class Postponement {
 public:
  // What a rebuild reads.
  struct Asked {
    Time now;
    std::int64_t capacity;
    std::span<const AvailabilityProfile::Taken> in_time;  // by running jobs, from now
    std::span<const Release> late;  // running jobs that have overrun; not none
    std::span<const Request> members;
  };
  // Puts the rebuild off, if nobody is due after it and the next pass, one grace later,
  // rebuilds again with the same outcome but for moving; false: it cannot be put off.
  bool begin(const Asked& asked);
  // At a pass: whether it is the next one, with nothing but time gone by, and still
  // moves no one but along with the clock.  Then this rebuild is put off too.
  bool goes_on(std::span<const Request> members, std::span<const Release> late,
               Time now);
  // A rebuild that is put off, and those to come, a step apart, that may be too: all
  // before `until`, as long as nothing else happens.
  struct Stretch {
    Duration step;
    Time until;
  };
  // nullopt: there is none from the rebuild of `now` on.
  [[nodiscard]] std::optional<Stretch> stretch(Time now) const {
    if (!goes_on_ || last_ != now) return std::nullopt;
    return Stretch{grace_, after(since_, steady_)};
  }
  // Puts off so many of those, as `goes_on` would, one after the other.
  void put_off(std::int64_t rebuilds) {
    last_ += rebuilds * grace_;
    is_pending_ = true;
  }
  // It is made up for.
  void made() { is_pending_ = false; }
  // Something else happened.
  void end() { is_pending_ = goes_on_ = false; }

  // Whether a rebuild is put off, and of which instant.
  [[nodiscard]] bool is_pending() const { return is_pending_; }
  [[nodiscard]] bool is_pending(Time now) const { return is_pending_ && last_ == now; }
  [[nodiscard]] Time last() const { return last_; }
  [[nodiscard]] Time next() const { return last_ + grace_; }
  // What it would read.  REQUIRES: is_pending().
  [[nodiscard]] std::span<const Request> members() const { return members_; }
  [[nodiscard]] std::span<const Release> late();

 private:
  static constexpr std::size_t kMostMembers = 256;
  bool claim_running(const Asked& asked, std::int64_t late_size);
  bool place(const Request& member, Time now);

  MovingProfile profile_;
  Time first_ = kNever;  // the earliest reservation
  Time since_ = 0;
  Time last_ = 0;  // the rebuild put off last
  Duration grace_ = 0;
  Duration steady_ = 0;
  bool is_pending_ = false;
  bool goes_on_ = false;
  std::vector<Request> members_;
  std::vector<Release> late_;
};

}  // namespace berth
