#include "cli/log_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/gzip_source.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/logs/guessed_map.hpp"
#include "study/scenario/settings_door.hpp"

namespace berth::cli {

namespace {

// Other keys would be ignored: nothing is run, and no job is left out by them.
void check_key(const std::string& key) {
  constexpr std::array<std::string_view, 11> kOfLogs{
      "workload.format",  "workload.time_zone",     "workload.map",
      "workload.origin",  "workload.submit_time",   "workload.requeue",
      "workload.running", "workload.heterogeneous", "workload.timeouts",
      "workload.size",    "workload.size_unit"};
  if (std::find(kOfLogs.begin(), kOfLogs.end(), key) != kOfLogs.end()) return;
  wrong_usage(
      fmt::format("--set {}: no key of how a log is read{}; docs/formats.md has "
                  "all",
                  printable(key), did_you_mean(key, kOfLogs)));
}

}  // namespace

void declare_log_reading(Syntax& syntax, const char* format_option,
                         LogReadingOptions& options) {
  std::string names;
  for (const auto* each : formats()) {
    names += fmt::format("{}{}", names.empty() ? "" : " | ", each->name);
  }
  syntax.option(format_option, options.format,
                fmt::format("{}; else what its first bytes say", names).c_str());
  syntax.option("--time-zone", options.time_zone, kTimeZoneHelp);
  syntax.option("--columns", options.columns,
                "what the fields are in the columns of a table: "
                "field=column[:unit],..., a TOML file, philly, openb; auto prints a "
                "guess as TOML and stops");
  syntax.repeated("--set", options.settings,
                  "KEY=VALUE, such as workload.requeue=each: how records become jobs");
  syntax.option("--repairs", options.repairs,
                "a file for every line that was repaired or left out: "
                "class,line,column,id,text");
  syntax.flag("--strict", options.strict, "stop at a job that would be left out");
}

std::optional<int> show_guess(const std::string& file, const LogReadingOptions& options,
                              Console& console) {
  if (options.columns != "auto") return std::nullopt;
  const auto path = study::find_input(file);
  study::FileSource stored(path);
  Budget budget;
  GzipSource unpacked(stored, path, budget);
  console.out << study::guessed_map(unpacked, path, budget);
  return study::kDone;
}

JobLog read(const std::string& file, const LogReadingOptions& options, Budget& budget) {
  study::Scenario scenario;
  study::set_option(scenario, "workload.trace", file, "FILE");
  study::set_option(scenario, "workload.format", options.format, "--format");
  study::set_option(scenario, "workload.time_zone", options.time_zone, "--time-zone");
  study::set_option(scenario, "workload.map", options.columns, "--columns");
  for (const auto& setting : options.settings) {
    check_key(setting.substr(0, setting.find('=')));
    study::override_setting(scenario, setting);
  }
  study::ReadingOptions reading;
  reading.strict = options.strict;
  reading.keep_lines = options.keeps_lines || !options.repairs.empty();
  reading.keep_recorded = true;
  auto log =
      study::read_trace(scenario.workload.trace, scenario.workload, reading, budget);
  ChosenFields chosen;
  chosen.size = scenario.workload.fields.size;
  choose_fields(log.workload, chosen, budget);
  return log;
}

}  // namespace berth::cli
