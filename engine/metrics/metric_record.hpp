#pragma once
// Metrics as records: results, help and documentation are generated from them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth {

// Which of two values is better.
enum class Better : std::uint8_t { kLower, kHigher, kNeither };

// "lower", "higher" or "none".
[[nodiscard]] std::string_view word(Better better);
// The other way round; kNeither for every other word.
[[nodiscard]] Better better_of(std::string_view word);

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

// Those that every machine has, in the order of results.
[[nodiscard]] std::span<const MetricRecord> common_metrics();

// A record whose name ends in a word in capitals, "utilisation_of_KIND", is that of a
// family: of all metrics that have another word there, such as a kind of the machine or
// a number that a scenario says.  nullptr: the metric is of no family of these.
[[nodiscard]] const MetricRecord* family_of(std::span<const MetricRecord> records,
                                            std::string_view name);

// That of "mean_wait", of "mean_wait@short": the same metric over a class of jobs, or
// of "utilisation_of_memory", a metric of a family.
// Throws Error{kUsage} with the nearest name if the records have none of this name.
[[nodiscard]] MetricRecord find_metric(std::span<const MetricRecord> records,
                                       std::string_view name);
// The same among common_metrics().
[[nodiscard]] MetricRecord common_metric(std::string_view name);

}  // namespace berth
