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
// Compression  A pass reads where each member could go, and only what got free since
//              the last pass can be an answer; a member lets go when it moves, not to
//              find out.  Where only starts are wanted, whoever needs more than is free
//              now is not looked at.
//
//   operation        time, n = breakpoints, q = members
//   place            that of AvailabilityProfile
//   update           O(q) if nobody is new and nothing got free, else O(q n) at worst
//   drop             O(log n), now and then O(q)
//   due, next        O(those due)
//   of               O(1)

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/job_map.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/overrun_rule.hpp"
#include "engine/reserve/availability_profile.hpp"
#include "engine/reserve/request.hpp"
#include "engine/reserve/start_heap.hpp"

namespace berth {

// When `update` lets members move forward.
enum class Compress : std::uint8_t {
  kEarlyEnds,  // everybody, as far as it can, after an early end
  kEveryPass,  // everybody at each pass
  kStartNow,   // after an early end those, in order, that can start at once; the others
              // keep their reservations: another schedule, not a faster way to the same
};

enum class Updated : std::uint8_t { kUnchanged, kPlaced, kCompressed, kRebuilt };

class ReservationBook {
 public:
  ReservationBook(Time now, std::int64_t capacity, const OverrunRule& rule)
      : profile_(now, capacity), rule_(rule) {}

  // What happens on the machine.  A start uses up the job's reservation.
  void started(const Request& request, Time now, Time planned_end);
  void stopped(JobId job, Time now);

  // The step of spec backfilling 5.2: a missed promise rebuilds in order; an early end
  // gives every member, in order, its earliest start, never later than before, or does
  // what `compress` says instead; else the new members are placed.
  Updated update(std::span<const Request> members, Time now, Compress compress);
  // An empty list for `update` and `rebuild` to be given; its memory is kept.
  [[nodiscard]] std::vector<Request>& members() {
    members_.clear();
    return members_;
  }
  // All reservations again, in this order.
  void rebuild(std::span<const Request> members, Time now);

  // Earliest start for this job; replaces the one it had.  nullopt: never.
  std::optional<Time> place(const Request& request, Time now);
  // Nothing happens if the job has no reservation.
  void drop(JobId job);
  // Its start; nullopt if it has none.
  [[nodiscard]] std::optional<Time> of(JobId job) const;
  // Jobs whose reservation is `now` or earlier, by (start, id); `out` is replaced.
  void due(Time now, std::vector<JobId>& out);
  // Smallest start after `now`; nullopt if there is none.
  [[nodiscard]] std::optional<Time> next(Time now) const;

  // Questions to the profile as it is now.
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time from, Time now);
  [[nodiscard]] std::int64_t free_at(Time t, Time now);

  // Reservations made, moved (start) or given up (nullopt) since clear_changes().
  struct Change {
    JobId job;
    std::optional<Time> start;
  };
  [[nodiscard]] std::span<const Change> changes() const { return changes_; }
  void clear_changes() { changes_.clear(); }

 private:
  struct Reservation {
    Time start;
    std::int32_t size;
    Duration planned;
  };
  struct Running {
    JobId job;
    std::int32_t size;
    Time planned_end;
    Time until;  // its claim ends here; before now: it has none
  };

  void make_anew(std::span<const Request> members, Time now);
  void advance(Time now);
  void hold(const Request& request, Time start);
  void forget(JobId job);
  void tidy_starts();
  [[nodiscard]] bool is_live(const StartHeap::Entry& entry) const;
  void let_go(JobId job);
  bool is_as_reserved(const Request& request, Time now, Time planned_end) const;
  void extend_late(Time now);
  [[nodiscard]] bool has_missed(Time now);
  [[nodiscard]] Time end_to_claim(const Running& it, Time now) const;
  [[nodiscard]] Running& running(JobId job);
  void claim_running(Time now);
  void place_afresh(const Request& member, Time now);
  bool place_new(std::span<const Request> members, Time now);
  bool compress(std::span<const Request> members, Time now, Compress how);
  bool place_again(JobId job, Reservation& held, Time now);
  void pull_to_now(std::span<const Request> members, Time now);
  [[nodiscard]] bool fits_now(const Reservation& held, Time now) const;
  void move_forward(JobId job, Reservation& held, Time start);
  void note_moved(JobId job, Reservation& held, Time start);

  AvailabilityProfile profile_;
  OverrunRule rule_;
  JobMap<Reservation> reservations_;
  StartHeap by_start_;
  std::vector<StartHeap::Entry> found_;
  std::vector<Running> running_;  // by `until` as it was at the last rebuild
  std::vector<AvailabilityProfile::Taken> taken_;  // scratch
  std::vector<Change> changes_;
  std::vector<Request> members_;
  Time first_end_ = kNever;  // no claim of a running job ends before
  bool ended_early_ = false;
  bool is_overbooked_ = false;  // a late job may hold what is reserved
  bool stale_ = false;          // a job was started where a reservation stood
};

}  // namespace berth
