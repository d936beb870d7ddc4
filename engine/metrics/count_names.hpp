#pragma once
// The names by which results call the counts of a run.

#include <array>
#include <cstdint>

#include "engine/metrics/summary.hpp"

namespace berth {

template <class Counts>
struct CountName {
  const char* name;
  std::int64_t Counts::*count;
};

inline constexpr std::array kOutcomeCounts{
    CountName<JobCounts>{"finished", &JobCounts::finished},
    CountName<JobCounts>{"failed", &JobCounts::failed},
    CountName<JobCounts>{"not_finished", &JobCounts::not_finished},
    CountName<JobCounts>{"outlived_walltime", &JobCounts::outlived_walltime}};
inline constexpr std::array kRejectionCounts{
    CountName<JobCounts>{"rejected_by_machine", &JobCounts::rejected_by_machine},
    CountName<JobCounts>{"rejected_by_policy", &JobCounts::rejected_by_policy}};
inline constexpr std::array kRunCounts{
    CountName<RunCounts>{"kills", &RunCounts::kills},
    CountName<RunCounts>{"migrations", &RunCounts::migrations},
    CountName<RunCounts>{"swaps", &RunCounts::swaps},
    CountName<RunCounts>{"suspensions", &RunCounts::suspensions},
    CountName<RunCounts>{"resumes", &RunCounts::resumes},
    CountName<RunCounts>{"failures", &RunCounts::failures},
    CountName<RunCounts>{"backfilled_starts", &RunCounts::backfilled_starts},
    CountName<RunCounts>{"passes", &RunCounts::passes},
    CountName<RunCounts>{"actions", &RunCounts::actions}};

}  // namespace berth
