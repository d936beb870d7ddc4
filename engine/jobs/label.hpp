#pragma once
// Labels of the trace: numbers of users, groups, programs, queues and partitions.
//
// A label is any whole number from 0 to 2^53; logs may hold hashes.  A Job keeps each
// in 32 bits, as a code: a number below 2^30 is its own code, a larger one gets a code
// that is the same wherever the number is met while the process lives.  What leaves the
// program, and what is compared in an order that shows, is the number.
//
// Memory       about 60 bytes for each number above 2^30, once in a process
// Threads      any

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace berth {

inline constexpr std::int32_t kFirstLabelCode = std::int32_t{1} << 30;
inline constexpr std::int64_t kLargestLabel = std::int64_t{1} << 53;

// Implementation: the number of a code that is not its own number.
[[nodiscard]] std::int64_t kept_label(std::int32_t code);

// The code of a number; of one below 0: -1, which stands for unknown.
// Throws Error{kInput} for the 2^30-th large number.
// REQUIRES: number <= kLargestLabel.
[[nodiscard]] std::int32_t label_code(std::int64_t number);

// The number of a code; -1 for unknown.
[[nodiscard]] inline std::int64_t label_number(std::int32_t code) {
  return code < kFirstLabelCode ? code : kept_label(code);
}

// Gives labels, by their codes, places from 0 on, in the order in which they come.
//
// Memory       4 bytes for each code up to the largest below 2^16, some 40 for another
// Cost         O(1), without a hash for small codes and the unknown one
// Threads      const calls
class LabelPlaces {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // The label's place; a label without one gets the next.
  std::uint32_t add(std::int32_t code);
  // kNone: it has none.
  [[nodiscard]] std::uint32_t find(std::int32_t code) const {
    const auto at = static_cast<std::uint32_t>(code) + 1;  // 0: unknown
    if (at < small_.size()) return small_[at];
    return at < kSmall ? kNone : find_large(code);
  }
  [[nodiscard]] std::uint32_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kSmall = 1U << 16U;

  [[nodiscard]] std::uint32_t find_large(std::int32_t code) const;

  std::vector<std::uint32_t> small_;  // by code + 1
  std::unordered_map<std::int32_t, std::uint32_t> large_;
  std::uint32_t size_ = 0;
};

// In the order of the numbers, not of the codes.
struct LabelLess {
  bool operator()(std::int32_t a, std::int32_t b) const {
    if (a < kFirstLabelCode && b < kFirstLabelCode) return a < b;
    return label_number(a) < label_number(b);
  }
};

}  // namespace berth
