#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/log_options.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/output_file.hpp"
#include "engine/workload/warnings.hpp"
#include "study/common/exit_code.hpp"
#include "study/hosts/host_formats.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/logs/log_writer.hpp"
#include "study/logs/packed.hpp"
#include "study/results/result_log.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/shadow/recording_log.hpp"
#include "study/shadow/slurm_source.hpp"

namespace berth::cli {

namespace {

struct ConvertOptions {
  std::string from;
  std::string to;
  LogReadingOptions reading;
  std::string target;  // of --to; empty: by the ending of `to`
  std::string processors;
  std::string legend;
  std::string min_length;
  bool anonymise = false;
  bool force = false;
};

constexpr std::string_view kMachine = "machine";  // of hosts, not of a log

// The name of OUT without the ending of a packed file.
std::string_view unpacked_name(const ConvertOptions& options) {
  std::string_view name = options.to;
  if (study::compression_of(name) == study::Compression::kGzip) name.remove_suffix(3);
  return name;
}

bool makes_machine(const ConvertOptions& options) {
  return options.target == kMachine ||
         (options.target.empty() && unpacked_name(options).ends_with(".toml"));
}

// REQUIRES: it is no machine.
const study::LogTarget& target_of(const ConvertOptions& options) {
  const auto& targets = study::log_targets();
  std::vector<std::string_view> names;
  names.reserve(targets.size() + 1);
  for (const auto& each : targets) names.push_back(each.name);
  names.push_back(kMachine);
  if (!options.target.empty()) {
    return targets[choice_option("--to", options.target, names)];
  }
  const auto name = unpacked_name(options);
  const auto found =
      std::find_if(targets.begin(), targets.end(), [&](const auto& each) {
        return !each.suffix.empty() && name.ends_with(each.suffix);
      });
  if (found != targets.end()) return *found;
  wrong_usage(fmt::format("the ending of '{}' names no format: --to is one of {}",
                          printable(options.to), fmt::join(names, ", ")));
}

Existing existing(const ConvertOptions& options) {
  return options.force ? Existing::kReplace : Existing::kRefuse;
}

void say_not_held(const study::LogTarget& target, const JobLog& log, Console& console) {
  for (const auto& [what, count] : target.not_held(log)) {
    if (count > 0)
      console.say(fmt::format("{} does not hold: {} ({})", target.name, what, count));
  }
}

void lengthen(Workload& workload, const std::string& least) {
  if (least.empty()) return;
  const auto length = ticks_from_seconds(seconds_option("--min-length", least));
  if (!length) wrong_usage("--min-length: more than 10^11 seconds");
  for (auto& job : workload.jobs) {
    job.length = std::max(job.length, *length);
    if (!job.walltime_given) job.walltime = job.length;
  }
}

// A log, or the folder of a result or of a recording.
JobLog read_any(const ConvertOptions& options, Budget& budget) {
  std::error_code failed;
  const auto& from = options.from;
  if (!std::filesystem::is_directory(from, failed)) {
    return read(from, options.reading, budget);
  }
  if (options.reading.names_how()) {
    wrong_usage("a folder is read in one way: leave the options of logs out");
  }
  if (!study::is_recording(from)) return study::read_result_as_log(from, budget);
  LogOptions reading;
  reading.name = from;
  reading.strict = options.reading.strict;
  reading.keep_lines = !options.reading.repairs.empty();
  return study::read_recording_as_log(from, reading, budget);
}

study::HostList hosts_in(const std::string& from, Budget& budget) {
  std::error_code failed;
  return std::filesystem::is_directory(from, failed)
             ? study::read_recording_as_hosts(from, budget)
             : study::read_hosts_file(from, budget);
}

// What is said of jobs would be ignored.
study::HostOptions host_options(const ConvertOptions& options) {
  const auto& reading = options.reading;
  const bool is_of_jobs = !reading.format.empty() || !reading.time_zone.empty() ||
                          !reading.columns.empty() || !reading.repairs.empty() ||
                          !options.processors.empty() || !options.legend.empty() ||
                          !options.min_length.empty() || options.anonymise;
  if (is_of_jobs) {
    wrong_usage(
        "--to machine: hosts are no jobs: it takes --strict, --force and --set "
        "machine.hosts_states=up alone");
  }
  study::Scenario scenario;
  for (const auto& setting : reading.settings) {
    if (!setting.starts_with("machine.hosts_states=")) {
      wrong_usage(fmt::format("--set {}: hosts have the key machine.hosts_states alone",
                              printable(setting)));
    }
    study::override_setting(scenario, setting);
  }
  return {scenario.hosts.states, reading.strict};
}

int convert_hosts(const ConvertOptions& options, Console& console) {
  const auto reading = host_options(options);
  LaterFile out(options.to.empty() ? "-" : options.to, existing(options));
  Budget budget;
  const auto machine =
      study::machine_of(hosts_in(options.from, budget), reading, budget);
  for (const auto& line : machine.said) console.say(line);
  out.write(console, [&](Sink& sink) { sink.write(study::machine_text(machine)); });
  out.commit();
  return study::kDone;
}

int convert(const ConvertOptions& options, Console& console) {
  if (!options.from.empty() && makes_machine(options)) {
    return convert_hosts(options, console);
  }
  if (options.from.empty())
    wrong_usage("name both files: berth convert jan.txt jan.swf");
  if (const auto shown = show_guess(options.from, options.reading, console))
    return *shown;
  if (options.from.empty() || options.to.empty()) {
    wrong_usage("name both files: berth convert jan.txt jan.swf.gz");
  }
  const auto& target = target_of(options);
  LaterFile out(options.to, existing(options));
  LaterFile legend(options.legend, existing(options));
  LaterFile repairs(options.reading.repairs, existing(options));
  Budget budget;
  auto log = read_any(options, budget);
  if (log.workload.recorded.empty()) {
    log.workload.recorded.resize(log.workload.jobs.size());
  }
  if (!options.processors.empty()) {
    log.workload.processors = static_cast<std::int32_t>(
        whole_option("--processors", options.processors, 1,
                     std::numeric_limits<std::int32_t>::max()));
  }
  if (target.needs_size && !log.workload.processors) {
    wrong_usage(
        fmt::format("{} holds the size of the machine, which {} does not say: "
                    "add --processors N",
                    target.name, printable_name(options.from)));
  }
  lengthen(log.workload, options.min_length);
  for (const auto& line : warnings(log.workload)) console.say(line);
  const auto names = study::legend_text(log);
  if (options.anonymise) study::anonymise(log, budget);
  say_not_held(target, log, console);
  out.write(console, [&](Sink& sink) { target.write(log, sink, budget); });
  legend.write(console, [&](Sink& sink) { sink.write(names); });
  repairs.write(console,
                [&](Sink& sink) { sink.write(study::repairs_text(log.workload)); });
  for (auto* file : {&legend, &repairs, &out}) file->commit();
  return study::kDone;
}

}  // namespace

Action declare_convert(Syntax& syntax) {
  auto options = std::make_shared<ConvertOptions>();
  syntax.option(
      "IN", options->from,
      "a log or, for --to machine, a list of hosts, plain or gzip; or the folder of a "
      "result with its waits, or of a recording; - reads stdin");
  syntax.option("OUT", options->to, "the file to write, gzip if it ends in .gz; -");
  declare_log_reading(syntax, "--from", options->reading);
  std::string targets;
  for (const auto& each : study::log_targets()) {
    targets += fmt::format("{} | ", each.name);
  }
  targets += kMachine;
  syntax.option("--to", options->target,
                fmt::format("{}; else what the ending of OUT says", targets).c_str());
  syntax.option("--processors", options->processors,
                "size of the machine, for formats that hold it");
  syntax.option("--legend", options->legend,
                "a file for the names behind numbers: kind,number,name");
  syntax.option("--min-length", options->min_length,
                "length of jobs that are shorter, in seconds");
  syntax.flag("--anonymise", options->anonymise,
              "number jobs, users, groups, programs, queues and partitions anew, from "
              "1, and begin at 0");
  syntax.flag("--force", options->force, "replace existing files");
  syntax.footer(
      "Examples:\n  berth convert jan.txt jan.swf.gz --legend names.csv\n"
      "  berth convert jan.txt jobs.csv --time-zone Europe/Vienna\n"
      "  berth convert results/easy easy.swf.gz\n"
      "  berth convert sinfo.json --to machine");
  return [options](Console& console) { return convert(*options, console); };
}

}  // namespace berth::cli
