#pragma once
// An interval for the mean of one long run, by batch means (Law and Kelton; spec:
// metrics.md 7, A-ME-4).
//
// Jobs of one run depend on each other; means of long batches hardly do.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/spilling_view.hpp"
#include "engine/compare/confidence.hpp"

namespace berth {

enum class FirstBatch : std::uint8_t { kDrop, kKeep };

struct BatchOptions {
  std::size_t batches = 20;  // >= 2
  double confidence = 0.9;
  FirstBatch first = FirstBatch::kDrop;  // one more batch, of the same size
};

struct BatchMeans {
  std::vector<double> means;
  Estimate estimate;
  // Correlation of the means with their neighbours; 0 if they are all equal.
  double lag_1_correlation;

  // The half-width exceeds 5 % of the mean.
  [[nodiscard]] bool too_wide() const;
  // The correlation exceeds 0.2: the batches are too short.
  [[nodiscard]] bool too_correlated() const;
};

// `values` in the order in which the jobs ended; what does not fill a batch is dropped
// at the end.  nullopt if there is not one value for each batch.
[[nodiscard]] std::optional<BatchMeans> batch_means(const SpillingView<double>& values,
                                                    const BatchOptions& options = {});

}  // namespace berth
