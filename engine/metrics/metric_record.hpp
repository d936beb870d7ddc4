#pragma once
// The list of metrics: results, help and documentation are generated from it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth {

// Which of two values is better.
enum class Better : std::uint8_t { kLower, kHigher, kNeither };

struct MetricRecord {
  std::string name;  // as results and tables write it: "mean_wait"
  std::string unit;  // "s", "ratio", "fraction", "jobs", "processor s", "1/s"
  std::string
      formula;  // a: submit, S: first start, C: end, L: length, n: size, W: window
  std::string brief;  // one sentence, ends with a full stop
  Better better = Better::kLower;
};

// In the order of results.
[[nodiscard]] std::span<const MetricRecord> metric_records();

// Throws Error{kUsage} with the nearest name if the name is unknown.
[[nodiscard]] const MetricRecord& metric_record(std::string_view name);

}  // namespace berth
