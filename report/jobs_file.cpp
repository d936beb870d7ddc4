#include "report/jobs_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/line_reader.hpp"
#include "engine/workload/swf_number.hpp"
#include "study/common/csv_line.hpp"

namespace berth::report {

namespace {

enum Column : std::size_t {
  kJob,
  kSubmit,
  kStart,
  kFinish,
  kSize,
  kPlaces,
  kWalltime,
  kState,
  kSuccess,
  kUser,
  kLength,
  kColumns
};

constexpr std::size_t kNeeded = kPlaces;  // the columns before it

constexpr std::array<std::string_view, kColumns> kNames{"job_id",
                                                        "submission_time",
                                                        "starting_time",
                                                        "finish_time",
                                                        "requested_number_of_resources",
                                                        "allocated_resources",
                                                        "requested_time",
                                                        "final_state",
                                                        "success",
                                                        "user",
                                                        "length"};

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
  JobsReader(ByteSource& source, const std::string& name,
             std::optional<std::int32_t> processors)
      : lines_(source, name), name_(name), processors_(processors) {}

  JobsOfFile read() {
    read_header();
    while (const auto line = lines_.next()) {
      if (line->empty()) continue;
      split(*line);
      if (fields_.size() != width_) {
        fail(0, fmt::format("{} fields where {} are needed", fields_.size(), width_));
      }
      read_job();
    }
    made_.has_places = where_[kPlaces] < width_;
    sort_jobs();
    return std::move(made_);
  }

 private:
  struct Field {
    std::string_view text;
    std::size_t column;
  };

  // Lines without quotes are not copied.
  void split(std::string_view line) {
    fields_.clear();
    if (line.find('"') != std::string_view::npos) {
      quoted_ = study::split_csv(line);
      for (const auto& field : quoted_) fields_.push_back({field.text, field.column});
      return;
    }
    for (std::size_t at = 0; at <= line.size();) {
      const auto end = std::min(line.find(',', at), line.size());
      fields_.push_back({line.substr(at, end - at), at + 1});
      at = end + 1;
    }
  }

  void read_header() {
    const auto line = lines_.next();
    split(line ? *line : std::string_view());
    width_ = fields_.size();
    for (std::size_t column = 0; column < kColumns; ++column) {
      const auto at = std::find_if(
          fields_.begin(), fields_.end(),
          [&](const Field& field) { return field.text == kNames[column]; });
      where_[column] = static_cast<std::size_t>(at - fields_.begin());
      if (column < kNeeded && where_[column] == width_) {
        fail(0, fmt::format("column {} is missing; the first line must name {}",
                            kNames[column],
                            fmt::join(kNames.begin(), kNames.begin() + kNeeded, ", ")));
      }
    }
  }

  [[nodiscard]] std::string_view text(Column column) const {
    return where_[column] < width_ ? fields_[where_[column]].text : std::string_view();
  }

  void read_job() {
    ScheduledJob job;
    job.id = whole(kJob, std::numeric_limits<std::int64_t>::max());
    job.submit = time(kSubmit);
    job.size = static_cast<std::int32_t>(
        whole(kSize, std::numeric_limits<std::int32_t>::max()));
    if (!text(kUser).empty()) {
      job.user = static_cast<std::int32_t>(
          whole(kUser, std::numeric_limits<std::int32_t>::max()));
    }
    if (!text(kWalltime).empty()) job.walltime = time(kWalltime);
    if (!text(kLength).empty()) job.length = time(kLength);
    job.state = state();
    read_times(job);
    job.first_interval = static_cast<std::uint32_t>(made_.intervals.size());
    if (job.has_started()) read_places();
    job.intervals =
        static_cast<std::uint32_t>(made_.intervals.size()) - job.first_interval;
    made_.jobs.push_back(job);
    numbers_.push_back(lines_.number());
  }

  State state() {
    const auto name = text(kState);
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

  // "0-3 8": processors from 0.
  void read_places() {
    const auto first = made_.intervals.size();
    auto rest = text(kPlaces);
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      if (end > 0) made_.intervals.push_back(interval(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto begin = made_.intervals.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, made_.intervals.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto i = first + 1; i < made_.intervals.size(); ++i) {
      if (made_.intervals[i].first <= made_.intervals[i - 1].last) {
        complain(kPlaces,
                 fmt::format("processor {} is named twice", made_.intervals[i].first));
      }
    }
    if (made_.intervals.size() > first) {
      made_.processors = std::max(made_.processors, made_.intervals.back().last + 1);
    }
  }

  Interval interval(std::string_view text) {
    const auto dash = text.find('-', 1);
    const auto first = parse_whole(text.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_whole(text.substr(dash + 1));
    const auto most =
        std::int64_t{processors_.value_or(std::numeric_limits<std::int32_t>::max())};
    const bool numbers =
        first.fault == NumberFault::kNone && last.fault == NumberFault::kNone;
    if (!numbers || first.value < 0 || last.value < first.value) {
      complain(kPlaces, fmt::format("'{}' is no range of processors", printable(text)));
    }
    if (last.value >= most) {
      complain(kPlaces,
               fmt::format("processor {} is off the machine of {}", last.value, most));
    }
    return {static_cast<std::int32_t>(first.value),
            static_cast<std::int32_t>(last.value)};
  }

  std::int64_t whole(Column column, std::int64_t most) {
    const auto number = parse_whole(text(column));
    if (number.fault == NumberFault::kNone && number.value >= -1 &&
        number.value <= most) {
      return number.value;
    }
    complain(column, fmt::format("'{}' is not a whole number from -1 to {}",
                                 printable(text(column)), most));
  }

  Time time(Column column) {
    const auto seconds = parse_seconds(text(column));
    if (seconds.fault == NumberFault::kNone) return seconds.value;
    complain(column, fmt::format("'{}' is not a time", printable(text(column))));
  }

  void sort_jobs() {
    std::vector<std::uint32_t> order(made_.jobs.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto by_id = [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(made_.jobs[a].id, a) < std::tie(made_.jobs[b].id, b);
    };
    std::sort(order.begin(), order.end(), by_id);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (made_.jobs[order[i]].id != made_.jobs[order[i - 1]].id) continue;
      throw Error(ErrorCode::kInput,
                  fmt::format("{}:{}: job {} is there twice (first at line {})",
                              printable_name(name_), numbers_[order[i]],
                              made_.jobs[order[i]].id, numbers_[order[i - 1]]));
    }
    std::sort(made_.jobs.begin(), made_.jobs.end(), [](const auto& a, const auto& b) {
      return std::tie(a.submit, a.id) < std::tie(b.submit, b.id);
    });
  }

  [[noreturn]] void complain(Column column, std::string_view what) const {
    fail(fields_[where_[column]].column, fmt::format("{}: {}", kNames[column], what));
  }

  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    const auto at = column == 0 ? std::string() : fmt::format("{}:", column);
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{} {}", printable_name(name_),
                            std::max<std::int64_t>(lines_.number(), 1), at, what));
  }

  LineReader lines_;
  std::string name_;
  std::optional<std::int32_t> processors_;
  std::vector<study::CsvField> quoted_;
  std::vector<Field> fields_;  // of the line read last
  std::size_t width_ = 0;
  std::array<std::size_t, kColumns> where_{};  // width_: not there
  std::vector<std::int64_t> numbers_;          // of the jobs' lines
  JobsOfFile made_;
};

}  // namespace

JobsOfFile read_jobs(ByteSource& source, const std::string& name,
                     std::optional<std::int32_t> processors) {
  return JobsReader(source, name, processors).read();
}

}  // namespace berth::report
