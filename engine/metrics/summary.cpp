#include "engine/metrics/summary.hpp"

#include <algorithm>

namespace berth {

const Metric* Summary::find(std::string_view name) const {
  const auto at = std::find_if(metrics.begin(), metrics.end(),
                               [&](const Metric& it) { return it.name == name; });
  return at == metrics.end() ? nullptr : &*at;
}

}  // namespace berth
