#pragma once
// The options of `berth run` and `berth sweep`.

#include <optional>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "cli/command.hpp"
#include "study/runs/study_run.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::cli {

struct RunOptions {
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
  std::string audit = "light";
  bool strict = false;
  bool log = false;
  bool keep_jobs = false;
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

// Throws WrongUsage for an unknown kind of audit.
[[nodiscard]] study::Audit audit_of(const RunOptions& options);

// The scenario file with the settings of the command line over it.  Relative paths
// among these are relative to the working directory.  Throws Error, WrongUsage.
[[nodiscard]] study::Scenario scenario_of(const RunOptions& options);
[[nodiscard]] bindings::Limits limits_of(const RunOptions& options,
                                         const Console& console);
// Of -j; without it the number of processors of this machine.
[[nodiscard]] std::size_t workers_of(const RunOptions& options);
// Of --shard I/N; without it the whole sweep.  Throws Error{kUsage}, WrongUsage.
[[nodiscard]] study::Shard shard_of(const RunOptions& options);

// Throws WrongUsage if an option lacks another one that it needs.
void check_together(const RunOptions& options);

// Prints what --help-keys or --help-metrics asks for; nullopt if neither was given.
std::optional<int> show_tables(const RunOptions& options, Console& console);

enum class TableFormat : std::uint8_t { kText, kMarkdown, kLatex, kCsv, kJson };
[[nodiscard]] TableFormat table_format(const RunOptions& options);

[[nodiscard]] std::string rendered(const Comparison& comparison, TableFormat format);

// Runs the sweep, or prints what it would run; the exit status.  Throws Error.
int sweep(const RunOptions& options, const study::Scenario& scenario, Console& console);

}  // namespace berth::cli
