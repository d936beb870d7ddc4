#include "study/schedules/own_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "study/logs/size_of_log.hpp"

namespace berth::study {

ShownSize shown_size(const Schedule& schedule, std::span<const Job> jobs,
                     Budget& budget) {
  budget.charge_each(3 * schedule.rows.size());
  std::int32_t largest = -1;
  std::vector<std::pair<Time, std::int64_t>> changes;
  changes.reserve(2 * schedule.rows.size());
  for (std::size_t i = 0; i < schedule.rows.size(); ++i) {
    const auto& row = schedule.rows[i];
    if (row.processors && !row.processors->empty()) {
      largest = std::max(largest, row.processors->intervals().back().last);
    }
    const bool takes_time = row.start && !(row.end && *row.end <= *row.start);
    if (!takes_time) continue;
    const auto& job = jobs.empty() ? schedule.told[i] : jobs[index(row.job)];
    const auto size = std::max<std::int64_t>(job.size, 1);
    changes.emplace_back(*row.start, size);
    if (row.end) changes.emplace_back(*row.end, -size);
  }
  if (largest >= 0) return {largest + 1, true};
  const auto most =
      std::clamp<std::int64_t>(most_in_use(std::move(changes), budget).processors, 1,
                               std::numeric_limits<std::int32_t>::max());
  return {static_cast<std::int32_t>(most), false};
}

std::vector<Job> take_own_jobs(Schedule& schedule, const std::string& name,
                               Budget& budget) {
  auto& jobs = schedule.told;
  budget.charge_each(4 * jobs.size());
  budget.charge_sort(jobs.size());
  Time last = 0;
  for (const auto& row : schedule.rows) {
    last = std::max({last, row.start.value_or(0), row.end.value_or(0)});
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto& job = jobs[i];
    const auto& row = schedule.rows[i];
    if (job.size <= 0) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: how many processors job {} has is not said: neither "
                              "requested_number_of_resources nor allocated_resources; "
                              "--trace FILE names its jobs",
                              printable_name(name), job.id));
    }
    if (job.submit == kNever) job.submit = row.start.value_or(last);
    job.length = row.start && row.end ? *row.end - *row.start : 0;
    if (!job.walltime_given) job.walltime = job.length;
  }
  std::vector<std::uint32_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return comes_first(jobs[a], jobs[b]);
  });
  std::vector<JobId> place_of(jobs.size());
  std::vector<Job> sorted;
  sorted.reserve(jobs.size());
  for (const auto at : order) {
    place_of[at] = JobId{static_cast<std::uint32_t>(sorted.size())};
    sorted.push_back(jobs[at]);
  }
  for (auto& row : schedule.rows) row.job = place_of[index(row.job)];
  for (auto& stay : schedule.stays) stay.job = place_of[index(stay.job)];
  return sorted;
}

std::optional<Duration> shift_of(const Schedule& schedule, std::span<const Job> jobs,
                                 Duration precision, Budget& budget) {
  budget.charge_each(schedule.rows.size());
  std::optional<Duration> least;
  Duration most = 0;
  for (std::size_t i = 0; i < schedule.told.size(); ++i) {
    const auto submit = schedule.told[i].submit;
    if (submit == kNever) return std::nullopt;
    const auto by = submit - jobs[index(schedule.rows[i].job)].submit;
    most = least ? std::max(most, by) : by;
    least = least ? std::min(*least, by) : by;
  }
  if (!least || most - *least > precision) return std::nullopt;
  return least;
}

void shift_back(Schedule& schedule, Duration by) {
  for (auto& row : schedule.rows) {
    if (row.start) *row.start -= by;
    if (row.end) *row.end -= by;
  }
  for (auto& stay : schedule.stays) {
    stay.from -= by;
    if (stay.to) *stay.to -= by;
  }
}

}  // namespace berth::study
