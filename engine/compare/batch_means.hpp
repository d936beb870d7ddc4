#pragma once
// Intervals for the means of one long run, by batch means (Law and Kelton).
//
// Jobs of one run depend on each other; means of long batches hardly do.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/compare/confidence.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

enum class FirstBatch : std::uint8_t { kDrop, kKeep };

struct BatchOptions {
  std::size_t batches = 20;  // >= 2
  double confidence = 0.9;
  FirstBatch first = FirstBatch::kDrop;  // one more batch, of the same size
};

// Of one run, or of the difference of two.
struct Batched {
  Estimate estimate{};  // in the unit of the values; n is the number of batches
  // Correlation of the means with their neighbours; 0 if they are all equal.
  double lag_1_correlation = 0.0;

  // The half-width exceeds 5 % of the mean.
  [[nodiscard]] bool too_wide() const;
  // The correlation exceeds 0.2: the batches are too short.
  [[nodiscard]] bool too_correlated() const;
};

struct BatchMeans : Batched {
  std::vector<double> means;
};

// Of these means.  REQUIRES: two at least.
[[nodiscard]] Batched batched(std::span<const double> means, double confidence);

// What does not fill a batch is dropped at the end.  nullopt if there is not one value
// for each batch.
[[nodiscard]] std::optional<BatchMeans> batch_means(std::span<const double> values,
                                                    const BatchOptions& options = {});

// The values of the batches, by name of the metric: means and 95th percentiles
// ("mean_wait", "p95_wait").
using BatchedMetrics = std::map<std::string, std::vector<double>>;

// Batches of the measured jobs in the order (submit, id), so that batch k has the same
// jobs under every policy of a point; of those jobs the finished ones count.  The first
// batch is dropped as warm-up.  Without an entry: a metric that some batch has no value
// of.  REQUIRES: finished jobs.  O(n log n).
[[nodiscard]] BatchedMetrics batched_metrics(const OutcomeView& finished,
                                             const SlowdownBound& bound,
                                             const BatchOptions& options);

}  // namespace berth
