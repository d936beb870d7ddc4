#include "engine/workload/lublin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/workload/model_jobs.hpp"

namespace berth {

namespace {

using Gamma = boost::random::gamma_distribution<double>;

constexpr int kHalfHours = 48;  // of a day
constexpr double kHalfHourSeconds = 1800;
constexpr int kFirstWeight = 11;  // the fitted day begins at 5:30
constexpr double kMostLogGap = 13;
constexpr double kMostLogRunTime = 12;
constexpr double kTableLog2 = 7;  // the published sizes are for 128 processors

// By LublinType.
// clang-format off
constexpr std::array<LublinParameters, 3> kPublished{{
    {.serial = 0.1541, .pow2 = 0.625, .ulow = 1, .umed = 3, .uhi = 5.5, .uprob = 0.705,
     .a1 = 3.8351, .b1 = 0.6605, .a2 = 7.073, .b2 = 0.6856, .pa = -0.0118, .pb = 0.9156,
     .aarr = 6.5510, .barr = 0.6621, .anum = 8.9186, .bnum = 3.6680, .arar = 0.9797},
    {.serial = 0.2927, .pow2 = 0.6686, .ulow = 1.2, .umed = 5, .uhi = 7, .uprob = 0.875,
     .a1 = 6.57, .b1 = 0.823, .a2 = 639.1, .b2 = 0.0156, .pa = -0.003, .pb = 0.6986,
     .aarr = 6.0415, .barr = 0.8531, .anum = 6.1271, .bnum = 5.2740, .arar = 1.0519},
    {.serial = 0.244, .pow2 = 0.576, .ulow = 0.8, .umed = 4.5, .uhi = 7, .uprob = 0.86,
     .a1 = 4.2, .b1 = 0.94, .a2 = 312, .b2 = 0.03, .pa = -0.0054, .pb = 0.78,
     .aarr = 10.2303, .barr = 0.4871, .anum = 8.1737, .bnum = 3.9631, .arar = 1.0225},
}};
// clang-format on

class SizeLaw {
 public:
  SizeLaw(const LublinParameters& p, std::int32_t processors)
      : p_(p), processors_(processors) {}

  std::int32_t draw(RandomEngine& engine) const {
    const double u = uniform(engine);
    if (u <= p_.serial) return 1;
    const bool low = uniform(engine) <= p_.uprob;
    const double x = between(low ? p_.ulow : p_.umed, low ? p_.umed : p_.uhi, engine);
    return u <= p_.serial + p_.pow2 ? power_of_two(x) : whole_size(std::exp2(x));
  }

 private:
  static double between(double low, double high, RandomEngine& engine) {
    return low + (high - low) * uniform(engine);
  }

  [[nodiscard]] std::int32_t whole_size(double size) const {
    return std::clamp(static_cast<std::int32_t>(std::lround(size)), 1, processors_);
  }

  [[nodiscard]] std::int32_t power_of_two(double x) const {
    const double largest = std::floor(std::log2(static_cast<double>(processors_)));
    return whole_size(std::exp2(std::min(std::round(x), largest)));
  }

  LublinParameters p_;
  std::int32_t processors_;
};

class RunTimeLaw {
 public:
  explicit RunTimeLaw(const LublinParameters& p)
      : pa_(p.pa), pb_(p.pb), first_(p.a1, p.b1), second_(p.a2, p.b2) {}

  Duration draw(std::int32_t size, RandomEngine& engine) {
    const double p = std::clamp(pa_ * size + pb_, 0.0, 1.0);
    double log_seconds = 0;
    // Bounded: most draws of a law that was fitted to jobs are short enough.
    do {
      log_seconds = uniform(engine) <= p ? first_(engine) : second_(engine);
    } while (log_seconds > kMostLogRunTime);
    const auto whole = static_cast<std::int64_t>(std::exp(log_seconds));
    return seconds(std::max(whole, std::int64_t{1}));
  }

 private:
  double pa_, pb_;
  Gamma first_, second_;
};

using DayWeights = std::array<double, kHalfHours>;

DayWeights day_weights(double shape, double scale) {
  DayWeights weights{};
  // Bounded: the half hours of a day.
  for (int i = kFirstWeight; i < kFirstWeight + kHalfHours; ++i) {
    weights[static_cast<std::size_t>((i - 1) % kHalfHours)] =
        boost::math::gamma_p(shape, (i + 0.5) / scale) -
        boost::math::gamma_p(shape, (i - 0.5) / scale);
  }
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / kHalfHours;
  // Bounded: the half hours of a day.
  for (double& weight : weights) weight /= mean;
  return weights;
}

// They cost more than the other draws of a short workload, and sweeps make many.
const DayWeights& day_weights(LublinType type) {
  const auto made = [](LublinType each) {
    const auto& p = kPublished[static_cast<std::size_t>(each)];
    return day_weights(p.anum, p.bnum);
  };
  static const std::array kWeights{made(LublinType::kInteractive),
                                   made(LublinType::kBatch), made(LublinType::kWhole)};
  return kWeights[static_cast<std::size_t>(type)];
}

// A gap is an amount of weight; each half hour consumes its own.
class ArrivalProcess {
 public:
  ArrivalProcess(LublinType type, const LublinParameters& p)
      : weights_(day_weights(type)), log_gap_(p.aarr * p.arar, p.barr) {}

  // Seconds since midnight of the first day.
  double next(RandomEngine& engine, Budget& budget) {
    points_ += std::exp(draw_log_gap(engine)) / kHalfHourSeconds;
    while (points_ > weights_[half_hour_]) {
      budget.charge();
      points_ -= weights_[half_hour_];
      half_hour_ = (half_hour_ + 1) % kHalfHours;
      ++half_hours_passed_;
    }
    const double fraction = points_ / weights_[half_hour_];
    return (static_cast<double>(half_hours_passed_) + fraction) * kHalfHourSeconds;
  }

 private:
  double draw_log_gap(RandomEngine& engine) {
    double log_gap = 0;
    // Bounded: most draws of a law that was fitted to gaps are short enough.
    do {
      log_gap = log_gap_(engine);
    } while (log_gap > kMostLogGap);
    return log_gap;
  }

  const DayWeights& weights_;
  Gamma log_gap_;
  double points_ = 0;  // consumed in the present half hour
  std::size_t half_hour_ = 0;
  std::int64_t half_hours_passed_ = 0;
};

struct JobStream {
  LublinType type;
  SizeLaw size;
  RunTimeLaw run_time;
  ArrivalProcess arrivals;
  double next_arrival = 0;
};

std::vector<LublinType> types_of(LublinVariant variant) {
  switch (variant) {
    case LublinVariant::kWhole: return {LublinType::kWhole};
    case LublinVariant::kTyped: return {LublinType::kInteractive, LublinType::kBatch};
    case LublinVariant::kBatch: return {LublinType::kBatch};
    case LublinVariant::kInteractive: return {LublinType::kInteractive};
  }
  return {};
}

void check_sizes(const LublinParameters& p, std::int32_t processors) {
  const double most = std::log2(static_cast<double>(processors));
  if (p.ulow <= p.umed && p.umed <= p.uhi && p.uhi <= most) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("lublin: sizes need {} <= umed <= uhi <= log2(processors) = {}, "
                  "but umed is {} and uhi is {}",
                  p.ulow, most, p.umed, p.uhi));
}

JobStream stream_of(LublinType type, const LublinSettings& settings) {
  LublinParameters p = lublin_parameters(type, settings.processors);
  p.umed = settings.umed.value_or(p.umed);
  p.uhi = settings.uhi.value_or(p.uhi);
  check_sizes(p, settings.processors);
  return {type, SizeLaw(p, settings.processors), RunTimeLaw(p),
          ArrivalProcess(type, p)};
}

class LublinModel {
 public:
  LublinModel(const LublinSettings& settings, std::uint64_t seed, Budget& budget)
      : budget_(budget),
        arrivals_(random_stream(seed, "workload.arrivals")),
        sizes_(random_stream(seed, "workload.size")),
        run_times_(random_stream(seed, "workload.runtime")) {
    // Bounded: one or two streams.
    for (const LublinType type : types_of(settings.variant)) {
      streams_.push_back(stream_of(type, settings));
    }
    // Bounded: one or two streams.
    for (JobStream& stream : streams_) advance(stream);
  }

  void add_next(Workload& workload) {
    // Ties: the interactive stream is before the batch stream.
    JobStream& stream = *std::min_element(streams_.begin(), streams_.end(),
                                          [](const JobStream& a, const JobStream& b) {
                                            return a.next_arrival < b.next_arrival;
                                          });
    const auto size = stream.size.draw(sizes_);
    const auto length = stream.run_time.draw(size, run_times_);
    Job& job = add_model_job(workload, {stream.next_arrival, size, length}, budget_);
    if (stream.type != LublinType::kWhole)
      job.queue_class = static_cast<int>(stream.type);
    advance(stream);
  }

 private:
  void advance(JobStream& stream) {
    stream.next_arrival = stream.arrivals.next(arrivals_, budget_);
  }

  Budget& budget_;
  RandomEngine arrivals_, sizes_, run_times_;
  std::vector<JobStream> streams_;
};

}  // namespace

LublinParameters lublin_parameters(LublinType type, std::int32_t processors) {
  BERTH_ASSERT(processors >= 1);
  LublinParameters p = kPublished[static_cast<std::size_t>(type)];
  const double shift = std::log2(static_cast<double>(processors)) - kTableLog2;
  p.uhi = std::max(p.uhi + shift, 0.0);
  p.umed = std::clamp(p.umed + shift, 0.0, p.uhi);
  p.ulow = std::min(p.ulow, p.umed);
  return p;
}

Workload lublin_workload(const LublinSettings& settings, std::uint64_t seed,
                         Budget& budget) {
  auto workload = model_workload("lublin", settings.processors, settings.jobs);
  LublinModel model(settings, seed, budget);
  // Bounded: the jobs, each charged for where it is added.
  for (std::int64_t i = 0; i < settings.jobs; ++i) model.add_next(workload);
  return workload;
}

}  // namespace berth
