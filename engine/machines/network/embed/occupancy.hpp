#pragma once
// The part of a link that is reserved, compared exactly.

#include <cstdint>

namespace berth {

struct Occupancy {
  std::int64_t used = 0;
  std::int64_t capacity = 1;

  friend bool operator<(const Occupancy& a, const Occupancy& b) {
    return product(a.used, b.capacity) < product(b.used, a.capacity);
  }
  friend bool operator==(const Occupancy& a, const Occupancy& b) {
    return product(a.used, b.capacity) == product(b.used, a.capacity);
  }

  // The most that may be used of `of` so that no larger part of it is, or a smaller
  // one; -1: even if nothing is used, its part is not smaller.
  [[nodiscard]] std::int64_t most_used(std::int64_t of, bool may_be_equal) const {
    const auto most = product(used, of) - (may_be_equal ? 0 : 1);
    return most < 0 ? -1 : static_cast<std::int64_t>(most / capacity);
  }

 private:
  __extension__ using Wide = __int128;
  static Wide product(std::int64_t a, std::int64_t b) { return Wide{a} * b; }
};

}  // namespace berth
