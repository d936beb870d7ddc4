#pragma once
// Numbers that name things inside one run.
//
// A JobId is a job's rank in the order (submit, id) of its workload, so comparing two
// JobIds gives their order.  JobIds are never reused.  The trace's own number is
// Job::id.

#include <cstdint>

namespace berth {

enum class JobId : std::uint32_t {};

[[nodiscard]] constexpr std::uint32_t index(JobId job) {
  return static_cast<std::uint32_t>(job);
}

}  // namespace berth
