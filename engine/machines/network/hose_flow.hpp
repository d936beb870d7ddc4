#pragma once
// The promise of the hose model, tried out: traffic between two parts of a virtual
// cluster, each VM of which sends or receives at most B, as a maximum flow over what
// was reserved.
//
// Source       Ballani et al. 2011; docs/model.md#c6

#include <cstdint>
#include <span>

#include "engine/machines/network/tree/topology.hpp"
#include "engine/machines/network/tree/virtual_cluster.hpp"

namespace berth::audit {

struct ReservedLink {
  NetworkNode lower;
  NetworkNode upper;
  std::int64_t reserved;
};

// The most that the VMs of one part can send to all others at a time.  `part`: how many
// VMs of each entry of `vms` are in it.  VMs of one server reach each other in it.
// A link carries what it has both ways.  O(links + servers).
// REQUIRES: the links are of one cluster, so that they are a tree below its switch, or
// parts of one.
[[nodiscard]] std::int64_t largest_flow(std::span<const ReservedLink> links,
                                        std::span<const ServerVms> vms,
                                        std::span<const std::int32_t> part,
                                        std::int64_t bandwidth);

}  // namespace berth::audit
