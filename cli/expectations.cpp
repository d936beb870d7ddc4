#include "study/runs/expectations.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/run_options.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/expect/expected_end_times.hpp"
#include "engine/metrics/expectation_metrics.hpp"
#include "engine/metrics/summarise.hpp"
#include "engine/output/expectation_files.hpp"
#include "engine/output/output_file.hpp"
#include "engine/output/users_csv.hpp"
#include "engine/workload/gzip_source.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/inputs/schedule_reader.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/scenario/settings_door.hpp"

namespace berth::cli {

namespace {

struct ExpectationsOptions {
  RunOptions run;  // the jobs and the machine
  std::string schedule;
  std::string columns;
  std::string share;
  std::string ignore_before;
  std::vector<std::string> weights;
  std::string out;
  bool exact = false;
  bool force = false;
};

using Ends = std::vector<std::optional<Time>>;  // by job; empty: not judged

// The options count more than the scenario.
study::Scenario scenario_of(const ExpectationsOptions& options) {
  auto scenario = scenario_of(options.run);
  require_one_run(scenario, "judge");
  for (const auto& weight : options.weights) {
    study::override_setting(scenario, "shares.users." + weight);
  }
  study::set_option(scenario, "expectations.processors", options.share, "--share");
  study::set_option(scenario, "expectations.share",
                    options.weights.empty() ? "" : "weights", "--weight");
  study::set_option(scenario, "expectations.overshoot", options.exact ? "exact" : "",
                    "--exact");
  study::set_option(scenario, "expectations.ignore_before", options.ignore_before,
                    "--ignore-before");
  return scenario;
}

// What the trace itself recorded.  REQUIRES: the workload keeps it.
Ends recorded_ends(const Workload& workload) {
  Ends ends(workload.jobs.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto wait = workload.recorded[i].wait;
    const auto& job = workload.jobs[i];
    if (wait != kUnknown) ends[i] = job.submit + wait + job.length;
  }
  return ends;
}

Ends scheduled_ends(const Workload& workload, const std::string& path,
                    const study::ScheduleColumns& columns) {
  study::FileSource file(path);
  Budget budget;
  GzipSource unpacked(file, path, budget);
  Ends ends(workload.jobs.size());
  // Where the jobs were does not matter here.
  const auto schedule =
      study::read_schedule(unpacked, path, workload.jobs, budget,
                           {PlaceForm::kNumbers, false, {}, {columns}});
  if (schedule.is_of_stretches) {
    wrong_usage("--schedule: a file of stretches says no job's end; give jobs.csv");
  }
  for (const auto& row : schedule.rows) {
    const bool is_whole =
        row.state != audit::Stated::kKilled && row.state != audit::Stated::kRejected;
    if (is_whole) ends[index(row.job)] = row.end;
  }
  return ends;
}

// What the ends say of the users; a schedule says nothing of usage.
UserRows rows_of(const Workload& workload, const Ends& ends,
                 const std::map<std::int32_t, double>& weights,
                 std::span<const UserTardiness> users) {
  Outcomes outcomes(workload.jobs);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i]) continue;
    const auto& job = workload.jobs[i];
    JobOutcome outcome;
    outcome.job = JobId{static_cast<std::uint32_t>(i)};
    outcome.user = job.user;
    outcome.size = job.size;
    outcome.length = job.length;
    outcome.response = *ends[i] - job.submit;
    outcome.wait = outcome.response - job.length;
    outcomes.add(outcome);
  }
  const SlowdownBound bound;
  return {user_table(outcomes, bound),
          user_details(outcomes),
          weights,
          {},
          {users.begin(), users.end()}};
}

// The files of --out.
struct Files {
  explicit Files(const ExpectationsOptions& options)
      : folder(options.out),
        existing(options.force ? Existing::kReplace : Existing::kRefuse) {}

  void write(std::span<const Job> jobs, std::span<const Time> ends_expected,
             const Ends& ends, const UserRows& rows) {
    make_output_folder(folder);
    write_users(users, rows);
    write_expectations(expected, jobs, ends_expected, ends);
    write_heatmap(heatmap, rows.tardiness);
    for (auto* file : {&users, &expected, &heatmap}) file->commit();
  }

  std::filesystem::path folder;
  Existing existing;
  OutputFile users{folder / "users.csv", existing};
  OutputFile expected{folder / "expectations.csv", existing};
  OutputFile heatmap{folder / "heatmap.csv", existing};
};

void show_metrics(std::span<const UserTardiness> users, Console& console) {
  for (const auto& metric : expectation_metrics(users)) {
    const auto value = metric.value ? fmt::format("{:.6g}", *metric.value) : "-";
    console.out << fmt::format("{:<26} {:>20} {}\n", metric.name, value, metric.unit);
  }
}

[[noreturn]] void refuse_without_ends(const study::Scenario& scenario,
                                      bool has_schedule) {
  const bool has_trace = !scenario.workload.trace.empty();
  const auto* what = has_schedule ? "no job of the schedule has an end"
                     : has_trace  ? "no job has a recorded wait (field 3); give "
                                    "--schedule jobs.csv"
                                  : "jobs of a model have no recorded wait; give "
                                    "--schedule jobs.csv";
  const auto& of = has_trace ? scenario.workload.trace : scenario.file;
  throw Error(ErrorCode::kInput, fmt::format("{}: {}", printable(of), what));
}

int judge(const ExpectationsOptions& options, Console& console) {
  if (options.run.scenario.empty() && options.run.trace.empty()) {
    wrong_usage("name the jobs: a scenario, or --trace FILE.swf");
  }
  const auto scenario = scenario_of(options);
  const bool has_schedule = !options.schedule.empty();
  if (!has_schedule && scenario.workload.trace.empty()) {
    refuse_without_ends(scenario, has_schedule);
  }
  if (options.force && options.out.empty()) wrong_usage("--force needs -o DIR");
  std::optional<Files> files;
  if (!options.out.empty()) files.emplace(options);
  study::ReadingOptions reading;
  reading.keep_recorded = !has_schedule;
  Budget budget;
  const study::PreparedPoint prepared(
      scenario, study::prepare_workload(scenario, reading, budget));
  const auto& loaded = prepared.workload->loaded;
  const auto& workload = loaded.workload;
  const auto& settings = scenario.expectations;
  const auto expected = study::expected_ends(prepared);
  auto ends = has_schedule ? scheduled_ends(workload, options.schedule,
                                            study::ScheduleColumns(options.columns))
                           : recorded_ends(workload);
  TardinessOfUsers tardiness(workload.jobs, expected, settings.ignore_before);
  std::size_t judged = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i]) continue;
    ++judged;
    if (!settings.judges(workload.jobs[i])) {
      ends[i].reset();
    } else {
      tardiness.finished(JobId{static_cast<std::uint32_t>(i)}, *ends[i]);
    }
  }
  if (judged == 0) refuse_without_ends(scenario, has_schedule);
  const auto users = tardiness.users();
  for (const auto& line : prepared.workload->messages) {
    console.err << "warning: " << line << '\n';
  }
  console.out << fmt::format("{} of {} jobs judged, {} users, {} processors\n", judged,
                             ends.size(), users.size(),
                             prepared.point.machine.processors);
  show_metrics(users, console);
  if (files) {
    files->write(workload.jobs, expected, ends,
                 rows_of(workload, ends, scenario.shares.users, users));
  }
  return 0;
}

}  // namespace

Action declare_expectations(Syntax& syntax) {
  auto options = std::make_shared<ExpectationsOptions>();
  auto& run = options->run;
  syntax.option("SCENARIO", run.scenario,
                "jobs, machine, [shares] and [expectations], instead of options");
  syntax.option("--trace", run.trace, "the jobs: an SWF file, plain or gzip");
  syntax.option(
      "--schedule", options->schedule,
      "CSV with job_id, starting_time, finish_time (or job, start, end, ...); else "
      "the waits that the trace recorded are judged; a model has none");
  syntax.option("--columns", options->columns, kColumnsHelp);
  syntax.option("--processors", run.processors, kProcessorsHelp);
  syntax.option("--hosts", run.hosts, kHostsHelp);
  syntax.repeated("--set", run.settings, kPointHelp);
  syntax.option("--seed", run.seed, "start of the random streams, as of berth run");
  syntax.option("--share", options->share,
                "processors of every user's share; else the machine is divided");
  syntax.repeated("--weight", options->weights,
                  "USER=NUMBER: divide by weights, 1 for users not named");
  syntax.flag("--exact", options->exact,
              "a job takes no more than its work; else as the paper's algorithm does");
  syntax.option("--ignore-before", options->ignore_before,
                "seconds: jobs submitted earlier are poured but not judged");
  syntax.option("-o,--out", options->out,
                "folder for users.csv, expectations.csv and heatmap.csv");
  syntax.flag("--force", options->force, "replace these files");
  syntax.footer("Example:\n  berth expectations --trace KTH-SP2-1996-2.1-cln.swf.gz");
  return [options](Console& console) { return judge(*options, console); };
}

}  // namespace berth::cli
