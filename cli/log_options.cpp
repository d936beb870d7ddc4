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
#include "study/inputs/machine_source.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/logs/guessed_map.hpp"
#include "study/logs/log_writer.hpp"
#include "study/logs/packed.hpp"
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

void declare_log_form(Syntax& syntax, const char* format_option, LogForm& form) {
  std::string names;
  for (const auto* each : formats()) {
    names += fmt::format("{}{}", names.empty() ? "" : " | ", each->name);
  }
  syntax.option(format_option, form.format,
                fmt::format("{}; else what its first bytes say", names).c_str());
  syntax.option("--time-zone", form.time_zone, kTimeZoneHelp);
  syntax.option("--repairs", form.repairs,
                "a file for every line that was repaired or left out: "
                "class,line,column,id,text");
}

void take_log_form(const LogForm& form, study::Scenario& scenario) {
  study::set_option(scenario, "workload.format", form.format, "--format");
  study::set_option(scenario, "workload.time_zone", form.time_zone, "--time-zone");
}

LaterFile::LaterFile(std::string name, Existing existing) : name_(std::move(name)) {
  if (!name_.empty() && name_ != "-") file_.emplace(name_, existing);
}

void LaterFile::write(Console& console, const std::function<void(Sink&)>& print) {
  if (name_.empty()) return;
  if (!file_) {
    StreamSink sink(console.out);
    return print(sink);
  }
  study::write_packed(*file_, study::compression_of(name_), print);
}

void LaterFile::commit() {
  if (file_) file_->commit();
}

void write_repairs(const LogForm& form, const study::Scenario& scenario, bool strict,
                   Console& console) {
  if (form.repairs.empty()) return;
  if (scenario.workload.trace.empty() || scenario.workload.trace == "-") {
    wrong_usage("--repairs: there is no file of a trace that it could be of");
  }
  LaterFile file(form.repairs);
  Budget budget;
  auto with_hosts = scenario;
  (void)study::take_hosts(with_hosts, strict, budget);
  study::ReadingOptions reading;
  reading.strict = strict;
  reading.keep_lines = true;
  const auto loaded = study::load_workload(with_hosts, reading, budget);
  file.write(console,
             [&](Sink& sink) { sink.write(study::repairs_text(loaded.workload)); });
  file.commit();
}

void declare_log_reading(Syntax& syntax, const char* format_option,
                         LogReadingOptions& options) {
  declare_log_form(syntax, format_option, options);
  syntax.option("--columns", options.columns,
                "what the fields are in the columns of a table: "
                "field=column[:unit],..., a TOML file, philly, openb; auto prints a "
                "guess as TOML and stops");
  syntax.repeated("--set", options.settings,
                  "KEY=VALUE, such as workload.requeue=each: how records become jobs");
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
  take_log_form(options, scenario);
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
