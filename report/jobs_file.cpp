#include "report/jobs_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "report/units_of_hosts.hpp"

namespace berth::report {

namespace {

using Column = study::ScheduleColumn::Index;
using enum study::ScheduleColumn::Index;

constexpr std::int64_t kMostNeed = 1'000'000'000;  // of units

// The columns of machines that tell parts of hosts, then those of needs.
std::vector<audit::PlaceColumn> columns_of_parts(
    const std::vector<std::string>& of_needs) {
  std::vector<audit::PlaceColumn> all;
  // Bounded: a column or none of each machine.
  for (const auto& each : drawn_columns()) all.push_back({each.name, false, nullptr});
  // Bounded: the kinds of one machine.
  for (const auto& each : of_needs) all.push_back({each, false, nullptr});
  return all;
}

class JobsReader {
 public:
  JobsReader(ByteSource& source, const std::string& name, const PlacesOfFile& places,
             const study::ScheduleLayout& layout, Budget& budget)
      : budget_(budget),
        places_(places),
        units_(places.hosts),
        columns_(columns_of_parts(units_.columns())),
        table_(source, name, budget, layout, columns_),
        name_(name) {}

  JobsOfFile read() {
    // Bounded: the rows, for which the reader of lines charges.
    while (table_.next()) read_job();
    made_.has_places = table_.has(kPlaces);
    made_.columns = table_.names();
    made_.kinds = units_.kinds();
    made_.has_submits = table_.has(kSubmit);
    place_waiting_jobs();
    sort_jobs();
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool says(Column column) const { return !table_.text(column).empty(); }

  void read_job() {
    ScheduledJob job;
    job.id = table_.whole(kJob);
    job.has_submit = says(kSubmit);
    if (job.has_submit) job.submit = table_.time(kSubmit);
    if (says(kSize)) {
      job.size = static_cast<std::int32_t>(
          table_.whole(kSize, -1, std::numeric_limits<std::int32_t>::max()));
    }
    if (says(kUser)) job.user = label_code(table_.whole(kUser, -1, kLargestLabel));
    if (says(kWalltime)) job.walltime = table_.time(kWalltime);
    if (says(kLength)) job.length = table_.time(kLength);
    job.state = state();
    read_times(job);
    job.first_interval = static_cast<std::uint32_t>(made_.intervals.size());
    if (job.has_started() && says(kPlaces)) read_places();
    job.first_part = static_cast<std::uint32_t>(made_.parts.size());
    if (job.has_started()) read_parts(job.first_interval);
    job.parts = static_cast<std::uint32_t>(made_.parts.size()) - job.first_part;
    job.intervals =
        static_cast<std::uint32_t>(made_.intervals.size()) - job.first_interval;
    job.line = static_cast<std::uint32_t>(table_.line());
    made_.jobs.push_back(job);
  }

  [[nodiscard]] State state() const {
    switch (table_.stated()) {
      case audit::Stated::kCompleted: return State::kFinished;
      case audit::Stated::kKilled: return State::kKilled;
      case audit::Stated::kRejected: return State::kRejected;
      case audit::Stated::kUnfinished: return State::kWaiting;
      case audit::Stated::kHostFailed:
      case audit::Stated::kStopped: return State::kFailed;
      case audit::Stated::kNothing: break;
    }
    return table_.text(kSuccess) == "0" ? State::kFailed : State::kFinished;
  }

  void read_times(ScheduledJob& job) const {
    if (!says(kStart)) {
      if (says(kFinish)) table_.wrong(kStart, "a job that ends has a start");
      if (job.state != State::kRejected) job.state = State::kWaiting;
      return;
    }
    job.start = table_.time(kStart);
    if (!job.has_submit) job.submit = job.start;
    if (job.start < job.submit)
      table_.wrong(kStart, "the job starts before its submit");
    if (!says(kFinish)) {
      job.state = State::kRunning;
      return;
    }
    job.finish = table_.time(kFinish);
    if (job.finish < job.start) table_.wrong(kFinish, "the job ends before its start");
    if (!job.has_ended()) job.state = State::kFailed;
    if (job.length < 0) job.length = job.finish - job.start;
  }

  void read_places() {
    const auto first = made_.intervals.size();
    places_.read(table_, made_.intervals);
    if (made_.intervals.size() > first) {
      made_.processors = std::max(made_.processors, made_.intervals.back().last + 1);
    }
  }

  // A text that tells none is passed over, as a column that berth does not know.
  void read_parts(std::uint32_t first_interval) {
    const auto columns = drawn_columns();
    // Bounded: the columns of machines, whose text is charged for.
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto text = table_.text(kCount + i);
      if (text.empty()) continue;
      budget_.charge_each(text.size());
      (void)columns[i].read(text, made_.parts);
    }
    const auto held = std::span(made_.intervals).subspan(first_interval);
    // Bounded: the kinds of hosts; the processors are charged for.
    for (std::size_t i = 0; i < units_.columns().size(); ++i) {
      const auto column = kCount + columns.size() + i;
      if (table_.text(column).empty()) continue;
      for (const auto& each : held) budget_.charge_each(each.last - each.first + 1);
      units_.add(i, table_.whole(column, 0, kMostNeed), held, made_.parts);
    }
  }

  // Without a time of its own a job that never started stands where the schedule
  // begins.
  void place_waiting_jobs() {
    auto first = kNever;
    budget_.charge_each(2 * made_.jobs.size());
    for (const auto& job : made_.jobs) {
      if (job.has_started() || job.has_submit) first = std::min(first, job.submit);
    }
    for (auto& job : made_.jobs) {
      if (!job.has_started() && !job.has_submit && first != kNever) job.submit = first;
    }
  }

  void sort_jobs() {
    std::vector<std::uint32_t> order(made_.jobs.size());
    budget_.charge_each(2 * order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto by_id = [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(made_.jobs[a].id, a) < std::tie(made_.jobs[b].id, b);
    };
    budget_.charge_sort(order.size());
    std::sort(order.begin(), order.end(), by_id);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (made_.jobs[order[i]].id != made_.jobs[order[i - 1]].id) continue;
      throw Error(ErrorCode::kInput,
                  fmt::format("{}:{}: job {} is there twice (first at line {})",
                              printable_name(name_), made_.jobs[order[i]].line,
                              made_.jobs[order[i]].id, made_.jobs[order[i - 1]].line));
    }
    budget_.charge_sort(made_.jobs.size());
    std::sort(made_.jobs.begin(), made_.jobs.end(), [](const auto& a, const auto& b) {
      return std::tie(a.submit, a.id) < std::tie(b.submit, b.id);
    });
  }

  Budget& budget_;
  PlacesOfFile places_;
  UnitsOfHosts units_;
  std::vector<audit::PlaceColumn> columns_;
  study::ScheduleTable table_;
  std::string name_;
  JobsOfFile made_;
};

}  // namespace

void PlacesOfFile::read(const study::ScheduleTable& table,
                        std::vector<Interval>& to) const {
  const auto before = static_cast<std::ptrdiff_t>(to.size());
  table.read_places(form, processors, to);
  to.erase(std::unique(to.begin() + before, to.end()), to.end());
}

JobsOfFile read_jobs(ByteSource& source, const std::string& name,
                     const PlacesOfFile& places, Budget& budget,
                     const study::ScheduleLayout& layout) {
  return JobsReader(source, name, places, layout, budget).read();
}

std::int32_t most_in_use(const JobsOfFile& of, Budget& budget, std::int32_t unknown) {
  // Each job begins and ends.
  budget.charge_each(3 * of.jobs.size());
  std::vector<std::pair<Time, std::int64_t>> changes;
  for (const auto& job : of.jobs) {
    const bool has_time =
        job.has_started() && !(job.has_ended() && job.finish == job.start);
    if (!has_time) continue;
    const auto size = std::int64_t{job.size > 0 ? job.size : unknown};
    changes.emplace_back(job.start, size);
    if (job.has_ended()) changes.emplace_back(job.finish, -size);
  }
  budget.charge_sort(changes.size());
  // At one instant ends come before starts.
  std::sort(changes.begin(), changes.end());
  std::int64_t used = 0;
  std::int64_t most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, used += change);
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(most, std::numeric_limits<std::int32_t>::max()));
}

void refuse_overlaps(const JobsOfFile& of, const std::string& name, Budget& budget) {
  budget.charge_each(of.jobs.size());
  std::vector<const ScheduledJob*> order;
  order.reserve(of.jobs.size());
  for (const auto& job : of.jobs) {
    if (job.has_ended() && job.finish > job.start) order.push_back(&job);
  }
  budget.charge_sort(order.size());
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::tie(a->start, a->line) < std::tie(b->start, b->line);
  });
  // The last job of each processor.
  std::vector<const ScheduledJob*> last(static_cast<std::size_t>(of.processors));
  const auto take = [&](const ScheduledJob& job, std::int32_t processor) {
    auto& before = last[static_cast<std::size_t>(processor)];
    if (before != nullptr && before->finish > job.start) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}:{}: allocated_resources: job {} starts on processor "
                              "{} at {} s, which job {} (line {}) has until {} s",
                              printable_name(name), job.line, job.id, processor,
                              seconds_text(job.start), before->id, before->line,
                              seconds_text(before->finish)));
    }
    before = &job;
  };
  for (const auto* job : order) {
    budget.charge();
    // Bounded: the intervals of a job, each charged for below.
    for (std::uint32_t i = 0; i < job->intervals; ++i) {
      const auto& part = of.intervals[job->first_interval + i];
      budget.charge_each(part.last - part.first + 1);
      for (auto at = part.first; at <= part.last; ++at) take(*job, at);
    }
  }
}

}  // namespace berth::report
