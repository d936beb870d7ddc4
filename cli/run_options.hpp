#pragma once
// The options of `berth run` and `berth sweep`.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/log_options.hpp"
#include "cli/progress.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::cli {

struct RunOptions {
  std::string scenario;
  std::string trace;
  std::string processors;
  std::string hosts;
  LogForm form;  // of the trace
  std::string seed;
  std::vector<std::string> policies;
  std::vector<std::string> settings;
  std::vector<std::string> varied;
  std::string out;
  bool force = false;
  std::string workers;
  std::string json;  // empty, "true" or "runs"
  bool all_metrics = false;
  std::string metrics;
  std::string colour = "auto";
  std::string table = "text";
  bool no_audit = false;
  std::string audit = "light";
  bool strict = false;
  bool log = false;
  bool keep_jobs = false;
  bool report = false;
  bool profile = false;
  bool dry_run = false;
  std::string shard;
  std::string emit;
  std::string time_limit;
  std::string memory_limit;
  std::string work_limit;
  bool help_keys = false;
  bool help_metrics = false;
};

void declare_run_options(Syntax& syntax, RunOptions& options);
// Those that say how the results are printed.
void declare_printing(Syntax& syntax, RunOptions& options);

// The scenario file with the settings of the command line over it.  Relative paths
// among these are relative to the working directory.  Throws Error, WrongUsage.
[[nodiscard]] study::Scenario scenario_of(const RunOptions& options);
// The policies of the options in place of those of the scenario, and the settings over
// it.  Throws Error, WrongUsage.
void add_policies(const RunOptions& options, study::Scenario& scenario);
// For a command that takes one run, with what it does to it: "debug".  Throws
// WrongUsage for a packing study, which has no queue, and for a sweep, with the options
// that choose its first point.
void require_one_run(const study::Scenario& scenario, std::string_view verb);
// What both commands ask of a study; the progress outlives it.
[[nodiscard]] study::StudyOptions study_options(const RunOptions& options,
                                                const Console& console,
                                                Progress& progress);
// Of --shard I/N; without it the whole sweep.  Throws Error{kUsage}, WrongUsage.
[[nodiscard]] study::Shard shard_of(const RunOptions& options);

// Throws WrongUsage for an unknown --audit or --table, and for an option that lacks
// another one that it needs.
void check_options(const RunOptions& options, const Console& console);

// Prints what --help-keys or --help-metrics asks for; nullopt if neither was given.
std::optional<int> show_tables(const RunOptions& options, Console& console);

// The comparison in the format of --table, or as JSON: with --json=runs, and with
// --json where there is no sweep, the summaries of the runs.
void print_results(const RunOptions& options, const study::Scenario& scenario,
                   const study::StudyOutcome& outcome, Console& console);

// With --report: writes report.html beside the results, if there are any.
void report_results(const RunOptions& options, const study::StudyOutcome& outcome,
                    Console& console);

// Runs the sweep, or prints what it would run; the exit status.  Throws Error.
int sweep(const RunOptions& options, const study::Scenario& scenario, Console& console);

}  // namespace berth::cli
