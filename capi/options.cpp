#include "capi/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "capi/failures.hpp"
#include "engine/base/random_stream.hpp"

namespace berth::capi {

namespace {

constexpr std::uint32_t kFlags = BERTH_AUDITED | BERTH_KEEP_JOBS | BERTH_IN_TURN;

void refuse_ranges(const berth_options& options) {
  if ((options.flags & ~kFlags) != 0) wrong_use("options: there is no such flag");
  const bool is_in_range = options.work_limit >= 0 && options.memory_limit >= 0 &&
                           options.time_limit >= 0 && std::isfinite(options.time_limit);
  if (!is_in_range) wrong_use("options: a limit is negative or no number");
  const auto least = std::min({options.window, options.first_from, options.first_to,
                               options.stride, options.warm});
  if (least < 0) wrong_use("options: a number of jobs is negative");
  if (options.policy != nullptr && options.traits != nullptr) {
    wrong_use("options: traits are those of a caller who decides: policy = NULL");
  }
  const bool needs_window = options.first_from != 0 || options.first_to != 0 ||
                            options.stride != 0 || options.warm != 0 ||
                            options.warm_policy != nullptr ||
                            (options.flags & BERTH_IN_TURN) != 0;
  if (options.window == 0 && needs_window) {
    wrong_use(
        "options: first_from, first_to, stride, warm and BERTH_IN_TURN are of "
        "windows: set window");
  }
}

bindings::Limits limits_of(const berth_options& options) {
  auto limits = usual_limits();
  if (options.work_limit > 0) limits.work_units = options.work_limit;
  if (options.memory_limit > 0) limits.memory_mib = options.memory_limit;
  limits.time_seconds = options.time_limit;
  return limits;
}

JobWindows windows_of(const berth_options& options, const OpenScenario& opened) {
  if (options.window == 0) return {};
  const auto why = study::why_no_windows(opened.scenario, *opened.workload);
  if (!why.empty()) wrong_use("window: " + std::string(why));
  const auto all =
      static_cast<std::int64_t>(opened.workload->loaded.workload.jobs.size());
  if (options.window > all) {
    wrong_use(fmt::format("window: {} jobs are more than the {} that there are",
                          options.window, all));
  }
  const auto last = all - options.window;
  const auto to = options.first_to == 0 ? last : options.first_to;
  if (options.first_from > to || to > last) {
    wrong_use(
        fmt::format("first_from, first_to: {} to {} is no range within 0 to {}, "
                    "where a window of {} jobs may begin",
                    options.first_from, to, last, options.window));
  }
  if (options.warm > options.first_from) {
    wrong_use(
        fmt::format("warm: before job {}, at which the first window begins, there "
                    "are no {} jobs; set first_from to {} or more",
                    options.first_from, options.warm, options.warm));
  }
  const auto whole = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  JobWindows windows;
  windows.jobs = whole(options.window);
  windows.warm = whole(options.warm);
  windows.warm_policy = options.warm_policy == nullptr ? "fcfs" : options.warm_policy;
  windows.first = whole(options.first_from);
  windows.stride = std::max(whole(options.stride), std::size_t{1});
  windows.count = whole(to - options.first_from) / windows.stride + 1;
  windows.in_turn = (options.flags & BERTH_IN_TURN) != 0;
  return windows;
}

}  // namespace

study::JobWindow JobWindows::at(std::uint64_t seed) const {
  const auto i = static_cast<std::size_t>((in_turn ? seed : mix_bits(seed)) % count);
  return {first + i * stride - warm, warm + jobs, warm};
}

void read_struct(const void* given, void* out, std::size_t size, const char* name) {
  if (given == nullptr) wrong_use(std::string(name) + " is NULL");
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, given, sizeof(bytes));
  if (bytes < 2 * sizeof(std::uint32_t)) {
    wrong_use(std::string(name) + ": struct_bytes is not its size");
  }
  std::memset(out, 0, size);
  std::memcpy(out, given, std::min<std::size_t>(bytes, size));
  const auto* const begin = static_cast<const unsigned char*>(given);
  const bool has_more =
      bytes > size && std::any_of(begin + size, begin + bytes,
                                  [](unsigned char byte) { return byte != 0; });
  if (has_more) {
    wrong_use(std::string(name) + ": fields of a later version of berth are set");
  }
}

RunOptions read_options(const berth_options* given, const OpenScenario& opened) {
  berth_options options{};
  read_struct(given, &options, sizeof(options), "options");
  refuse_ranges(options);
  RunOptions made;
  if (options.policy != nullptr) made.policy = options.policy;
  if (options.traits != nullptr) made.traits = options.traits;
  made.seed = options.seed;
  made.is_audited = (options.flags & BERTH_AUDITED) != 0;
  made.keeps_jobs = (options.flags & BERTH_KEEP_JOBS) != 0;
  made.limits = limits_of(options);
  made.windows = windows_of(options, opened);
  return made;
}

}  // namespace berth::capi
