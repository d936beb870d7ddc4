#pragma once
// The placement whose most occupied link is least occupied, exactly: of the links on
// which the cluster reserves, the largest (C - c + new) / C is as small as possible.
//
// Method       For a bound on the occupancy, the numbers of VMs that are possible below
//              each link are VmRanges; those of children add up.  The least bound at
//              which all VMs are possible below the switch is found by binary search
//              among the occupancies that there are (Yu et al. 2018, with sets for
//              exactness).
// Ties         The first switch; below it children by number, each with the most VMs
//              that leave the rest possible.
// Cost         O(log(occupancies) s) a candidate of s servers where the children of a
//              node are alike, O(log(occupancies) s r) at most for r ranges of a node.

#include "engine/machines/network/embed/embedding.hpp"

namespace berth {

[[nodiscard]] std::unique_ptr<Embedding> make_least_congested(GreedyScope scope);

}  // namespace berth
