#pragma once
// For how long limits barred the waiting jobs of a run, in all (docs/model.md#limits).
//
// Cost         O(1) a call while nothing was barred in the set; else O(log r), or O(r)
//              where a job comes or goes, r = rooms that it had
// Memory       some bytes for each of these rooms, and for each job that came to one

#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/limits.hpp"

namespace berth {

class BarredTime {
 public:
  using Set = LimitCounts::Set;

  // The largest size that no limit bars in this set is another one from now on.
  void set_room(Set set, std::int64_t room, Time now);

  // A job of this size begins to wait, and no longer does.
  void enter(JobId job, Set set, std::int64_t size, Time now);
  void leave(JobId job, Set set, std::int64_t size, Time now);
  // It waits, and is not among the first that do, and is again.
  void go_outside(JobId job, Set set, std::int64_t size, Time now);
  void come_inside(JobId job, Set set, std::int64_t size, Time now);

  // Of jobs that no longer wait.
  [[nodiscard]] Int128 total() const { return total_; }

 private:
  // Tells since when a set has its room, and for how long it had others before.
  struct Rooms {
    std::int64_t room = LimitCounts::kAnySize;
    Time since = 0;
    std::map<std::int64_t, Duration> before{};
  };

  [[nodiscard]] Duration below(Set set, std::int64_t size, Time now) const;

  std::vector<Rooms> sets_;
  std::map<JobId, Duration> at_entry_;  // what below() was; not there: 0
  std::map<JobId, Time> outside_;       // since when
  Int128 total_ = 0;
};

}  // namespace berth
