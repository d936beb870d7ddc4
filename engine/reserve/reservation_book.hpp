#pragma once
// A policy's reservations, kept between decisions: one start per waiting job, over an
// availability profile made of running jobs until their planned end and of all
// reservations.
//
// Source       conservative backfilling with compression: Mu'alem and Feitelson 2001;
//              spec: backfilling 5.2.
// Promise      Between rebuilds a reservation never moves later.
// Determinism  Members are worked through in the order given; nothing else matters.
//
//   operation        time, n = breakpoints, q = members
//   place            O(n)
//   update           O(q) if nobody is new and nothing ended early, else O(q n)
//   drop, of, next   O(log q)

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/running_set.hpp"
#include "engine/reserve/availability_profile.hpp"

namespace berth {

// What a reservation is made for.
struct Request {
  JobId job;
  std::int32_t size;
  Duration planned;  // > 0
};

// When `update` lets everybody move forward.
enum class Compress : std::uint8_t { kEarlyEnds, kEveryPass };

enum class Updated : std::uint8_t { kUnchanged, kPlaced, kCompressed, kRebuilt };

class ReservationBook {
 public:
  ReservationBook(Time now, std::int64_t capacity) : profile_(now, capacity) {}

  // What happens on the machine.  A start uses up the job's reservation.
  void started(const Request& request, Time now, Time planned_end);
  void stopped(JobId job, Time now);

  // The step of spec backfilling 5.2: a missed promise rebuilds in order; an early end
  // gives every member, in order, its earliest start, never later than before; else the
  // new members are placed.  `late` are the running jobs that have overrun, with the
  // ends now expected of them.
  Updated update(std::span<const Request> members, std::span<const Release> late,
                 Time now, Compress compress);
  // All reservations again, in this order.
  void rebuild(std::span<const Request> members, std::span<const Release> late,
               Time now);

  // Earliest start for this job; replaces the one it had.  nullopt: never.
  std::optional<Time> place(const Request& request, Time now);
  // Nothing happens if the job has no reservation.
  void drop(JobId job);
  // Its start; nullopt if it has none.
  [[nodiscard]] std::optional<Time> of(JobId job) const;
  // Jobs whose reservation is `now` or earlier, by (start, id); `out` is replaced.
  void due(Time now, std::vector<JobId>& out) const;
  // Smallest start after `now`; nullopt if there is none.
  [[nodiscard]] std::optional<Time> next(Time now) const;

  // Questions to the profile as it is now.
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time from, Time now);
  [[nodiscard]] std::int64_t free_at(Time t, Time now);

  // Reservations made, moved (start) or given up (nullopt) since the last call.
  struct Change {
    JobId job;
    std::optional<Time> start;
  };
  [[nodiscard]] std::vector<Change> take_changes() {
    return std::exchange(changes_, {});
  }

 private:
  struct Reservation {
    Time start;
    std::int32_t size;
    Duration planned;
  };
  struct Running {
    std::int32_t size;
    Time planned_end;
    Time until;  // its claim ends here; before now: it has none
  };

  void advance(Time now);
  void hold(const Request& request, Time start);
  void let_go(JobId job, const Reservation& reservation);
  bool extend(std::span<const Release> late, Time now);
  bool place_new(std::span<const Request> members, Time now);
  bool compress(std::span<const Request> members, Time now);

  AvailabilityProfile profile_;
  std::unordered_map<std::uint32_t, Reservation> reservations_;  // looked up only
  std::set<std::pair<Time, JobId>> by_start_;
  std::unordered_map<std::uint32_t, Running> running_;  // looked up only
  std::vector<JobId> running_order_;
  std::vector<Change> changes_;
  bool ended_early_ = false;
  bool stale_ = false;  // a job was started where a reservation stood
};

}  // namespace berth
