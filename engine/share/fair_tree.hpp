#pragma once
// Ranks users by two levels, group over user (docs/model.md#fair-tree).
//
// The level of a group or user is its part of the weights of its siblings, by its part
// of their usage; without usage it is infinite.  Groups come by level, highest first,
// and all users of a group before those of a lower one.  Groups of equal level are
// merged: their users are ranked as one list.
//
// Cost         O(n log n), n = users.
// Source       Fair Tree, Slurm's default since version 19.05.

#include <cstdint>
#include <map>
#include <vector>

namespace berth {

struct TreeUser {
  std::int32_t group = -1;
  double weight = 1;  // > 0
  double usage = 0;   // 0, or at least kLeastUsage
};

// By user: how many users come before it; equals share the number.  `group_weights`: a
// group that is not in there has 1.
[[nodiscard]] std::vector<std::int64_t> fair_tree(
    const std::vector<TreeUser>& users,
    const std::map<std::int32_t, double>& group_weights);

}  // namespace berth
