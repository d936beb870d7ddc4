#include "engine/expect/expected_end_times.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/jobs/label.hpp"

namespace berth {

namespace {

Time ticks(std::int64_t whole_seconds) {
  return whole_seconds > kNever / kSecond ? kNever : seconds(whole_seconds);
}

// The jobs by (second of arrival, id).
std::vector<std::uint32_t> order_of_pouring(std::span<const Job> jobs) {
  std::vector<std::uint32_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto comes_before = [&](std::uint32_t a, std::uint32_t b) {
    const Time at_a = jobs[a].submit / kSecond;
    const Time at_b = jobs[b].submit / kSecond;
    return at_a != at_b ? at_a < at_b : jobs[a].id < jobs[b].id;
  };
  if (!std::is_sorted(order.begin(), order.end(), comes_before)) {
    std::sort(order.begin(), order.end(), comes_before);
  }
  return order;
}

template <class NeedOf>
std::vector<Time> pour_all(std::span<const Job> jobs, const ShareSizes& sizes,
                           Overshoot overshoot, const NeedOf& need_of) {
  std::map<std::int32_t, VirtualShare> shares;
  for (const auto& [user, size] : sizes) shares.try_emplace(user, size, overshoot);
  std::vector<Time> ends(jobs.size());
  for (const auto i : order_of_pouring(jobs)) {
    const auto& job = jobs[i];
    ends[i] = ticks(shares.at(job.user).pour(job.submit / kSecond, need_of(i),
                                             seconds_up(job.length)));
  }
  return ends;
}

}  // namespace

ShareSizes share_sizes(std::span<const Job> jobs, std::int64_t processors,
                       const std::map<std::int32_t, double>& weights,
                       const ExpectationSettings& settings) {
  ShareSizes sizes;
  for (const auto& job : jobs) sizes.try_emplace(job.user, 0);
  const auto weight_of = [&](std::int32_t user) {
    const auto at = weights.find(user);
    const bool is_given = settings.share == CapShare::kWeights && at != weights.end();
    return is_given ? at->second : 1.0;
  };
  double all = 0;
  std::vector<std::int32_t> users;
  for (const auto& [user, size] : sizes) users.push_back(user);
  std::sort(users.begin(), users.end(), LabelLess());
  for (const auto user : users) all += weight_of(user);
  for (auto& [user, size] : sizes) {
    const double part = static_cast<double>(processors) * weight_of(user) / all;
    const auto divided = static_cast<std::int64_t>(std::floor(part));
    size = settings.processors.value_or(std::max(std::int64_t{1}, divided));
  }
  return sizes;
}

std::vector<Time> expected_end_times(std::span<const Job> jobs, const ShareSizes& sizes,
                                     Overshoot overshoot) {
  return pour_all(jobs, sizes, overshoot,
                  [&](std::uint32_t i) { return std::int64_t{jobs[i].size}; });
}

std::vector<Time> expected_end_times(std::span<const Job> jobs,
                                     std::span<const std::int64_t> needs,
                                     const ShareSizes& sizes, Overshoot overshoot) {
  return pour_all(jobs, sizes, overshoot, [&](std::uint32_t i) { return needs[i]; });
}

}  // namespace berth
