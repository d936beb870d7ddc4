#pragma once
// Who sits where on the machine, and how fast each job runs.
//
// One model per machine.  The simulation asks before it changes anything, and after a
// change recomputes the completion of just those jobs the model names as touched.
// Nothing outside a model may depend on which model it is.
//
// A model never refuses in `take`: the caller has asked `can_take` before.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/needs.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/result.hpp"

namespace berth {

// Which of the idle processors a job gets (spec: A-EN-3).
enum class Pick : std::uint8_t { kLowest, kHighest };

enum class Frozen : std::uint8_t { kNo, kYes };

// Jobs whose rate may have changed; may name a job twice, and one whose has not.
using Touched = std::vector<JobId>;

class TwoTier;

class SharingModel {
 public:
  virtual ~SharingModel() = default;

  // Where the machine's own rule would put the job, on the processors `within` alone if
  // given; or why it cannot sit there now.  Reads only.
  [[nodiscard]] virtual Result<Placement, Refusal> choose(
      const Needs&, const IntervalSet* within) const = 0;
  // Why `choose` would refuse such needs anywhere; nullopt if it would not.
  [[nodiscard]] virtual std::optional<Refusal> refuses(const Needs& needs) const {
    const auto choice = choose(needs, nullptr);
    return choice ? std::nullopt : std::optional(choice.reason());
  }
  // Takes what `choose` would give without `within`.
  // REQUIRES: it refuses nothing now.
  virtual void seat(JobId job, const Needs& needs, Touched& touched) {
    take(job, needs, choose(needs, nullptr).value(), touched);
  }
  // Each appends every job whose rate may have changed; who sits down or leaves need
  // not be among them. REQUIRES: `choose` would grant this placement now.
  virtual void take(JobId, const Needs&, const Placement&, Touched&) = 0;
  virtual void leave(JobId, Touched&) = 0;
  virtual void freeze(JobId, Frozen, Touched&) = 0;
  // Work per tick of this job: that of its slowest VM.  0..1, 0 while frozen.
  [[nodiscard]] virtual double rate(JobId) const = 0;
  // REQUIRES: the job sits on the machine.
  [[nodiscard]] virtual const Placement& placement(JobId) const = 0;
  // Processors that a job may be started on now.  Asked several times an event.
  [[nodiscard]] std::int64_t idle() const { return idle_; }
  // Itself where processors have two tiers, whose own actions need more than the above;
  // else null.
  [[nodiscard]] virtual TwoTier* tiers() { return nullptr; }

 protected:
  explicit SharingModel(std::int64_t idle) : idle_(idle) {}
  // Told by the model whenever it has changed.
  void set_idle(std::int64_t processors) { idle_ = processors; }

 private:
  std::int64_t idle_;
};

}  // namespace berth
