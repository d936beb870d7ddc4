#pragma once
// Waiting and suspended jobs in one order, searchable by size and planned time.
//
// Order        by (key, JobId); in the arrival order every key is 0.
// Structure    Blocks of at most 32 members, in order.  A full block splits; behind all
//              members a new one begins.  Once blocks have less than 12 members on
//              average, they are filled anew.  From six blocks on, rows of numbers tell
//              which ones to search, with one number for each block: a row the smallest
//              size, and a row for each class of sizes the shortest planned time of the
//              members in this class or a smaller one.  Classes end just below powers
//              of two, the sizes most often asked for; the last one has all larger
//              sizes.  A block may be searched in vain (sizes of a class differ, times
//              in rows are rounded down to 32 bits), but none is passed over.
//
//   operation        time, n = members, c = classes of sizes
//   insert           O(log n + c); inside, one in 16 or so takes O(c n/32)
//   erase            O(log n + c), O(c) at the place returned last; now and then O(n)
//   rekey            O(n) while most stand near their place, else O(n log n)
//   next (under)     O(n/32) and the blocks searched; O(n/2048) from 65 blocks on
//   next, head       O(log n), O(1) from the place returned or erased last
//   nth_behind       as next, and O(n/32)
//   has_up_to        O(1), but once after the smallest member left as next (under)

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/staircase.hpp"
#include "engine/base/time.hpp"
#include "engine/queue/headed_row.hpp"

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
    const Place* before = nullptr;
    for (const auto& block : blocks_) {
      // The place of one that has no members would have to fit the new keys.
      is_in_order = is_in_order && block->length > 0;
      for (std::size_t at = 0; at < block->length; ++at) {
        auto& place = block->places[at];
        place.key = key_of(place.job);
        is_in_order = is_in_order && (before == nullptr || *before < place);
        before = &place;
      }
    }
    known_ = {};
    if (!is_in_order) reorder();
  }

  [[nodiscard]] std::size_t length() const { return members_; }
  [[nodiscard]] bool empty() const { return members_ == 0; }
  // REQUIRES: not empty.
  [[nodiscard]] Member first() const { return blocks_[first_]->member(0); }
  // First member; nullopt if empty.
  [[nodiscard]] std::optional<Place> head() const { return returned(behind(nullptr)); }
  // First member behind `after` (null: from the beginning) that lies under the
  // staircase; nullopt: none.
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const {
    return returned(found_under(under, behind(after)));
  }
  // First member behind `after`.
  [[nodiscard]] std::optional<Place> next(const Place* after) const {
    return returned(behind(after));
  }
  // Calls look(Member) for every member, in order.
  template <class Look>
  void for_each(const Look& look) const {
    for (const auto& block : blocks_) {
      for (std::size_t at = 0; at < block->length; ++at) look(block->member(at));
    }
  }
  // First member behind `after` if it has at most this size.
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const {
    const auto spot = behind(after);
    if (!is_member(spot) || block(spot).sizes[spot.at] > size) return std::nullopt;
    return returned(spot);
  }
  // Place of the n-th member behind `after`, n >= 1; nullopt if there are fewer.
  [[nodiscard]] std::optional<Place> nth_behind(Place after, std::int64_t n) const;
  // Whether a member has at most this size.
  [[nodiscard]] bool has_up_to(std::int64_t size) const {
    if (size < smallest_) return false;
    if (have_smallest_ == 0) find_smallest();
    return smallest_ <= size && !empty();
  }

 private:
  // One that has lost all members keeps the place of the last, which fits the order.
  struct Block {
    static constexpr std::size_t kMost = 32;
    std::size_t length = 0;
    std::array<std::int32_t, kMost> sizes;
    std::array<Duration, kMost> planned;
    std::array<Place, kMost> places;

    [[nodiscard]] const Place& last() const {
      return places[length > 0 ? length - 1 : 0];
    }
    [[nodiscard]] Member member(std::size_t at) const {
      return {places[at], sizes[at], planned[at]};
    }
    [[nodiscard]] std::int32_t smallest() const;
    void put(std::size_t at, const Member& member);
    void move(std::size_t from, std::size_t to);
    [[nodiscard]] std::size_t under(const Staircase& stairs, std::size_t from) const;
  };
  // Where a member stands; no member: the number of blocks and 0.
  struct Spot {
    std::size_t block = 0;
    std::size_t at = 0;
  };
  // A place and the spot behind it, which may be the end of a block.  No place is equal
  // to the default.
  struct Known {
    Place place{std::numeric_limits<double>::quiet_NaN(), {}};
    Spot behind;
  };

  [[nodiscard]] Block& block(Spot spot) const { return *blocks_[spot.block]; }
  [[nodiscard]] bool is_member(Spot spot) const { return spot.block < blocks_.size(); }
  [[nodiscard]] bool holds(Spot spot, const Place& place) const {
    return spot.at < block(spot).length && block(spot).places[spot.at] == place;
  }
  // The same spot; at the end of a block, that of the next member.
  [[nodiscard]] Spot settled(Spot spot) const {
    while (is_member(spot) && spot.at >= block(spot).length) spot = {spot.block + 1};
    return spot;
  }
  // The first spot behind the place; null: the first member's.
  [[nodiscard]] Spot behind(const Place* after) const {
    if (after == nullptr) return {first_};
    return settled(known_.place == *after ? known_.behind : found_behind(*after));
  }
  [[nodiscard]] Spot found_behind(const Place& after) const;
  [[nodiscard]] Spot found(const Place& place) const;
  // Inline, as all that return a place: an optional that crosses a call is copied in
  // parts, which stalls.
  [[nodiscard]] std::optional<Place> returned(Spot spot) const {
    if (!is_member(spot)) return std::nullopt;
    const auto& place = block(spot).places[spot.at];
    known_ = {place, {spot.block, spot.at + 1}};
    return place;
  }
  // The first spot from here on whose member lies under the staircase.
  [[nodiscard, gnu::noinline]] Spot found_under(const Staircase& under,
                                                Spot from) const;
  [[nodiscard]] std::size_t next_block(std::size_t from, const Staircase& under) const;
  void find_smallest() const;
  [[nodiscard]] Spot with_room(Spot spot);
  void add_block(std::size_t at);
  [[nodiscard]] std::vector<Member> all() const;
  void refill(const std::vector<Member>& members);
  void begin_anew();
  void reorder();
  [[nodiscard]] bool shift_all();
  std::size_t shift(Spot from, std::size_t most);

  [[nodiscard]] bool has_rows() const { return blocks_.size() > kScanned; }
  [[nodiscard]] std::size_t row_of(std::int64_t size) const;
  void make_rows();
  void read(std::size_t block);
  void read_newcomer(std::size_t block, const Member& member);
  void read_without(std::size_t block, std::int32_t size, Duration planned);

  static constexpr std::size_t kScanned = 5;  // so many blocks have no rows
  static constexpr std::size_t kSparse = 12;  // members to a block, at the least

  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<HeadedRow> rows_;  // of sizes, then of times by class
  std::size_t members_ = 0;
  std::size_t first_ = 0;              // block of the first member
  mutable std::int32_t smallest_ = 0;  // no member has a smaller size
  // At least so many members have that size; 0: not known whether one has.
  mutable std::size_t have_smallest_ = 0;
  mutable Known known_;  // returned or erased last
};

}  // namespace berth
