#pragma once
// Checks where a finished schedule, of berth or of any other simulator, put its jobs on
// a network or on hosts.
//
// Rules
//   order      a stay begins after its job was submitted, and does not end before it
//              begins
//   slots, links, whole placement   those of NetworkLaw (docs/model.md#c4, #c6, #c7);
//              a reservation that the schedule does not tell is not compared
//   capacity, whole placement   those of KindsLaw: no more in use of any kind than
//   there
//              is, on each host and machine-wide; chunks whole on hosts of the job's
//              partition
// A stay that breaks a rule holds nothing.  Ends come before starts at one instant; one
// without an end never leaves.
//
// Cost      that of the law, and O(n log n) for n stays.

#include <span>

#include "engine/audit/law.hpp"
#include "engine/audit/schedule_check.hpp"
#include "engine/network/topology.hpp"

namespace berth::audit {

// `stays`: from start to end a job sits where the row says; one job may have several.
// Rows without a start are left out.
// REQUIRES: jobs by (submit, id); the law is that of the network, and new.
[[nodiscard]] ScheduleReport check_placements(std::span<const Job> jobs,
                                              std::span<const Scheduled> stays,
                                              const Topology& topology, Law& law);

// The same by the processors that rows name alone.  REQUIRES: a law of sets of
// processors, new.
[[nodiscard]] ScheduleReport check_placements(std::span<const Job> jobs,
                                              std::span<const Scheduled> stays,
                                              Law& law);

}  // namespace berth::audit
