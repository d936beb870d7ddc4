#pragma once
// Whether a request has any place on a network, below whichever switch: what is refused
// here no embedding can place.
//
// Method       VmRanges of each switch, once.
// Cost         O(nodes) where the children of a node are alike, O(nodes r) at most for
//              r ranges of a node; the number of VMs does not count.

#include "engine/base/budget.hpp"
#include "engine/machines/network/tree/network.hpp"

namespace berth {

// Links count the VMs below them together (Hose::kSubtree).
[[nodiscard]] bool has_place(const Network& network, const ClusterRequest& request,
                             Budget& budget);

}  // namespace berth
