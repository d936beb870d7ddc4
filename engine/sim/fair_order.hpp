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

#include "engine/queue/queue_view.hpp"

namespace berth {
struct Job;
class Shares;
}  // namespace berth

namespace berth::sim {

class FairOrder final : public MergedOrder {
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

  [[nodiscard]] std::size_t length() const override { return length_; }
  [[nodiscard]] std::optional<Place> next(const Place* after) const override;
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const override;
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const override;
  [[nodiscard]] bool has_up_to(std::int64_t size) const override;
  [[nodiscard]] std::vector<JobQueue::Member> all() const override;

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

}  // namespace berth::sim
