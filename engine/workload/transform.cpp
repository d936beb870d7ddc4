#include "engine/workload/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/jobs/label.hpp"

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

// Repeats the items until there are `count`.
template <class Items>
void append_copies(Items& items, std::size_t count, Budget& budget) {
  const std::size_t period = items.size();
  while (!items.empty() && items.size() < count) {
    budget.charge();
    items.push_back(items[items.size() - period]);
  }
}

void append_shifted(std::vector<Job>& jobs, const Shift& shift, std::size_t count,
                    Budget& budget) {
  const std::size_t period = jobs.size();
  jobs.reserve(count);
  while (jobs.size() < count) {
    budget.charge();
    Job job = jobs[jobs.size() - period];
    job.submit += shift.submit;
    job.id += shift.id;
    jobs.push_back(job);
  }
}

template <class Keeps>
void keep_if(Workload& workload, Budget& budget, const Keeps& keeps) {
  std::vector<std::uint32_t> places;
  std::uint32_t place = 0;
  budget.charge_each(workload.jobs.size());
  for (const auto& job : workload.jobs) {
    if (keeps(job)) places.push_back(place);
    ++place;
  }
  select_jobs(workload, places, budget);
}

constexpr Duration kWeek = seconds(604'800);

// The jobs of each user, as indices.
using JobsOfUsers = std::map<std::int32_t, std::vector<std::uint32_t>, LabelLess>;

JobsOfUsers jobs_of_users(const std::vector<Job>& jobs, Budget& budget) {
  JobsOfUsers all;
  std::uint32_t index = 0;
  budget.charge_each(jobs.size());
  for (const auto& job : jobs) all[job.user].push_back(index++);
  return all;
}

// One drawn user.
struct DrawnUser {
  std::int32_t from = kUnknown;  // whose jobs
  std::int32_t user = kUnknown;  // as whose
  Duration shift = 0;
};

std::int32_t next_user(const Workload& workload, std::int64_t number) {
  if (number > kLargestLabel) {
    refuse(workload,
           "the numbers of users are too large to number drawn users behind "
           "them");
  }
  return label_code(number);
}

// A user drawn for the first time keeps number and times.
std::vector<DrawnUser> draw_users(const Workload& workload, const JobsOfUsers& users,
                                  std::int64_t weeks, std::uint64_t seed,
                                  Budget& budget) {
  budget.charge_each(2 * users.size());
  auto engine = random_stream(seed, "workload.resample");
  using Draw = boost::random::uniform_int_distribution<std::int64_t>;
  Draw which(0, static_cast<std::int64_t>(users.size()) - 1);
  Draw week(0, weeks - 1);
  std::vector<std::int32_t> numbers;
  for (const auto& [user, jobs] : users) numbers.push_back(user);
  auto next_number = label_number(numbers.back()) + 1;
  std::vector<DrawnUser> drawn;
  std::set<std::int32_t> seen;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto from = numbers[static_cast<std::size_t>(which(engine))];
    if (seen.insert(from).second) {
      drawn.push_back({from, from, 0});
      continue;
    }
    const auto user = next_user(workload, next_number++);
    drawn.push_back({from, user, week(engine) * kWeek});
  }
  return drawn;
}

}  // namespace

void keep_first(Workload& workload, std::int64_t count) {
  BERTH_ASSERT(count >= 0);
  const auto kept = std::min(static_cast<std::size_t>(count), workload.jobs.size());
  workload.jobs.resize(kept);
  workload.recorded.resize(std::min(kept, workload.recorded.size()));
  workload.lines.keep_first(kept);
  workload.of_trace.resize(std::min(kept, workload.of_trace.size()));
}

void keep_window(Workload& workload, Time from, Time to, Budget& budget) {
  keep_if(workload, budget,
          [from, to](const Job& job) { return from <= job.submit && job.submit < to; });
}

void keep_up_to(Workload& workload, Duration longest, Budget& budget) {
  keep_if(workload, budget,
          [longest](const Job& job) { return job.length <= longest; });
}

void repeat(Workload& workload, std::int64_t copies, Budget& budget) {
  BERTH_ASSERT(copies >= 1);
  auto& jobs = workload.jobs;
  if (jobs.empty()) return;
  const Shift shift = shift_between_copies(jobs);
  refuse_far_copies(workload, shift, copies);
  const std::size_t count = jobs.size() * static_cast<std::size_t>(copies);
  append_shifted(jobs, shift, count, budget);
  append_copies(workload.recorded, count, budget);
  append_copies(workload.lines, count, budget);
  append_copies(workload.of_trace, count, budget);
}

std::optional<double> offered_load(const Workload& workload, std::int32_t processors,
                                   Budget& budget, std::optional<std::int32_t> widest) {
  BERTH_ASSERT(processors >= 1);
  const auto& jobs = workload.jobs;
  if (jobs.empty() || span_of(jobs) == 0) return std::nullopt;
  double work = 0;
  budget.charge_each(jobs.size());
  for (const Job& job : jobs) {
    if (job.size <= widest.value_or(processors))
      work += to_seconds(job.length) * job.size;
  }
  return work / (processors * to_seconds(span_of(jobs)));
}

void scale_load(Workload& workload, double factor, Budget& budget) {
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
  budget.charge_each(jobs.size());
  for (Job& job : jobs) {
    job.submit = first + std::llround(static_cast<double>(job.submit - first) * factor);
  }
  put_in_order(workload, budget);
}

void reach_load(Workload& workload, std::int32_t processors, double load,
                Budget& budget, std::optional<std::int32_t> widest) {
  BERTH_ASSERT(std::isfinite(load) && load > 0);
  const auto offered = offered_load(workload, processors, budget, widest);
  if (!offered || !(*offered > 0)) {
    refuse(workload,
           "no load to scale: needs two different submit times and a job with "
           "work that fits on the machine");
  }
  using Limits = std::numeric_limits<double>;
  scale_load(workload, std::clamp(*offered / load, Limits::min(), Limits::max()),
             budget);
}

void shake(Workload& workload, std::int64_t most_seconds, std::uint64_t seed,
           Budget& budget) {
  BERTH_ASSERT(0 <= most_seconds && most_seconds <= 1'000'000'000);
  if (most_seconds == 0) return;
  auto engine = random_stream(seed, "workload.shake");
  boost::random::uniform_int_distribution<std::int64_t> later(0, most_seconds);
  std::map<std::int32_t, Duration> drawn;  // by user, for the present submit time
  std::optional<Time> present;
  for (Job& job : workload.jobs) {
    budget.charge();
    if (present != job.submit) drawn.clear();
    present = job.submit;
    const auto [at, is_new] = drawn.try_emplace(job.user, 0);
    if (is_new) at->second = seconds(later(engine));
    job.submit += at->second;
    if (job.submit > kLastTime) refuse(workload, "submit times are out of range");
  }
  put_in_order(workload, budget);
}

void resample_users(Workload& workload, std::uint64_t seed, Budget& budget) {
  const auto users = jobs_of_users(workload.jobs, budget);
  if (users.empty()) return;
  if (users.rbegin()->first == kUnknown) {
    refuse(workload, "no job names a user: there are none to resample");
  }
  const Time first = workload.jobs.front().submit;
  const auto weeks = span_of(workload.jobs) / kWeek + 1;
  const auto drawn = draw_users(workload, users, weeks, seed, budget);
  std::vector<std::uint32_t> indices;
  for (const auto& user : drawn) {
    const auto& own = users.at(user.from);
    budget.charge_each(1 + own.size());
    for (const auto index : own) indices.push_back(index);
  }
  if (indices.size() > std::numeric_limits<std::uint32_t>::max()) {
    refuse(workload, "too many jobs after resampling");
  }
  select_jobs(workload, indices, budget);
  std::size_t place = 0;
  budget.charge_each(2 * workload.jobs.size());
  for (const auto& user : drawn) {
    // Bounded: the jobs that were drawn, for which the line above charges.
    for (std::size_t i = users.at(user.from).size(); i > 0; --i) {
      Job& job = workload.jobs[place++];
      job.submit = first + (job.submit - first + user.shift) % (weeks * kWeek);
      job.user = user.user;
      job.id = static_cast<std::int64_t>(place);  // unique, in the order of the draws
    }
  }
  put_in_order(workload, budget);
  std::int64_t id = 0;
  for (Job& job : workload.jobs) job.id = ++id;
}

}  // namespace berth
