#pragma once
// The running jobs by expected end: the end of their planned duration, and once that
// has passed the next instant of the overrun rule (docs/model.md#overruns).
//
// Structure    Each job has an entry and keeps it; a balanced tree goes through the
// entries.
//
//   operation      time, n = running jobs
//   hold, let_go   O(log n)
//   any_by         O(1)
//   pass_over      O(1) as long as no expected end has come, else O(log n) for each
//   by_end         the cost of a step of a tree each; first_ends O(most)
//   Memory         O(most jobs at a time); no allocation once there are enough entries

#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::audit {

// A late job is expected to end at planned end + grace * growth^k.  grace >= 1 tick,
// growth >= 1; growth 1: at each multiple of the grace.
struct Overruns {
  Duration grace = seconds(60);
  std::int64_t growth = 2;

  // The first of these instants behind `now`; kNever beyond what a Time can hold.
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const;
};

class ExpectedEnds {
 public:
  struct Holder : boost::intrusive::set_base_hook<> {
    Time end = kNever;      // expected
    std::int32_t size = 0;  // processors, >= 1; 0: the entry is empty
    std::uint32_t entry = 0;
    Time planned_end = kNever;
    Time last = kNever;  // by its walltime; later where less is expected
    friend bool operator<(const Holder& a, const Holder& b) { return a.end < b.end; }
  };

  explicit ExpectedEnds(Overruns rule) : rule_(rule) {}

  // The entry of the job, until it lets go.  `last`: the end by its walltime, up to
  // which it is expected no later, and from which on it is late by the rule anew.
  std::uint32_t hold(std::int32_t size, Time planned_end, Time last) {
    if (empty_.empty()) add_entry();
    auto& holder = entries_[empty_.back()];
    empty_.pop_back();
    holder.end = holder.planned_end = planned_end;
    holder.last = last;
    holder.size = size;
    by_end_.insert(holder);
    return holder.entry;
  }
  std::uint32_t hold(std::int32_t size, Time planned_end) {
    return hold(size, planned_end, planned_end);
  }
  // REQUIRES: the entry is held.
  void let_go(std::uint32_t entry) {
    late_ -= std::int64_t{is_late(entry)};
    by_end_.erase(by_end_.iterator_to(entries_[entry]));
    entries_[entry].size = 0;
    empty_.push_back(entry);
  }
  [[nodiscard]] const Holder& operator[](std::uint32_t entry) const {
    return entries_[entry];
  }
  // Whether a job is expected to end at `by` or earlier.
  [[nodiscard]] bool any_by(Time by) const {
    return !by_end_.empty() && by_end_.begin()->end <= by;
  }
  // Expects each job that should have ended by `by` at the next instant behind `by`;
  // how many there were.
  std::int64_t pass_over(Time by) { return any_by(by) ? expect_anew(by) : 0; }
  // Whether the planned end of the job, or of any, has been passed over.
  [[nodiscard]] bool is_late(std::uint32_t entry) const {
    return entries_[entry].end != entries_[entry].planned_end;
  }
  [[nodiscard]] bool any_late() const { return late_ > 0; }
  // The held entries by expected end; good until the next change.
  [[nodiscard]] const auto& by_end() const { return by_end_; }
  // The first of them, so many at most.
  [[nodiscard]] std::span<const std::uint32_t> first_ends(std::size_t most);

 private:
  [[gnu::noinline]] void add_entry();
  [[nodiscard, gnu::noinline]] std::int64_t expect_anew(Time by);

  Overruns rule_;
  std::deque<Holder> entries_;  // before the tree, which leaves them as it is destroyed
  boost::intrusive::multiset<Holder> by_end_;
  std::vector<std::uint32_t> empty_;  // entries
  std::vector<std::uint32_t> order_;  // that first_ends() returned last
  std::int64_t late_ = 0;             // jobs
};

}  // namespace berth::audit
