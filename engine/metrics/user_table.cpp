#include "engine/metrics/user_table.hpp"

#include <cmath>
#include <cstddef>
#include <map>

#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/sample.hpp"
#include "engine/metrics/wide_integer.hpp"

namespace berth {

namespace {

UserSummary row(std::int32_t user, std::span<const JobOutcome> jobs,
                const SlowdownBound& bound) {
  std::vector<JobOutcome> finished;
  Int128 held = 0;
  for (const auto& job : jobs) {
    held += Int128{job.size} * job.held();
    if (job.state == JobState::kFinished) finished.push_back(job);
  }
  UserSummary summary;
  summary.user = user;
  summary.jobs = static_cast<std::int64_t>(jobs.size());
  summary.finished = static_cast<std::int64_t>(finished.size());
  summary.mean_wait = Sample(job_metric("wait"), finished, bound).mean();
  summary.mean_bounded_slowdown =
      Sample(job_metric("bounded_slowdown"), finished, bound).mean();
  summary.processor_seconds = static_cast<double>(held) / static_cast<double>(kSecond);
  return summary;
}

double sum_of(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

}  // namespace

std::vector<UserSummary> user_table(std::span<const JobOutcome> jobs,
                                    const SlowdownBound& bound) {
  std::map<std::int32_t, std::vector<JobOutcome>> by_user;
  for (const auto& job : jobs) by_user[job.user].push_back(job);
  std::vector<UserSummary> table;
  table.reserve(by_user.size());
  for (const auto& [user, own] : by_user) table.push_back(row(user, own, bound));
  return table;
}

std::vector<double> mean_waits(std::span<const UserSummary> users) {
  std::vector<double> waits;
  for (const auto& user : users) {
    if (user.user >= 0 && user.mean_wait) waits.push_back(*user.mean_wait);
  }
  return waits;
}

std::optional<double> jain_index(std::span<const double> values) {
  std::vector<double> squares;
  for (const double value : values) squares.push_back(value * value);
  const double sum = sum_of(values);
  const double of_squares = sum_of(squares);
  if (of_squares == 0.0) return std::nullopt;
  return sum * sum / (static_cast<double>(values.size()) * of_squares);
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double mean = sum_of(values) / n;
  CompensatedSum squares;
  for (const double value : values) squares.add((value - mean) * (value - mean));
  return std::sqrt(squares.value() / n);
}

}  // namespace berth
