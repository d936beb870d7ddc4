#include "engine/metrics/sample.hpp"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/exact_sum.hpp"

namespace berth {

namespace {

// A number for each double, in their order.
std::uint64_t ordered_bits(double value) {
  constexpr auto kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

// Between which values of an ascending list a quantile lies.
struct QuantilePlace {
  QuantilePlace(double q, std::size_t n) {
    BERTH_ASSERT(0.0 <= q && q <= 1.0);
    const double at = q * static_cast<double>(n - 1);
    below = static_cast<std::size_t>(at);
    part = at - std::floor(at);
  }
  [[nodiscard]] std::size_t above() const { return part == 0.0 ? below : below + 1; }
  // `at(i)` is the i-th value.
  template <class At>
  [[nodiscard]] double value(const At& at) const {
    if (part == 0.0) return at(below);
    const double least = at(below);
    return least + part * (at(below + 1) - least);
  }

  std::size_t below;  // from 0
  double part;        // of the way to the next
};

int width(std::uint64_t bits) { return static_cast<int>(std::bit_width(bits)); }

// Values by ranges of equal numbers of doubles.
class Bins {
 public:
  explicit Bins(std::span<const double> values) {
    constexpr int kMostBits = 12;
    auto largest = least_ = ordered_bits(values.front());
    for (const double value : values) {
      least_ = std::min(least_, ordered_bits(value));
      largest = std::max(largest, ordered_bits(value));
    }
    const int bits = std::min(kMostBits, width(values.size()));
    shift_ = std::max(0, width(largest - least_) - bits);
    behind_.resize(((largest - least_) >> shift_) + 1);
    for (const double value : values) ++behind_[of(value)];
    std::partial_sum(behind_.begin(), behind_.end(), behind_.begin());
  }

  [[nodiscard]] std::size_t of(double value) const {
    return (ordered_bits(value) - least_) >> shift_;
  }
  // The bin of the rank-th value in ascending order, from 0.
  [[nodiscard]] std::size_t of_rank(std::size_t rank) const {
    const auto at = std::upper_bound(behind_.begin(), behind_.end(), rank);
    return static_cast<std::size_t>(at - behind_.begin());
  }
  [[nodiscard]] std::size_t size() const { return behind_.size(); }
  [[nodiscard]] std::size_t count(std::size_t bin) const {
    return behind_[bin] - (bin == 0 ? 0 : behind_[bin - 1]);
  }

 private:
  std::uint64_t least_ = 0;
  int shift_ = 0;
  std::vector<std::size_t> behind_;  // the values of this bin and those before it
};

// The values in ascending order, of which only those near some places are sorted; they
// come to stand before the others.
class PartlySorted {
 public:
  PartlySorted(std::span<double> values, std::span<const QuantilePlace> places)
      : values_(values), bins_(values), left_out_(bins_.size()) {
    std::vector<char> is_near(bins_.size());
    for (const auto& place : places) {
      is_near[bins_.of_rank(place.below)] = 1;
      is_near[bins_.of_rank(place.above())] = 1;
    }
    std::size_t out = 0;
    for (std::size_t bin = 0; bin < is_near.size(); ++bin) {
      left_out_[bin] = out;
      if (is_near[bin] == 0) out += bins_.count(bin);
    }
    auto next = values.begin();
    for (double& value : values) {
      if (is_near[bins_.of(value)] != 0) std::swap(value, *next++);
    }
    sort_values(values.first(values.size() - out));
  }

  // REQUIRES: it is below or above one of the places.
  [[nodiscard]] double at(std::size_t rank) const {
    return values_[rank - left_out_[bins_.of_rank(rank)]];
  }

 private:
  std::span<const double> values_;
  Bins bins_;
  std::vector<std::size_t> left_out_;  // by bin: values before it that are not near
};

}  // namespace

Sample::Sample(const JobMetric& metric, const OutcomeView& finished,
               const SlowdownBound& bound)
    : values_(metric.values(finished, bound)),
      scale_(metric.in_ticks() ? static_cast<double>(kSecond) : 1.0) {
  if (!metric.in_ticks()) {
    sum_ = exact_sum(values_);
    return;
  }
  Int128 ticks = 0;
  for (const double value : values_) ticks += static_cast<std::int64_t>(value);
  sum_ = static_cast<double>(ticks);
}

std::optional<double> Sample::mean() const {
  if (values_.empty()) return std::nullopt;
  return sum_ / (scale_ * static_cast<double>(values_.size()));
}

std::vector<double> Sample::at(std::span<const double> qs) {
  if (values_.empty()) return {};
  auto found = quantiles(values_, qs);
  for (double& value : found) value /= scale_;
  return found;
}

std::int64_t Sample::above_mean(double factor) const {
  if (values_.empty()) return 0;
  const double limit = factor * sum_ / static_cast<double>(values_.size());
  return std::count_if(values_.begin(), values_.end(),
                       [&](double value) { return value > limit; });
}

std::optional<double> quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return std::nullopt;
  return QuantilePlace(q, sorted.size()).value([&](std::size_t rank) {
    return sorted[rank];
  });
}

std::vector<double> quantiles(std::span<double> values, std::span<const double> qs) {
  std::vector<QuantilePlace> places;
  places.reserve(qs.size());
  for (const double q : qs) places.emplace_back(q, values.size());
  const PartlySorted sorted(values, places);
  std::vector<double> found;
  found.reserve(qs.size());
  for (const auto& place : places) {
    found.push_back(place.value([&](std::size_t rank) { return sorted.at(rank); }));
  }
  return found;
}

void sort_values(std::span<double> values) {
  boost::sort::spreadsort::float_sort(values.begin(), values.end());
}

std::optional<double> area_weighted_mean(const JobMetric& metric,
                                         const OutcomeView& finished,
                                         const SlowdownBound& bound) {
  CompensatedSum weighted;
  CompensatedSum weights;
  for (const auto& job : finished) {
    const auto value = metric.value(job, bound);
    if (!value) continue;
    const double area = job.size * to_seconds(job.length);
    weighted.add(area * *value);
    weights.add(area);
  }
  if (weights.value() == 0.0) return std::nullopt;
  const double scale = metric.in_ticks() ? static_cast<double>(kSecond) : 1.0;
  return weighted.value() / (scale * weights.value());
}

}  // namespace berth
