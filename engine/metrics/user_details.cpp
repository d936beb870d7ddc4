#include "engine/metrics/user_details.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/jobs/label.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/slowdown.hpp"
#include "engine/share/decayed_usage.hpp"
#include "engine/share/shares.hpp"

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

std::map<std::int32_t, UserDetails> user_details(const OutcomeView& jobs) {
  LabelPlaces places;
  std::vector<Sums> users;
  jobs.each([&](const JobOutcome& job) {
    const auto place = places.add(job.user);
    if (place == users.size()) users.emplace_back();
    auto& user = users[place];
    user.user = job.user;
    user.first = std::min(user.first, job.job);
    if (job.state != JobState::kFinished) return;
    ++user.finished;
    user.responses += job.response;
    const auto value = slowdown(job.response, job.length);
    if (!value) return;
    ++user.with_slowdown;
    user.slowdowns.add(*value);
  });
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

std::map<std::int32_t, double> usage_of_users(const Outcomes& outcomes,
                                              const ShareSettings& settings, Time now) {
  const Time read =
      settings.period == 0 ? now : now / settings.period * settings.period;
  LabelPlaces places;
  std::vector<std::pair<std::int32_t, DecayedUsage>> users;
  OutcomeView(outcomes).each([&](const JobOutcome& outcome) {
    const auto& job = outcomes.workload()[index(outcome.job)];
    const auto place = places.add(job.user);
    if (place == users.size()) users.emplace_back(job.user, DecayedUsage());
    const Time from = std::min(job.submit + outcome.wait, read);
    const Time to = std::min(job.submit + outcome.response, read);
    if (from == to) return;
    users[place].second.add_span(Shares::rate_of_processors(settings, job), from, to,
                                 read, settings.half_life);
  });
  std::map<std::int32_t, double> usage;
  for (const auto& [user, own] : users) {
    usage.emplace(user, own.at(read, settings.half_life));
  }
  return usage;
}

}  // namespace berth
