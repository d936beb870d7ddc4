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

 private:
  __extension__ using Wide = __int128;
  static Wide product(std::int64_t a, std::int64_t b) { return Wide{a} * b; }
};

}  // namespace berth
