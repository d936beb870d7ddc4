#pragma once
// What happens in a run, as observers are told: one struct for each kind of record.
//
// A record is made only if an observer wants its kind.  Pointers in it are valid during
// the call.  Everything that a run did can be derived from its records together with
// workload, machine and drawn values.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/queue/job_queue.hpp"

namespace berth {
struct MachineWindow;
class MachineFact;
class SharingModel;
}  // namespace berth

namespace berth::sim {

// Kinds of event that lead to a pass, as a bit set.
enum Cause : std::uint16_t {
  kSubmit = 1U << 0U,
  kEnd = 1U << 1U,
  kForegroundEnd = 1U << 2U,
  kBackgroundEnd = 1U << 3U,
  kUnfrozen = 1U << 4U,
  kWoken = 1U << 5U,
  kCapacityChanged = 1U << 6U,
  kWindowChanged = 1U << 7U,
};
using Causes = std::uint16_t;

struct NamedCause {
  std::string_view name;  // in the Lua API and in logs
  Cause cause;
};
[[nodiscard]] std::span<const NamedCause> named_causes();

// The placement of a job, computed when it is read first; null: it has none.
class PlacementOf {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a placement is one that is known
  PlacementOf(const Placement* known) : known_(known) {}
  // REQUIRES: the job has an allocation.
  PlacementOf(const SharingModel& hosts, JobId job) : hosts_(&hosts), job_(job) {}

  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the pointer
  operator const Placement*() const;

 private:
  const Placement* known_ = nullptr;
  const SharingModel* hosts_ = nullptr;
  JobId job_{};
};

// The job that a record is about.
struct Subject {
  JobId id;
  const Job* job;
  const JobEntry* entry;  // its state right after what the record tells
};

// A job was submitted.  It is a member of the queue unless the machine rejects it in
// the next record.  `key` is its key in the policy's default order.  `recorded`: where
// jobs wait for others, its submit as the workload has it; else nullopt.
struct SubmitRecord {
  Time at;
  Subject who;
  double key;
  std::optional<Time> recorded{};
};
struct RejectRecord {
  Time at;
  Subject who;
  bool by_machine;           // it can never start; else by the policy
  std::string_view because;  // the reason that the policy gave
  bool never_fits = false;   // by the machine: it is not too wide for it
  bool by_links = false;     // by neither: a link of it can never be satisfied
  bool by_limit = false;     // likewise: a limit bars it whatever runs
};
// A waiting job starts or a suspended one resumes.
struct StartRecord {
  Time at;
  Subject who;
  PlacementOf placement;
  bool resumed;
  Time frozen_until;  // = at if it runs at once
  double rate;
  std::string_view because;
  double key = 0;  // that it had in the default order
};
struct SuspendRecord {
  Time at;
  Subject who;
  double key;  // with which it returns to the queue
  std::string_view because;
};
// A running job gets another allocation or share.
struct ChangeRecord {
  enum class Effect : std::uint8_t {
    kShares,    // where it is; a new rate that follows is told by a RateRecord
    kSwaps,     // in place, with all its progress
    kRestarts,  // elsewhere, from the beginning
    kMigrates,  // elsewhere, with all its progress
  };
  Time at;
  Subject who;
  const Placement* placement;
  std::string_view word;  // the kind that the log gives it: "swap", "share"
  Effect effect;
  Time frozen_until;        // = at unless this begins a freeze
  double rate;              // for the moment: 0 if it is frozen
  const MachineFact* fact;  // null: nothing that only the machine tells
  std::string_view because;
};
struct UnfreezeRecord {
  Time at;
  Subject who;
};
// The rate of a running job changed after its start.
struct RateRecord {
  Time at;
  Subject who;
  double rate;
};
// The job left the machine: finished, or killed at its walltime (state failed), or
// failed as it was hit.
struct EndRecord {
  Time at;
  Subject who;
  PlacementOf placement;
};
// The run is over and the job is still in the system; placement if it holds one.
struct LeftRecord {
  Time at;
  Subject who;
  PlacementOf placement;
};
// What only the machine tells.  The suspensions, changes and starts that are told
// between a record that begins a bracket and the one that ends it, in this order and
// each by (submit, id), are one action: what must hold of the machine holds after it.
//
// Of the oldest job that waits at the end of a pass the machine tells why it does not
// fit, if it knows more than a refusal says, right before the PassRecord.
struct MachineRecord {
  enum class Bracket : std::uint8_t { kAlone, kBegins, kEnds };
  Time at;
  std::optional<Subject> who;
  Bracket bracket;
  const MachineFact* fact;  // not null
  std::string_view because;
};
// A plan was made.
struct PlanRecord {
  Time at;
  JobId job;
  Time start;
  std::int64_t spare;
};
// A reservation of the book was made or moved; nullopt: given up.
struct ReservationRecord {
  Time at;
  JobId job;
  std::optional<Time> start;
};
struct WakeRecord {
  Time at;
  std::optional<Time> wake;  // nullopt: cleared
};
struct CapacityRecord {
  Time at;
  std::int64_t processors;
};
// A host drains, goes down or comes back, by number; of a pool each processor is a
// host.
struct HostRecord {
  Time at;
  Time since;  // the event of the machine; before `at` only as the run begins
  std::int32_t host;
  bool is_up;
  Time until;           // when it is expected back; of one that is up `since`
  Interval processors;  // of the host
  bool drains = false;  // the jobs that run there run on
};
// "up", "drain" or "down".
[[nodiscard]] std::string_view word_of(const HostRecord& record);
// A window of the machine is announced, begins, or ends.  One that is known from the
// beginning of the run is not announced.
struct WindowRecord {
  enum class Event : std::uint8_t { kAnnounced, kBegins, kEnds };
  Time at;
  Event event;
  const MachineWindow* window;  // not null
};
// A job loses a host that it held, or stands in the way of a window that begins, and so
// loses all that it holds and has done since its last checkpoint: it fails in the next
// record, an EndRecord, and loses all of its work, or returns to the queue.  The hits
// of an instant follow its hosts, or the window, by (submit, id).
struct HitRecord {
  Time at;
  Subject who;
  std::int32_t attempt;         // that is lost, from 1
  Duration lost;                // its work
  std::optional<Time> returns;  // nullopt: never, the job fails
  struct SavedWork {
    Duration in_all;    // work with which its next attempt begins
    Duration overhead;  // time of this attempt on checkpoints
    Duration ran;       // time of this attempt
  };
  std::optional<SavedWork> saved{};  // nullopt: jobs write no checkpoints
};
// The job is a member of the queue again, with this key in the policy's default order.
struct ReturnRecord {
  Time at;
  Subject who;
  double key;
};
// A key was computed anew (orders with a refresh); only the default order is told.  In
// the fair order it is told of jobs just before they start.
struct RekeyRecord {
  Time at;
  JobId job;
  double key;
};
// A job is about to leave the queue, or is left in it at the end of the run: its key in
// an order without a refresh, and what it would be now.  Told only to a watcher that
// wants these records.
struct KeyRecord {
  Time at;
  JobId job;
  std::string_view order;
  double entered;  // with which it entered the queue
  double now;
};
// The policy expects the job, which waits, to run so long: at most its walltime, and
// another time than before.
struct EstimateRecord {
  Time at;
  Subject who;
  Duration estimate;
};
// The end of a pass.  `number` counts skipped passes, which have no record.
struct PassRecord {
  Time at;
  std::int64_t number;
  Causes causes;
  std::int64_t actions;
  // The least place in the default order; in the fair order of those that are shown.
  std::optional<Place> first{};
};
// A pass begins, or is over, that the engine would leave out by what the policy
// declares (Passes::kWhenAJobFits).  Such a pass is made only if a watcher wants these
// records, and has no PassRecord.
struct SparePassRecord {
  Time at;
  std::int64_t number;
  bool is_over;
  bool has_drawn;  // when it is over: whether it drew a random number
};

using Record =
    std::variant<SubmitRecord, RejectRecord, StartRecord, SuspendRecord, UnfreezeRecord,
                 RateRecord, EndRecord, LeftRecord, PlanRecord, ReservationRecord,
                 WakeRecord, CapacityRecord, RekeyRecord, PassRecord, ChangeRecord,
                 SparePassRecord, KeyRecord, MachineRecord, HostRecord, HitRecord,
                 ReturnRecord, WindowRecord, EstimateRecord>;

// A set of record kinds.
using RecordKinds = std::uint32_t;

namespace detail {
template <class Kind, class Variant>
struct IndexOf;
template <class Kind, class... Kinds>
struct IndexOf<Kind, std::variant<Kinds...>> {
  static constexpr unsigned kValue = [] {
    unsigned at = 0;
    unsigned found = 0;
    ((std::is_same_v<Kind, Kinds> ? found = at : at, ++at), ...);
    return found;
  }();
};
}  // namespace detail

// The place of a kind in Record.
template <class Kind>
inline constexpr unsigned kKind = detail::IndexOf<Kind, Record>::kValue;

// kinds<StartRecord, EndRecord>(): just these.
template <class... Kinds>
[[nodiscard]] constexpr RecordKinds kinds() {
  return (RecordKinds{0} | ... | (RecordKinds{1} << kKind<Kinds>));
}

// All that a run makes by itself: every kind but those that check a declaration.
inline constexpr RecordKinds kAllKinds = ~kinds<SparePassRecord, KeyRecord>();

}  // namespace berth::sim
