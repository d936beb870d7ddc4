#include "engine/compare/comparable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace berth {

namespace {

std::int64_t finished(const ComparedPolicy& policy) {
  std::int64_t count = 0;
  for (const auto* run : policy.runs) count += run->summary.jobs.finished;
  return count;
}

std::int64_t submitted(const ComparedPolicy& policy) {
  std::int64_t count = 0;
  for (const auto* run : policy.runs) count += run->summary.jobs.submitted;
  return count;
}

// nullptr if no policy has all results.
const ComparedPolicy* most_finished(std::span<const ComparedPolicy> policies) {
  const ComparedPolicy* most = nullptr;
  for (const auto& policy : policies) {
    if (!is_complete(policy)) continue;
    if (most == nullptr || finished(policy) > finished(*most)) most = &policy;
  }
  return most;
}

}  // namespace

bool is_complete(const ComparedPolicy& policy) {
  return std::find(policy.runs.begin(), policy.runs.end(), nullptr) ==
         policy.runs.end();
}

bool same_jobs(const Summary& a, const Summary& b) {
  if (a.jobs.finished != b.jobs.finished) return false;
  if (a.finished_digest && b.finished_digest) {
    return *a.finished_digest == *b.finished_digest;
  }
  return a.jobs.finished == a.jobs.submitted && b.jobs.finished == b.jobs.submitted;
}

bool same_jobs(const ComparedPolicy& a, const ComparedPolicy& b) {
  return std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                    [](const auto* one, const auto* other) {
                      return same_jobs(one->summary, other->summary);
                    });
}

bool has_suspensions(const ComparedPolicy& policy) {
  return std::any_of(policy.runs.begin(), policy.runs.end(), [](const auto* run) {
    return run != nullptr && run->summary.counts.suspensions > 0;
  });
}

bool comparable(const MetricRecord& metric, const ComparedPolicy& a,
                const ComparedPolicy& b) {
  if (metric.to_first_start && (has_suspensions(a) || has_suspensions(b))) return false;
  return metric.of_submitted || same_jobs(a, b);
}

std::string why_not_comparable(const MetricRecord& metric,
                               std::span<const ComparedPolicy> policies,
                               std::size_t index) {
  const auto& policy = policies[index];
  if (!is_complete(policy)) return {};
  const auto* most = most_finished(policies);
  if (!metric.of_submitted && !same_jobs(policy, *most)) {
    return fmt::format("other jobs: {} of {}", finished(policy), submitted(policy));
  }
  if (metric.to_first_start && has_suspensions(policy)) {
    return "ends at the first of several starts";
  }
  return {};
}

}  // namespace berth
