#include "engine/workload/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"

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

Duration span_of(const SpillingArray<Job>& jobs) {
  return jobs.back().submit - jobs.front().submit;
}

// REQUIRES: there is a job.
Shift shift_between_copies(const SpillingArray<Job>& jobs) {
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

// Repeats the items until there are `count`.
template <class Items>
void append_copies(Items& items, std::size_t count) {
  const std::size_t period = items.size();
  while (!items.empty() && items.size() < count) {
    items.push_back(items[items.size() - period]);
  }
}

void append_shifted(SpillingArray<Job>& jobs, const Shift& shift, std::size_t count) {
  const std::size_t period = jobs.size();
  jobs.reserve(count);
  while (jobs.size() < count) {
    throw_if_interrupted();
    jobs.visited(jobs.size());
    Job job = jobs[jobs.size() - period];
    job.submit += shift.submit;
    job.id += shift.id;
    jobs.push_back(job);
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
  SpillingArray<std::uint32_t> places;
  std::uint32_t place = 0;
  for (const auto& job : workload.jobs) {
    if (from <= job.submit && job.submit < to) places.push_back(place);
    ++place;
  }
  select_jobs(workload, places);
}

void repeat(Workload& workload, std::int64_t copies) {
  BERTH_ASSERT(copies >= 1);
  auto& jobs = workload.jobs;
  if (jobs.empty()) return;
  const Shift shift = shift_between_copies(jobs);
  refuse_far_copies(workload, shift, copies);
  const std::size_t count = jobs.size() * static_cast<std::size_t>(copies);
  append_shifted(jobs, shift, count);
  append_copies(workload.recorded, count);
  append_copies(workload.lines, count);
}

std::optional<double> offered_load(const Workload& workload, std::int32_t processors) {
  BERTH_ASSERT(processors >= 1);
  const auto& jobs = workload.jobs;
  if (jobs.empty() || span_of(jobs) == 0) return std::nullopt;
  double work = 0;
  for (const Job& job : jobs) {
    if (job.size <= processors) work += to_seconds(job.length) * job.size;
  }
  return work / (processors * to_seconds(span_of(jobs)));
}

void scale_load(Workload& workload, double factor) {
  BERTH_ASSERT(std::isfinite(factor) && factor > 0);
  auto& jobs = workload.jobs;
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
           "no load to scale: needs two different submit times and a job with "
           "work that fits on the machine");
  }
  using Limits = std::numeric_limits<double>;
  scale_load(workload, std::clamp(*offered / load, Limits::min(), Limits::max()));
}

}  // namespace berth
