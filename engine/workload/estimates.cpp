#include "engine/workload/estimates.hpp"

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>

#include "engine/base/random_stream.hpp"

namespace berth {

void estimate_exactly(Workload& workload, Budget& budget) {
  for (Job& job : workload.jobs) {
    budget.charge();
    job.walltime = job.length;
    job.walltime_given = false;
  }
}

void estimate_by_factor(Workload& workload, std::uint64_t seed, Budget& budget) {
  RandomEngine engine = random_stream(seed, "workload.estimate");
  boost::random::uniform_int_distribution<int> factor(1, 5);
  for (Job& job : workload.jobs) {
    budget.charge();
    job.walltime = usual_limit(job.length * factor(engine));
    job.walltime_given = true;
  }
}

Duration usual_limit(Duration time) {
  constexpr Duration kMinute = seconds(60);
  constexpr Duration kHour = 60 * kMinute;
  constexpr Duration kDay = 24 * kHour;
  static constexpr std::array kLimits{
      1 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 20 * kMinute, 30 * kMinute,
      1 * kHour,   2 * kHour,   3 * kHour,    4 * kHour,    5 * kHour,    6 * kHour,
      8 * kHour,   10 * kHour,  12 * kHour,   18 * kHour};
  const auto limit = std::lower_bound(kLimits.begin(), kLimits.end(), time);
  return limit != kLimits.end() ? *limit : (time + kDay - 1) / kDay * kDay;
}

}  // namespace berth
