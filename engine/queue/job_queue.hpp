#pragma once
// Waiting and suspended jobs in one order, with an index over sizes and planned times.
//
// Order        by (key, JobId); the arrival order has key 0 for everyone.
// Structure    one row of slots in order, with vacant slots between members: whoever
//              leaves leaves one, whoever comes into the middle takes the next.  Above
//              the row lies a ClassIndex, flat while the queue is not long; a short
//              queue is searched slot by slot.
//
//   operation        time, n = members
//   insert           O(log n) at the end; elsewhere a few slots are moved, and now and
//                    then all of them
//   erase            O(log n), compaction amortised O(1)
//   next under       n <= 256: O(n/16 + slots of blocks that cannot be passed over);
//   stairs           beyond: about O(log n)
//   next, head       O(log n), O(1) behind the place shown last
//   has_up_to        O(1); where only members close to that size come in question O(n),
//                    beyond 64 slots O(n/16), beyond 256 members O(1)

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/staircase.hpp"
#include "engine/base/time.hpp"
#include "engine/queue/class_index.hpp"

namespace berth {

// A position in an order: that of a member, or one that a member once had.
struct Place {
  double key;
  JobId job;
  friend bool operator==(const Place& a, const Place& b) {
    return a.job == b.job && a.key == b.key;
  }
  friend bool operator<(const Place& a, const Place& b) {
    return a.key < b.key || (a.key == b.key && a.job < b.job);
  }
  // A key is never NaN, so the order is total.
  friend std::weak_ordering operator<=>(const Place& a, const Place& b) {
    if (a.key < b.key) return std::weak_ordering::less;
    if (b.key < a.key) return std::weak_ordering::greater;
    return a.job <=> b.job;
  }
};

class JobQueue {
 public:
  struct Member {
    Place place;
    std::int32_t size;
    Duration planned;
  };

  // REQUIRES: the job is not a member; the key is finite.
  void insert(const Member& member);
  // REQUIRES: there is a member at this place.
  void erase(Place place);

  [[nodiscard]] std::size_t length() const { return members_; }
  [[nodiscard]] bool empty() const { return members_ == 0; }
  // First member; nullopt if empty.
  [[nodiscard]] std::optional<Place> head() const;
  // First member behind `after` (from the beginning if null) that lies under the
  // stairs.
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const;
  // First member behind `after`, whatever its size.
  [[nodiscard]] std::optional<Place> next(const Place* after) const;
  // Shows every member, in order.  O(slots).
  template <class Look>
  void for_each(const Look& look) const {
    for (std::size_t slot = first_; slot < places_.size(); ++slot) {
      if (is_live(slot)) look(Member{places_[slot], sizes_[slot], planned_[slot]});
    }
  }
  // First member behind `after` if it has at most this size.
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const;
  // Place of the n-th member behind `after`, n >= 1; nullopt if there are fewer.
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const;
  // Whether a member has at most this size.
  [[nodiscard]] bool has_up_to(std::int64_t size) const;

 private:
  [[nodiscard]] bool is_live(std::size_t slot) const {
    return sizes_[slot] != ClassIndex::kVacant;
  }
  [[nodiscard]] SlotColumns columns() const { return {sizes_, planned_}; }
  // The first slot behind the place, from the first member on if null.
  [[nodiscard]] std::size_t behind(const Place* after) const {
    if (after == nullptr) return first_;
    auto slot = last_shown_;
    if (slot >= places_.size() || places_[slot] != *after) return found_behind(*after);
    do ++slot;
    while (slot < places_.size() && places_[slot] == *after);
    return slot;
  }
  [[nodiscard]] std::size_t found_behind(const Place& after) const;
  [[nodiscard]] std::size_t slot_of(const Place& place) const;
  [[nodiscard, gnu::noinline]] std::size_t found_slot_of(const Place& place) const;
  [[nodiscard]] bool has(const Place& place, std::size_t behind) const;
  [[nodiscard]] std::size_t live_from(std::size_t slot) const;
  [[nodiscard]] std::optional<Place> shown(std::size_t slot) const;
  void count(std::int32_t size);
  void discount(std::int32_t size);
  void put(std::size_t slot, const Member& member);
  void append(const Member& member);
  void insert_inside(const Member& member);
  bool insert_before(std::size_t slot, const Member& member);
  void put_between(const Member& member);
  void copy_slot(std::size_t from, std::size_t to);
  void renew_blocks(std::size_t first_slot, std::size_t last_slot);
  [[nodiscard]] std::optional<Place> scan_to(std::size_t end, std::size_t from,
                                             const Staircase& under) const;
  [[nodiscard]] std::optional<Place> scan_to(std::size_t end, std::size_t from,
                                             const Staircase::Step& low,
                                             std::int64_t beyond) const;
  void rebuild();
  void renew_index();
  void close_up();
  void spread();
  void resize(std::size_t slots);

  // Columns, one entry a slot.  A vacant slot keeps a place that fits the order.
  std::vector<Place> places_;
  std::vector<std::int32_t> sizes_;
  std::vector<Duration> planned_;
  ClassIndex index_;
  bool is_indexed_ = false;
  std::size_t members_ = 0;
  std::size_t first_ = 0;           // no member lies before
  std::int32_t largest_ = 0;        // that ever came
  bool is_entered_inside_ = false;  // somebody came into the middle
  // Members by the power of two that their size reaches; a bit for each with any.
  std::array<std::uint32_t, 32> in_class_{};
  std::uint32_t classes_ = 0;
  mutable std::int64_t none_up_to_ = 0;  // no member has at most this size
  mutable std::size_t last_shown_ = 0;   // where a search that goes on begins
};

}  // namespace berth
