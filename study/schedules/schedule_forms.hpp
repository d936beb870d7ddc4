#pragma once
// The schedules that other simulators write, as rows: one list of forms.
//
// A form is one entry of the list in schedule_forms.cpp.  A CSV file with the columns
// of schedule_columns.hpp is none of them: it is read as it is.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"
#include "engine/workload/byte_source.hpp"
#include "engine/workload/formats/zone_rules.hpp"

namespace berth::study {

// A job of such a schedule.  What is empty is not said; without a start it never ran.
struct ForeignJob {
  std::int64_t line = 0;
  std::string id;  // as the file writes it
  std::optional<Time> submit{};
  std::optional<Time> start{};
  std::optional<Time> end{};
  std::optional<Duration> walltime{};
  std::int64_t size = 0;     // 0: not said
  std::string places{};      // as allocated_resources
  std::string_view state{};  // as final_state
  std::string user{};
};

struct ForeignSchedule {
  std::vector<ForeignJob> jobs;
  bool is_calendar = false;     // its times count from 1970
  std::int32_t processors = 0;  // of the machine; 0: not said
};

struct ForeignInput {
  ByteSource& source;
  const std::string& name;  // the file as the user typed it
  const ZoneRules& zone;    // of local times
  Budget& budget;
};

struct ScheduleFormRecord {
  std::string_view name;
  // By how much a length, and a submit time, may be off by rounding.
  Duration precision;
  Duration submit_precision;
  // Whether a schedule that begins with this line is one.
  bool (*matches)(std::string_view first_line);
  // Throws Error{kInput} "file:line:column: what".
  ForeignSchedule (*read)(const ForeignInput& input);
};

[[nodiscard]] std::span<const ScheduleFormRecord> schedule_forms();

// The log of a resource manager, of a format of formats(): a schedule is its recorded
// starts.  Throws Error{kInput} as well where no job has one.
[[nodiscard]] ForeignSchedule read_log_as_schedule(const ForeignInput& input);

}  // namespace berth::study
