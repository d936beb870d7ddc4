#include "engine/workload/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/workload/printable.hpp"

namespace berth {

namespace {

constexpr Time kLastTime = seconds(static_cast<std::int64_t>(kMaxSeconds));

struct Shift {
  Duration submit = 0;
  std::int64_t id = 0;
};

[[noreturn]] void refuse(const Workload& workload, std::string_view what) {
  throw Error(ErrorCode::kInput,
              fmt::format("{}: {}", printable_name(workload.source), what));
}

Duration span_of(const std::vector<Job>& jobs) {
  return jobs.back().submit - jobs.front().submit;
}

// REQUIRES: there is a job.
Shift shift_between_copies(const std::vector<Job>& jobs) {
  const auto [least, most] = std::minmax_element(
      jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.id < b.id; });
  const auto gaps = static_cast<Duration>(jobs.size()) - 1;
  const Duration span = span_of(jobs);
  const Duration mean_gap = gaps > 0 ? (span + gaps / 2) / gaps : 0;
  return {span + (mean_gap > 0 ? mean_gap : kSecond), most->id - least->id + 1};
}

void refuse_far_copies(const Workload& workload, const Shift& shift,
                       std::int64_t copies) {
  const Time last = workload.jobs.back().submit;
  const auto highest =
      std::max_element(workload.jobs.begin(), workload.jobs.end(),
                       [](const Job& a, const Job& b) { return a.id < b.id; });
  const std::int64_t more = copies - 1;
  if (more <= (kLastTime - last) / shift.submit &&
      more <= (kLargestId - highest->id) / shift.id) {
    return;
  }
  refuse(workload,
         fmt::format("{} copies end to end are out of range; repeat it less often",
                     copies));
}

// `items` has room for them.
template <class Items>
void append_copies(Items& items, std::int64_t copies) {
  const std::size_t count = items.size();
  for (std::int64_t copy = 1; copy < copies; ++copy) {
    for (std::size_t i = 0; i < count; ++i) items.push_back(items[i]);
  }
}

}  // namespace

void keep_first(Workload& workload, std::int64_t count) {
  BERTH_ASSERT(count >= 0);
  const auto kept = std::min(static_cast<std::size_t>(count), workload.jobs.size());
  workload.jobs.resize(kept);
  workload.recorded.resize(std::min(kept, workload.recorded.size()));
  workload.lines.keep_first(kept);
}

void keep_window(Workload& workload, Time from, Time to) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Time submit = workload.jobs[i].submit;
    if (from <= submit && submit < to) places.push_back(i);
  }
  select_jobs(workload, places);
}

void repeat(Workload& workload, std::int64_t copies) {
  BERTH_ASSERT(copies >= 1);
  std::vector<Job>& jobs = workload.jobs;
  if (jobs.empty()) return;
  const Shift shift = shift_between_copies(jobs);
  refuse_far_copies(workload, shift, copies);
  const std::size_t count = jobs.size();
  jobs.reserve(count * static_cast<std::size_t>(copies));
  append_copies(jobs, copies);
  workload.recorded.reserve(workload.recorded.size() *
                            static_cast<std::size_t>(copies));
  append_copies(workload.recorded, copies);
  append_copies(workload.lines, copies);
  for (std::size_t i = count; i < jobs.size(); ++i) {
    jobs[i].submit = jobs[i - count].submit + shift.submit;
    jobs[i].id = jobs[i - count].id + shift.id;
  }
}

std::optional<double> offered_load(const Workload& workload, std::int32_t processors) {
  BERTH_ASSERT(processors >= 1);
  const std::vector<Job>& jobs = workload.jobs;
  if (jobs.empty() || span_of(jobs) == 0) return std::nullopt;
  double work = 0;
  for (const Job& job : jobs) {
    if (job.size <= processors) work += to_seconds(job.length) * job.size;
  }
  return work / (processors * to_seconds(span_of(jobs)));
}

void scale_load(Workload& workload, double factor) {
  BERTH_ASSERT(std::isfinite(factor) && factor > 0);
  std::vector<Job>& jobs = workload.jobs;
  if (jobs.empty()) return;
  const Time first = jobs.front().submit;
  if (static_cast<double>(span_of(jobs)) * factor >
      static_cast<double>(kLastTime - first)) {
    refuse(workload, fmt::format("submit times are out of range after scaling by {}; "
                                 "ask for a larger load",
                                 factor));
  }
  for (Job& job : jobs) {
    job.submit = first + std::llround(static_cast<double>(job.submit - first) * factor);
  }
  put_in_order(workload);
}

void reach_load(Workload& workload, std::int32_t processors, double load) {
  BERTH_ASSERT(std::isfinite(load) && load > 0);
  const auto offered = offered_load(workload, processors);
  if (!offered || !(*offered > 0)) {
    refuse(workload,
           "there is no load to scale: it takes two submit times and a job with "
           "work that fits on the machine");
  }
  using Limits = std::numeric_limits<double>;
  scale_load(workload, std::clamp(*offered / load, Limits::min(), Limits::max()));
}

}  // namespace berth
