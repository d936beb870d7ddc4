#pragma once
// A log of a resource manager as jobs, with what a workload does not hold.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/workload/chosen_fields.hpp"
#include "engine/workload/formats/log_rules.hpp"
#include "engine/workload/formats/zone_rules.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

struct ColumnMap;

struct LogOptions {
  std::string name;            // the file as the user typed it
  bool strict = false;         // the first repair that matters is an error
  bool keep_lines = false;     // fills Finding::lines and Workload::repair_list
  bool keep_recorded = true;   // fills Workload::recorded
  bool keep_left_out = false;  // fills Workload::not_jobs, of SWF
  LogRules rules{};
  std::optional<SizeField> size{};  // open: as usual in the format
  ZoneRules zone{};                 // of local times
  bool names_zone = false;  // else it is said that local times were taken as UTC
  // What the fields are in the columns of a table with this first line
  // (column_map.hpp); null: no map is known.  Empty: there are no maps.
  std::function<std::shared_ptr<const ColumnMap>(std::string_view header)> columns{};
  bool keep_preceding = false;  // fills Workload::preceding, of SWF
  // Keeps the records of formats that tell no size of the machine.
  bool needs_size = false;
};

// The numbers that a log gave to names: kinds user to partition.
inline constexpr std::array<std::string_view, 5> kNameKinds{
    "user", "group", "executable", "queue", "partition"};

struct LogName {
  std::int64_t number = 0;
  std::string name;
};

struct JobLog {
  Workload workload;
  // By index of the job; empty: the format has none.
  std::vector<std::int32_t> nodes{};
  // The ids that are not the number of the job, by index of the job, ascending.
  std::vector<std::pair<std::uint32_t, std::string>> source_ids{};
  // By kNameKinds, ascending by number; empty: the numbers are those of the log.
  std::array<std::vector<LogName>, kNameKinds.size()> names{};
  // Kinds of resource in the order of their names, and the amounts of each job.
  std::vector<std::string> kinds{};
  std::vector<std::vector<std::int64_t>>
      amounts{};  // by kind, then by index of the job
};

}  // namespace berth
