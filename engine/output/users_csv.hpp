#pragma once
// users.csv: a row for each user, by number; a user is empty where the jobs name none.
//
//   column               unit
//   user,group           numbers of the trace; the group of the user's first job
//   weight               of [shares.users]
//   jobs,finished        jobs
//   processor_seconds    held by any of the jobs
//   mean_wait,mean_response            s, over finished jobs
//   mean_slowdown,mean_bounded_slowdown
//   usage                decayed, at the end of the run (docs/model.md#usage)
//   violated             jobs that end after their expected end time
//   veet                 %
//   tardiness            s
//   weighted_tardiness   processor s
//   longest_line         minutes
// The last five are empty without expectations (docs/model.md#tardiness).

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/expect/tardiness.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/metrics/user_details.hpp"
#include "engine/output/sink.hpp"

namespace berth {

// What rows are made of; users that a map does not have are empty there.
struct UserRows {
  std::vector<UserSummary> users;
  std::map<std::int32_t, UserDetails> details{};
  std::map<std::int32_t, double> weights{};  // one that is not here has 1
  std::map<std::int32_t, double> usage{};
  std::vector<UserTardiness> tardiness{};
};

void write_users(Sink& sink, const UserRows& rows);

}  // namespace berth
