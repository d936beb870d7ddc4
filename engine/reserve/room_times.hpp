#pragma once
// When each host first has something free: bounds by which a search for room passes
// over hosts.
//
// Structure    For each power of two up to what the largest host has, a tree over the
//              hosts with the least of their times.
//
//   operation    time, h = hosts
//   set          O(log h) for each power of two whose time changes
//   next         O(log h)

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"

// Bounded in this file: the levels of a tree, at most 64, and at most 64 trees.

namespace berth {

// Times by number, and the least of them below each node of a tree.  Node 1 is the
// root, 2 n and 2 n + 1 lie below n.
class TimeTree {
 public:
  explicit TimeTree(std::size_t size)
      : leaves_(std::bit_ceil(size)), times_(2 * leaves_, kNever) {}

  [[nodiscard]] Time time(std::size_t node) const { return times_[node]; }
  [[nodiscard]] bool is_leaf(std::size_t node) const { return node >= leaves_; }
  [[nodiscard]] std::size_t number(std::size_t leaf) const { return leaf - leaves_; }
  void set(std::size_t number, Time time) {
    auto node = leaves_ + number;
    times_[node] = time;
    while (node > 1) {
      const auto least = std::min(times_[node], times_[node ^ 1]);
      node /= 2;
      if (times_[node] == least) return;
      times_[node] = least;
    }
  }
  // The first number >= `from` whose time is not behind `by`; at least the number of
  // leaves: there is none.
  [[nodiscard]] std::size_t next(std::size_t from, Time by) const {
    if (from >= leaves_) return leaves_;
    auto node = leaves_ + from;
    for (;;) {
      while (times_[node] > by) {  // it and all before it are ruled out
        while (node % 2 == 1) node /= 2;
        if (node == 0) return leaves_;
        ++node;
      }
      if (is_leaf(node)) return number(node);
      node *= 2;
    }
  }

 private:
  std::size_t leaves_;
  std::vector<Time> times_;
};

// A time is that from which as much as the power of two is free at an instant, or an
// earlier one.
class RoomTimes {
 public:
  RoomTimes() = default;
  RoomTimes(std::size_t hosts, std::int64_t largest)
      : trees_(std::size_t(std::bit_width(std::uint64_t(largest))), TimeTree(hosts)) {}

  // Calls first(amount) for the powers of two, which says when so much is free.
  template <class First>
  void set(std::size_t host, const First& first) {
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      trees_[i].set(host, first(std::int64_t{1} << i));
    }
  }
  // The times for the largest power of two that is at most this amount, which bound
  // those of the amount.  REQUIRES: 1 <= amount <= largest.
  [[nodiscard]] const TimeTree& of(std::int64_t amount) const {
    return trees_[std::size_t(std::bit_width(std::uint64_t(amount))) - 1];
  }

 private:
  std::vector<TimeTree> trees_;
};

}  // namespace berth
