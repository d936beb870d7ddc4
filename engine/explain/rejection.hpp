#pragma once
// Why a machine on which nothing runs cannot hold a job, in numbers.

#include <optional>
#include <string>

#include "engine/explain/reason.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

class SharingModel;

struct Rejection {
  Why why;
  std::string words;  // "it needs 8 gpu, no host has more than 2"
};

// nullopt: it can.  REQUIRES: an idle model of `capacity` processors or hosts that was
// not told of the job.
[[nodiscard]] std::optional<Rejection> rejection_of(SharingModel& empty,
                                                    std::int64_t capacity, JobId id,
                                                    const Job& job);

}  // namespace berth
