#include "engine/metrics/user_table.hpp"

#include <boost/sort/spreadsort/float_sort.hpp>
#include <cmath>
#include <cstddef>
#include <map>

#include "engine/base/spilling_array.hpp"
#include "engine/base/spilling_view.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/sample.hpp"

namespace berth {

namespace {

struct Row {
  UserSummary summary;
  Int128 held = 0;            // processor ticks
  Int128 waits = 0;           // ticks, of the finished jobs
  std::size_t slowdowns = 0;  // end of the user's range in the values of all users
};
using Rows = std::map<std::int32_t, Row>;

Rows rows_of(const OutcomeView& jobs) {
  Rows rows;
  for (const auto& job : jobs) {
    auto& row = rows[job.user];
    row.summary.user = job.user;
    row.held += Int128{job.size} * job.held();
    ++row.summary.jobs;
    if (job.state != JobState::kFinished) continue;
    ++row.summary.finished;
    row.waits += job.wait;
  }
  return rows;
}

void add_mean_waits(Rows& rows) {
  for (auto& [user, row] : rows) {
    auto& summary = row.summary;
    if (summary.finished == 0) continue;
    summary.mean_wait =
        static_cast<double>(row.waits) /
        (static_cast<double>(kSecond) * static_cast<double>(summary.finished));
  }
}

// The slowdowns grouped by user; sets Row::slowdowns to the end of each group.
SpillingArray<double> slowdowns_of(Rows& rows, const OutcomeView& finished,
                                   const SlowdownBound& bound) {
  std::size_t count = 0;
  for (auto& [user, row] : rows) {
    row.slowdowns = count;
    count += static_cast<std::size_t>(row.summary.finished);
  }
  SpillingArray<double> values(count, 0.0);
  const auto& metric = job_metric("bounded_slowdown");
  std::size_t seen = 0;
  for (const auto& job : finished) {
    values.visited(seen++);
    const auto value = metric.value(job, bound);
    if (value) values[rows.at(job.user).slowdowns++] = *value;
  }
  return values;
}

// The sum in ascending order.
double sum_of_any(SpillingArray<double>& all, std::size_t from, std::size_t count) {
  const bool fits = all.file() == nullptr || count <= entries_in_memory();
  if (fits) {
    double* const first = all.data() + from;
    boost::sort::spreadsort::float_sort(first, first + count);
    return sum_of_sorted(SpillingView<double>(all).part(from, count));
  }
  SpillingArray<double> values;
  values.reserve(count);
  for (const double value : SpillingView<double>(all).part(from, count)) {
    values.push_back(value);
  }
  sort_values(values);
  return sum_of_sorted(values);
}

void add_mean_slowdowns(Rows& rows, const OutcomeView& finished,
                        const SlowdownBound& bound) {
  auto values = slowdowns_of(rows, finished, bound);
  std::size_t from = 0;
  for (auto& [user, row] : rows) {
    const auto count = row.slowdowns - from;
    if (count > 0) {
      row.summary.mean_bounded_slowdown =
          sum_of_any(values, from, count) / static_cast<double>(count);
    }
    values.drop_pages();
    from += static_cast<std::size_t>(row.summary.finished);
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
  add_mean_waits(rows);
  add_mean_slowdowns(rows, jobs.finished(), bound);
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
