#pragma once
// Running jobs by the end of their planned time, and when each is expected to free its
// processors.
//
// A job whose planned time is over but which still runs has overrun: it is expected to
// end `grace` from now, whenever now is (spec: A-BF-3).
//
//   operation          time, n = running jobs
//   insert, erase      O(n), a short memmove
//   releases           O(n)

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth {

struct Release {
  Time at;  // expected end
  JobId job;
  std::int32_t size;
  friend bool operator==(const Release&, const Release&) = default;
};

// From which instant on a job whose planned end has come counts as overrun.
enum class Lateness : std::uint8_t {
  kAtPlannedEnd,     // all events of the instant are handled: who still runs is late
  kAfterPlannedEnd,  // its end event of this instant may be yet to come
};

class RunningSet {
 public:
  RunningSet(Duration grace, Lateness lateness) : grace_(grace), lateness_(lateness) {}

  void insert(JobId job, std::int32_t size, Time planned_end) {
    const Release entry{planned_end, job, size};
    jobs_.insert(jobs_.begin() + place_of(entry), entry);
  }
  // REQUIRES: inserted with the same planned end.
  void erase(JobId job, Time planned_end) {
    const auto at = jobs_.begin() + place_of({planned_end, job, 0});
    BERTH_ASSERT(at != jobs_.end() && at->job == job && at->at == planned_end);
    jobs_.erase(at);
  }

  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const {
    return overrun(planned_end, now) ? after(now, grace_) : planned_end;
  }
  [[nodiscard]] bool overrun(Time planned_end, Time now) const {
    return lateness_ == Lateness::kAtPlannedEnd ? planned_end <= now
                                                : planned_end < now;
  }
  // Whether any job has overrun.  O(1).
  [[nodiscard]] bool any_overrun(Time now) const {
    return !jobs_.empty() && overrun(jobs_.front().at, now);
  }

  // Every running job by (expected end, id); `out` is replaced.
  void releases(Time now, std::vector<Release>& out) const;
  // Those that have overrun, by id; `out` is replaced.
  void overrun(Time now, std::vector<Release>& out) const;

  // By planned end, then id: releases in order as long as nobody has overrun.
  [[nodiscard]] const std::vector<Release>& by_planned_end() const { return jobs_; }

 private:
  [[nodiscard]] std::ptrdiff_t place_of(const Release& entry) const;

  Duration grace_;
  Lateness lateness_;
  std::vector<Release> jobs_;  // `at` is the planned end
};

}  // namespace berth
