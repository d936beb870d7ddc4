#pragma once
// Why a job in the queue did not start in a pass: one reason a job and pass, judged in
// the state at the end of the pass (docs/explain.md).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/time.hpp"

namespace berth {

// In the order in which they are judged: the first that holds is the reason.
enum class Why : std::uint8_t {
  kSuspended,
  kNoRoom,
  kForegroundBusy,
  kNoBackgroundRoom,
  kNoEmbedding,
  kNoPacking,
  kOverBudget,
  kTooBig,
  kWouldDelay,
  kLaterReservation,
  kRefused,
  kDeclined,
  kDepth,
  kOrder,
  kNotAsked,
};

struct WhyRecord {
  Why why;
  std::string_view name;   // "no_room": in files and for scripts
  std::string_view words;  // "no room"
  std::string_view slurm;  // what squeue shows for it; empty: it has no word
  std::string_view help;   // one sentence
};

// By Why.
[[nodiscard]] std::span<const WhyRecord> why_records();
[[nodiscard]] const WhyRecord& record_of(Why why);
// What a job that does not fit is told.
[[nodiscard]] Why why_of(Refusal unfit);

// A job that took part.
struct OtherJob {
  JobId job;
  bool behind;  // the one that waits, in the policy's order
  friend bool operator==(const OtherJob&, const OtherJob&) = default;
};

// What is not known, or has no meaning for the reason, is empty.
struct Reason {
  Why why = Why::kNotAsked;
  std::int64_t asked = 0;        // processors
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
  // last look, "easy.lua:14".
  std::string text{};
  // no_embedding, in detail: below which switch most of it could be placed, and the
  // link that binds there.  "below agg-1; link agg-1 to core-1: 450 Mb/s needed, 200
  // left".
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
