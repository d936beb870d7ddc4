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

// In the order of the numbers, not of the codes.
struct LabelLess {
  bool operator()(std::int32_t a, std::int32_t b) const {
    if (a < kFirstLabelCode && b < kFirstLabelCode) return a < b;
    return label_number(a) < label_number(b);
  }
};

}  // namespace berth
