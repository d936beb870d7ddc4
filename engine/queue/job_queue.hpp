#pragma once
// Waiting and suspended jobs in one order, searchable by size and planned time.
//
// Order        by (key, JobId); in the arrival order every key is 0.
// Structure    a row of slots in order.  Removal leaves a hole; an insertion in the
//              middle reuses the nearest hole.  Over the row lies a ClassIndex, flat up
//              to 256 members; up to 64 slots are scanned without an index.
//
//   operation        time, n = members
//   insert           O(log n) at the end; elsewhere a few slots move, at times all
//   erase            O(log n), compaction amortised O(1)
//   rekey            O(n) while the order stays, else O(n log n)
//   next (under)     n <= 256: O(n/16 + slots of reported blocks); else about O(log n)
//   next, head       O(log n), O(1) from the place returned last
//   has_up_to        O(1), but where only members close to that size decide: O(n), from
//                    64 slots on O(n/16), from 256 members on O(1)

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

// A position in an order; valid also when no member has it (any more).
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

  // Gives every member the key that key_of(JobId) returns, which is finite.
  template <class KeyOf>
  void rekey(const KeyOf& key_of) {
    bool is_in_order = true;
    auto before = first_;
    for (auto slot = first_; slot < places_.size(); ++slot) {
      if (!is_live(slot)) continue;
      places_[slot].key = key_of(places_[slot].job);
      is_in_order = is_in_order && !(places_[slot] < places_[before]);
      before = slot;
    }
    if (!is_in_order) sort_members();
    place_holes();
  }

  [[nodiscard]] std::size_t length() const { return members_; }
  [[nodiscard]] bool empty() const { return members_ == 0; }
  // REQUIRES: not empty.
  [[nodiscard]] Member first() const {
    return {places_[first_], sizes_[first_], planned_[first_]};
  }
  // First member; nullopt if empty.
  [[nodiscard]] std::optional<Place> head() const { return returned(first_); }
  // First member behind `after` (null: from the beginning) that lies under the
  // staircase; nullopt: none.
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const {
    return returned(found_under(under, behind(after)));
  }
  // First member behind `after`.
  [[nodiscard]] std::optional<Place> next(const Place* after) const {
    return returned(live_from(behind(after)));
  }
  // Calls look(Member) for every member, in order.  O(slots).
  template <class Look>
  void for_each(const Look& look) const {
    for (std::size_t slot = first_; slot < places_.size(); ++slot) {
      if (is_live(slot)) look(Member{places_[slot], sizes_[slot], planned_[slot]});
    }
  }
  // First member behind `after` if it has at most this size.
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const {
    const auto slot = live_from(behind(after));
    const bool fits = slot < places_.size() && sizes_[slot] <= size;
    return returned(fits ? slot : places_.size());
  }
  // Place of the n-th member behind `after`, n >= 1; nullopt if there are fewer.
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const;
  // Whether a member has at most this size.
  [[nodiscard]] bool has_up_to(std::int64_t size) const;

 private:
  [[nodiscard]] bool is_live(std::size_t slot) const {
    return sizes_[slot] != ClassIndex::kHole;
  }
  [[nodiscard]] SlotColumns columns() const { return {sizes_, planned_}; }
  // The first slot behind the place; null: the first member's.
  [[nodiscard]] std::size_t behind(const Place* after) const {
    if (after == nullptr) return first_;
    auto slot = last_returned_;
    if (slot >= places_.size() || places_[slot] != *after) return found_behind(*after);
    do ++slot;
    while (slot < places_.size() && places_[slot] == *after);
    return slot;
  }
  [[nodiscard]] std::size_t found_behind(const Place& after) const;
  [[nodiscard]] std::size_t slot_of(const Place& place) const;
  [[nodiscard, gnu::noinline]] std::size_t found_slot_of(const Place& place) const;
  [[nodiscard]] bool has(const Place& place, std::size_t behind) const;
  [[nodiscard]] std::size_t live_from(std::size_t slot) const {
    while (slot < sizes_.size() && !is_live(slot)) ++slot;
    return slot;
  }
  // Inline, as all that return a place: an optional that crosses a call is copied in
  // parts, which stalls.
  [[nodiscard]] std::optional<Place> returned(std::size_t slot) const {
    if (slot == places_.size()) return std::nullopt;
    last_returned_ = slot;
    return places_[slot];
  }
  // The first slot from here on whose member lies under the staircase; none: the number
  // of slots.
  [[nodiscard]] std::size_t found_under(const Staircase& under, std::size_t slot) const;
  void count(std::int32_t size);
  void discount(std::int32_t size);
  void put(std::size_t slot, const Member& member);
  void append(const Member& member);
  void insert_inside(const Member& member);
  bool insert_before(std::size_t slot, const Member& member);
  void put_in_hole(const Member& member);
  void copy_slot(std::size_t from, std::size_t to);
  void update_blocks(std::size_t first_slot, std::size_t last_slot);
  [[nodiscard]] std::size_t scan_to(std::size_t end, std::size_t from,
                                    const Staircase& under) const;
  [[nodiscard]] std::size_t scan_to(std::size_t end, std::size_t from,
                                    const Staircase::Step& low,
                                    std::int64_t beyond) const;
  void sort_members();
  void place_holes();
  void rebuild();
  void rebuild_index();
  void close_up();
  void spread();
  void resize(std::size_t slots);

  // Columns, one entry a slot.  A hole keeps a place that fits the order.
  std::vector<Place> places_;
  std::vector<std::int32_t> sizes_;
  std::vector<Duration> planned_;
  ClassIndex index_;
  bool is_indexed_ = false;
  std::size_t members_ = 0;
  std::size_t first_ = 0;     // no member lies before this slot
  std::int32_t largest_ = 0;  // size of any member so far
  bool needs_holes_ = false;  // there were insertions in the middle
  // Members by the power of two that their size reaches; a bit for each that has any.
  std::array<std::uint32_t, 32> in_class_{};
  std::uint32_t classes_ = 0;
  mutable std::int64_t none_up_to_ = 0;    // no member has at most this size
  mutable std::size_t last_returned_ = 0;  // slot where the next search likely begins
};

}  // namespace berth
