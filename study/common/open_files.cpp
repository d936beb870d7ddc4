#include "study/common/open_files.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/base/error.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// At one time: the results of a run, its log and its policy, and where a workload is so
// long that it lies in files, those of its arrays (20 of a trace with needs).
constexpr std::size_t kOfWorker = 24;
// The locks of a folder, a file to be read, and room.
constexpr std::size_t kOfAll = 4;
// A run of a workload in memory, which keeps its log.
constexpr std::size_t kOfRun = 8;

std::size_t open_now() {
  std::error_code failed;
  const fs::directory_iterator files("/proc/self/fd", failed);
  constexpr std::size_t kStreams = 3;
  if (failed) return kStreams;
  const auto count = std::distance(begin(files), end(files));
  return static_cast<std::size_t>(count) - 1;  // without the folder that is read
}

// How many more can be opened, of so many that are wanted.
std::size_t allowed(std::size_t wanted) {
  const auto open = open_now();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = open + wanted;
  if (limit.rlim_cur < needed && limit.rlim_cur < limit.rlim_max) {
    auto higher = limit;
    higher.rlim_cur = std::min(needed, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &higher) == 0) limit = higher;
  }
  if (limit.rlim_cur >= needed) return wanted;
  return limit.rlim_cur > open ? static_cast<std::size_t>(limit.rlim_cur) - open : 0;
}

}  // namespace

std::size_t workers_by_files(std::size_t wanted) {
  constexpr std::size_t kMost = 100'000;  // so that the product is in range
  const auto workers = std::min(wanted, kMost);
  const auto files = allowed(kOfAll + workers * kOfWorker);
  const auto enough = files > kOfAll ? (files - kOfAll) / kOfWorker : 0;
  return std::max<std::size_t>(1, std::min(workers, enough));
}

void require_files_of_run() {
  const auto files = allowed(kOfRun);
  if (files >= kOfRun) return;
  throw Error(ErrorCode::kOutput,
              fmt::format("too few files can be opened to write results: {} more, and "
                          "a run needs {}; raise the limit (ulimit -n)",
                          files, kOfRun));
}

}  // namespace berth::study
