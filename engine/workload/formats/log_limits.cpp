#include "engine/workload/formats/log_limits.hpp"

#include <fmt/format.h>

#include <limits>

#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"

namespace berth {

// Bounded in this file: records and jobs, for which their readers charge.

namespace {

constexpr auto kLongest = static_cast<Duration>(kMaxSeconds) * kSecond;

}  // namespace

void require_in_range(const LogRecord& record, LogBuilder::Clock clock,
                      std::string_view file) {
  const auto refuse = [&](std::string_view what) {
    refuse_log(file, record.place, what);
  };
  if (record.size > std::numeric_limits<std::int32_t>::max()) {
    refuse(fmt::format("{} processors are more than 2147483647", record.size));
  }
  for (const auto& [what, time] :
       {std::pair("length", record.length), {"walltime", record.walltime}}) {
    if (time && *time > kLongest) refuse(fmt::format("{}: more than 10^11 s", what));
  }
  if (clock == LogBuilder::Clock::kOwn && record.submit && *record.submit < 0) {
    refuse(fmt::format("submit: {} s is below 0", seconds_text(*record.submit)));
  }
  if (record.memory > kMostMemory) refuse("memory: more than 2^53 bytes");
  constexpr std::size_t kLongestName = 4096;
  const auto require_name = [&](std::string_view what, std::string_view name) {
    if (name.size() > kLongestName) refuse(fmt::format("{}: above 4096 bytes", what));
    if (name.find('\n') == name.npos) return;
    refuse(fmt::format("{}: there is an end of line in '{}'", what, printable(name)));
  };
  require_name("id", record.id);
  for (const auto& [kind, amount] : record.kinds) {
    if (kind.empty()) refuse("a kind of resource has no name");
    require_name("kind of resource", kind);
  }
  constexpr auto kMostStatus = std::numeric_limits<std::int16_t>::max();
  if (record.status > kMostStatus) {
    refuse(fmt::format("status: {} is more than {}", record.status, kMostStatus));
  }
}

void move_zero(Workload& workload, const LogOptions& options) {
  if (workload.jobs.empty()) return;
  const auto first = workload.jobs.front().submit;
  // Whole seconds, so that the Unix time of time 0 is one; dates before 1970 are below
  // 0.
  const auto part = (first % kSecond + kSecond) % kSecond;
  const auto zero =
      options.rules.origin ? seconds(*options.rules.origin) : first - part;
  if (zero > first) {
    refuse_log(options.name, {workload.lines[0], 1},
               fmt::format("workload.origin: the first job is submitted {} s before it",
                           seconds_text(zero - first)));
  }
  for (auto& job : workload.jobs) job.submit -= zero;
  workload.unix_start = zero / kSecond;
}

void require_times_in_range(const Workload& workload, std::string_view file) {
  const auto require = [&](std::string_view what, std::size_t i, Duration time) {
    if (time <= kLongest) return;
    refuse_log(file, {workload.lines[i], 1},
               fmt::format("{}: {} s are more than 10^11", what, seconds_text(time)));
  };
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    require("submit", i, workload.jobs[i].submit);
    if (!workload.recorded.empty()) require("wait", i, workload.recorded[i].wait);
  }
}

}  // namespace berth
