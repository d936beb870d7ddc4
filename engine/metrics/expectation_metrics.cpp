#include "engine/metrics/expectation_metrics.hpp"

#include <algorithm>

#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/sample.hpp"

namespace berth {

namespace {

double mean_line(std::span<const UserTardiness> users) {
  std::int64_t sum = 0;
  for (const auto& user : users) sum += user.longest_line();
  return static_cast<double>(sum) / static_cast<double>(users.size());
}

// nullopt unless there are users in both parts, and lines in the second.
std::optional<double> line_ratio(std::vector<UserTardiness> users) {
  std::stable_sort(
      users.begin(), users.end(),
      [](const UserTardiness& a, const UserTardiness& b) { return a.area > b.area; });
  const auto heavy = std::max<std::size_t>(1, users.size() / 10);
  if (users.size() <= heavy) return std::nullopt;
  const std::span all(users);
  const double others = mean_line(all.subspan(heavy));
  if (others == 0) return std::nullopt;
  return mean_line(all.first(heavy)) / others;
}

}  // namespace

std::vector<Metric> expectation_metrics(std::span<const UserTardiness> users) {
  std::vector<UserTardiness> judged;
  std::vector<double> veets;
  std::vector<double> tardinesses;
  std::int64_t jobs = 0;
  std::int64_t violated = 0;
  Int128 total = 0;
  for (const auto& user : users) {
    if (user.jobs == 0) continue;
    judged.push_back(user);
    jobs += user.jobs;
    violated += user.violated;
    total += user.weighted_tardiness;
    veets.push_back(*user.veet());
    tardinesses.push_back(total_seconds(user.weighted_tardiness));
  }
  std::sort(veets.begin(), veets.end());
  std::sort(tardinesses.begin(), tardinesses.end());
  const auto if_any = [&](double value) {
    return jobs > 0 ? std::optional(value) : std::nullopt;
  };
  const double part = static_cast<double>(violated) / static_cast<double>(jobs);
  return {
      {"violated_jobs", if_any(part), "fraction", jobs},
      {"median_veet", quantile(veets, 0.5), "%", jobs},
      {"p75_veet", quantile(veets, 0.75), "%", jobs},
      {"max_veet", quantile(veets, 1), "%", jobs},
      {"total_weighted_tardiness", if_any(total_seconds(total)), "processor s", jobs},
      {"median_weighted_tardiness", quantile(tardinesses, 0.5), "processor s", jobs},
      {"p75_weighted_tardiness", quantile(tardinesses, 0.75), "processor s", jobs},
      {"line_ratio", line_ratio(std::move(judged)), "ratio", jobs},
  };
}

}  // namespace berth
