#include "study/logs/size_of_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth::study {

void refuse_without_size(const Workload& workload, Budget& budget) {
  std::vector<std::pair<Time, std::int64_t>> changes;
  for (std::size_t i = 0; i < workload.recorded.size(); ++i) {
    const auto& job = workload.jobs[i];
    const auto wait = workload.recorded[i].wait;
    if (wait < 0) continue;
    changes.emplace_back(job.submit + wait, job.size);
    changes.emplace_back(job.submit + wait + job.length, -std::int64_t{job.size});
  }
  budget.charge_sort(changes.size());
  std::sort(changes.begin(), changes.end());
  std::int64_t busy = 0;
  std::pair<std::int64_t, Time> most{0, 0};
  for (const auto& [at, change] : changes) {
    busy += change;
    if (busy > most.first) most = {busy, at};
  }
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: a log does not say how large the machine is; give it "
                  "(--processors N, or processors = N under [machine]){}",
                  printable_name(workload.source),
                  most.first == 0
                      ? ""
                      : fmt::format(": at least {}, which were in use at once at {} s",
                                    most.first, seconds_text(most.second))));
}

}  // namespace berth::study
