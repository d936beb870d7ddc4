#pragma once
// The queue by the users' standing (docs/model.md#shares), then by (submit, id).
//
// Structure    a queue for each user, in order of arrival, and the users with members
//              by standing.  Users of equal standing are one class, whose queues are
//              merged while they are searched.  The key of a member is the label of
//              its user's class.
//
//   operation          time, q = members of a user, u = users with members, c = users
//   of
//                      one class
//   enter, leave       O(log q), O(u) for the first and the last member of a user
//   refresh            O(u) while the order of users stays, else O(u log u); never O(q)
//   next (under)       that of JobQueue for c users, and for each user passed over

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/queue/job_queue.hpp"

namespace berth {
struct Job;
class Shares;
}  // namespace berth

namespace berth::sim {

class FairOrder {
 public:
  explicit FairOrder(const Shares& shares) : shares_(shares) {}

  // The job, which need not be a member, in this order.
  [[nodiscard]] Place place(JobId job, const Job& asked) const;

  // The order of the users who have members does not change until the next refresh; nor
  // do their keys, unless more than fifty users come between the same two of them.
  void enter(JobId job, const Job& asked, Duration planned, Time now);
  // REQUIRES: a member.
  void leave(JobId job, const Job& asked);
  // Orders the users by their standing now.
  void refresh(Time now);

  // As those of JobQueue.
  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::optional<Place> next(const Place* after) const;
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const;
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const;
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const;
  [[nodiscard]] bool has_up_to(std::int64_t size) const;
  template <class Look>
  void for_each(const Look& look) const {
    for (const auto& each : all()) look(each);
  }

 private:
  using Number = std::uint32_t;  // Shares::Number
  struct User {
    JobQueue members;
    double label = 0;  // of its class, when it had members last
  };
  struct Ranked {
    double standing;
    double label;
    Number user;
  };

  [[nodiscard]] User& user(Number number);
  void rank(Number number, Time now);
  void relabel();
  [[nodiscard]] bool is_in_order() const;
  [[nodiscard]] std::vector<JobQueue::Member> all() const;
  struct Found {
    Place place;
    Number user;
  };
  template <class Next>
  [[nodiscard]] std::optional<Found> search(const Place* after, const Next& next) const;

  const Shares& shares_;
  std::vector<User> users_;     // by number
  std::vector<Ranked> ranked_;  // users with members, by (standing, number)
  std::size_t length_ = 0;
};

// The queue in one order, whichever structure it has.
class QueueView {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a queue is a view of itself
  QueueView(const JobQueue& queue) : queue_(&queue) {}
  // NOLINTNEXTLINE(google-explicit-constructor): likewise
  QueueView(const FairOrder& fair) : fair_(&fair) {}

  [[nodiscard]] std::size_t length() const {
    return fair_ == nullptr ? queue_->length() : fair_->length();
  }
  [[nodiscard]] std::optional<Place> head() const {
    return fair_ == nullptr ? queue_->head() : fair_->next(nullptr);
  }
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const {
    return fair_ == nullptr ? queue_->next(after, under) : fair_->next(after, under);
  }
  [[nodiscard]] std::optional<Place> next(const Place* after) const {
    return fair_ == nullptr ? queue_->next(after) : fair_->next(after);
  }
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const {
    return fair_ == nullptr ? queue_->next_if(after, size)
                            : fair_->next_if(after, size);
  }
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const {
    return fair_ == nullptr ? queue_->nth_behind(after, n)
                            : fair_->nth_behind(after, n);
  }
  [[nodiscard]] bool has_up_to(std::int64_t size) const {
    return fair_ == nullptr ? queue_->has_up_to(size) : fair_->has_up_to(size);
  }
  template <class Look>
  void for_each(const Look& look) const {
    if (fair_ == nullptr) return queue_->for_each(look);
    fair_->for_each(look);
  }

 private:
  const JobQueue* queue_ = nullptr;
  const FairOrder* fair_ = nullptr;
};

}  // namespace berth::sim
