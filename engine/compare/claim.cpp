#include "engine/compare/claim.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace berth {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

// For each seed the mean over the points.
std::vector<double> over_points(std::span<const ClaimPoint> points) {
  std::vector<double> means(points.front().by_seed.size());
  for (const auto& point : points) {
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += point.by_seed[i];
  }
  for (double& value : means) value /= static_cast<double>(points.size());
  return means;
}

// The values by seed that count, and the point they are from.
std::vector<double> chosen(Over over, std::span<const ClaimPoint> points,
                           std::string& where) {
  if (over == Over::kMean) return over_points(points);
  const auto lower = [](const ClaimPoint& a, const ClaimPoint& b) {
    return mean(a.by_seed) < mean(b.by_seed);
  };
  const auto at = over == Over::kLargest
                      ? std::max_element(points.begin(), points.end(), lower)
                      : std::min_element(points.begin(), points.end(), lower);
  where = at->name;
  return at->by_seed;
}

bool usable(std::span<const ClaimPoint> points) {
  if (points.empty() || points.front().by_seed.empty()) return false;
  return std::all_of(points.begin(), points.end(), [&](const ClaimPoint& point) {
    return point.by_seed.size() == points.front().by_seed.size();
  });
}

ClaimVerdict verdict(const ClaimRule& rule, const ClaimResult& result) {
  const double half = result.half_width.value_or(0.0);
  const bool side = rule.direction.has(*result.value - half) &&
                    rule.direction.has(*result.value + half);
  const bool crosses_zero = half > 0.0 && std::abs(*result.value) <= half;
  if (!side || crosses_zero) return ClaimVerdict::kNotReproduced;
  const auto found = rule.reproduced.has(*result.value) ? ClaimVerdict::kReproduced
                                                        : ClaimVerdict::kDirectionOnly;
  return std::max(found, rule.best);
}

}  // namespace

std::string_view text_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::kReproduced: return "reproduced";
    case ClaimVerdict::kDirectionOnly: return "direction only";
    case ClaimVerdict::kNotReproduced: return "not reproduced";
    case ClaimVerdict::kNotJudged: return "not judged";
  }
  return "unknown";
}

ClaimResult judge(const ClaimRule& rule, std::span<const ClaimPoint> points) {
  ClaimResult result;
  result.points = points.size();
  result.full_points = static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(),
                    [](const ClaimPoint& point) { return point.is_full; }));
  if (!usable(points)) return result;
  result.seeds = points.front().by_seed.size();
  const auto values = chosen(rule.over, points, result.point);
  result.value = mean(values);
  if (const auto interval = t_interval(values, rule.confidence)) {
    result.half_width = interval->half_width;
  }
  result.verdict = verdict(rule, result);
  return result;
}

}  // namespace berth
