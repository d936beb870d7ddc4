#pragma once
// Whose turn it is: the first job in the queue of each user, the user first who holds
// the smallest dominant share for its weight; ties by (submit, id) of these jobs.
//
//   operation      time, q = members of a user, u = users with members
//   enter, leave   O(log q + log u)
//   heads          O(log u) for each user whose jobs hold more or less since

#include <cstdint>
#include <vector>

#include "engine/queue/job_queue.hpp"

namespace berth {

struct Job;
class Shares;

class Turns {
 public:
  // From now on the shares tell which users hold more or less.
  explicit Turns(Shares& shares);

  void enter(const JobQueue::Member& newcomer, const Job& asked);
  // REQUIRES: a member.
  void leave(JobId job, const Job& asked);

  // Valid until the next change.
  [[nodiscard]] const JobQueue& heads();

 private:
  using Number = std::uint32_t;  // Shares::Number
  struct User {
    JobQueue members;  // by arrival
    double share = 0;  // with which its head stands among the others
  };

  [[nodiscard]] User& user(Number number);
  void show(Number number);
  void hide(const User& user);

  Shares& shares_;
  std::vector<User> users_;  // by number
  JobQueue heads_;
};

}  // namespace berth
