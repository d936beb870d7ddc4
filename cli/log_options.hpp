#pragma once
// The options of the commands that read a log and run nothing.

#include <optional>
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

  // Whether one says how records are read.
  [[nodiscard]] bool names_how() const {
    return !(format.empty() && time_zone.empty() && columns.empty() &&
             settings.empty());
  }
};

// `format_option`: "--format", or "--from" where there is a target as well.
void declare_log_reading(Syntax& syntax, const char* format_option,
                         LogReadingOptions& options);

// For --columns auto: prints the map that the table looks like.  nullopt: there is
// something else to do, nothing was read.
[[nodiscard]] std::optional<int> show_guess(const std::string& file,
                                            const LogReadingOptions& options,
                                            Console& console);

// With what was recorded of the jobs.  Throws Error{kInput}, Error{kUsage}.
[[nodiscard]] JobLog read(const std::string& file, const LogReadingOptions& options,
                          Budget& budget);

}  // namespace berth::cli
