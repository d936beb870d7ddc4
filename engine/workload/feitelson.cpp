#include "engine/workload/feitelson.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/workload/model_jobs.hpp"

namespace berth {

namespace {

constexpr double kSizeOrder = 1.21;
constexpr double kPowerOfTwo = 3.13;
constexpr double kMeanRunTime = 2606.6;  // s
constexpr double kLongBranch = 7;        // mean, relative to the short branch
constexpr double kRepeatOrder = 2.5;
constexpr double kLoad = 0.7;

double share_of_short(std::int32_t size, std::int32_t processors) {
  return 0.95 - 0.20 * size / processors;
}

// A distribution on 1, 2, ... given by weights.
class Weights {
 public:
  explicit Weights(std::vector<double> weights) : sums_(std::move(weights)) {
    double sum = 0;
    // Bounded: the sizes or repeats whose weights were charged for.
    for (double& weight : sums_) weight = sum += weight;
  }
  [[nodiscard]] std::int32_t draw(RandomEngine& engine) const {
    const double at = uniform(engine) * sums_.back();
    const auto step = std::upper_bound(sums_.begin(), sums_.end() - 1, at);
    return static_cast<std::int32_t>(step - sums_.begin()) + 1;
  }

 private:
  std::vector<double> sums_;
};

std::vector<double> repeat_weights(std::int32_t most) {
  std::vector<double> weights;
  // Bounded: at most kMostRepeats of them.
  for (int r = 1; r <= most; ++r) weights.push_back(std::pow(r, -kRepeatOrder));
  return weights;
}

double mean_of(const std::vector<double>& weights) {
  double sum = 0;
  double moment = 0;
  // Bounded: the weights of kMostRepeats repeats at most.
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    moment += weights[i] * static_cast<double>(i + 1);
  }
  return moment / sum;
}

// The run time law, which depends on the size.
class RunTimes {
 public:
  RunTimes(const std::vector<double>& sizes, std::int32_t processors, Budget& budget)
      : processors_(processors) {
    budget.charge_each(sizes.size());
    double unit = 0;  // mean run time in units of the mean of the short branch
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double mean = mean_in_units(static_cast<std::int32_t>(i + 1));
      unit += sizes[i] * mean;
      work_ += sizes[i] * mean * static_cast<double>(i + 1);
    }
    short_mean_ = kMeanRunTime / unit;
    work_ *= short_mean_;
  }

  [[nodiscard]] double draw(std::int32_t size, RandomEngine& engine) const {
    const bool is_short = uniform(engine) < share_of_short(size, processors_);
    const double mean = is_short ? short_mean_ : kLongBranch * short_mean_;
    return -mean * std::log1p(-uniform(engine));
  }
  // Expected size times run time, in processor seconds.
  [[nodiscard]] double work() const { return work_; }

 private:
  [[nodiscard]] double mean_in_units(std::int32_t size) const {
    const double is_short = share_of_short(size, processors_);
    return is_short + (1 - is_short) * kLongBranch;
  }

  std::int32_t processors_;
  double short_mean_ = 0;
  double work_ = 0;
};

// One run of a job and the number of its repeats still to come.
struct Run {
  double submit;
  std::int64_t job;  // breaks ties
  std::int32_t size;
  Duration length;
  std::int32_t more;
  // The heap has the earliest run on top.
  friend bool operator<(const Run& a, const Run& b) {
    return a.submit != b.submit ? a.submit > b.submit : a.job > b.job;
  }
};

class Feitelson {
 public:
  Feitelson(std::int32_t processors, std::uint64_t seed, std::int32_t most_repeats,
            Budget& budget)
      : sizes_(feitelson_sizes(processors, budget)),
        size_law_(sizes_),
        repeat_law_(repeat_weights(most_repeats)),
        run_times_(sizes_, processors, budget),
        arrivals_(random_stream(seed, "workload.arrivals")),
        size_draws_(random_stream(seed, "workload.size")),
        run_time_draws_(random_stream(seed, "workload.runtime")) {
    mean_gap_ = mean_of(repeat_weights(most_repeats)) * run_times_.work() /
                (kLoad * processors);
    arrive();
  }

  Run next() {
    Run run = runs_.top();
    runs_.pop();
    if (run.job == newest_) arrive();
    if (run.more > 0) {
      runs_.push({run.submit + to_seconds(run.length), run.job, run.size, run.length,
                  run.more - 1});
    }
    return run;
  }

 private:
  void arrive() {
    clock_ -= mean_gap_ * std::log1p(-uniform(arrivals_));
    const auto size = size_law_.draw(size_draws_);
    const auto repeats = repeat_law_.draw(size_draws_);
    const auto length = whole_seconds(run_times_.draw(size, run_time_draws_));
    runs_.push({clock_, ++newest_, size, length, repeats - 1});
  }

  std::vector<double> sizes_;
  Weights size_law_;
  Weights repeat_law_;
  RunTimes run_times_;
  RandomEngine arrivals_, size_draws_, run_time_draws_;
  std::priority_queue<Run> runs_;
  double mean_gap_ = 0;
  double clock_ = 0;
  std::int64_t newest_ = 0;
};

}  // namespace

std::vector<double> feitelson_sizes(std::int32_t processors, Budget& budget) {
  BERTH_ASSERT(processors >= 1);
  std::vector<double> shares;
  double sum = 0;
  for (std::int32_t n = 1; n <= processors; ++n) {
    budget.charge();
    const bool is_power = n > 1 && (n & (n - 1)) == 0;
    shares.push_back((is_power ? kPowerOfTwo : 1.0) * std::pow(n, -kSizeOrder));
    sum += shares.back();
  }
  budget.charge_each(shares.size());
  for (double& share : shares) share /= sum;
  return shares;
}

Workload feitelson_workload(std::int32_t processors, std::int64_t jobs,
                            std::uint64_t seed, Budget& budget,
                            std::int32_t most_repeats) {
  BERTH_ASSERT(most_repeats >= 1 && most_repeats <= kMostRepeats);
  auto workload = model_workload("feitelson", processors, jobs);
  Feitelson model(processors, seed, most_repeats, budget);
  for (std::int64_t i = 0; i < jobs; ++i) {
    const auto run = model.next();
    add_model_job(workload, {run.submit, run.size, run.length}, budget);
  }
  return workload;
}

}  // namespace berth
