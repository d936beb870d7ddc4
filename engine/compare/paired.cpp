#include "engine/compare/paired.hpp"

#include "engine/base/error.hpp"
#include "engine/compare/holm.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

std::optional<double> mean_of(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value() / static_cast<double>(values.size());
}

}  // namespace

PairedComparison paired(std::span<const double> base, std::span<const double> other,
                        double confidence) {
  BERTH_ASSERT(base.size() == other.size());
  PairedComparison result;
  result.n = base.size();
  result.base_mean = mean_of(base);
  result.other_mean = mean_of(other);
  std::vector<double> differences;
  for (std::size_t i = 0; i < base.size(); ++i) {
    differences.push_back(other[i] - base[i]);
    result.lower += other[i] < base[i] ? 1 : 0;
    result.higher += other[i] > base[i] ? 1 : 0;
  }
  result.difference = t_interval(differences, confidence);
  if (result.difference) result.p_value = two_sided_p(*result.difference);
  return result;
}

PairedComparison paired(std::span<const JobValue> base, std::span<const JobValue> other,
                        double confidence) {
  std::vector<double> of_base;
  std::vector<double> of_other;
  auto at = other.begin();
  for (const auto& [job, value] : base) {
    while (at != other.end() && at->job < job) ++at;
    if (at == other.end()) break;
    if (at->job != job) continue;
    of_base.push_back(value);
    of_other.push_back(at->value);
  }
  return paired(of_base, of_other, confidence);
}

std::vector<PairedComparison> against_first(std::span<const std::vector<JobValue>> runs,
                                            double confidence) {
  std::vector<PairedComparison> results;
  std::vector<double> p_values;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    results.push_back(paired(runs.front(), runs[i], confidence));
    if (results.back().p_value) p_values.push_back(*results.back().p_value);
  }
  const auto corrected = holm(p_values);
  auto next = corrected.begin();
  for (auto& result : results) {
    if (result.p_value) result.p_value = *next++;
  }
  return results;
}

}  // namespace berth
