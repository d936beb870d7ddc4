#include "study/inputs/schedule_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>

#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/label.hpp"
#include "engine/workload/workload.hpp"

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

using enum ScheduleColumn::Index;

class ScheduleReader {
 public:
  ScheduleReader(ByteSource& source, const std::string& name, std::span<const Job> jobs,
                 Budget& budget, const ScheduleForm& form)
      : table_(source, name, budget, form.layout, form.of_machine), form_(form) {
    budget.charge_each(jobs.size());
    for (std::uint32_t i = 0; i < jobs.size(); ++i) ids_.emplace(jobs[i].id, JobId{i});
  }

  Schedule read() {
    Schedule schedule;
    schedule.has_machine_columns = has_machine_columns();
    schedule.has_processors = table_.has(kPlaces);
    schedule.is_of_stretches = table_.has(kKind);
    while (table_.next()) {
      if (schedule.is_of_stretches) {
        schedule.stays.push_back(stretch());
        continue;
      }
      schedule.rows.push_back(entry());
      schedule.told.push_back(told(schedule.rows.back()));
      if (form_.keeps_stays && schedule.rows.back().start) {
        schedule.stays.push_back(stay_of(schedule.rows.back()));
      }
    }
    return schedule;
  }

 private:
  audit::Scheduled entry() {
    audit::Scheduled made;
    made.job = job();
    made.start = time(kStart);
    made.end = time(kFinish);
    if (made.end && !made.start) table_.wrong(kStart, "a job that ends has a start");
    made.state = table_.stated();
    const auto places = places_of();
    if (!places.empty() && form_.places == PlaceForm::kSet) {
      made.processors.emplace();
      for (const auto& part : places) made.processors->insert(part);
    }
    made.suspensions = count(kSuspensions);
    made.restarts = count(kRestarts);
    if (!table_.text(kAttempts).empty()) made.attempts = table_.whole(kAttempts, 0);
    made.lost = time(kLost);
    return made;
  }

  // What the row says of its job.
  Job told(const audit::Scheduled& row) {
    Job made;
    made.id = id_;
    made.size = 0;
    made.submit = time(kSubmit).value_or(kNever);
    constexpr auto kMostSize = std::numeric_limits<std::int32_t>::max();
    if (!table_.text(kSize).empty()) {
      made.size = static_cast<std::int32_t>(table_.whole(kSize, -1, kMostSize));
    }
    if (made.size <= 0) {
      made.size =
          row.processors ? static_cast<std::int32_t>(row.processors->count()) : 0;
    }
    const auto walltime = time(kWalltime);
    made.walltime_given = walltime && *walltime > 0;
    made.walltime = made.walltime_given ? *walltime : 0;
    if (!table_.text(kUser).empty()) {
      made.user = label_code(table_.whole(kUser, -1, kLargestLabel));
    }
    return made;
  }

  // Where a job that never changed its place was.
  audit::Stay stay_of(const audit::Scheduled& row) {
    audit::Stay made{.job = row.job, .from = *row.start, .to = row.end};
    made.places = places_of();
    read_machine_columns(made);
    return made;
  }

  audit::Stay stretch() {
    audit::Stay made{.job = job()};
    const auto from = time(kStart);
    if (!from) table_.wrong(kStart, "a stretch has a begin");
    made.from = *from;
    made.to = time(kFinish);
    made.doing = table_.doing();
    if (made.doing != audit::Doing::kRunning) {
      made.yield = 0;
    } else if (table_.has(kYield)) {
      made.yield = table_.real(kYield);
    }
    made.tier = table_.tier();
    made.places = places_of();
    read_machine_columns(made);
    return made;
  }

  // How often something happened to the job; 0 where the column does not say.
  std::int64_t count(ScheduleColumn::Index column) {
    return table_.text(column).empty() ? 0 : table_.whole(column, 0);
  }

  [[nodiscard]] bool has_machine_columns() const {
    for (std::size_t i = 0; i < form_.of_machine.size(); ++i) {
      if (form_.of_machine[i].is_needed && !table_.has(kCount + i)) return false;
    }
    return form_.of_machine.empty() || form_.columns_tell_places || table_.has(kPlaces);
  }

  void read_machine_columns(audit::Stay& made) {
    for (std::size_t i = 0; i < form_.of_machine.size(); ++i) {
      const auto text = table_.text(kCount + i);
      const auto& column = form_.of_machine[i];
      const bool is_judged = column.wrong != nullptr && !text.empty();
      const auto wrong = is_judged ? column.wrong(text) : std::string();
      if (!wrong.empty()) table_.wrong(kCount + i, wrong);
      made.of_machine.emplace_back(text);
    }
  }

  std::int64_t number_of_job() {
    if (form_.number_of && parse_whole(table_.text(kJob)).fault != NumberFault::kNone) {
      const auto number = form_.number_of(table_.text(kJob));
      if (number) return *number;
    }
    return table_.whole(kJob);
  }

  JobId job() {
    const auto id = id_ = number_of_job();
    if (form_.has_own_jobs)
      ids_.try_emplace(id, JobId{static_cast<std::uint32_t>(ids_.size())});
    const auto found = ids_.find(id);
    if (found == ids_.end()) {
      table_.wrong(kJob, fmt::format("job {} is not in the trace", id));
    }
    const auto [first, is_new] = seen_.emplace(id, table_.line());
    if (!is_new && !table_.has(kKind)) {
      table_.wrong(kJob, fmt::format("job {} is there twice (first at line {})", id,
                                     first->second));
    }
    return found->second;
  }

  std::optional<Time> time(ScheduleColumn::Index column) {
    const auto text = table_.text(column);
    if (text.empty()) return std::nullopt;
    const auto seconds = parse_seconds(text);
    if (seconds.fault == NumberFault::kNone) return seconds.value;
    // A run may go on beyond the times that a trace may have.
    if (const auto exact = ticks_of_text(text)) return exact;
    table_.wrong(column, fmt::format("'{}' is not a time", printable(text)));
  }

  // Empty where the column does not say.
  std::vector<Interval> places_of() {
    std::vector<Interval> places;
    table_.read_places(form_.places, std::nullopt, places);
    return places;
  }

  ScheduleTable table_;
  ScheduleForm form_;
  std::unordered_map<std::int64_t, JobId> ids_;
  std::unordered_map<std::int64_t, std::int64_t> seen_;  // line of each job
  std::int64_t id_ = 0;                                  // of the present row
};

}  // namespace

Schedule read_schedule(ByteSource& source, const std::string& name,
                       std::span<const Job> jobs, Budget& budget,
                       const ScheduleForm& form) {
  return ScheduleReader(source, name, jobs, budget, form).read();
}

}  // namespace berth::study
