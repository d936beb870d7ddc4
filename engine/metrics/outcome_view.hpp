#pragma once
// Those outcomes of a run that are asked for, in the order in which the jobs left.
//
// A view, cheap to copy: the outcomes outlive it and do not change meanwhile.

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "engine/metrics/outcomes.hpp"

namespace berth {

class OutcomeView {
 public:
  enum class Those : std::uint8_t { kAll, kFinished };

  // Of the jobs from `first_job` on.
  // NOLINTNEXTLINE(google-explicit-constructor): outcomes are a view of all of them
  OutcomeView(const Outcomes& outcomes, std::uint32_t first_job = 0,
              Those those = Those::kAll)
      : outcomes_(&outcomes), first_job_(first_job), those_(those) {}

  [[nodiscard]] OutcomeView finished() const {
    return {*outcomes_, first_job_, Those::kFinished};
  }

  // A pass over them; what it shows is good until the next step.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = JobOutcome;
    using difference_type = std::ptrdiff_t;
    using pointer = const JobOutcome*;
    using reference = const JobOutcome&;

    Iterator(const OutcomeView& view, std::size_t place) : view_(&view), place_(place) {
      find();
    }
    [[nodiscard]] reference operator*() const { return shown_; }
    [[nodiscard]] pointer operator->() const { return &shown_; }
    Iterator& operator++() {
      ++place_;
      find();
      return *this;
    }
    [[nodiscard]] std::size_t place() const { return place_; }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.place_ == b.place_;
    }

   private:
    // Goes on to the first from here that is in the view.
    void find() {
      const auto& all = *view_->outcomes_;
      for (; place_ < all.size(); ++place_) {
        all.passed(place_);
        if (index(all.job(place_)) < view_->first_job_) continue;
        shown_ = all[place_];
        if (view_->those_ == Those::kAll || shown_.state == JobState::kFinished) return;
      }
    }

    const OutcomeView* view_;
    std::size_t place_;
    JobOutcome shown_;
  };

  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, outcomes_->size()}; }

  // How many they are.  O(n).
  [[nodiscard]] std::int64_t count() const { return std::distance(begin(), end()); }
  [[nodiscard]] const Outcomes& outcomes() const { return *outcomes_; }

 private:
  const Outcomes* outcomes_;
  std::uint32_t first_job_;
  Those those_;
};

}  // namespace berth
