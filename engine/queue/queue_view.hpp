#pragma once
// The queue in one order, whichever structure it has.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/queue/job_queue.hpp"

namespace berth {

// An order that is kept in more than one JobQueue.  The functions are as those of
// JobQueue.
class MergedOrder {
 public:
  virtual ~MergedOrder() = default;
  [[nodiscard]] virtual std::size_t length() const = 0;
  [[nodiscard]] virtual std::optional<Place> next(const Place* after) const = 0;
  [[nodiscard]] virtual std::optional<Place> next(const Place* after,
                                                  const Staircase& under) const = 0;
  [[nodiscard]] virtual std::optional<Place> next_if(const Place* after,
                                                     std::int64_t size) const = 0;
  [[nodiscard]] virtual bool has_up_to(std::int64_t size) const = 0;
  // The least place, of whichever tier.  REQUIRES: an order of every member.
  [[nodiscard]] virtual std::optional<Place> least() const { return next(nullptr); }
  // Every member, in order.
  [[nodiscard]] virtual std::vector<JobQueue::Member> all() const = 0;
  // Whether one place lies before another.
  [[nodiscard]] virtual bool is_before(const Place& a, const Place& b) const {
    return a < b;
  }
};

class QueueView {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a queue is a view of itself
  QueueView(const JobQueue& queue) : queue_(&queue) {}
  // NOLINTNEXTLINE(google-explicit-constructor): likewise
  QueueView(const MergedOrder& merged) : merged_(&merged) {}

  [[nodiscard]] std::size_t length() const {
    return merged_ == nullptr ? queue_->length() : merged_->length();
  }
  [[nodiscard]] std::optional<Place> head() const {
    return merged_ == nullptr ? queue_->head() : merged_->next(nullptr);
  }
  [[nodiscard]] std::optional<Place> least() const {
    return merged_ == nullptr ? queue_->head() : merged_->least();
  }
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const {
    return merged_ == nullptr ? queue_->next(after, under)
                              : merged_->next(after, under);
  }
  [[nodiscard]] std::optional<Place> next(const Place* after) const {
    return merged_ == nullptr ? queue_->next(after) : merged_->next(after);
  }
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const {
    return merged_ == nullptr ? queue_->next_if(after, size)
                              : merged_->next_if(after, size);
  }
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const {
    if (merged_ == nullptr) return queue_->nth_behind(after, n);
    auto at = merged_->next(&after);
    for (std::int64_t i = 1; i < n && at; ++i) at = merged_->next(&*at);
    return at;
  }
  [[nodiscard]] bool has_up_to(std::int64_t size) const {
    return merged_ == nullptr ? queue_->has_up_to(size) : merged_->has_up_to(size);
  }
  [[nodiscard]] bool is_before(const Place& a, const Place& b) const {
    return merged_ == nullptr ? a < b : merged_->is_before(a, b);
  }
  template <class Look>
  void for_each(const Look& look) const {
    if (merged_ == nullptr) return queue_->for_each(look);
    for (const auto& each : merged_->all()) look(each);
  }

 private:
  const JobQueue* queue_ = nullptr;
  const MergedOrder* merged_ = nullptr;
};

}  // namespace berth
