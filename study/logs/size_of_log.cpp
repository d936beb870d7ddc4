#include "study/logs/size_of_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth::study {

MostInUse most_in_use(std::vector<std::pair<Time, std::int64_t>> changes,
                      Budget& budget) {
  budget.charge_sort(changes.size());
  std::sort(changes.begin(), changes.end());
  MostInUse most;
  std::int64_t busy = 0;
  // Bounded: the changes, for which the sort was charged.
  for (const auto& [at, change] : changes) {
    busy += change;
    if (busy > most.processors) most = {busy, at};
  }
  return most;
}

void refuse_without_size(const Workload& workload, Budget& budget) {
  std::vector<std::pair<Time, std::int64_t>> changes;
  for (std::size_t i = 0; i < workload.recorded.size(); ++i) {
    const auto& job = workload.jobs[i];
    const auto wait = workload.recorded[i].wait;
    if (wait < 0) continue;
    changes.emplace_back(job.submit + wait, job.size);
    changes.emplace_back(job.submit + wait + job.length, -std::int64_t{job.size});
  }
  const auto most = most_in_use(std::move(changes), budget);
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: a log does not say how large the machine is; give it "
                  "(--processors N, or processors = N under [machine]){}",
                  printable_name(workload.source),
                  most.processors == 0
                      ? ""
                      : fmt::format(": at least {}, which were in use at once at {} s",
                                    most.processors, seconds_text(most.at))));
}

}  // namespace berth::study
