#include "engine/machines/devices/device_marks.hpp"

#include <cmath>

namespace berth {

namespace {

double two_decimals(double value) { return std::nearbyint(100 * value) / 100; }

std::optional<double> mean_of(double sum, double arrivals) {
  return arrivals > 0 ? std::optional(sum / arrivals) : std::nullopt;
}

}  // namespace

void DeviceMarks::arrive(std::int64_t asked) {
  pending_.push_back(100 * static_cast<double>(asked) / parts_);
}

void DeviceMarks::settle(double held, double fragmented) {
  const MarkSum now{two_decimals(100 * held / parts_),
                    two_decimals(100 * fragmented / parts_), 1};
  const auto add = [&now](MarkSum& to) {
    to.held += now.held;
    to.fragmented += now.fragmented;
    to.arrivals += now.arrivals;
  };
  for (const auto demand : pending_) {
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const auto mark = static_cast<double>(marks_[i]);
      if (std::nearbyint(demand) == mark) add(sums_[i].at);
      if (std::abs(demand - mark) <= 1) add(sums_[i].near);
    }
  }
  pending_.clear();
}

std::optional<double> DeviceMarks::allocation(std::size_t mark) const {
  const auto& of = sums_[mark].best();
  return mean_of(of.held, of.arrivals);
}

std::optional<double> DeviceMarks::fragmentation(std::size_t mark) const {
  const auto& of = sums_[mark].best();
  return mean_of(of.fragmented, of.arrivals);
}

}  // namespace berth
