#pragma once
// Values by number, and the next one that is large enough.
//
//   operation   time, n = number of values
//   at          O(1)
//   set         O(log n), less where the maxima above stay
//   next        O(log n)

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth {

class MaxTree {
 public:
  // All are 0.
  explicit MaxTree(std::size_t size)
      : size_(size), leaves_(std::bit_ceil(size)), values_(2 * leaves_, 0) {
    for (auto node = leaves_ + size; node < values_.size(); ++node) values_[node] = -1;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int32_t at(std::size_t i) const { return values_[leaves_ + i]; }

  // REQUIRES: value >= 0.
  void set(std::size_t i, std::int32_t value) {
    auto node = leaves_ + i;
    values_[node] = value;
    while (node > 1) {
      const auto above = node / 2;
      const auto most = values_[node] > values_[node ^ 1] ? node : node ^ 1;
      if (values_[above] == values_[most]) return;
      values_[above] = values_[most];
      node = above;
    }
  }

  // The first i >= from whose value is at least `least`; size(): none.
  // REQUIRES: least >= 0.
  [[nodiscard]] std::size_t next(std::size_t from, std::int32_t least) const {
    if (from >= size_) return size_;
    auto node = from == 0 ? 1 : leaves_ + from;
    while (values_[node] < least) {
      while (node % 2 == 1) node /= 2;  // the last of its siblings
      if (node == 0) return size_;
      ++node;
    }
    while (node < leaves_) node = 2 * node + (values_[2 * node] < least ? 1 : 0);
    return node - leaves_;
  }

  friend bool operator==(const MaxTree&, const MaxTree&) = default;

 private:
  std::size_t size_;
  std::size_t leaves_;
  std::vector<std::int32_t> values_;  // node 1 is the root; 2n, 2n + 1 are below n
};

}  // namespace berth
