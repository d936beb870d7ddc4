#pragma once
// The list of metrics: results, help and documentation are generated from it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  // Grows with the length of a trace in which the queue never empties.
  bool by_queue = false;
  // Ends at the first start of a job, so that suspensions behind it do not count.
  bool to_first_start = false;
  // Is over all submitted jobs, so that it does not depend on which of them finished.
  bool of_submitted = false;
};

// In the order of results.
[[nodiscard]] std::span<const MetricRecord> metric_records();

// Whether this is the metric of one of the machine's kinds, "utilisation_of_memory";
// the list has one record for all of them.
[[nodiscard]] bool is_utilisation_of_kind(std::string_view name);

// That of "mean_wait", or of "mean_wait@short": the same metric over a class of jobs.
// Throws Error{kUsage} with the nearest name if the name is unknown.
[[nodiscard]] MetricRecord metric_record(std::string_view name);

// Those of a list such as "mean_wait,load", in its order; the views are parts of it.
// Throws Error{kUsage} for an unknown one.
[[nodiscard]] std::vector<std::string_view> metric_names(std::string_view list);

}  // namespace berth
