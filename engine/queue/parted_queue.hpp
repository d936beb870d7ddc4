#pragma once
// A queue of which parts can be hidden at once: the members of a part that are larger
// than its room are not shown.
//
// Structure    Members of parts that hide none stand together, in one JobQueue.  The
//              first time that a part has a member larger than its room, its members
//              move into a JobQueue of their own, and stay there until it is empty.  So
//              a change of room costs nothing but the first of those moves, and a
//              search looks into each part that stands apart and has room.
//              Other members can be hidden one by one.
// Order        by tier, the highest first, then as in JobQueue.
//
//   operation          time, p = parts that stand apart, and what JobQueue takes
//   set_room           O(1)
//   insert, erase      O(log p)
//   next, least        O(p)
//   length, all        O(members), where a part shows some of its members

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/queue/queue_view.hpp"

namespace berth {

// What of each part is shown; the same in all orders of a queue.
class QueueParts {
 public:
  using Part = std::uint32_t;
  static constexpr std::int64_t kAnySize = std::numeric_limits<std::int64_t>::max();

  explicit QueueParts(std::size_t jobs) : part_of_(jobs) {}

  // REQUIRES: put().
  [[nodiscard]] Part part_of(JobId job) const { return part_of_[index(job)]; }
  void put(JobId job, Part part) {
    if (part >= all_.size()) all_.resize(part + 1);
    part_of_[index(job)] = part;
  }
  // The largest size that is shown; 0: no member is.
  [[nodiscard]] std::int64_t room(Part part) const { return all_[part].room; }
  void set_room(Part part, std::int64_t room) { all_[part].room = room; }
  [[nodiscard]] std::int32_t tier(Part part) const { return all_[part].tier; }
  // REQUIRES: it has no member.
  void set_tier(Part part, std::int32_t tier) { all_[part].tier = tier; }
  [[nodiscard]] std::int32_t tier_of(JobId job) const { return tier(part_of(job)); }

  // Members for which this holds are hidden, too; empty: there are none.
  using Hides = std::function<bool(JobId)>;
  void hide_if(Hides hides) { hides_ = std::move(hides); }
  [[nodiscard]] bool may_hide() const { return static_cast<bool>(hides_); }
  [[nodiscard]] bool hides(JobId job) const { return hides_ && hides_(job); }

 private:
  struct State {
    std::int64_t room = kAnySize;
    std::int32_t tier = 0;
  };
  std::vector<State> all_ = std::vector<State>(1);
  std::vector<Part> part_of_;
  Hides hides_;
};

// One order of the queue.
class PartedQueue {
 public:
  using Part = QueueParts::Part;
  // `together`: has the members of the parts that do not stand apart, which are of tier
  // 0.  `hides_the_rest`: behind a member that hides() names there are no others.
  // Queue and parts outlive it.
  PartedQueue(const JobQueue& together, const QueueParts& parts, bool hides_the_rest)
      : shown_(together, parts, apart_,
               hides_the_rest ? View::Shows::kUpToHidden : View::Shows::kNotHidden),
        all_(together, parts, apart_, View::Shows::kAll) {}
  PartedQueue(const PartedQueue&) = delete;
  PartedQueue& operator=(const PartedQueue&) = delete;
  ~PartedQueue() = default;

  // They do what those of JobQueue do, to a part that stands apart.
  void insert(Part part, const JobQueue::Member& member) {
    apart_[part].insert(member);
  }
  void erase(Part part, Place place);
  [[nodiscard]] bool has(Part part) const { return apart_.contains(part); }
  template <class KeyOf>
  void rekey(const KeyOf& key_of) {
    for (auto& [part, members] : apart_) members.rekey(key_of);
  }
  void clear() { apart_.clear(); }

  // The members that are shown now, and every member.
  [[nodiscard]] const MergedOrder& shown() const { return shown_; }
  [[nodiscard]] const MergedOrder& all() const { return all_; }

 private:
  using Apart = std::map<Part, JobQueue>;

  class View final : public MergedOrder {
   public:
    enum class Shows : std::uint8_t { kAll, kNotHidden, kUpToHidden };
    View(const JobQueue& together, const QueueParts& parts, const Apart& apart,
         Shows shows)
        : together_(together), parts_(parts), apart_(apart), shows_(shows) {}

    [[nodiscard]] std::size_t length() const override;
    [[nodiscard]] std::optional<Place> next(const Place* after) const override;
    [[nodiscard]] std::optional<Place> next(const Place* after,
                                            const Staircase& under) const override;
    [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                               std::int64_t size) const override;
    [[nodiscard]] bool has_up_to(std::int64_t size) const override;
    [[nodiscard]] std::optional<Place> least() const override;
    [[nodiscard]] std::vector<JobQueue::Member> all() const override;
    [[nodiscard]] bool is_before(const Place& a, const Place& b) const override;

   private:
    [[nodiscard]] std::int64_t room(Part part) const {
      return shows_ == Shows::kAll ? QueueParts::kAnySize : parts_.room(part);
    }
    [[nodiscard]] bool hides_some() const {
      return shows_ != Shows::kAll && parts_.may_hide();
    }
    template <class Next>
    [[nodiscard]] std::optional<Place> first(const Place* after,
                                             const Next& next) const;
    template <class Next>
    [[nodiscard]] std::optional<Place> first_shown(const Place* after,
                                                   const Next& next) const;
    template <class Look>
    void for_each(const Look& look) const;

    const JobQueue& together_;
    const QueueParts& parts_;
    const Apart& apart_;
    Shows shows_;
  };

  Apart apart_;  // none is empty
  View shown_;
  View all_;
};

}  // namespace berth
