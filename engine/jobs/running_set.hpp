#pragma once
// Running jobs by expected end.
//
// Cost: a job that overruns is placed anew when its expected end has passed, at the
// first question after that: once for each step of the overrun rule.
//
// Structure    Rows of at most 128 jobs one after the other, each with the sum of its
//              sizes.  A change moves jobs of one row alone, so any number of jobs may
//              start or end at one instant.
//
//   operation          time, n = running jobs
//   insert, erase      O(log n), and a memmove within a row
//   releases           O(1), and an insertion for each expected end that has passed
//   expected_end       O(1); O(log overrun) for a job that overruns

#include <cstddef>
#include <cstdint>
#include <iterator>
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

// Some releases that follow each other; never empty.
struct ReleaseRow {
  std::vector<Release> all;
  std::int64_t size = 0;  // of all jobs together
};

// Every running job by (expected end, id).  Valid while its rows are.
class Releases {
 public:
  class Iterator {
   public:
    using value_type = Release;
    using difference_type = std::ptrdiff_t;
    using reference = const Release&;
    using pointer = const Release*;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const ReleaseRow* row, std::size_t place) : row_(row), place_(place) {}
    reference operator*() const { return row_->all[place_]; }
    pointer operator->() const { return &row_->all[place_]; }
    Iterator& operator++() {
      if (++place_ == row_->all.size()) {
        ++row_;
        place_ = 0;
      }
      return *this;
    }
    Iterator operator++(int) {
      const auto before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const ReleaseRow* row_ = nullptr;
    std::size_t place_ = 0;
  };

  explicit Releases(const std::vector<ReleaseRow>& rows) : rows_(&rows) {}

  [[nodiscard]] Iterator begin() const { return {rows_->data(), 0}; }
  [[nodiscard]] Iterator end() const { return {rows_->data() + rows_->size(), 0}; }
  [[nodiscard]] bool empty() const { return rows_->empty(); }
  // REQUIRES: not empty.
  [[nodiscard]] const Release& front() const { return rows_->front().all.front(); }
  [[nodiscard]] const Release& back() const { return rows_->back().all.back(); }
  [[nodiscard]] const std::vector<ReleaseRow>& rows() const { return *rows_; }

 private:
  const std::vector<ReleaseRow>* rows_;
};

class RunningSet {
 public:
  explicit RunningSet(const OverrunRule& rule) : rule_(rule) {}

  // REQUIRES: planned_end is later than the last instant asked about.
  void insert(JobId job, std::int32_t size, Time planned_end) {
    place({planned_end, planned_end, job, size});
    ++size_;
  }
  // Its size.  REQUIRES, of the next three: inserted with the same planned end.
  std::int32_t erase(JobId job, Time planned_end);
  // The job is planned to end at another time, which may have passed.
  void move(JobId job, Time before, Time planned_end);
  // It has another size.
  void resize(JobId job, Time planned_end, std::int32_t size);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const OverrunRule& rule() const { return rule_; }
  [[nodiscard]] Time expected_end(Time planned_end, Time now) const {
    return rule_.expected_end(planned_end, now);
  }

  // Valid until the next insert, erase or question.
  // REQUIRES: now >= the last instant asked about.
  [[nodiscard]] Releases releases(Time now) const {
    if (now != as_of_) refresh(now);
    return Releases(rows_);
  }

 private:
  // The row in which it stands or belongs.  REQUIRES: there are rows.
  [[nodiscard]] inline std::size_t row_of(const Release& entry) const;
  // The first that does not come before it.
  [[nodiscard]] Releases::Iterator first_from(const Release& entry) const;
  void place(const Release& entry) const;
  inline void remove(std::size_t row, std::ptrdiff_t place) const;
  [[gnu::noinline]] void split(std::size_t row) const;
  // Drops the row if it is empty, else joins it with a neighbour if both are short.
  // REQUIRES: it is empty, or has a neighbour.
  [[gnu::noinline]] void join(std::size_t row) const;
  void refresh(Time now) const;
  void take_passed(Time now) const;
  void take_due(Time due) const;

  OverrunRule rule_;
  mutable std::vector<ReleaseRow> rows_;  // by (expected end as of `as_of_`, id)
  std::size_t size_ = 0;
  mutable Time as_of_ = -kNever;
  mutable std::vector<Release> late_;  // scratch
};

}  // namespace berth
