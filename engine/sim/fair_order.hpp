#pragma once
// The queue by the users' standing (docs/model.md#shares), then by (submit, id).
//
// Users whose standing is equal are one class.  A class has a label, and the key of a
// member is that of its user's class.  When standings have changed, as many users as
// possible keep their labels, so that only members of users that were overtaken move.
//
//   operation       time, q = members, u = users with members
//   enter, leave    O(log q)
//   refresh         O(u) while the order of the users stays; else O(u log u) and
//                   O(log q) a member that moves

#include <functional>
#include <set>
#include <vector>

#include "engine/queue/job_queue.hpp"
#include "engine/share/shares.hpp"

namespace berth::sim {

class FairOrder {
 public:
  using Moved = std::function<void(JobId job, double key)>;

  explicit FairOrder(const Shares& shares) : shares_(shares) {}

  [[nodiscard]] const JobQueue& members() const { return members_; }
  [[nodiscard]] Place place(JobId job, const Job& asked) const;

  // The job enters where its user stood last, until the next refresh.
  void enter(JobId job, const Job& asked, Duration planned);
  // REQUIRES: a member.
  void leave(JobId job, const Job& asked);
  // Orders the users by their standing now.  Calls `moved` for each member that has
  // another key then.
  void refresh(Time now, const Moved& moved);

 private:
  using Number = Shares::Number;
  struct Member {
    JobId job;
    std::int32_t size;
    Duration planned;
    friend bool operator<(const Member& a, const Member& b) { return a.job < b.job; }
  };
  struct User {
    double label = 0;
    std::set<Member> members;
  };
  struct Ranked {
    double standing;
    Number user;
  };
  // Users of equal standing, ranked_[first] to ranked_[end - 1].
  struct Class {
    std::size_t first;
    std::size_t end;
    double label;  // of the user with most members
    bool keeps = false;
  };

  [[nodiscard]] User& user(Number number);
  [[nodiscard]] bool is_in_order() const;
  [[nodiscard]] std::vector<Class> classes() const;
  static void choose_keepers(std::vector<Class>& classes);
  static void give_labels(std::vector<Class>& classes);
  void relabel(Number number, double label, const Moved& moved);

  const Shares& shares_;
  JobQueue members_;
  std::vector<User> users_;     // by number
  std::vector<Ranked> ranked_;  // users with members, as ordered last
};

}  // namespace berth::sim
