#pragma once
// What a job is given: a placement that carries the job and the demand it was made for.
//
// A proposal was found earlier, perhaps for another job or when more was idle.  A grant
// is what may be taken now: SharingModel::grant alone makes one, from a proposal or by
// the machine's own rule, and SharingModel::take takes nothing else.

#include <cstdint>
#include <optional>

#include "engine/base/demand.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"

namespace berth {

struct Proposal {
  JobId job;
  std::int64_t number;  // of the job in the trace, for messages
  Demand demand;
  Placement placement;
};

class Grant {
 public:
  // Nothing can be taken by it.  Not constexpr: a constant object is first cleared,
  // with its room for a placement.
  Grant() {}

  // Null: what the machine's own rule gives when it is taken.
  [[nodiscard]] const Placement* placement() const {
    return placement_ ? &*placement_ : nullptr;
  }

 private:
  friend class SharingModel;
  void make(JobId job, const Demand& demand) {
    job_ = job;
    demand_ = demand;
    is_made_ = true;
  }

  JobId job_{};
  Demand demand_{1};
  bool is_made_ = false;
  std::optional<Placement> placement_;
};

}  // namespace berth
