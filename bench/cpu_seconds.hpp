#pragma once

#include <ctime>

namespace berth::bench {

// Of this thread so far, user and system together: the kernel tells them apart in steps
// of 4 ms.
[[nodiscard]] inline double cpu_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

}  // namespace berth::bench
