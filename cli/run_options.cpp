#include "cli/run_options.hpp"

#include <fmt/format.h>

#include <array>
#include <thread>

#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/workload/printable.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/setting_override.hpp"

namespace berth::cli {

namespace {

void declare_limits(CLI::App& command, RunOptions& options) {
  command.add_option(
      "--time-limit", options.time_limit,
      "seconds that one decision of a policy may take (10; 0: no limit)");
  command.add_option("--memory-limit", options.memory_limit,
                     "MiB that a policy may hold (256; 0: no limit)");
  command.add_option("--work-limit", options.work_limit,
                     "work units of one decision, the same on every machine (0: none)");
}

void declare_results(CLI::App& command, RunOptions& options) {
  command.add_option("--out", options.out,
                     "folder for jobs.csv, timeline.csv, summary.json, manifest.json; "
                     "one folder a policy where there are several");
  command.add_flag("--force", options.force, "replace the results in --out");
  command.add_flag("--log", options.log, "also write every record to log.jsonl");
  command.add_flag("--json", options.json, "summaries as JSON instead of the table");
  command.add_option("--table", options.table,
                     "text | markdown | latex | csv | json (text)");
  command.add_flag("--all-metrics", options.all_metrics, "every metric in the table");
}

void declare_sweeps(CLI::App& command, RunOptions& options) {
  command.add_flag("--dry-run", options.dry_run,
                   "print the points of the sweep and their number, run nothing");
  command.add_flag("--keep-jobs", options.keep_jobs,
                   "jobs.csv and the rest for every point of a sweep, too");
  command.add_option("--shard", options.shard,
                     "I/N: only every N-th point of the sweep, from the I-th on");
}

}  // namespace

void declare_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("SCENARIO", options.scenario, "a scenario file, .toml");
  command.add_option("--trace", options.trace,
                     "an SWF trace, plain or gzip; - reads stdin");
  command.add_option("--processors", options.processors,
                     "size of the machine; else what the trace says");
  command
      .add_option("--policy", options.policies,
                  "a built-in policy or a file, with parameters: easy, ./mine.lua, "
                  "sjf:block=false; once for each")
      ->allow_extra_args(false);
  command
      .add_option("--set", options.settings,
                  "KEY=VALUE over the scenario, such as workload.load=0.9")
      ->allow_extra_args(false);
  command.add_option("--seed", options.seed, "start of the random streams");
  declare_results(command, options);
  command.add_flag("--no-audit", options.no_audit,
                   "do not check the laws of the model; the same as --audit off");
  command
      .add_option("--audit", options.audit,
                  "how: light (default), full (capacity by the processors themselves, "
                  "not by their number), off")
      ->check(CLI::IsMember({"light", "full", "off"}));
  command.add_flag("--strict", options.strict,
                   "stop at a job that would be left out or rejected");
  command.add_option("-j", options.workers,
                     "runs side by side (one for each processor)");
  declare_limits(command, options);
  command.add_flag("--help-keys", options.help_keys, "every key of a scenario");
  command.add_flag("--help-metrics", options.help_metrics, "every metric, its formula");
  declare_sweeps(command, options);
}

study::Audit audit_of(const RunOptions& options) {
  if (options.no_audit || options.audit == "off") return study::Audit::kOff;
  return options.audit == "full" ? study::Audit::kFull : study::Audit::kOn;
}

// Files given on the command line stand behind what the scenario says.
study::Scenario scenario_of(const CLI::App& command, const RunOptions& options) {
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

bindings::Limits limits_of(const RunOptions& options, const Console& console) {
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

std::size_t workers_of(const RunOptions& options) {
  if (!options.workers.empty()) {
    return static_cast<std::size_t>(whole_option("-j", options.workers, 1));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

study::Shard shard_of(const CLI::App& command, const RunOptions& options) {
  if (options.shard.empty()) return {};
  const auto slash = options.shard.find('/');
  if (slash == std::string::npos) {
    wrong_usage(command, fmt::format("--shard: '{}' is not I/N, such as 2/5",
                                     printable(options.shard)));
  }
  const auto number = whole_option("--shard", options.shard.substr(0, slash), 1);
  const auto of = whole_option("--shard", options.shard.substr(slash + 1), 1);
  if (number > of) {
    wrong_usage(command, fmt::format("--shard: there is no part {} of {}", number, of));
  }
  return {static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
}

void check_together(const CLI::App& command, const RunOptions& options) {
  if (options.force && options.out.empty()) {
    wrong_usage(command, "--force belongs to --out DIR");
  }
  if (options.log && options.out.empty()) {
    wrong_usage(command, "--log writes a file: it needs --out DIR");
  }
  if (options.keep_jobs && options.out.empty()) {
    wrong_usage(command, "--keep-jobs writes files: it needs --out DIR");
  }
  if (!options.shard.empty() && options.out.empty()) {
    wrong_usage(command, "--shard makes a part of the results: it needs --out DIR");
  }
}

TableFormat table_format(const CLI::App& command, const RunOptions& options) {
  constexpr std::array<std::string_view, 5> kKnown = {"text", "markdown", "latex",
                                                      "csv", "json"};
  for (std::size_t i = 0; i < kKnown.size(); ++i) {
    if (options.table == kKnown[i]) return static_cast<TableFormat>(i);
  }
  wrong_usage(command, fmt::format("--table: '{}' is not one of {}{}",
                                   printable(options.table), fmt::join(kKnown, ", "),
                                   did_you_mean(options.table, kKnown)));
}

std::string rendered(const Comparison& comparison, TableFormat format) {
  switch (format) {
    case TableFormat::kText: return as_text(comparison);
    case TableFormat::kMarkdown: return as_markdown(comparison);
    case TableFormat::kLatex: return as_latex(comparison);
    case TableFormat::kCsv: return as_csv(comparison);
    case TableFormat::kJson: return as_json(comparison);
  }
  return {};
}

}  // namespace berth::cli
