#pragma once
// When a running job is expected to end, also once its planned end has passed
// (docs/model.md#overruns).
//
// A job that overruns is expected to end at planned end + grace * growth^k, with the
// smallest k >= 0 such that this lies behind now; with growth 1 at the next multiple of
// the grace.  A pure function of the planned end and of now.
//
//   operation      time
//   every one      O(log overrun), O(1) for a job that does not overrun
//
// Source       Tsafrir, Etsion and Feitelson 2007: a prediction that proved too short
//              is raised in growing steps.

#include <cstdint>

#include "engine/base/time.hpp"

namespace berth {

struct OverrunRule {
  Duration grace = seconds(60);  // > 0
  std::int64_t growth = 2;       // >= 1
  // A job whose planned end is now is expected to end so much later.  0: it has
  // overrun, because all ends of this instant are handled before a pass.
  Duration due_margin = 0;

  [[nodiscard]] bool has_overrun(Time planned_end, Time now) const {
    return due_margin == 0 ? planned_end <= now : planned_end < now;
  }
  // Later than now.
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const {
    if (planned_end > now) return planned_end;
    if (!has_overrun(planned_end, now)) return after(now, due_margin);
    return late_end(planned_end, now);
  }
  // Whether an end now comes before the end expected just before now.
  [[nodiscard]] bool ends_early(Time planned_end, Time now) const {
    if (planned_end >= now) return planned_end > now;
    return late_end(planned_end, now - 1) > now;
  }
  // REQUIRES: planned_end <= now.  Later than now.
  [[nodiscard]] Time late_end(Time planned_end, Time now) const {
    const Duration overrun = now - planned_end;
    if (growth == 1) return after(planned_end, after(overrun, grace - overrun % grace));
    Duration step = grace;
    while (step <= overrun) step = step > kNever / growth ? kNever : step * growth;
    return after(planned_end, step);
  }
};

}  // namespace berth
