#pragma once
// The placement that reserves least bandwidth on all links together, over all switches:
// no other embedding below one switch reserves less.
//
// Method       Min-plus sums upwards: T[m] is the least reservation on and below a link
//              with m VMs below it (Rost, Fuerst and Schmid 2015).
// Ties         The first switch, levels upwards, then by number; below it children by
//              number, each with the most VMs that keep the least reservation.
// Cost         O(N^2) a switch, or O(s N L) in all for s servers of L slots.

#include "engine/machines/network/embed/embedding.hpp"

namespace berth {

[[nodiscard]] std::unique_ptr<Embedding> make_least_reserved();

}  // namespace berth
