#include <fmt/format.h>

#include <array>
#include <memory>
#include <thread>

#include "cli/command.hpp"
#include "cli/key_help.hpp"
#include "cli/progress.hpp"
#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/workload/printable.hpp"
#include "study/scenario_reader.hpp"
#include "study/setting_override.hpp"
#include "study/study_run.hpp"

namespace berth::cli {

namespace {

struct Options {
  std::string scenario;
  std::string trace;
  std::string processors;
  std::string seed;
  std::vector<std::string> policies;
  std::vector<std::string> settings;
  std::string out;
  bool force = false;
  std::string workers;
  bool json = false;
  bool all_metrics = false;
  std::string table = "text";
  bool no_audit = false;
  bool strict = false;
  bool log = false;
  std::string time_limit;
  std::string memory_limit;
  std::string work_limit;
  bool help_keys = false;
  bool help_metrics = false;
};

// Files given on the command line stand behind what the scenario says.
study::Scenario scenario_of(const CLI::App& command, const Options& options) {
  if (options.scenario.empty() && options.trace.empty()) {
    wrong_usage(command,
                "name a scenario, or a trace: berth run SCENARIO.toml, or berth run "
                "--trace FILE.swf --policy easy");
  }
  auto scenario = options.scenario.empty() ? study::Scenario{}
                                           : study::load_scenario(options.scenario);
  const auto override_with = [&](std::string_view key, const std::string& value) {
    if (value.empty()) return;
    study::override_setting(scenario, fmt::format("{}={}", key, value));
  };
  override_with("workload.trace", options.trace);
  override_with("machine.processors", options.processors);
  override_with("seed", options.seed);
  if (!options.policies.empty()) scenario.policies.clear();
  for (const auto& text : options.policies) {
    auto choice = study::parse_policy_choice(text);
    if (!choice) wrong_usage(command, "--policy: " + choice.reason());
    scenario.policies.push_back(std::move(choice.value()));
  }
  for (const auto& setting : options.settings) {
    study::override_setting(scenario, setting);
  }
  return scenario;
}

bindings::Limits limits_of(const Options& options, const Console& console) {
  bindings::Limits limits;
  if (!options.time_limit.empty()) {
    limits.time_seconds = real_option("--time-limit", options.time_limit);
  }
  if (!options.memory_limit.empty()) {
    limits.memory_mib = whole_option("--memory-limit", options.memory_limit, 0);
  }
  if (!options.work_limit.empty()) {
    limits.work_units = whole_option("--work-limit", options.work_limit, 0);
  }
  constexpr double kHardStopSeconds = 2;  // so long after the time limit
  if (console.hard_stop) limits.hard_stop_seconds = kHardStopSeconds;
  return limits;
}

std::size_t workers_of(const Options& options) {
  if (!options.workers.empty()) {
    return static_cast<std::size_t>(whole_option("-j", options.workers, 1));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

study::StudyOptions study_options(const Options& options, const Console& console,
                                  Progress& progress) {
  study::StudyOptions made;
  made.audit = options.no_audit ? study::Audit::kOff : study::Audit::kOn;
  made.log = options.log ? study::Log::kOn : study::Log::kOff;
  made.strict = options.strict;
  made.workers = workers_of(options);
  made.limits = limits_of(options, console);
  if (!options.out.empty()) made.out = options.out;
  made.existing = options.force ? study::Existing::kReplace : study::Existing::kRefuse;
  made.interrupted = console.interrupted;
  made.print = [&progress](std::string_view label, std::string_view line) {
    progress.message(fmt::format("{}: {}", label, line));
  };
  if (console.live) {
    made.progress = [&progress](std::string_view label, std::size_t submitted,
                                std::size_t of) {
      progress.show(label, submitted, of);
    };
  }
  return made;
}

void show_messages(const study::StudyOutcome& outcome, Console& console) {
  for (const auto& line : outcome.warnings) console.err << "warning: " << line << '\n';
  for (const auto& policy : outcome.policies) {
    for (const auto& line : policy.warnings) {
      console.err << fmt::format("warning: {}: {}\n", policy.label, line);
    }
  }
}

void show_failures(const study::StudyOutcome& outcome, Console& console) {
  bool interrupted = false;
  for (const auto& policy : outcome.policies) {
    if (policy.failure.code == study::kDone) continue;
    if (policy.failure.code == study::kInterruptedCode && interrupted) continue;
    interrupted = policy.failure.code == study::kInterruptedCode;
    console.err << policy.failure.text << '\n';
  }
}

using Renderer = std::string (*)(const Comparison&);

Renderer renderer_of(const CLI::App& command, const std::string& table) {
  if (table == "text") return as_text;
  if (table == "markdown") return as_markdown;
  if (table == "latex") return as_latex;
  if (table == "csv") return as_csv;
  constexpr std::array<std::string_view, 4> kKnown = {"text", "markdown", "latex",
                                                      "csv"};
  wrong_usage(command,
              fmt::format("--table: '{}' is not one of {}{}", printable(table),
                          fmt::join(kKnown, ", "), did_you_mean(table, kKnown)));
}

void show_results(const Options& options, Renderer table,
                  const study::StudyOutcome& outcome, Console& console) {
  if (options.json) {
    console.out << study::json_array(outcome);
    return;
  }
  const auto rows = options.all_metrics ? study::Rows::kAll : study::Rows::kUsual;
  const auto comparison = study::comparison_of(outcome, rows);
  if (!comparison.labels.empty()) console.out << table(comparison);
}

int run(const CLI::App& command, const Options& options, Console& console) {
  if (options.help_keys) return show_keys(console);
  if (options.help_metrics) return show_metrics(console);
  if (options.force && options.out.empty()) {
    wrong_usage(command, "--force belongs to --out DIR");
  }
  if (options.log && options.out.empty()) {
    wrong_usage(command, "--log writes a file: it needs --out DIR");
  }
  const auto table = renderer_of(command, options.table);
  const auto scenario = scenario_of(command, options);
  if (!scenario.sweep.empty()) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: sweep: sweeps come with a later version; run one point "
                    "at a time, each with its own --set key=value",
                    printable_name(scenario.file)));
  }
  study::StudyOutcome outcome;
  {
    Progress progress(console.err, console.live);
    outcome = study::run_study(scenario, study::PolicyLibrary::standard(),
                               study_options(options, console, progress));
  }
  show_failures(outcome, console);
  show_messages(outcome, console);
  show_results(options, table, outcome, console);
  return outcome.code();
}

void declare_limits(CLI::App& command, Options& options) {
  command.add_option(
      "--time-limit", options.time_limit,
      "seconds that one decision of a policy may take (10; 0: no limit)");
  command.add_option("--memory-limit", options.memory_limit,
                     "MiB that a policy may hold (256; 0: no limit)");
  command.add_option("--work-limit", options.work_limit,
                     "work units of one decision, the same on every machine (0: none)");
}

void declare_results(CLI::App& command, Options& options) {
  command.add_option("--out", options.out,
                     "folder for jobs.csv, timeline.csv, summary.json, manifest.json; "
                     "one folder a policy where there are several");
  command.add_flag("--force", options.force, "replace the results in --out");
  command.add_flag("--log", options.log, "also write every record to log.jsonl");
  command.add_flag("--json", options.json, "summaries as JSON instead of the table");
  command.add_option("--table", options.table, "text | markdown | latex | csv (text)");
  command.add_flag("--all-metrics", options.all_metrics, "every metric in the table");
}

}  // namespace

Action declare_run(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("SCENARIO", options->scenario, "a scenario file, .toml");
  command.add_option("--trace", options->trace,
                     "an SWF trace, plain or gzip; - reads stdin");
  command.add_option("--processors", options->processors,
                     "size of the machine; else what the trace says");
  command
      .add_option("--policy", options->policies,
                  "a built-in policy or a file, with parameters: easy, ./mine.lua, "
                  "sjf:block=false; once for each")
      ->allow_extra_args(false);
  command
      .add_option("--set", options->settings,
                  "KEY=VALUE over the scenario, such as workload.load=0.9")
      ->allow_extra_args(false);
  command.add_option("--seed", options->seed, "start of the random streams");
  declare_results(command, *options);
  command.add_flag("--no-audit", options->no_audit,
                   "do not check the laws of the model");
  command.add_flag("--strict", options->strict,
                   "stop at a job that would be left out or rejected");
  command.add_option("-j", options->workers, "policies that run side by side");
  declare_limits(command, *options);
  command.add_flag("--help-keys", options->help_keys, "every key of a scenario");
  command.add_flag("--help-metrics", options->help_metrics,
                   "every metric, its formula");
  command.footer(
      "Examples:\n"
      "  berth run scenarios/quickstart.toml --out results\n"
      "  berth run --trace KTH.swf.gz --policy fcfs --policy easy --policy ./mine.lua");
  return
      [&command, options](Console& console) { return run(command, *options, console); };
}

}  // namespace berth::cli
