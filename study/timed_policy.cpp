#include "study/timed_policy.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace berth::study {

// The processor's own clock would be a system call at each pass.
void TimedPolicy::schedule(sim::Simulation& simulation) {
  const auto begin = std::chrono::steady_clock::now();
  inner_.schedule(simulation);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  total_ += took.count();
  longest_ = std::max(longest_, took.count());
  ++passes_;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace berth::study
