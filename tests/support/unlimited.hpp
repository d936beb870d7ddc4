#pragma once
// A budget for work whose limits a test does not care about.

#include "engine/base/budget.hpp"

namespace berth::test {

// Without limits; one for each thread.
inline Budget& unlimited() {
  thread_local Budget budget;
  return budget;
}

}  // namespace berth::test
