#include "study/timed_policy.hpp"

#include <algorithm>
#include <ctime>

namespace berth::study {

void TimedPolicy::schedule(sim::Simulation& simulation) {
  const auto begin = thread_seconds();
  inner_.schedule(simulation);
  const auto took = thread_seconds() - begin;
  total_ += took;
  longest_ = std::max(longest_, took);
  ++passes_;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace berth::study
