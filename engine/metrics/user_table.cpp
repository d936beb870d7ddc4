#include "engine/metrics/user_table.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/sample.hpp"
#include "engine/metrics/wide_integer.hpp"

namespace berth {

namespace {

struct Row {
  UserSummary summary;
  Int128 held = 0;             // processor ticks
  std::vector<double> values;  // of one metric of the finished jobs
};
using Rows = std::map<std::int32_t, Row>;

Rows rows_of(const OutcomeView& jobs) {
  Rows rows;
  for (const auto& job : jobs) {
    auto& row = rows[job.user];
    row.summary.user = job.user;
    row.held += Int128{job.size} * job.held();
    ++row.summary.jobs;
    row.summary.finished += job.state == JobState::kFinished ? 1 : 0;
  }
  return rows;
}

void add_mean(Rows& rows, const OutcomeView& finished, const JobMetric& metric,
              const SlowdownBound& bound, std::optional<double> UserSummary::*mean) {
  for (auto& [user, row] : rows) {
    row.values.reserve(static_cast<std::size_t>(row.summary.finished));
  }
  for (const auto& job : finished) {
    const auto value = metric.value(job, bound);
    if (value) rows.at(job.user).values.push_back(*value);
  }
  for (auto& [user, row] : rows) {
    row.summary.*mean = Sample(metric, std::exchange(row.values, {})).mean();
  }
}

double sum_of(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

}  // namespace

std::vector<UserSummary> user_table(const OutcomeView& jobs,
                                    const SlowdownBound& bound) {
  auto rows = rows_of(jobs);
  add_mean(rows, jobs.finished(), job_metric("wait"), bound, &UserSummary::mean_wait);
  add_mean(rows, jobs.finished(), job_metric("bounded_slowdown"), bound,
           &UserSummary::mean_bounded_slowdown);
  std::vector<UserSummary> table;
  table.reserve(rows.size());
  for (auto& [user, row] : rows) {
    row.summary.processor_seconds =
        static_cast<double>(row.held) / static_cast<double>(kSecond);
    table.push_back(row.summary);
  }
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
