#include "engine/machines/network/bandwidths.hpp"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>

#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

constexpr const char* kStream = "workload.bandwidth";
constexpr double kDeviation = 0.2;  // of the mean, where a job has bounds of its own

}  // namespace

Bandwidths::Bandwidths(const SlotsSettings& settings, const Topology& topology,
                       std::uint64_t seed,
                       std::shared_ptr<const JobAttributes> attributes)
    : settings_(settings),
      servers_(topology.servers()),
      slots_(topology.most_slots()),
      seed_(seed),
      attributes_(std::move(attributes)),
      given_(attributes_->column("bandwidth")) {
  settings_.tree.reset();
}

std::int64_t Bandwidths::of(JobId job, const Demand& demand) const {
  if (given_ != nullptr) {
    if (const auto own = given_->of(job); !own.empty()) return kbits(own.front());
  }
  if (settings_.rule == BandwidthRule::kGiven) return kbits(settings_.bandwidth);
  // A draw goes to the nearest kbit/s, its bound is an amount like any other: what is
  // left of a link for each of n VMs is never more than a part in n of it.
  const auto drawn = draw(job, demand.processors());
  return std::min<std::int64_t>(std::llround(drawn.rate * 1000.0), kbits(drawn.most));
}

Bandwidths::Drawn Bandwidths::draw(JobId job, double size) const {
  auto engine = job_stream(seed_, kStream, attributes_->number(job));
  const auto normal = [&](double mean, double deviation) {
    return boost::random::normal_distribution<double>(mean, deviation)(engine);
  };
  const double rate = settings_.link_rate;
  if (settings_.rule == BandwidthRule::kNormal) {
    const double mean = settings_.bandwidth_mean;
    const double drawn = normal(mean, settings_.bandwidth_cv * mean);
    return {std::min(std::max(drawn, std::min(1.0, rate)), rate), rate};
  }
  const double most = settings_.rule == BandwidthRule::kCapped
                          ? std::min(rate, rate * servers_ / size)
                          : rate * std::ceil(size / slots_) / size;
  const double least = most / 10;
  const double mean = (least + most) / 2;
  return {std::min(std::max(normal(mean, kDeviation * mean), least), most), most};
}

}  // namespace berth
