#pragma once
// Running jobs by expected end.
//
// Cost: a job that overruns is placed anew when its expected end has passed, at the
// first question after that: O(log overrun) times a job.
//
// A short row is kept in order at each change.  Changes of a long one are put off until
// the next question, which places a few one by one and merges many at once; so any
// number of jobs may start or end at one instant.
//
//   operation          time, n = running jobs
//   insert, erase      n <= 1024: O(n), a short memmove; else O(log n) amortised
//   releases           O(1); O(n) after changes of a long row, or when an expected end
//                      has passed
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
  void insert(JobId job, std::int32_t size, Time planned_end);
  // REQUIRES: inserted with the same planned end.
  void erase(JobId job, Time planned_end);

  [[nodiscard]] std::size_t size() const { return jobs_.size() + inserts_ - erasures_; }
  [[nodiscard]] const OverrunRule& rule() const { return rule_; }
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const {
    return rule_.expected_end(planned_end, now);
  }

  // Every running job by (expected end, id); valid until the next insert, erase or
  // question.  REQUIRES: now >= the last instant asked about.
  [[nodiscard]] std::span<const Release> releases(Time now) const {
    if (!changes_.empty()) settle();
    if (now != as_of_) refresh(now);
    return jobs_;
  }

 private:
  static constexpr std::size_t kLong = 1024;
  enum class Change : std::uint8_t { kErase, kInsert };
  struct PutOff {
    Release entry;
    Change change;
  };

  // How many come before it.
  [[nodiscard]] inline std::ptrdiff_t place_of(const Release& entry) const;
  [[nodiscard, gnu::noinline]] std::ptrdiff_t place_among_equals(
      const Release& entry, std::ptrdiff_t first) const;
  [[gnu::noinline]] void put_off(const PutOff& change);
  // Makes the changes that were put off.
  [[gnu::noinline]] void settle() const;
  void merge_changes() const;
  void erase_now(const Release& entry) const;
  // One change that was put off.
  void make(const PutOff& change) const;
  void refresh(Time now) const;

  OverrunRule rule_;
  // By (expected end as of `as_of_`, id), without the changes that were put off.
  mutable std::vector<Release> jobs_;
  mutable std::vector<PutOff> changes_;
  mutable bool is_long_ = false;     // changes are put off
  mutable std::size_t inserts_ = 0;  // of the changes
  mutable std::size_t erasures_ = 0;
  mutable Time as_of_ = -kNever;
  mutable bool has_due_ =
      false;  // some planned end is `as_of_`, and its end is not handled yet
};

}  // namespace berth
