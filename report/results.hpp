#pragma once
// What the folders named on the command line hold, read back.
//
//   DIR/summary.json           a run of one policy
//   DIR/LABEL/summary.json     of several; also a point of a sweep with its jobs kept
//   DIR/sweep.json             a sweep: its comparison alone
//   DIR/claims.json            judged claims
//   DIR/waits.csv              beside a summary.json, or alone: why jobs waited
//   a CSV file with Batsim's columns: the schedule of any simulator

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/compare/comparison.hpp"
#include "engine/output/summary_json.hpp"
#include "report/claims_results.hpp"
#include "report/drawn_rows.hpp"
#include "report/jobs_file.hpp"
#include "report/links_file.hpp"
#include "report/loads_file.hpp"
#include "report/log_file.hpp"
#include "report/machine_file.hpp"
#include "report/stretches_file.hpp"
#include "report/timelines.hpp"
#include "report/waits_file.hpp"
#include "study/results/sweep_merge.hpp"
#include "study/schedules/schedule_source.hpp"

namespace berth::report {

// users.csv: a row a user.
struct UsersTable {
  std::vector<std::string> names;  // of its columns
  std::vector<std::vector<std::string>> rows;
};

// What jobs have of further kinds of hosts, such as GPUs, in the place of processors.
struct UnitRows {
  JobsOfFile jobs;
  DrawnRows rows;
};

struct RunResult {
  std::filesystem::path folder{};  // that holds it; empty: it is a file
  std::string label;
  std::optional<ComparedRun> measured;  // nullopt: a schedule without summary.json
  std::string scenario;                 // its title or file
  std::vector<std::string> warnings;
  std::optional<JobsOfFile> jobs;
  std::optional<StretchesOfFile> stretches;  // never without jobs
  std::vector<MachineSpan> machine{};        // what happened to it
  std::vector<JobLink> links{};              // for whom jobs waited
  std::optional<Loads> loads{};
  std::vector<PassOfLog> passes{};  // of its log; empty: it has none
  std::optional<Timeline> timeline;
  std::optional<UsersTable> users;
  std::optional<std::int64_t> unix_start;  // Unix time of time 0
  std::vector<RowsOfHosts> hosts{};        // of the machine; empty: it names none
  std::int32_t processors = 0;             // of the machine; rows, if there are any
  std::optional<DrawnRows> rows{};         // in the place of processors
  std::optional<UnitRows> units{};         // beside them; never without jobs
  PlaceForm form = PlaceForm::kSet;        // of the places in its files
  // What made it, for the end of the page: name, value.
  std::vector<std::pair<std::string, std::string>> made;
};

struct Results {
  std::vector<RunResult> runs;
  std::vector<MetricRecord> own_metrics;  // of the users who made the runs
  std::optional<study::MergedSweep> sweep;
  std::string sweep_title;
  std::optional<ClaimsResults> claims;
  std::vector<Waits> waits;
  std::vector<std::string> warnings;  // of the report: what is missing, and why
};

struct Sources {
  std::vector<std::string> folders;
  std::vector<std::string> schedules;      // files
  std::optional<std::int32_t> processors;  // of the machine of the schedules
  study::ScheduleReading reading{};        // of the schedules
};

// Runs in the order of the command line, those of a folder in that of its
// comparison.csv.  Throws Error{kInput} for a folder without results, for files of
// another format and for what read_jobs() refuses.
[[nodiscard]] Results read_results(const Sources& sources, Budget& budget);

// Whether both have the same jobs, so that jobs may be compared one by one.
[[nodiscard]] bool same_workload(const JobsOfFile& a, const JobsOfFile& b);

}  // namespace berth::report
