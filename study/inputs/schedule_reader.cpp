#include "study/inputs/schedule_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "engine/base/csv_reader.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/line_reader.hpp"
#include "engine/workload/swf_number.hpp"

namespace berth::study {

namespace {

// What seconds_text() writes of a time, to the tick: a double holds no ticks beyond
// 2^53 of them.  nullopt: anything else.
std::optional<Time> ticks_of_text(std::string_view text) {
  constexpr std::size_t kOfTick = 6;  // digits of a second
  const auto point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  const auto fraction = text.substr(std::min(point + 1, text.size()));
  if (digits.empty() || fraction.size() > kOfTick) return std::nullopt;
  if (point < text.size() && fraction.empty()) return std::nullopt;
  digits += fraction;
  digits.append(kOfTick - fraction.size(), '0');
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  Time ticks = 0;
  const auto* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, ticks);
  if (read.ec != std::errc() || ticks == kNever) return std::nullopt;
  return ticks;
}

using Fields = std::span<const CsvField>;

using Column = ScheduleColumn;
using enum ScheduleColumn;

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

class ScheduleReader {
 public:
  ScheduleReader(ByteSource& source, const std::string& name, std::span<const Job> jobs,
                 Budget& budget, const ScheduleForm& form)
      : lines_(source, name, budget),
        rows_(name, [this] { return lines_.next(); }),
        name_(name),
        jobs_(jobs),
        form_(form) {
    budget.charge_each(jobs.size());
    for (std::uint32_t i = 0; i < jobs.size(); ++i) ids_.emplace(jobs[i].id, JobId{i});
  }

  Schedule read() {
    read_header();
    Schedule schedule;
    schedule.has_machine_columns = has_machine_columns();
    schedule.has_processors = has(kPlaces);
    schedule.is_of_stretches = has(kKind);
    while (const auto row = rows_.next()) {
      const auto fields = *row;
      if (fields.size() != names_.size()) {
        fail(0, fmt::format("{} fields where {} are needed", fields.size(),
                            names_.size()));
      }
      if (schedule.is_of_stretches) {
        schedule.stays.push_back(stretch(fields));
        continue;
      }
      schedule.rows.push_back(entry(fields));
      if (form_.keeps_stays && schedule.rows.back().start) {
        schedule.stays.push_back(stay_of(schedule.rows.back(), fields));
      }
    }
    return schedule;
  }

 private:
  void read_header() {
    for (const auto& field : rows_.next().value_or(Fields())) {
      names_.emplace_back(field.text);
    }
    for (std::size_t i = 0; i < where_.size(); ++i) {
      where_[i] = form_.columns.find(static_cast<Column>(i), names_);
    }
    for (const auto& column : form_.of_machine) {
      of_machine_.push_back(form_.columns.find(column.name, names_));
    }
    for (const auto column : {kJob, kStart, kFinish}) {
      if (!has(column)) fail(0, form_.columns.missing_text(column, names_));
    }
  }

  [[nodiscard]] bool has(Column column) const {
    return where_[static_cast<std::size_t>(column)].has_value();
  }
  // REQUIRES: there is such a column.
  [[nodiscard]] const CsvField& field(Fields fields, Column column) const {
    return fields[*where_[static_cast<std::size_t>(column)]];
  }

  audit::Scheduled entry(const Fields& fields) {
    audit::Scheduled made;
    made.job = job(fields);
    made.start = time(fields, kStart);
    made.end = time(fields, kFinish);
    if (made.end && !made.start)
      complain(fields, kStart, "a job that ends has a start");
    if (has(kState)) {
      const auto& state = field(fields, kState).text;
      for (const auto& [name, stated] : kStates) {
        if (state == name) made.state = stated;
      }
    }
    const auto places = places_of(fields);
    if (!places.empty() && form_.places == PlaceForm::kSet) {
      made.processors.emplace();
      for (const auto& part : places) made.processors->insert(part);
    }
    made.suspensions = count(fields, kSuspensions);
    made.restarts = count(fields, kRestarts);
    return made;
  }

  // Where a job that never changed its place was.
  audit::Stay stay_of(const audit::Scheduled& row, const Fields& fields) {
    audit::Stay made{.job = row.job, .from = *row.start, .to = row.end};
    made.places = places_of(fields);
    read_machine_columns(fields, made);
    return made;
  }

  audit::Stay stretch(const Fields& fields) {
    audit::Stay made{.job = job(fields)};
    const auto from = time(fields, kStart);
    if (!from) complain(fields, kStart, "a stretch has a begin");
    made.from = *from;
    made.to = time(fields, kFinish);
    made.doing = doing(fields);
    if (made.doing == audit::Doing::kRunning) {
      made.yield = has(kYield) ? yield(fields) : 1.0;
    } else {
      made.yield = 0;
    }
    if (has(kTier)) made.tier = tier(fields);
    made.places = places_of(fields);
    read_machine_columns(fields, made);
    return made;
  }

  audit::Doing doing(const Fields& fields) {
    const auto& text = field(fields, kKind).text;
    if (text == "running") return audit::Doing::kRunning;
    if (text == "frozen") return audit::Doing::kFrozen;
    if (text == "suspended") return audit::Doing::kSuspended;
    complain(
        fields, kKind,
        fmt::format("'{}' is none of running, frozen, suspended", printable(text)));
  }

  double yield(const Fields& fields) {
    const auto& text = field(fields, kYield).text;
    const auto number = parse_real(text);
    if (number.fault == NumberFault::kNone) return number.value;
    complain(fields, kYield, fmt::format("'{}' is no number", printable(text)));
  }

  std::optional<Tier> tier(const Fields& fields) {
    const auto& text = field(fields, kTier).text;
    if (text.empty()) return std::nullopt;
    for (const auto each : {Tier::kForeground, Tier::kBackground}) {
      if (text == name(each)) return each;
    }
    complain(fields, kTier,
             fmt::format("'{}' is neither foreground nor background", printable(text)));
  }

  // How often something happened to the job; 0 where the column does not say.
  std::int64_t count(const Fields& fields, Column column) {
    if (!has(column) || field(fields, column).text.empty()) return 0;
    const auto& text = field(fields, column).text;
    const auto number = parse_whole(text);
    if (number.fault == NumberFault::kNone && number.value >= 0) return number.value;
    complain(fields, column, fmt::format("'{}' is no count", printable(text)));
  }

  [[nodiscard]] bool has_machine_columns() const {
    for (std::size_t i = 0; i < of_machine_.size(); ++i) {
      if (form_.of_machine[i].is_needed && !of_machine_[i]) return false;
    }
    return of_machine_.empty() || has(kPlaces);
  }

  void read_machine_columns(const Fields& fields, audit::Stay& made) {
    for (std::size_t i = 0; i < of_machine_.size(); ++i) {
      const auto& at = of_machine_[i];
      const auto text = at ? std::string(fields[*at].text) : std::string();
      const auto& column = form_.of_machine[i];
      const bool is_judged = column.wrong != nullptr && !text.empty();
      const auto wrong = is_judged ? column.wrong(text) : std::string();
      if (!wrong.empty()) fail_at(fields, *at, wrong);
      made.of_machine.push_back(text);
    }
  }

  JobId job(const Fields& fields) {
    const auto& text = field(fields, kJob).text;
    const auto id = parse_whole(text);
    if (id.fault != NumberFault::kNone) {
      complain(fields, kJob, fmt::format("'{}' is not a job number", printable(text)));
    }
    const auto found = ids_.find(id.value);
    if (found == ids_.end()) {
      complain(fields, kJob, fmt::format("job {} is not in the trace", id.value));
    }
    const auto [first, is_new] = seen_.emplace(id.value, rows_.line());
    if (!is_new && !has(kKind)) {
      complain(fields, kJob,
               fmt::format("job {} is there twice (first at line {})", id.value,
                           first->second));
    }
    return found->second;
  }

  std::optional<Time> time(const Fields& fields, Column column) {
    const auto& text = field(fields, column).text;
    if (text.empty()) return std::nullopt;
    // A run may go on beyond the times that a trace may have.
    if (const auto exact = ticks_of_text(text)) return exact;
    const auto seconds = parse_seconds(text);
    if (seconds.fault == NumberFault::kNone) return seconds.value;
    complain(fields, column, fmt::format("'{}' is not a time", printable(text)));
  }

  // Empty where the column does not say.
  std::vector<Interval> places_of(const Fields& fields) {
    std::vector<Interval> places;
    if (!has(kPlaces)) return places;
    const auto wrong =
        read_places(field(fields, kPlaces).text, form_.places, std::nullopt, places);
    if (!wrong.empty()) complain(fields, kPlaces, wrong);
    return places;
  }

  [[noreturn]] void complain(const Fields& fields, Column column,
                             std::string_view what) {
    fail_at(fields, *where_[static_cast<std::size_t>(column)], what);
  }
  [[noreturn]] void fail_at(const Fields& fields, std::size_t number,
                            std::string_view what) {
    fail(fields[number].column, fmt::format("{}: {}", names_[number], what));
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
  ScheduleForm form_;
  std::unordered_map<std::int64_t, JobId> ids_;
  std::unordered_map<std::int64_t, std::int64_t> seen_;  // line of each job
  std::vector<std::string> names_;  // of the columns, as the file has them
  std::array<std::optional<std::size_t>, static_cast<std::size_t>(kCount)> where_;
  std::vector<std::optional<std::size_t>> of_machine_;  // likewise its own columns
};

}  // namespace

Schedule read_schedule(ByteSource& source, const std::string& name,
                       std::span<const Job> jobs, Budget& budget,
                       const ScheduleForm& form) {
  return ScheduleReader(source, name, jobs, budget, form).read();
}

}  // namespace berth::study
