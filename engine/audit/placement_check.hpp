#pragma once
// Checks where a finished schedule, of berth or of any other simulator, put its jobs.
//
// Rules
//   order      a stay begins after its job was submitted, and does not end before it
//              begins
//   those of the law of the machine (docs/model.md#c1 and following): of processors,
//              hosts and kinds, slots of tiers, shares and memory of hosts, slots and
//              links of a network; a reservation that the schedule does not tell is not
//              compared
// A stay that breaks a rule holds nothing.  Ends come before starts at one instant; one
// without an end never leaves.
//
// Cost      that of the law, and O(n log n) for n stays.

#include <span>

#include "engine/audit/law.hpp"
#include "engine/audit/schedule_check.hpp"
#include "engine/audit/stays.hpp"
#include "engine/jobs/job.hpp"

namespace berth::audit {

// `stays`: one job may have several.  Those in which it is suspended or which have no
// length hold nothing.  REQUIRES: jobs by (submit, id); the reader and the law are of
// one machine, and the law is new.
[[nodiscard]] ScheduleReport check_placements(std::span<const Job> jobs,
                                              std::span<const Stay> stays,
                                              const PlaceReader& places, Law& law);

}  // namespace berth::audit
