#pragma once
// A machine as it is expected to be at a later instant, for one job: what plans rest on
// where numbers of processors do not tell what fits.
//
// A candidate counts where it is to sit, or would sit now, even if it would fit
// elsewhere.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/demand.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/time.hpp"

namespace berth {

// Of what too little can be allocated.
struct Shortage {
  std::int64_t needed;
  std::int64_t available;
  // Of several kinds of resource the first that lacks, in whose unit the two numbers
  // are; "chunks" where there is enough of each and no host has room for all of them.
  // Empty: processors.
  std::string_view kind{};
};

// The machine outlives it.
class Outlook {
 public:
  virtual ~Outlook() = default;

  // By then this job, which runs, will have left.
  virtual void release(JobId running) = 0;
  // This job, which started after the outlook was made, will still be where it is.
  virtual void keep(JobId running) = 0;
  [[nodiscard]] virtual bool fits() const = 0;
  // The first start from which the job fits for as long as it is planned.
  struct Start {
    Time at;
    std::int64_t spare;  // processors left over all that time
    std::int64_t most;   // and at the start
  };
  // Whether room does not only grow as jobs leave, so that seek() is to be asked for
  // the start, once and before anything else.
  [[nodiscard]] virtual bool seeks() const { return false; }
  // From then on the outlook is that of the start.  nullopt: there is none.
  [[nodiscard]] virtual std::optional<Start> seek() { return std::nullopt; }
  // Whether the job fits beside this one, there, or with null where that one would sit
  // now.  False if that one has no placement and does not fit now.
  [[nodiscard]] virtual bool fits_beside(JobId candidate, const Demand& demand,
                                         const Placement* there) = 0;
  // What is left over of a kind; nullopt: no number tells.
  [[nodiscard]] virtual std::optional<std::int64_t> spare(std::size_t) const {
    return std::nullopt;
  }
  // The first kind of which less is left over than the candidate needs; nullopt: there
  // is none, or no number tells.
  [[nodiscard]] virtual std::optional<Shortage> shortage(JobId) const {
    return std::nullopt;
  }
};

}  // namespace berth
