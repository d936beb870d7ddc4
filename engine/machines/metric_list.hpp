#pragma once
// The list of metrics: those of every machine, and of each.

#include <span>
#include <string_view>
#include <vector>

#include "engine/metrics/metric_record.hpp"

namespace berth {

// In the order of lists.
[[nodiscard]] std::span<const MetricRecord> metric_records();

// That of "mean_wait", or of "mean_wait@short": the same metric over a class of jobs.
// `own`: metrics of the user's own, which come after the list.
// Throws Error{kUsage} with the nearest name if the name is unknown.
[[nodiscard]] MetricRecord metric_record(std::string_view name,
                                         std::span<const MetricRecord> own = {});

// The parts of a list such as "mean_wait,load", in its order; they are views of it.
[[nodiscard]] std::vector<std::string_view> metric_names(std::string_view list);

}  // namespace berth
