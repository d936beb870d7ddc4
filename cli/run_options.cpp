#include "cli/run_options.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <thread>

#include "bindings/tools/comparison_page.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/shell_text.hpp"
#include "engine/base/spelling.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/machines/metric_list.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/time_limit.hpp"
#include "study/inputs/windows.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/sweep_grid.hpp"

namespace berth::cli {

namespace {

void declare_limits(Syntax& syntax, RunOptions& options) {
  syntax.option(
      "--time-limit", options.time_limit,
      "seconds that one decision of a policy may take (10; 0: no limit); if given, "
      "also for reading or making the jobs");
  syntax.option("--memory-limit", options.memory_limit,
                "MiB that a policy may hold (256; 0: no limit)");
  syntax.option("--work-limit", options.work_limit,
                "work units of one decision, the same on every machine (0: none)");
}

void declare_results(Syntax& syntax, RunOptions& options) {
  syntax.option("--out", options.out,
                "folder for results: of a run jobs.csv, timeline.csv, summary.json, "
                "manifest.json, one folder a policy where there are several; of a "
                "sweep one folder a point, and comparison.csv; what is finished in it "
                "is not run again");
  syntax.flag("--force", options.force, "replace the results in --out");
  syntax.flag("--log", options.log, "also write every record to log.jsonl");
  declare_printing(syntax, options);
}

void declare_sweeps(Syntax& syntax, RunOptions& options) {
  syntax.flag("--dry-run", options.dry_run,
              "print the points of the sweep and their number, run nothing");
  syntax.flag("--report", options.report,
              "also write DIR/report.html, which shows the results");
  syntax.flag("--keep-jobs", options.keep_jobs,
              "jobs.csv and the rest for every point of a sweep, too");
  syntax.option("--shard", options.shard,
                "I/N: only every N-th point of the sweep, from the I-th on");
}

void show_keys(Console& console) {
  const study::Scenario defaults;
  std::string_view section = "-";
  for (const auto& setting : study::settings()) {
    if (setting.section != section) {
      console.out << (setting.section.empty()
                          ? std::string("at the top of the file\n")
                          : fmt::format("\n[{}]\n", setting.section));
    }
    section = setting.section;
    const auto value = setting.value(defaults);
    console.out << fmt::format("  {:<18} {}\n  {:<18} {}; default {}\n", setting.name,
                               setting.help, "", range_text(setting),
                               value ? text_of(*value) : "open");
  }
  console.out
      << "\n[policies.NAME]\n  parameters of that policy: `berth policies "
         "--parameters`\n"
         "\n[classes]\n"
         "  NAME = \"job.walltime <= 3600 and job.size >= 64\": its jobs have every "
         "metric, mean_wait@NAME\n"
         "  by = [\"user\", \"group\", \"queue\", \"size\"]: a class for each value\n"
         "\n[metrics]\n"
         "  NAME = \"NAME.lua\": a metric of your own (docs/tools.md)\n"
         "\n[sweep]\n"
         "  \"KEY\" = [0.6, 0.8] or { from = 0.6, to = 0.8, step = 0.1 }: a point for "
         "each combination\n"
         "  windows = { length = \"30d\", step = \"15d\" }: windows of the trace\n"
         "\n[shares.users], [shares.groups], [shares.class_factor]\n"
         "  NUMBER = weight or factor\n";
}

void show_metrics(Console& console) {
  for (const auto& record : metric_records()) {
    console.out << fmt::format("{} ({})\n  {}\n  {}\n", record.name, record.unit,
                               record.brief, record.formula);
  }
}

study::Audit audit_of(const RunOptions& options) {
  constexpr std::array<std::string_view, 3> kNames = {"off", "light", "full"};
  constexpr std::array kAudits = {study::Audit::kOff, study::Audit::kOn,
                                  study::Audit::kFull};
  const auto audit = kAudits[choice_option("--audit", options.audit, kNames)];
  return options.no_audit ? study::Audit::kOff : audit;
}

using Format = std::string (*)(const Comparison&);

// nullptr: text.
Format format_of(const RunOptions& options) {
  constexpr std::array<std::string_view, 5> kNames = {"text", "markdown", "latex",
                                                      "csv", "json"};
  constexpr std::array<Format, 5> kFormats = {nullptr, bindings::as_markdown,
                                              bindings::as_latex, as_csv, as_json};
  return kFormats[choice_option("--table", options.table, kNames)];
}

bool has_colour(const RunOptions& options, const Console& console) {
  constexpr std::array<std::string_view, 3> kNames = {"auto", "always", "never"};
  const auto wish = choice_option("--color", options.colour, kNames);
  return wish == 0 ? console.colour : wish == 1;
}

// Whether --json asks for the summaries of the runs.
bool wants_runs(const RunOptions& options, const study::Scenario& scenario) {
  return options.json == "runs" || (options.json == "true" && scenario.sweep.empty());
}

// What is read or made for a run has a limit where one is given: a trace of many jobs
// takes longer than a decision may.
double input_seconds(const RunOptions& options) {
  if (options.time_limit.empty()) return 0;
  return seconds_option("--time-limit", options.time_limit);
}

bindings::Limits limits_of(const RunOptions& options, bool hard_stop) {
  bindings::Limits limits;
  if (!options.time_limit.empty()) {
    limits.time_seconds = seconds_option("--time-limit", options.time_limit);
  }
  limits.stops_on_wish = true;
  if (!options.memory_limit.empty()) {
    limits.memory_mib = whole_option("--memory-limit", options.memory_limit, 0);
  }
  if (!options.work_limit.empty()) {
    limits.work_units = whole_option("--work-limit", options.work_limit, 0);
  }
  constexpr double kHardStopSeconds = 2;  // after the time limit
  if (hard_stop) limits.hard_stop_seconds = kHardStopSeconds;
  return limits;
}

std::size_t workers_of(const RunOptions& options) {
  if (!options.workers.empty()) {
    return workers_option(options.workers);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

// Of two such options one would be ignored.
void check_ignored(const RunOptions& options) {
  const bool has_json = !options.json.empty();
  const bool has_table = options.table != "text";
  if (has_json && has_table) wrong_usage("--json and --table: use one");
  if (options.all_metrics && !options.metrics.empty()) {
    wrong_usage("--all-metrics and --metric: use one");
  }
  if (options.no_audit && options.audit == "full") {
    wrong_usage("--no-audit and --audit full: use one");
  }
  if (options.colour != "auto" && (has_json || has_table)) {
    wrong_usage("--color is for the text table alone");
  }
}

// "seed" of "seed=1,2".
std::string key_of(const std::string& assignment) {
  return assignment.substr(0, assignment.find('='));
}

// In the place of what the scenario says of the size of the machine.
void use_hosts_option(const RunOptions& options, study::Scenario& scenario) {
  if (options.hosts.empty()) return;
  study::set_option(scenario, "machine.hosts_file", options.hosts, "--hosts");
  if (options.processors.empty()) scenario.processors.reset();
  scenario.machine.resources.memory.reset();
  scenario.machine.resources.hosts.clear();
}

// A key that is given twice on the command line would be ignored once.
void vary(const RunOptions& options, study::Scenario& scenario) {
  std::map<std::string, std::string> given;  // the option of each key
  const auto add = [&](const std::string& key, const std::string& option) {
    const auto [at, is_new] = given.emplace(key, option);
    if (is_new || (option == "--set" && at->second == "--set")) return;
    wrong_usage(fmt::format("{} and {} both give {}: use one", at->second, option,
                            printable(key)));
  };
  const std::array<std::pair<const char*, const std::string*>, 7> named{
      {{"workload.trace --trace", &options.trace},
       {"workload.format --format", &options.form.format},
       {"workload.time_zone --time-zone", &options.form.time_zone},
       {"machine.processors --processors", &options.processors},
       {"machine.hosts_file --hosts", &options.hosts},
       {"seed --seed", &options.seed},
       {"run.metrics --metric", &options.metrics}}};
  for (const auto& [names, value] : named) {
    const std::string both(names);
    const auto blank = both.find(' ');
    if (!value->empty()) add(both.substr(0, blank), both.substr(blank + 1));
  }
  for (const auto& setting : options.settings) add(key_of(setting), "--set");
  for (const auto& axis : options.varied) {
    add(key_of(axis), "--vary");
    study::vary_setting(scenario, axis);
  }
}

}  // namespace

void declare_printing(Syntax& syntax, RunOptions& options) {
  syntax.flag("--json", options.json,
              "JSON instead of the table: of a run the summaries, of a sweep the "
              "comparison; --json=runs: the summaries of a sweep");
  syntax.option("--table", options.table,
                "text | markdown | latex | csv | json (text)");
  syntax.option("--metric", options.metrics,
                "rows of the table, such as mean_wait,p99_wait, or files of your own, "
                "./mine.lua (six usual ones)");
  syntax.flag("--all-metrics", options.all_metrics, "every metric in the table");
  syntax.option("--color", options.colour,
                "auto | always | never (auto: on a terminal, unless NO_COLOR is set)");
}

void declare_run_options(Syntax& syntax, RunOptions& options) {
  syntax.option("SCENARIO", options.scenario, "a scenario file, .toml");
  syntax.option("--trace", options.trace,
                "a log: SWF, sacct -P and others (docs/formats.md), plain or gzip; - "
                "reads stdin");
  declare_log_form(syntax, "--format", options.form);
  syntax.option("--processors", options.processors, kProcessorsHelp);
  syntax.option("--hosts", options.hosts, kHostsHelp);
  syntax.repeated("--policy", options.policies,
                  "a built-in policy or a file, with parameters: easy, ./mine.lua, "
                  "sjf:block=false; once for each");
  syntax.repeated("--set", options.settings,
                  "KEY=VALUE over the scenario, such as workload.load=0.9");
  syntax.repeated("--vary", options.varied,
                  "KEY=a,b,c: a sweep with a point for each value, such as "
                  "workload.load=0.6,0.8; again for further keys");
  syntax.option("--seed", options.seed, "start of the random streams");
  declare_results(syntax, options);
  syntax.flag("--no-audit", options.no_audit,
              "do not check the rules of the model; the same as --audit off");
  syntax.option("--audit", options.audit,
                "off | light | full: of capacity by the processors themselves, not by "
                "their number (light)");
  syntax.flag("--strict", options.strict,
              "stop at a job that would be left out or rejected");
  syntax.option("-j", options.workers, "runs side by side (one for each processor)");
  declare_limits(syntax, options);
  syntax.flag("--help-keys", options.help_keys, "every key of a scenario");
  syntax.flag("--help-metrics", options.help_metrics, "every metric, its formula");
  declare_sweeps(syntax, options);
}

void add_policies(const RunOptions& options, study::Scenario& scenario) {
  if (!options.policies.empty()) scenario.policies.clear();
  for (const auto& text : options.policies) {
    auto choice = study::parse_policy_choice(text);
    if (!choice) wrong_usage("--policy: " + choice.reason());
    scenario.policies.push_back(std::move(choice.value()));
  }
  for (const auto& setting : options.settings) {
    if (!options.policies.empty() && setting.starts_with("run.policies=")) {
      wrong_usage("--policy and --set run.policies both name the policies: use one");
    }
    study::override_setting(scenario, setting);
  }
}

study::Scenario scenario_of(const RunOptions& options) {
  if (options.scenario.empty() && options.trace.empty()) {
    wrong_usage(
        "name a scenario, or a trace: berth run SCENARIO.toml, or berth run "
        "--trace FILE.swf --policy easy");
  }
  auto scenario = options.scenario.empty() ? study::Scenario{}
                                           : study::load_scenario(options.scenario);
  const bool names_jobs =
      !options.trace.empty() || !options.processors.empty() || !options.hosts.empty();
  if (scenario.is_of_cases() && names_jobs) {
    const auto& study = study::case_study(scenario);
    wrong_usage(
        fmt::format("a {0} study has neither trace nor processors: --set "
                    "{0}.file=FILE.csv names {1}",
                    study.name, study.cases));
  }
  study::set_option(scenario, "workload.trace", options.trace, "--trace");
  take_log_form(options.form, scenario);
  study::set_option(scenario, "machine.processors", options.processors, "--processors");
  use_hosts_option(options, scenario);
  study::set_option(scenario, "seed", options.seed, "--seed");
  study::set_option(scenario, "run.metrics", options.metrics, "--metric");
  add_policies(options, scenario);
  for (const auto& setting : options.settings) {
    const auto key = setting.substr(0, setting.find('='));
    if (scenario.workload.trace.empty() || !study::belongs_to_a_model(key)) continue;
    wrong_usage(fmt::format("--set {}: belongs to a model, not to a trace{}", key,
                            key == "workload.jobs" ? "; use workload.first" : ""));
  }
  vary(options, scenario);
  for (const auto& list : {scenario.run.metrics_shown, scenario.run.primary}) {
    const auto wrong = study::wrong_class(scenario, list);
    if (!wrong.empty()) wrong_usage(wrong);
  }
  study::load_own_metrics(scenario, limits_of(options, false));
  study::within_time(input_seconds(options), "[sweep] windows",
                     [&](Budget& budget) { study::resolve_windows(scenario, budget); });
  return scenario;
}

void require_one_run(const study::Scenario& scenario, std::string_view verb) {
  if (scenario.is_of_cases()) {
    wrong_usage(fmt::format("a {} study has no queue: there is nothing to {}",
                            scenario.study, verb));
  }
  if (scenario.sweep.empty()) return;
  std::vector<std::string> words;
  for (const auto& [key, value] : study::SweepGrid(scenario).settings(0)) {
    const bool is_seed = key == "seed";
    words.emplace_back(is_seed ? "--seed" : "--set");
    words.push_back(is_seed ? value : fmt::format("{}={}", key, value));
  }
  wrong_usage(fmt::format("this is a sweep: choose the point to {}, such as {}", verb,
                          shell_words(words)));
}

study::Shard shard_of(const RunOptions& options) {
  if (options.shard.empty()) return {};
  const auto slash = options.shard.find('/');
  if (slash == std::string::npos) {
    wrong_usage(
        fmt::format("--shard: '{}' is not I/N, such as 2/5", printable(options.shard)));
  }
  const auto number = whole_option("--shard", options.shard.substr(0, slash), 1);
  const auto of = whole_option("--shard", options.shard.substr(slash + 1), 1);
  if (number > of) {
    wrong_usage(fmt::format("--shard: there is no part {} of {}", number, of));
  }
  return {static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
}

study::StudyOptions study_options(const RunOptions& options, const Console& console,
                                  Progress& progress) {
  study::StudyOptions made;
  made.audit = audit_of(options);
  made.log = options.log ? study::Log::kOn : study::Log::kOff;
  made.strict = options.strict;
  made.summaries = !options.json.empty();
  made.workers = workers_of(options);
  made.limits = limits_of(options, console.hard_stop);
  made.input_seconds = input_seconds(options);
  if (!options.out.empty()) made.out = options.out;
  made.existing = options.force ? study::Existing::kReplace : study::Existing::kRefuse;
  made.interrupted = console.interrupted;
  made.print = [&progress](std::string_view label, std::string_view line) {
    progress.message(fmt::format("{}: {}", label, line));
  };
  if (console.live) {
    made.progress = [&progress](std::string_view label, std::size_t done,
                                std::size_t of) { progress.show(label, done, of); };
  }
  return made;
}

void check_options(const RunOptions& options, const Console& console) {
  (void)audit_of(options);
  (void)format_of(options);
  (void)has_colour(options, console);
  check_ignored(options);
  if (!options.json.empty() && options.json != "true" && options.json != "runs") {
    wrong_usage(fmt::format("--json: '{}' is not runs", printable(options.json)));
  }
  if (options.force && options.out.empty()) {
    wrong_usage("--force needs --out DIR");
  }
  if (options.log && options.out.empty()) {
    wrong_usage("--log writes a file: it needs --out DIR");
  }
  if (options.report && options.out.empty()) {
    wrong_usage("--report writes DIR/report.html: it needs --out DIR");
  }
  if (options.keep_jobs && options.out.empty()) {
    wrong_usage("--keep-jobs writes files: it needs --out DIR");
  }
  if (!options.shard.empty() && options.out.empty()) {
    wrong_usage("--shard writes a part of the results: it needs --out DIR");
  }
}

std::optional<int> show_tables(const RunOptions& options, Console& console) {
  if (!options.help_keys && !options.help_metrics) return std::nullopt;
  if (options.help_keys) show_keys(console);
  if (options.help_metrics) show_metrics(console);
  return study::kDone;
}

void print_results(const RunOptions& options, const study::Scenario& scenario,
                   const study::StudyOutcome& outcome, Console& console) {
  if (wants_runs(options, scenario)) {
    console.out << study::json_array(outcome);
    return;
  }
  const auto rows = options.all_metrics ? study::Rows::kAll : study::Rows::kUsual;
  const auto comparison = study::comparison_of(scenario, outcome, rows);
  if (comparison.policies.empty()) return;
  const auto format = options.json.empty() ? format_of(options) : as_json;
  console.out << (format != nullptr
                      ? format(comparison)
                      : bindings::as_text(comparison, {console.columns,
                                                       has_colour(options, console)}));
}

}  // namespace berth::cli
