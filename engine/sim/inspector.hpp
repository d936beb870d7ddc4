#pragma once
// A reader of a run that looks at its whole state after every pass, and is told what
// records do not tell: which members a selection showed, where it ended, and which
// actions were refused.
//
// At most one a run.  It reads and cannot decide: a run with it makes the same schedule
// as a run without.  Where there is none it costs the test of a pointer.

#include <cstddef>
#include <cstdint>

#include "engine/base/ids.hpp"
#include "engine/base/refusal.hpp"
#include "engine/queue/job_queue.hpp"

namespace berth::sim {

class Simulation;

enum class PassKind : std::uint8_t {
  kMade,
  kLeftOut,  // see Passes::kWhenAJobFits
};

// Why a selection showed no more members.
enum class SelectionEnd : std::uint8_t {
  kNoMore,      // no member behind the last one meets its condition
  kDoesNotFit,  // it ends at the first member that does not fit: `at`
  kDepth,       // only members up to `at` may be shown
};

class Inspector {
 public:
  virtual ~Inspector() = default;
  // Whether the policy is to be called in a pass that may be left out, so that its
  // plans can be read.  Asked at each such pass.  A policy that acts there breaks what
  // it declares, and the run ends with Error{kPolicy}.
  [[nodiscard]] virtual bool wants_spare_pass() const { return false; }
  // The pass is over.  Its plans stand until the call returns.
  virtual void passed(const Simulation& simulation, PassKind kind) = 0;
  // A selection over this order shows the member at this place.
  virtual void shown(const Simulation&, std::size_t /*order*/, const Place&) {}
  // A selection over this order showed its last member.  `at` is null where its end
  // names no member.
  virtual void ended(const Simulation&, std::size_t /*order*/, SelectionEnd,
                     const Place* /*at*/) {}
  // A start of the job, or a reservation for it, was refused.
  virtual void refused(const Simulation&, JobId, Refusal) {}
};

}  // namespace berth::sim
