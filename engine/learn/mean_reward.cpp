#include "engine/learn/mean_reward.hpp"

#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth::learn {

const JobMetric& rewarded_metric(std::string_view name) {
  std::vector<std::string> known;
  known.reserve(job_metrics().size());
  for (const auto& metric : job_metrics()) {
    known.push_back(metric_name("mean", metric));
    if (known.back() == name) return metric;
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto near = nearest(name, names);
  throw Error(ErrorCode::kUsage,
              "reward: '" + printable(name) + "' is no mean of a metric of jobs" +
                  (near.empty() ? std::string(", as mean_wait is")
                                : " (did you mean '" + std::string(near) + "'?)"));
}

Credit credit_of(std::string_view name) {
  if (name == "each") return Credit::kEach;
  if (name == "last") return Credit::kLast;
  throw Error(ErrorCode::kUsage,
              "credit: '" + printable(name) + "' is neither \"each\" nor \"last\"");
}

void MeanReward::begin(const SlowdownBound& bound, std::uint32_t first_job,
                       std::int64_t jobs) {
  BERTH_ASSERT(jobs > 0);
  bound_ = bound;
  first_job_ = first_job;
  jobs_ = jobs;
  defined_ = 0;
  sum_ = 0;
  given_ = 0;
}

double MeanReward::take(bool is_over, bool is_last) {
  if (credit_ == Credit::kLast && !is_last) return 0;
  const auto of = is_over && defined_ > 0 ? defined_ : jobs_;
  const double scale = metric_.in_ticks() ? static_cast<double>(kSecond) : 1.0;
  const double mean = sum_ / scale / static_cast<double>(of);
  const double reward = given_ - mean;
  given_ = mean;
  return reward;
}

void MeanReward::on(const sim::EndRecord& record) {
  if (index(record.who.id) < first_job_) return;
  const auto outcome = outcome_of(record.who, record.at);
  if (outcome.state != JobState::kFinished) return;
  const auto value = metric_.value(outcome, bound_);
  if (!value) return;
  sum_ += *value;
  ++defined_;
}

}  // namespace berth::learn
