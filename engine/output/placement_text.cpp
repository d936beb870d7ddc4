#include "engine/output/placement_text.hpp"

#include "engine/base/csv_text.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

std::string placement_text(const Placement* placement) {
  if (placement == nullptr) return {};
  if (const auto* known = std::get_if<IntervalSet>(placement)) return known->text();
  if (const auto* tasks = std::get_if<TaskHosts>(placement)) {
    return fmt::format("{}", fmt::join(tasks->hosts, " "));
  }
  return processors_of(*placement).text();
}

std::string mbits_text(std::int64_t kbits) {
  return ratio_text(static_cast<double>(kbits) / 1000.0);
}

std::string network_text(const VirtualCluster& cluster) {
  return fmt::format("{},{}", csv_text(cluster.name), mbits_text(cluster.reserved));
}

}  // namespace berth
