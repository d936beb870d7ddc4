#include "report/jobs_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "report/csv_rows.hpp"

namespace berth::report {

namespace {

using Column = study::ScheduleColumn;
using enum study::ScheduleColumn;

constexpr std::array kNeeded{kJob, kStart, kFinish};

struct StateName {
  std::string_view name;
  State state;
};

constexpr std::array<StateName, 4> kStates{{
    {"COMPLETED_SUCCESSFULLY", State::kFinished},
    {"COMPLETED_WALLTIME_REACHED", State::kKilled},
    {"REJECTED", State::kRejected},
    {"NOT_FINISHED", State::kWaiting},
}};

class JobsReader {
 public:
  JobsReader(ByteSource& source, const std::string& name, const PlacesOfFile& places,
             const study::ScheduleColumns& columns, Budget& budget)
      : budget_(budget),
        rows_(source, name, budget),
        name_(name),
        places_(places),
        columns_(columns) {}

  JobsOfFile read() {
    // Bounded: the three columns.
    for (const auto column : kNeeded) rows_.need(columns_, column);
    // Bounded: the columns that are known.
    for (std::size_t i = 0; i < where_.size(); ++i) {
      where_[i] = rows_.find(columns_, static_cast<Column>(i));
    }
    // Bounded: the rows, for which the reader of lines charges.
    while (rows_.next()) read_job();
    made_.has_places = at(kPlaces) != CsvRows::kNone;
    made_.has_submits = at(kSubmit) != CsvRows::kNone;
    place_waiting_jobs();
    sort_jobs();
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::size_t at(Column column) const {
    return where_[static_cast<std::size_t>(column)];
  }

  [[nodiscard]] std::string_view text(Column column) const {
    return rows_.text(at(column));
  }

  void read_job() {
    ScheduledJob job;
    job.id = whole(kJob, std::numeric_limits<std::int64_t>::max());
    job.has_submit = !text(kSubmit).empty();
    if (job.has_submit) job.submit = time(kSubmit);
    if (!text(kSize).empty()) {
      job.size = static_cast<std::int32_t>(
          whole(kSize, std::numeric_limits<std::int32_t>::max()));
    }
    if (!text(kUser).empty()) {
      job.user = label_code(whole(kUser, kLargestLabel));
    }
    if (!text(kWalltime).empty()) job.walltime = time(kWalltime);
    if (!text(kLength).empty()) job.length = time(kLength);
    job.state = state();
    read_times(job);
    job.first_interval = static_cast<std::uint32_t>(made_.intervals.size());
    if (job.has_started() && !text(kPlaces).empty()) read_places();
    job.intervals =
        static_cast<std::uint32_t>(made_.intervals.size()) - job.first_interval;
    job.line = static_cast<std::uint32_t>(rows_.line());
    made_.jobs.push_back(job);
  }

  State state() {
    const auto name = text(kState);
    // Bounded: the four names.
    for (const auto& [known, state] : kStates) {
      if (name == known) return state;
    }
    return text(kSuccess) == "0" ? State::kFailed : State::kFinished;
  }

  void read_times(ScheduledJob& job) {
    const bool starts = !text(kStart).empty();
    const bool ends = !text(kFinish).empty();
    if (!starts) {
      if (ends) complain(kStart, "a job that ends has a start");
      if (job.state != State::kRejected) job.state = State::kWaiting;
      return;
    }
    job.start = time(kStart);
    if (!job.has_submit) job.submit = job.start;
    if (job.start < job.submit) complain(kStart, "the job starts before its submit");
    if (!ends) {
      job.state = State::kRunning;
      return;
    }
    job.finish = time(kFinish);
    if (job.finish < job.start) complain(kFinish, "the job ends before its start");
    if (!job.has_ended()) job.state = State::kFailed;
    if (job.length < 0) job.length = job.finish - job.start;
  }

  void read_places() {
    const auto first = made_.intervals.size();
    rows_.places(at(kPlaces), places_.form, places_.processors, made_.intervals);
    if (made_.intervals.size() > first) {
      made_.processors = std::max(made_.processors, made_.intervals.back().last + 1);
    }
  }

  std::int64_t whole(Column column, std::int64_t most) {
    return rows_.whole(at(column), -1, most);
  }

  Time time(Column column) { return rows_.time(at(column)); }

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

  [[noreturn]] void complain(Column column, std::string_view what) const {
    rows_.complain(at(column), what);
  }

  Budget& budget_;
  CsvRows rows_;
  std::string name_;
  PlacesOfFile places_;
  const study::ScheduleColumns& columns_;
  std::array<std::size_t, static_cast<std::size_t>(kCount)> where_{};
  JobsOfFile made_;
};

}  // namespace

JobsOfFile read_jobs(ByteSource& source, const std::string& name,
                     const PlacesOfFile& places, Budget& budget,
                     const study::ScheduleColumns& columns) {
  return JobsReader(source, name, places, columns, budget).read();
}

std::int32_t most_in_use(const JobsOfFile& of, Budget& budget) {
  // Each job begins and ends.
  budget.charge_each(3 * of.jobs.size());
  std::vector<std::pair<Time, std::int64_t>> changes;
  for (const auto& job : of.jobs) {
    const bool has_time =
        job.has_started() && !(job.has_ended() && job.finish == job.start);
    if (!has_time) continue;
    changes.emplace_back(job.start, job.size);
    if (job.has_ended()) changes.emplace_back(job.finish, -job.size);
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
