#pragma once
// The options of the commands that read a log and run nothing.

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engine/workload/formats/log.hpp"

namespace berth::cli {

// The help of --time-zone, of each command that reads a log.
inline constexpr auto kTimeZoneHelp =
    "zone of times without an offset, such as Europe/Vienna or +01:00 (UTC)";

struct LogReadingOptions {
  std::string format;
  std::string time_zone;
  std::string columns;
  std::vector<std::string> settings;
  std::string repairs;
  bool strict = false;
  bool keeps_lines = false;
};

// `format_option`: "--format", or "--from" where there is a target as well.
void declare_log_reading(Syntax& syntax, const char* format_option,
                         LogReadingOptions& options);

// With what was recorded of the jobs.  Throws Error{kInput}, Error{kUsage}.
[[nodiscard]] JobLog read(const std::string& file, const LogReadingOptions& options,
                          Budget& budget);

}  // namespace berth::cli
