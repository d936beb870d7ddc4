#pragma once
// Every metric there is: one record each, from which results, help and docs come.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth {

// Which of two values is the better one.
enum class Better : std::uint8_t { kLower, kHigher, kNeither };

struct MetricRecord {
  std::string name;     // as results and tables write it: "mean_wait"
  std::string unit;     // "s", "ratio", "fraction", "jobs", "processor s", "1/s"
  std::string formula;  // in the words of spec/metrics.md
  std::string brief;    // one sentence, ends with a full stop
  Better better;
};

// All of them, in the order in which results list them.
[[nodiscard]] std::span<const MetricRecord> metric_records();

// The record of this name.  An unknown name throws Error{kUsage} with the nearest one.
[[nodiscard]] const MetricRecord& metric_record(std::string_view name);

}  // namespace berth
