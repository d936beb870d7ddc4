#pragma once
// A row of numbers, searched for the first that is at most a limit.
//
// Structure    From 65 numbers on the row has heads: the least of every 64.
//
//   operation        time, n = numbers
//   set              O(1), O(64) where a head goes up
//   reset            O(n)
//   insert           O(1) at the end, elsewhere O(n)
//   first            O(n), with heads O(64 + n/64)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace berth {

class HeadedRow {
 public:
  // Stands where there is no number.
  static constexpr auto kNone = std::numeric_limits<std::int32_t>::max();

  [[nodiscard]] std::size_t length() const { return numbers_.size(); }
  [[nodiscard]] std::int32_t operator[](std::size_t at) const { return numbers_[at]; }
  [[nodiscard]] std::int32_t least() const {
    const auto& all = heads_.empty() ? numbers_ : heads_;
    return least(all, 0, all.size());
  }
  // The first in from..end that is at most `limit`; `end`: none.
  [[nodiscard]] std::size_t first(std::int32_t limit, std::size_t from,
                                  std::size_t end) const {
    while (from < end) {
      const auto group = from / kGroup + 1;
      const auto stop = heads_.empty() ? end : std::min(end, group * kGroup);
      const auto found = first(numbers_, limit, from, stop);
      if (found < stop || stop == end) return found;
      from = first(heads_, limit, group, heads_.size()) * kGroup;
    }
    return end;
  }

  void set(std::size_t at, std::int32_t value) {
    const auto before = std::exchange(numbers_[at], value);
    if (heads_.empty() || value == before) return;
    auto& head = heads_[at / kGroup];
    if (value < head) {
      head = value;
    } else if (before == head) {
      head = least_of_group(at / kGroup);
    }
  }
  // So many of kNone.
  void reset(std::size_t length) {
    numbers_.assign(length, kNone);
    renew_heads(0);
  }
  // kNone comes before this one.
  void insert(std::size_t at) {
    numbers_.insert(numbers_.begin() + static_cast<std::ptrdiff_t>(at), kNone);
    renew_heads(at / kGroup);
  }

 private:
  using Numbers = std::vector<std::int32_t>;
  static constexpr std::size_t kGroup = 64;

  static std::int32_t least(const Numbers& numbers, std::size_t from, std::size_t end) {
    auto so_far = kNone;
    for (auto at = from; at < end; ++at) so_far = std::min(so_far, numbers[at]);
    return so_far;
  }
  static std::size_t first(const Numbers& numbers, std::int32_t limit, std::size_t from,
                           std::size_t end) {
    const auto* begin = numbers.data();
    const auto* at = std::find_if(begin + from, begin + end,
                                  [limit](auto number) { return number <= limit; });
    return static_cast<std::size_t>(at - begin);
  }
  [[nodiscard]] std::int32_t least_of_group(std::size_t group) const {
    return least(numbers_, group * kGroup, std::min(length(), (group + 1) * kGroup));
  }
  void renew_heads(std::size_t first_group) {
    if (length() <= kGroup) return heads_.clear();
    if (heads_.empty()) first_group = 0;
    heads_.resize((length() + kGroup - 1) / kGroup);
    for (auto group = first_group; group < heads_.size(); ++group) {
      heads_[group] = least_of_group(group);
    }
  }

  Numbers numbers_;
  Numbers heads_;  // empty while there is one group
};

}  // namespace berth
