#include "study/inputs/room_for_jobs.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "engine/base/error.hpp"

namespace berth::study {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

// A job of the workload, its outcome, and its value while a metric is sorted.
constexpr std::int64_t kBytesOfJob = 64 + 12 + 8;
// The program, its threads and the policies.
constexpr std::int64_t kBytesOfRun = std::int64_t{64} << 20U;

std::int64_t limit_of(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) != 0) {
    return kUnlimited;
  }
  constexpr auto kMost = static_cast<rlim_t>(kUnlimited);
  return static_cast<std::int64_t>(std::min(limit.rlim_cur, kMost));
}

// That of cgroup v2, where a file of the system tells it.
std::int64_t limit_of_control_group() {
  std::ifstream groups("/proc/self/cgroup");
  std::string group;
  std::getline(groups, group);
  const std::string hierarchy = "0::";
  if (group.rfind(hierarchy, 0) != 0) return kUnlimited;
  std::ifstream file("/sys/fs/cgroup" + group.substr(hierarchy.size()) + "/memory.max");
  std::int64_t bytes = kUnlimited;
  return file >> bytes ? bytes : kUnlimited;  // the word "max" is no number
}

std::int64_t memory_of_computer() {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto bytes_of_page = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes_of_page > 0 ? pages * bytes_of_page : kUnlimited;
}

std::int64_t megabytes(std::int64_t bytes) { return bytes / 1'000'000; }

}  // namespace

std::int64_t usable_memory() {
  return std::min({limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA), limit_of_control_group(),
                   memory_of_computer()});
}

void check_room_for_jobs(std::int64_t jobs, std::int64_t bytes) {
  const auto fit = std::max(bytes - kBytesOfRun, std::int64_t{0}) / kBytesOfJob;
  if (jobs <= fit) return;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("memory limit: a run over {} jobs takes {} MB of memory, and this "
                  "process may use {} MB, in which {} jobs fit; ask for fewer jobs, or "
                  "give it more memory (ulimit -v, or a larger computer)",
                  jobs, megabytes(kBytesOfRun) + jobs * kBytesOfJob / 1'000'000,
                  megabytes(bytes), fit));
}

}  // namespace berth::study
