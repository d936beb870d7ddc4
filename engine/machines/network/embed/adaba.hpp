#pragma once
// AdaBa's order of servers: those with few idle slots first for small requests, those
// with many for large ones.
//
// Source       Li et al. 2018, algorithm 1: the weight -a^2/2 + L (B/Bmax) a of a
//              server with `a` idle slots out of L, where Bmax is the largest
//              bandwidth that was ever asked for.  It is compared in integers, as
//              2 L B a - Bmax a^2.

#include <cstdint>
#include <span>

#include "engine/machines/network/tree/network.hpp"

namespace berth {

// Sets rank[a], a = 1 .. rank.size() - 1: the largest weight has rank 0, equal weights
// have one rank.  Bmax = 0: as if B/Bmax were 0.
void rank_by_adaba(const Network& network, const ClusterRequest& request,
                   std::span<std::int32_t> rank);

}  // namespace berth
