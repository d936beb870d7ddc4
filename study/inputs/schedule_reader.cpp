#include "study/inputs/schedule_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "engine/base/csv_reader.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/base/spread.hpp"
#include "engine/embed/slots_settings.hpp"
#include "engine/workload/line_reader.hpp"
#include "engine/workload/swf_number.hpp"

namespace berth::study {

namespace {

using Fields = std::span<const CsvField>;

enum Column : std::size_t {
  kJob,
  kStart,
  kEnd,
  kState,
  kProcessors,
  kSwitch,
  kReserved,
  kKind,
  kSuspensions,
  kColumns
};

struct ColumnName {
  std::string_view name;
  std::string_view other;
  std::string_view of_stretches;
};

constexpr std::array<ColumnName, kColumns> kNames{{
    {"job_id", "job", ""},
    {"starting_time", "start", "from"},
    {"finish_time", "end", "to"},
    {"final_state", "", ""},
    {"allocated_resources", "", "resources"},
    {"switch", "", ""},
    {"reserved", "", ""},
    {"", "", "kind"},
    {"suspensions", "", ""},
}};

struct StateName {
  std::string_view name;
  audit::Stated stated;
};

// Other words say nothing.
constexpr std::array<StateName, 4> kStates{{
    {"COMPLETED_SUCCESSFULLY", audit::Stated::kCompleted},
    {"COMPLETED_WALLTIME_REACHED", audit::Stated::kKilled},
    {"REJECTED", audit::Stated::kRejected},
    {"NOT_FINISHED", audit::Stated::kUnfinished},
}};

bool overlaps(const IntervalSet& set, const Interval& with) {
  return std::any_of(set.intervals().begin(), set.intervals().end(),
                     [&](const Interval& part) {
                       return part.first <= with.last && with.first <= part.last;
                     });
}

class ScheduleReader {
 public:
  ScheduleReader(ByteSource& source, const std::string& name, std::span<const Job> jobs)
      : lines_(source, name),
        rows_(name, [this] { return lines_.next(); }),
        name_(name),
        jobs_(jobs) {
    for (std::uint32_t i = 0; i < jobs.size(); ++i) ids_.emplace(jobs[i].id, JobId{i});
  }

  Schedule read() {
    read_header();
    Schedule schedule;
    schedule.has_switches = where_[kSwitch] && where_[kProcessors];
    schedule.has_processors = where_[kProcessors].has_value();
    schedule.is_of_stretches = where_[kKind].has_value();
    while (const auto row = rows_.next()) {
      const auto fields = *row;
      if (fields.size() != width_) {
        fail(0, fmt::format("{} fields where {} are needed", fields.size(), width_));
      }
      const bool is_stay = !where_[kKind] || fields[*where_[kKind]].text != "suspended";
      if (is_stay) schedule.rows.push_back(entry(fields));
    }
    return schedule;
  }

 private:
  void read_header() {
    const auto fields = rows_.next().value_or(Fields());
    width_ = fields.size();
    for (std::size_t column = 0; column < kColumns; ++column) {
      where_[column] = find(fields, kNames[column]);
    }
    for (const auto column : {kJob, kStart, kEnd}) {
      if (where_[column]) continue;
      fail(0, fmt::format("column {} is missing; the first line must name job_id, "
                          "starting_time and finish_time{}",
                          kNames[column].name,
                          look_alike({{kNames[column].name}}, fields)));
    }
  }

  static std::optional<std::size_t> find(const Fields& fields, const ColumnName& name) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto& text = fields[i].text;
      const bool is_it =
          text == name.name || text == name.other || text == name.of_stretches;
      if (!text.empty() && is_it) return i;
    }
    return std::nullopt;
  }

  audit::Scheduled entry(const Fields& fields) {
    audit::Scheduled made;
    made.job = job(fields);
    made.start = time(fields, kStart);
    made.end = time(fields, kEnd);
    if (made.end && !made.start)
      complain(fields, kStart, "a job that ends has a start");
    if (where_[kState]) {
      const auto& state = fields[*where_[kState]].text;
      for (const auto& [name, stated] : kStates) {
        if (state == name) made.state = stated;
      }
    }
    if (where_[kProcessors] && !fields[*where_[kProcessors]].text.empty()) {
      made.processors = processors(fields);
    }
    if (where_[kSwitch]) read_switch(fields, made);
    return made;
  }

  void read_switch(const Fields& fields, audit::Scheduled& made) {
    made.top = fields[*where_[kSwitch]].text;
    if (where_[kReserved] && !fields[*where_[kReserved]].text.empty()) {
      const auto& text = fields[*where_[kReserved]].text;
      const auto mbits = spread_from_text(text);
      if (!mbits || mbits->least != mbits->most || mbits->least < 0) {
        complain(fields, kReserved,
                 fmt::format("'{}' is no bandwidth in Mb/s", printable(text)));
      }
      made.reserved = kbits(mbits->least);
    }
    if (!where_[kSuspensions]) return;
    const auto suspensions = parse_whole(fields[*where_[kSuspensions]].text);
    if (suspensions.fault == NumberFault::kNone && suspensions.value > 0) {
      complain(fields, kSuspensions,
               "the job was suspended, and one row does not tell where it was when; "
               "give stretches.csv");
    }
  }

  JobId job(const Fields& fields) {
    const auto& text = fields[*where_[kJob]].text;
    const auto id = parse_whole(text);
    if (id.fault != NumberFault::kNone) {
      complain(fields, kJob, fmt::format("'{}' is not a job number", printable(text)));
    }
    const auto found = ids_.find(id.value);
    if (found == ids_.end()) {
      complain(fields, kJob, fmt::format("job {} is not in the trace", id.value));
    }
    const auto [first, is_new] = seen_.emplace(id.value, rows_.line());
    if (!is_new && !where_[kKind]) {
      complain(fields, kJob,
               fmt::format("job {} is there twice (first at line {})", id.value,
                           first->second));
    }
    return found->second;
  }

  std::optional<Time> time(const Fields& fields, Column column) {
    const auto& text = fields[*where_[column]].text;
    if (text.empty()) return std::nullopt;
    const auto seconds = parse_seconds(text);
    if (seconds.fault == NumberFault::kNone) return seconds.value;
    complain(fields, column, fmt::format("'{}' is not a time", printable(text)));
  }

  // "0-3 8": processors from 0.
  IntervalSet processors(const Fields& fields) {
    IntervalSet set;
    std::string_view rest = fields[*where_[kProcessors]].text;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      add_interval(set, rest.substr(0, end), fields);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return set;
  }

  void add_interval(IntervalSet& set, std::string_view text, const Fields& fields) {
    const auto dash = text.find('-', 1);
    const auto first = parse_whole(text.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_whole(text.substr(dash + 1));
    const bool numbers =
        first.fault == NumberFault::kNone && last.fault == NumberFault::kNone;
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
    if (!numbers || first.value < 0 || last.value < first.value ||
        last.value >= kMost) {
      complain(fields, kProcessors,
               fmt::format("'{}' is no range of processors", printable(text)));
    }
    const Interval interval{static_cast<std::int32_t>(first.value),
                            static_cast<std::int32_t>(last.value)};
    if (overlaps(set, interval)) {
      complain(fields, kProcessors,
               fmt::format("'{}' is named twice", printable(text)));
    }
    set.insert(interval);
  }

  [[noreturn]] void complain(const Fields& fields, Column column,
                             std::string_view what) {
    fail(fields[*where_[column]].column,
         fmt::format("{}: {}",
                     kNames[column].name.empty() ? kNames[column].of_stretches
                                                 : kNames[column].name,
                     what));
  }

  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    const auto at = column == 0 ? std::string() : fmt::format("{}:", column);
    throw Error(ErrorCode::kInput, fmt::format("{}:{}:{} {}", printable_name(name_),
                                               rows_.line(), at, what));
  }

  LineReader lines_;
  CsvReader rows_;
  std::string name_;
  std::span<const Job> jobs_;
  std::unordered_map<std::int64_t, JobId> ids_;
  std::unordered_map<std::int64_t, std::int64_t> seen_;  // line of each job
  std::size_t width_ = 0;
  std::array<std::optional<std::size_t>, kColumns> where_;
};

}  // namespace

Schedule read_schedule(ByteSource& source, const std::string& name,
                       std::span<const Job> jobs) {
  return ScheduleReader(source, name, jobs).read();
}

}  // namespace berth::study
