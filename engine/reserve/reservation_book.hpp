#pragma once
// Reservations that are kept from pass to pass: one start a waiting job, over a profile
// of running jobs until their expected end and of all reservations.
//
// Source       conservative backfilling with compression: Mu'alem and Feitelson 2001;
//              see docs/model.md#conservative.
// Promise      Between rebuilds a reservation never moves later.
// Members      After an update or a rebuild no job has a reservation that was not among
//              the members.
// Order        Members are worked through in the order given.
//
// Overruns     A late job holds its processors until its expected end
//              (docs/model.md#overruns).  A reservation in its way stands until it is
//              due or compression reaches it; then all are rebuilt.
// Compression  A pass looks only where room was gained since the pass before, and asks
//              without releasing: see AvailabilityProfile::earlier.
//
//   operation        time, n = breakpoints, q = members
//   place, restore   that of AvailabilityProfile
//   update           O(q) without new members or gained room; else O(q n) at worst
//   drop             O(log n), at times O(q)
//   due, next        O(reservations up to that instant)
//   of               O(1)

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/job_pages.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/overrun_rule.hpp"
#include "engine/reserve/calendar.hpp"
#include "engine/reserve/start_heap.hpp"

namespace berth {

// For whom reservations are kept, in order; all others lose theirs.
struct Members {
  // NOLINTNEXTLINE(google-explicit-constructor): a list is a list of members
  Members(const std::vector<Request>& all) : list(all) {}
  Members(std::span<const Request> some, bool is_every_one)
      : list(some), is_all(is_every_one) {}

  std::span<const Request> list;
  // No other job can have a reservation, so that none is looked for.
  bool is_all = false;
};

// When `update` moves members forward, and which.
enum class Compress : std::uint8_t {
  kEarlyEnds,  // after an early end: all, as far as possible
  kEveryPass,  // at each pass: all, as far as possible
  kStartNow,   // after an early end: those, in order, that can start at once.  Cheaper,
               // and another schedule.
};

enum class Updated : std::uint8_t { kUnchanged, kPlaced, kCompressed, kRebuilt };

class ReservationBook {
 public:
  // The budget outlives the book: one unit a member and a part of its profile, or a
  // host, that is looked at.
  ReservationBook(Calendar calendar, const OverrunRule& rule, Budget& budget)
      : budget_(budget), calendar_(std::move(calendar)), rule_(rule) {}

  // To be told of every start and end.  A start uses up the job's reservation.
  void started(const Request& request, Time now, Time planned_end);
  void stopped(JobId job, Time now);
  // The running job, which has outlived what was planned, is planned to end then.
  void expect(JobId job, Time planned_end) {
    running_[in_running_[job]].planned_end = planned_end;
  }
  // It is planned to end then, which is later than what is claimed for it.
  void prolong(JobId job, Time planned_end, Time now);
  // What the job sits on may be reserved sooner than before, for so long from now on.
  void gained(const Request& request, Time now);
  // There is less of the machine than was known: the next update rebuilds.
  void lose() { stale_ = true; }
  // From now on what the machine keeps free of jobs is claimed, too.
  // REQUIRES: processors are all that there is.
  void keep_free(const IdleBlocks& blocks, Time now);
  // The machine has announced what it will keep free, which is a loss.
  void announced(Time now);

  // One pass.  A missed promise (a reservation before now, or due now while a late job
  // holds its processors) rebuilds; else `compress` says whether members move forward;
  // else new members are placed.
  Updated update(const Members& members, Time now, Compress compress);
  // Memory for so many members of the next update or rebuild.
  [[nodiscard]] std::span<Request> members(std::size_t count) {
    members_.resize(count);
    return members_;
  }
  // Makes all reservations again, in this order.
  void rebuild(const Members& members, Time now);

  // Gives the job its earliest start, in place of any it had.  nullopt: never.
  std::optional<Time> place(const Request& request, Time now);
  // Gives a job the start that an earlier book had given it.  False: that is before
  // now, or there is no room then; the job has none, and the next update rebuilds.
  // REQUIRES: it has no reservation.
  bool restore(const Request& request, Time start, Time now);
  // Removes the job's reservation, if it has one.
  void drop(JobId job);
  // The place that the job's reservation names; nullopt: it has none, or there is no
  // room now.
  [[nodiscard]] std::optional<Placement> place_now(JobId job) const {
    return reservations_.has(job) ? calendar_.place_now(job) : std::nullopt;
  }
  // Start of the job's reservation; nullopt: it has none.
  [[nodiscard]] std::optional<Time> of(JobId job) const;
  // Jobs whose reservation is `now` or earlier, by (start, id); valid until the next
  // call.
  [[nodiscard]] std::span<const JobId> due(Time now);
  // False: no reservation is `now` or earlier.
  [[nodiscard]] bool may_be_due(Time now) const { return by_start_.earliest() <= now; }
  // Changes whenever a reservation is made or moved.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  // Earliest start later than `now`; nullopt: none.
  [[nodiscard]] std::optional<Time> next(Time now) const;

  // See AvailabilityProfile.
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
    Time until;  // end of its claim; not later than now: it has none
  };

  [[nodiscard]] static Request request_of(JobId job, const Reservation& held) {
    return {job, held.size, held.planned};
  }
  [[nodiscard]] std::vector<JobClaim> claims(Time now);
  void rebuild_now(std::span<const Request> members, Time now);
  void drop_others(const Members& members);
  void advance(Time now);
  void hold(const Request& request, Time start);
  void forget(JobId job);
  void tidy_starts();
  [[nodiscard]] bool is_live(const StartHeap::Entry& entry) const;
  void give_up(JobId job);
  bool is_as_reserved(const Request& request, Time now, Time planned_end) const;
  void extend_late(Time now);
  void extend(Running& it, Time from, Time now);
  void find_late(Time now);
  void take_late(Time now);
  [[nodiscard]] bool has_missed(Time now);
  [[nodiscard]] Time end_of_claim(const Running& it, Time now) const;
  [[nodiscard]] Running take_running(JobId job);
  void claim_running(Time now);
  void reset_to_running(Time now);
  void place_unclaimed(const Request& member, Time now);
  bool place_new(std::span<const Request> members, Time now);
  bool compress(std::span<const Request> members, Time now, Compress how);
  bool replace(JobId job, Reservation& held, Time now);
  void pull_to_now(std::span<const Request> members, Time now);
  void move_forward(JobId job, Reservation& held, Time start);
  void note_start(JobId job, Reservation& held, Time start);

  Budget& budget_;
  Calendar calendar_;
  OverrunRule rule_;
  JobPages<Reservation> reservations_;
  StartHeap by_start_;
  std::vector<StartHeap::Entry> found_;  // scratch
  std::vector<JobId> due_;               // scratch
  std::vector<Running> running_;
  JobPages<std::size_t> in_running_;  // where each of them is
  std::vector<Calendar::Held> held_;  // scratch
  std::vector<Change> changes_;
  std::uint64_t version_ = 0;
  std::vector<Request> members_;
  Time first_end_ = kNever;  // no claim of a running job ends before
  StartHeap ends_;           // of these claims, dead ones too; empty: none are kept
  std::vector<JobId> late_;  // scratch
  bool ended_early_ = false;
  // A late job may hold what is reserved, or any job what is kept free.
  bool is_overbooked_ = false;
  // A job was started on processors reserved for another, or the machine has less.
  bool stale_ = false;
};

}  // namespace berth
