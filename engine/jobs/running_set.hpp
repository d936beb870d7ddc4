#pragma once
// Running jobs by expected end.
//
// Cost: a job that overruns is placed anew when its expected end has passed, at the
// first question after that: O(log overrun) times a job.
//
//   operation          time, n = running jobs
//   insert, erase      O(n), a short memmove
//   releases           O(1); O(n) when an expected end has passed
//   expected_end       O(1); O(log overrun) for a job that overruns

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/overrun_rule.hpp"

namespace berth {

struct Release {
  Time at;  // expected end
  Time planned_end;
  JobId job;
  std::int32_t size;
  friend bool operator==(const Release&, const Release&) = default;
};

class RunningSet {
 public:
  explicit RunningSet(const OverrunRule& rule) : rule_(rule) {}

  // REQUIRES: planned_end is later than the last instant asked about.
  void insert(JobId job, std::int32_t size, Time planned_end) {
    const Release entry{planned_end, planned_end, job, size};
    jobs_.insert(jobs_.begin() + place_of(entry), entry);
  }
  // REQUIRES: inserted with the same planned end.
  void erase(JobId job, Time planned_end);

  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] const OverrunRule& rule() const { return rule_; }
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const {
    return rule_.expected_end(planned_end, now);
  }

  // Every running job by (expected end, id); valid until the next insert, erase or
  // question.  REQUIRES: now >= the last instant asked about.
  [[nodiscard]] std::span<const Release> releases(Time now) const {
    if (now != as_of_) refresh(now);
    return jobs_;
  }

 private:
  [[nodiscard]] std::ptrdiff_t place_of(const Release& entry) const;
  void refresh(Time now) const;

  OverrunRule rule_;
  // By (expected end as of `as_of_`, id).
  mutable std::vector<Release> jobs_;
  mutable Time as_of_ = -kNever;
  mutable bool has_due_ =
      false;  // some planned end is `as_of_`, and its end is not handled yet
};

}  // namespace berth
