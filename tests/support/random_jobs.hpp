#pragma once
// Small random workloads for properties: short times and few processors, so that ties,
// blocked heads and backfilling are frequent.

#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <vector>

#include "engine/base/random_stream.hpp"
#include "engine/jobs/job.hpp"
#include "tests/support/builders.hpp"

namespace berth::test {

struct RandomShape {
  std::int64_t jobs = 30;
  std::int32_t processors = 8;
  bool exact = false;     // walltime = length
  bool overruns = false;  // some walltimes are shorter than the length
};

[[nodiscard]] inline std::vector<Job> random_jobs(std::uint64_t seed,
                                                  RandomShape shape) {
  auto stream = random_stream(seed, "test.jobs");
  const auto draw = [&stream](std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream);
  };
  std::vector<Job> jobs;
  std::int64_t submit = 0;
  for (std::int64_t id = 1; id <= shape.jobs; ++id) {
    submit += draw(0, 3) == 0 ? draw(1, 12) : draw(0, 2);
    const auto length = draw(0, 20) == 0 ? 0 : draw(1, 25);
    std::int64_t walltime = shape.exact ? length : length * draw(1, 4) + draw(0, 3);
    if (shape.overruns && draw(0, 5) == 0) walltime = length / 2;
    auto job = a_job(id, submit, static_cast<std::int32_t>(draw(1, shape.processors)),
                     length, walltime);
    job.user = static_cast<std::int32_t>(draw(1, 4));
    jobs.push_back(job);
  }
  return jobs;
}

}  // namespace berth::test
