#include "engine/compare/common_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/outcomes.hpp"

namespace berth {

namespace {

// One metric, summed over the jobs.
struct Sums {
  CompensatedSum base;
  CompensatedSum other;
  std::int64_t n = 0;

  void add(const std::optional<double>& before, const std::optional<double>& after) {
    if (!before || !after) return;
    base.add(*before);
    other.add(*after);
    ++n;
  }

  [[nodiscard]] CommonJobs::Means means(const JobMetric& metric) const {
    const double parts = static_cast<double>(n) *
                         (metric.in_ticks() ? static_cast<double>(kSecond) : 1.0);
    return {base.value() / parts, other.value() / parts};
  }
};

}  // namespace

CommonJobs common_jobs(const OutcomeView& base, const OutcomeView& other,
                       const SlowdownBound& bound) {
  const OutcomesByJob before_of(base);
  const OutcomesByJob after_of(other);
  const auto metrics = job_metrics();
  std::vector<Sums> sums(metrics.size());
  CommonJobs common;
  for (std::uint32_t job = 0; job < before_of.jobs(); ++job) {
    const auto before = before_of.find(JobId{job});
    const auto after = after_of.find(JobId{job});
    if (!before || !after) continue;
    ++common.n;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      sums[i].add(metrics[i].value(*before, bound), metrics[i].value(*after, bound));
    }
  }
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (sums[i].n == 0) continue;
    common.means.emplace(metric_name("mean", metrics[i]), sums[i].means(metrics[i]));
  }
  return common;
}

void add_common(CommonJobs& common, const std::string& metric,
                std::span<const double> base, std::span<const double> other) {
  CompensatedSum before;
  CompensatedSum after;
  double n = 0;
  for (std::size_t job = 0; job < std::min(base.size(), other.size()); ++job) {
    if (std::isnan(base[job]) || std::isnan(other[job])) continue;
    before.add(base[job]);
    after.add(other[job]);
    ++n;
  }
  if (n > 0) common.means[metric] = {before.value() / n, after.value() / n};
}

}  // namespace berth
