#pragma once
// The placement of a job on a network: its processors are the slots that it has.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/placement.hpp"

namespace berth {

// VMs on one server of a network.
struct ServerVms {
  std::int32_t server;
  std::int32_t vms;  // >= 1
  friend bool operator==(const ServerVms&, const ServerVms&) = default;
};

// VMs that are on another server than before.  Both ascend by server.
[[nodiscard]] std::int64_t moved_vms(std::span<const ServerVms> before,
                                     std::span<const ServerVms> now);

struct VirtualCluster final : Placement::FormOf<VirtualCluster> {
  [[nodiscard]] std::int64_t parts(const IntervalSet&) const override;
  // VMs on another server.
  [[nodiscard]] std::int64_t moved_from(const Placement::Form& before) const override {
    return moved_vms(static_cast<const VirtualCluster&>(before).vms, vms);
  }
  // switch, and reserved: Mb/s on all links together.
  void columns(FieldWriter& to) const override;
  friend bool operator==(const VirtualCluster&, const VirtualCluster&) = default;

  std::int32_t node = 0;       // of its virtual switch
  std::int32_t level = 0;      // of that node; 0: a server
  std::string_view name{};     // of that node; valid while the machine lives
  std::vector<ServerVms> vms;  // ascending by server
  std::int64_t reserved = 0;   // bandwidth on all links together, kbit/s
};

[[nodiscard]] inline Placement placement_of(IntervalSet slots, VirtualCluster cluster) {
  return {std::move(slots), std::move(cluster), Placement::Use::kAlone};
}
// REQUIRES: it was made on a network.
[[nodiscard]] inline const VirtualCluster& cluster_of(const Placement& placement) {
  const auto* cluster = placement.form_if<VirtualCluster>();
  BERTH_ASSERT(cluster != nullptr);
  return *cluster;
}

}  // namespace berth
