#include "engine/metrics/user_details.hpp"

#include <algorithm>
#include <vector>

#include "engine/jobs/label.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/job_metric.hpp"

namespace berth {

namespace {

struct Sums {
  std::int32_t user = kUnknown;
  JobId first{~std::uint32_t{0}};
  std::int64_t finished = 0;
  Int128 responses = 0;  // ticks
  std::int64_t with_slowdown = 0;
  CompensatedSum slowdowns;
};

}  // namespace

std::map<std::int32_t, UserDetails> user_details(const OutcomeView& jobs,
                                                 const SlowdownBound& bound) {
  LabelPlaces places;
  std::vector<Sums> users;
  const auto& slowdown = job_metric("slowdown");
  for (const auto& job : jobs) {
    const auto place = places.add(job.user);
    if (place == users.size()) users.emplace_back();
    auto& user = users[place];
    user.user = job.user;
    user.first = std::min(user.first, job.job);
    if (job.state != JobState::kFinished) continue;
    ++user.finished;
    user.responses += job.response;
    const auto value = slowdown.value(job, bound);
    if (!value) continue;
    ++user.with_slowdown;
    user.slowdowns.add(*value);
  }
  std::map<std::int32_t, UserDetails> all;
  const auto& workload = jobs.outcomes().workload();
  for (const auto& user : users) {
    auto& details = all[user.user];
    details.group = workload[index(user.first)].group;
    const auto over = [](double sum, std::int64_t n) {
      return n == 0 ? std::nullopt : std::optional(sum / static_cast<double>(n));
    };
    details.mean_response =
        over(static_cast<double>(user.responses) / static_cast<double>(kSecond),
             user.finished);
    details.mean_slowdown = over(user.slowdowns.value(), user.with_slowdown);
  }
  return all;
}

}  // namespace berth
