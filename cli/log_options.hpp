#pragma once
// The options that say how a log is read.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engine/output/output_file.hpp"
#include "engine/output/sink.hpp"
#include "engine/workload/formats/log.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::cli {

// The help of --time-zone, of each command that reads a log.
inline constexpr auto kTimeZoneHelp =
    "zone of times without an offset, such as Europe/Vienna or +01:00 (UTC)";

// What every command that reads a log may be told of it.
struct LogForm {
  std::string format;
  std::string time_zone;
  std::string repairs;  // a file to write; empty: none
};

// `format_option`: "--format", or "--from" where there is a target as well.
void declare_log_form(Syntax& syntax, const char* format_option, LogForm& form);
// Over the scenario.  Throws Error{kUsage}.
void take_log_form(const LogForm& form, study::Scenario& scenario);

// A file that is written at the end, so that nothing is written on an error; "" is
// none, "-" standard output.
class LaterFile {
 public:
  // Throws Error{kUsage} where it is there and may not be replaced, or has no folder.
  explicit LaterFile(std::string name, Existing existing = Existing::kRefuse);

  // Gzip if the name says so.
  void write(Console& console, const std::function<void(Sink&)>& print);
  void commit();

 private:
  std::string name_;
  std::optional<OutputFile> file_;
};

// Writes the repairs that the jobs of this scenario needed, if it is asked for.
// REQUIRES: the scenario is of jobs and has no sweep.
void write_repairs(const LogForm& form, const study::Scenario& scenario, bool strict,
                   Console& console);

struct LogReadingOptions : LogForm {
  std::string columns;
  std::vector<std::string> settings;
  bool strict = false;
  bool keeps_lines = false;

  // Whether one says how records are read.
  [[nodiscard]] bool names_how() const {
    return !(format.empty() && time_zone.empty() && columns.empty() &&
             settings.empty());
  }
};

// Declares these options for the commands that read a log and run nothing.
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
