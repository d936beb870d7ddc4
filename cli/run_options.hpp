#pragma once
// What `berth run` and `berth sweep` are told on the command line.

#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "cli/command.hpp"
#include "study/scenario/scenario.hpp"
#include "study/runs/study_run.hpp"

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

void declare_run_options(CLI::App& command, RunOptions& options);

[[nodiscard]] study::Audit audit_of(const RunOptions& options);

// The scenario with what the command line puts over it.  Throws Error.
[[nodiscard]] study::Scenario scenario_of(const CLI::App& command,
                                          const RunOptions& options);
[[nodiscard]] bindings::Limits limits_of(const RunOptions& options,
                                         const Console& console);
// All processors unless -j says otherwise.
[[nodiscard]] std::size_t workers_of(const RunOptions& options);
// "2/5"; everything if nothing is said.  Throws Error{kUsage}.
[[nodiscard]] study::Shard shard_of(const CLI::App& command, const RunOptions& options);

// Throws Error{kUsage} for options that need others.
void check_together(const CLI::App& command, const RunOptions& options);

// The formats of a table.
enum class TableFormat : std::uint8_t { kText, kMarkdown, kLatex, kCsv, kJson };
[[nodiscard]] TableFormat table_format(const CLI::App& command,
                                       const RunOptions& options);

[[nodiscard]] std::string rendered(const Comparison& comparison, TableFormat format);

}  // namespace berth::cli
