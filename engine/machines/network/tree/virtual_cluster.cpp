#include "engine/machines/network/tree/virtual_cluster.hpp"

#include <algorithm>

#include "engine/base/field_writer.hpp"

namespace berth {

std::int64_t moved_vms(std::span<const ServerVms> before,
                       std::span<const ServerVms> now) {
  std::int64_t moved = 0;
  for (const auto& each : now) {
    const auto at = std::find_if(before.begin(), before.end(), [&](const auto& old) {
      return old.server == each.server;
    });
    moved += std::max(0, each.vms - (at == before.end() ? 0 : at->vms));
  }
  return moved;
}

std::int64_t VirtualCluster::parts(const IntervalSet&) const {
  std::int64_t count = 0;
  for (const auto& each : vms) count += each.vms;
  return count;
}

void VirtualCluster::columns(FieldWriter& to) const {
  to.text("switch", name);
  to.number("reserved", static_cast<double>(reserved) / 1000.0);
}

}  // namespace berth
