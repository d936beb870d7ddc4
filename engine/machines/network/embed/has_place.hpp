#pragma once
// Whether a request has any place on a network, below whichever switch: what is refused
// here no embedding can place.
//
// Method       The numbers of VMs that may be below a node are sums of those of its
//              children, each as far as its link lets pass.  A link keeps out the
//              middle of 0..N alone, so such a set is one range from 0 and some ranges
//              above N/2, of which a sum takes one at most.
// Cost         O(nodes) where the children of a node are alike, O(nodes r) at most for
//              r ranges of a node; the number of VMs does not count.

#include "engine/base/budget.hpp"
#include "engine/machines/network/tree/network.hpp"

namespace berth {

// Links count the VMs below them together (Hose::kSubtree).
[[nodiscard]] bool has_place(const Network& network, const ClusterRequest& request,
                             Budget& budget);

}  // namespace berth
