#include "engine/expect/tardiness.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/jobs/label.hpp"

namespace berth {

namespace {

constexpr std::int64_t kMinute = 60;  // seconds

}  // namespace

std::optional<double> UserTardiness::veet() const {
  if (jobs == 0) return std::nullopt;
  return 100.0 * static_cast<double>(violated) / static_cast<double>(jobs);
}

std::int64_t UserTardiness::longest_line() const {
  std::int64_t longest = 0;
  std::int64_t line = 0;
  std::int64_t end = 0;
  for (const auto& run : minutes) {
    line = (run.from == end ? line : 0) + run.to - run.from;
    end = run.to;
    longest = std::max(longest, line);
  }
  return longest;
}

Duration TardinessOfUsers::tardiness(JobId job, Time end) const {
  return std::max(Duration{0}, end - expected_[index(job)]);
}

void TardinessOfUsers::finished(JobId id, Time end) {
  const auto& job = jobs_[index(id)];
  if (job.submit < ignore_before_) return;
  auto& user = users_[job.user];
  ++user.sums.jobs;
  user.sums.area += Int128{job.size} * job.length;
  const Duration late = tardiness(id, end);
  if (late == 0) return;
  ++user.sums.violated;
  user.sums.tardiness += late;
  user.sums.weighted_tardiness += Int128{job.size} * late;
  const auto first_submit = jobs_.front().submit / kSecond;
  const auto latest_start =
      expected_[index(id)] / kSecond - seconds_up(job.length) - first_submit;
  const auto first = latest_start / kMinute;
  const auto count = (seconds_up(late) + kMinute - 1) / kMinute;
  ++user.changes[first];
  --user.changes[first + count];
}

std::vector<UserTardiness> TardinessOfUsers::users() const {
  std::vector<UserTardiness> all;
  std::set<std::int32_t> seen;
  const auto comes_first = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : LabelLess()(a.second, b.second);
  };
  std::set<std::pair<Time, std::int32_t>, decltype(comes_first)> first_submits(
      comes_first);
  for (const auto& job : jobs_) {
    if (seen.insert(job.user).second) first_submits.emplace(job.submit, job.user);
  }
  for (const auto& [submit, number] : first_submits) {
    const auto at = users_.find(number);
    auto& user = all.emplace_back();
    if (at != users_.end()) {
      user = at->second.sums;
      user.minutes = minutes_of(at->second);
    }
    user.user = number;
  }
  return all;
}

std::vector<ViolatedMinutes> TardinessOfUsers::minutes_of(const User& user) {
  std::vector<ViolatedMinutes> runs;
  std::int64_t level = 0;
  std::int64_t from = 0;
  for (const auto& [minute, change] : user.changes) {
    if (change == 0) continue;
    if (level > 0) runs.push_back({from, minute, level});
    level += change;
    from = minute;
  }
  return runs;
}

}  // namespace berth
