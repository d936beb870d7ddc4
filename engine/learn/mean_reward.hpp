#pragma once
// The reward of an episode: minus the growth of the mean of a metric of jobs.
//
// Between two takes the reward is the sum over the jobs that ended in between, divided
// by the jobs of the window, negated.  An episode that is over gives besides what is
// missing to minus the mean over the jobs for which the metric is defined: jobs that
// are rejected or killed have none.  So the rewards of an episode add up to minus what
// its results call mean_..., however long jobs are left waiting.

#include <cstdint>
#include <string_view>

#include "engine/metrics/job_metric.hpp"
#include "engine/sim/observer.hpp"

namespace berth::learn {

enum class Credit : std::uint8_t {
  kEach,  // as jobs end
  kLast,  // all at the end of the episode
};

// The metric of "mean_wait".  Throws Error{kUsage} with the nearest name.
[[nodiscard]] const JobMetric& rewarded_metric(std::string_view name);
// Of "each" and "last".  Throws Error{kUsage}.
[[nodiscard]] Credit credit_of(std::string_view name);

class MeanReward final : public sim::RecordVisitor<MeanReward, sim::EndRecord> {
 public:
  MeanReward(const JobMetric& metric, Credit credit)
      : metric_(metric), credit_(credit) {}

  // A run of which the jobs from this one on count, so many.  REQUIRES: jobs > 0.
  void begin(const SlowdownBound& bound, std::uint32_t first_job, std::int64_t jobs);
  // Since the call before; of credit kLast 0 while the episode is not `last`.
  // `is_over`: all jobs have left, so that the mean is known.
  [[nodiscard]] double take(bool is_over, bool is_last);

  void finish(Time) override {}

 private:
  friend RecordVisitor;
  void on(const sim::EndRecord& record);

  const JobMetric& metric_;
  Credit credit_;
  SlowdownBound bound_{};
  std::uint32_t first_job_ = 0;
  std::int64_t jobs_ = 1;
  std::int64_t defined_ = 0;
  double sum_ = 0;    // in ticks where the metric is
  double given_ = 0;  // the mean for which rewards were given
};

}  // namespace berth::learn
