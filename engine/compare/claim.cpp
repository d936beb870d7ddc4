#include "engine/compare/claim.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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

// For each seed the mean over the points, weighted.
std::vector<double> over_weighted(std::span<const ClaimPoint> points) {
  std::vector<double> sums(points.front().by_seed.size());
  std::vector<double> weights(sums.size());
  for (const auto& point : points) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double weight = point.weights.empty() ? 1 : point.weights[i];
      sums[i] += weight * point.by_seed[i];
      weights[i] += weight;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(weights[i], 1.0);
  return sums;
}

// For each seed how much a series grows from its first point to its last, on average.
std::vector<double> growth(std::span<const ClaimPoint> points) {
  std::vector<double> sums(points.front().by_seed.size());
  std::size_t series = 0;
  for (std::size_t from = 0; from < points.size(); ++series) {
    std::size_t last = from;
    while (last + 1 < points.size() && points[last + 1].series == points[from].series) {
      ++last;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += points[last].by_seed[i] - points[from].by_seed[i];
    }
    from = last + 1;
  }
  for (double& value : sums) value /= static_cast<double>(series);
  return sums;
}

// For each seed the mean of the last sweep less that of the first.
std::vector<double> over_sweeps(std::span<const ClaimPoint> points) {
  const auto mean_of = [&](std::size_t sweep) {
    std::vector<ClaimPoint> own;
    std::copy_if(points.begin(), points.end(), std::back_inserter(own),
                 [&](const auto& point) { return point.sweep == sweep; });
    return over_points(own);
  };
  const auto [first, last] = std::minmax_element(
      points.begin(), points.end(),
      [](const auto& a, const auto& b) { return a.sweep < b.sweep; });
  auto differences = mean_of(last->sweep);
  const auto before = mean_of(first->sweep);
  for (std::size_t i = 0; i < before.size(); ++i) differences[i] -= before[i];
  return differences;
}

// For each seed the share of points, in per cent, with the sign that is claimed.
std::vector<double> wins(const ClaimRule& rule, std::span<const ClaimPoint> points) {
  const bool is_positive = rule.direction.most > 0;
  std::vector<double> shares(points.front().by_seed.size());
  for (const auto& point : points) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double value = point.by_seed[i];
      shares[i] += (is_positive ? value > 0 : value < 0) ? 1 : 0;
    }
  }
  for (double& share : shares) share *= 100 / static_cast<double>(points.size());
  return shares;
}

// The values by seed that count, and the point they are from.
std::vector<double> chosen(const ClaimRule& rule, std::span<const ClaimPoint> points,
                           std::string& where) {
  const auto over = rule.over;
  if (over == Over::kMean || over == Over::kEach) return over_points(points);
  if (over == Over::kWeighted) return over_weighted(points);
  if (over == Over::kGrowth) return growth(points);
  if (over == Over::kSweeps) return over_sweeps(points);
  if (over == Over::kWins) return wins(rule, points);
  const auto lower = [](const ClaimPoint& a, const ClaimPoint& b) {
    return mean(a.by_seed) < mean(b.by_seed);
  };
  const auto at = over == Over::kLargest
                      ? std::max_element(points.begin(), points.end(), lower)
                      : std::min_element(points.begin(), points.end(), lower);
  where = at->name;
  return at->by_seed;
}

// Whether it has another point of its series, or of another sweep.
bool has_other(Over over, const ClaimPoint& point, std::span<const ClaimPoint> points) {
  return std::any_of(points.begin(), points.end(), [&](const ClaimPoint& other) {
    return over == Over::kSweeps ? other.sweep != point.sweep
                                 : &other != &point && other.series == point.series;
  });
}

bool usable(Over over, std::span<const ClaimPoint> points) {
  if (points.empty() || points.front().by_seed.empty()) return false;
  const bool is_difference = over == Over::kGrowth || over == Over::kSweeps;
  if (is_difference &&
      !std::all_of(points.begin(), points.end(),
                   [&](const auto& point) { return has_other(over, point, points); })) {
    return false;
  }
  return std::all_of(points.begin(), points.end(), [&](const ClaimPoint& point) {
    return point.by_seed.size() == points.front().by_seed.size();
  });
}

ClaimVerdict held(const ClaimRule& rule, double value) {
  if (!rule.reproduced.has(value)) return ClaimVerdict::kRightSign;
  return rule.on_stand_in ? ClaimVerdict::kRightSizeOnStandIn
                          : ClaimVerdict::kReproduced;
}

ClaimVerdict failed(const ClaimRule& rule, bool is_opposite = false) {
  if (rule.on_stand_in) return ClaimVerdict::kNotShownOnStandIn;
  return is_opposite ? ClaimVerdict::kOpposite : ClaimVerdict::kNotReproduced;
}

ClaimVerdict verdict(const ClaimRule& rule, const ClaimResult& result) {
  const double half = result.half_width.value_or(0.0);
  const double least = *result.value - half;
  const double most = *result.value + half;
  if (rule.over == Over::kWins) {
    return rule.reproduced.has(*result.value) ? held(rule, *result.value)
                                              : failed(rule);
  }
  const bool is_side = rule.direction.has(least) && rule.direction.has(most);
  if (rule.as == As::kValue) {
    return is_side ? held(rule, *result.value) : failed(rule);
  }
  if (is_side && (least >= 0 || most <= 0)) return held(rule, *result.value);
  return failed(rule, (rule.direction.least >= 0 && most < 0) ||
                          (rule.direction.most <= 0 && least > 0));
}

void judge_each(const ClaimRule& rule, std::span<const ClaimPoint> points,
                ClaimResult& result) {
  auto alone = rule;
  alone.over = Over::kMean;
  auto best = ClaimVerdict::kNotJudged;
  auto worst = ClaimVerdict::kReproduced;
  for (const auto& point : points) {
    const auto verdict = judge(alone, {&point, 1}).verdict;
    best = std::min(best, verdict);
    worst = std::max(worst, verdict);
    result.each.push_back({point.series, point.at, holds(verdict)});
  }
  const bool is_mixed = !holds(worst) && best != ClaimVerdict::kOpposite;
  result.verdict = is_mixed ? failed(rule) : worst;
}

}  // namespace

std::string_view text_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::kReproduced: return "reproduced";
    case ClaimVerdict::kRightSizeOnStandIn: return "right size, stand-in workload";
    case ClaimVerdict::kRightSign: return "right sign, other size";
    case ClaimVerdict::kNotShownOnStandIn: return "not shown on the stand-in";
    case ClaimVerdict::kNotReproduced: return "not reproduced";
    case ClaimVerdict::kOpposite: return "opposite";
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
  if (!usable(rule.over, points)) return result;
  result.seeds = points.front().by_seed.size();
  const auto values = chosen(rule, points, result.point);
  result.value = mean(values);
  if (const auto interval = t_interval(values, rule.confidence)) {
    result.half_width = interval->half_width;
  }
  if (rule.over == Over::kEach) {
    judge_each(rule, points, result);
  } else {
    result.verdict = verdict(rule, result);
  }
  return result;
}

}  // namespace berth
