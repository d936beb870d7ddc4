#pragma once
// Why a job in the queue did not start in a pass: one reason a job and pass, judged in
// the state at the end of the pass (docs/explain.md).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/time.hpp"

namespace berth {

// Before it is in the queue, or again: of no pass.
inline constexpr WhyRecord kBeginWhy{
    0, "begin", "returns later", "BeginTime",
    "It was hit, and is back in the queue after machine.requeue_delay."};
inline constexpr WhyRecord kDependencyWhy{
    0, "dependency", "held for other jobs", "Dependency",
    "It waits for other jobs, and was not submitted before they let it in."};
inline constexpr WhyRecord kDependencyNeverWhy{
    0, "dependency_never", "held for what never comes", "DependencyNeverSatisfied",
    "It waits for something of another job that can never happen."};

inline constexpr WhyRecord kSuspendedWhy{
    0, "suspended", "suspended", "",
    "The policy has suspended it and has not resumed it."};
inline constexpr WhyRecord kLaterReservationWhy{
    5, "later_reservation", "reserved later", "Priority",
    "It fits, and the policy's book has its start at a later time."};
inline constexpr WhyRecord kRefusedWhy{
    6, "refused", "refused", "", "The policy tried to start it, and was refused."};
inline constexpr WhyRecord kDeclinedWhy{
    7, "declined", "declined", "",
    "A selection showed it to the policy, which did not start it."};
inline constexpr WhyRecord kDepthWhy{
    8, "depth", "beyond the depth", "",
    "It stands behind the last job that the policy looks at."};
inline constexpr WhyRecord kOrderWhy{9, "order", "behind", "Priority",
                                     "The policy stopped at a job before it."};
inline constexpr WhyRecord kNotAskedWhy{
    10, "not_asked", "not asked", "None",
    "It fits, nothing forbids it, and the policy did not look at it."};

// Equal if the record is the same object; less: judged before.  The first reason that
// holds is that of the job.
class Why {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a record is a reason
  constexpr Why(const WhyRecord& record) : record_(&record) {}
  [[nodiscard]] constexpr const WhyRecord& record() const { return *record_; }
  friend constexpr bool operator==(Why a, Why b) { return a.record_ == b.record_; }
  friend constexpr bool operator<(Why a, Why b) {
    const auto& [x, y] = std::pair(a.record_, b.record_);
    return x->rank != y->rank ? x->rank < y->rank : x->name < y->name;
  }

  static const Why kBegin, kDependency, kDependencyNever, kSuspended, kNoRoom, kTooBig,
      kWouldDelay, kLaterReservation;
  static const Why kRefused, kDeclined, kDepth, kOrder, kNotAsked;

 private:
  const WhyRecord* record_;
};

inline constexpr Why Why::kBegin{kBeginWhy};
inline constexpr Why Why::kDependency{kDependencyWhy};
inline constexpr Why Why::kDependencyNever{kDependencyNeverWhy};
inline constexpr Why Why::kSuspended{kSuspendedWhy};
inline constexpr Why Why::kNoRoom{kNoRoomWhy};
inline constexpr Why Why::kTooBig{kTooBigWhy};
inline constexpr Why Why::kWouldDelay{kWouldDelayWhy};
inline constexpr Why Why::kLaterReservation{kLaterReservationWhy};
inline constexpr Why Why::kRefused{kRefusedWhy};
inline constexpr Why Why::kDeclined{kDeclinedWhy};
inline constexpr Why Why::kDepth{kDepthWhy};
inline constexpr Why Why::kOrder{kOrderWhy};
inline constexpr Why Why::kNotAsked{kNotAskedWhy};

// Those that every machine has, in order.
[[nodiscard]] std::span<const Why> common_reasons();
// What a job that does not fit is told.
[[nodiscard]] inline Why why_of(Refusal unfit) { return unfit.word().why; }
// Whether a job with this reason has no room now, or never will.
[[nodiscard]] inline bool is_about_room(Why why) {
  const auto rank = why.record().rank;
  return rank >= kRoomRank && rank <= kTooBigWhy.rank;
}

// A job that took part.
struct OtherJob {
  JobId job;
  bool behind;  // the one that waits, in the policy's order
  friend bool operator==(const OtherJob&, const OtherJob&) = default;
};

// What is not known, or has no meaning for the reason, is empty.
struct Reason {
  Why why = Why::kNotAsked;
  // Of several kinds of resource the first that lacks, in whose unit the three numbers
  // are (memory in KiB); "chunks": of which no set of hosts holds all; empty:
  // processors.
  std::string kind{};
  std::int64_t asked = 0;
  std::int64_t idle = 0;         // after the pass
  std::int64_t idle_before = 0;  // and before it
  // The job in the way: that whose reservation would be late, at which the policy
  // stopped, or without whose end there is not enough room.
  std::optional<JobId> blocker{};
  // no_room: when enough is free by expected ends.  would_delay: the start reserved for
  // the blocker.  later_reservation: the start reserved for the job itself.
  std::optional<Time> at{};
  std::optional<Time> ends{};           // when the job would end, by its walltime
  std::optional<std::int64_t> spare{};  // would_delay: what the plan can spare
  std::optional<std::int64_t> place{};  // later_reservation: in the book, from 1
  std::optional<Time> collides{};       // likewise: from when, with the blocker
  std::optional<Refusal> refusal{};
  // declined, refused: the policy's reason.  depth, order, not_asked: the line of its
  // last look, "easy.lua:14".  dependency: for which jobs.
  std::string text{};
  // Want of room, in detail, as the machine tells it: below which switch most of it
  // could be placed, and the link that binds there.  "below agg-1; link agg-1 to
  // core-1: 450 Mb/s needed, 200 left".
  std::string reach{};
  // no_room: started in this pass.  later_reservation: reservations in the way.
  std::vector<OtherJob> others{};
  // The largest size, and the longest walltime, with which nothing would have been in
  // the way in this state, all else unchanged; empty: there is none, as where the
  // policy stopped before it came to the job.
  std::optional<std::int64_t> size{};
  std::optional<Duration> walltime{};
};

}  // namespace berth
