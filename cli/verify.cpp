#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "cli/log_options.hpp"
#include "cli/run_options.hpp"
#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/machine_source.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/inputs/schedule_judge.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/life/host_events.hpp"
#include "study/life/machine_windows.hpp"
#include "study/logs/time_zone.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/schedules/own_jobs.hpp"
#include "study/schedules/released_jobs.hpp"
#include "study/schedules/schedule_source.hpp"
#include "study/schedules/told_estimates.hpp"

namespace berth::cli {

namespace {

struct VerifyOptions {
  RunOptions run;  // the jobs and the machine
  std::string schedule;
  std::string columns;
  std::string stretches;
  std::string promise;
  std::string tolerance = "0";
  std::string shift;
  std::string min_planned;
  bool json = false;
};

// Whether the jobs are named beside the schedule; else they are those of the schedule.
bool names_jobs(const VerifyOptions& options) {
  return !options.run.trace.empty() || !options.run.scenario.empty();
}

study::Scenario scenario_of(const VerifyOptions& options) {
  auto run = options.run;
  if (!names_jobs(options)) {
    run.trace = options.schedule;
    if (!run.form.format.empty() || !run.form.repairs.empty()) {
      wrong_usage("--format and --repairs are of the trace, and none is named");
    }
  }
  auto scenario = scenario_of(run);
  require_one_run(scenario, "verify");
  study::set_option(scenario, "machine.min_planned", options.min_planned,
                    "--min-planned");
  return scenario;
}

study::JudgeRules rules_of(const VerifyOptions& options) {
  study::JudgeRules rules;
  rules.easy = options.promise == "easy";
  rules.names_machine = !options.run.scenario.empty();
  const auto tolerance =
      ticks_from_seconds(seconds_option("--tolerance", options.tolerance));
  if (!tolerance) {
    wrong_usage(fmt::format("--tolerance: {} is more than {} seconds",
                            printable(options.tolerance), kMaxSeconds));
  }
  rules.tolerance = *tolerance;
  return rules;
}

using NumbersById = std::map<std::string, std::int64_t, std::less<>>;

// The numbers of the jobs of the trace whose ids are none.
NumbersById numbers_by_id(const study::WorkloadKeys& keys) {
  NumbersById numbers;
  if (keys.trace.empty() || keys.trace == "-") return numbers;
  Budget budget;
  const auto log = study::read_trace(keys.trace, keys, {}, budget);
  for (const auto& [at, id] : log.source_ids) {
    numbers.emplace(id, log.workload.jobs[at].id);
  }
  return numbers;
}

// The number of a job of the trace by its id there; the trace is read for it when the
// first id is no number.  REQUIRES: the scenario outlives the answer.
study::NumberOfId numbers_of(const study::Scenario& scenario) {
  auto known = std::make_shared<std::optional<NumbersById>>();
  return [&scenario, known](std::string_view id) -> std::optional<std::int64_t> {
    if (!*known) *known = numbers_by_id(scenario.workload);
    const auto found = (*known)->find(id);
    return found == (*known)->end() ? std::nullopt : std::optional(found->second);
  };
}

// A schedule, and what is known of the file that it is from.
struct ScheduleOfFile {
  study::Schedule schedule;
  Duration precision = 0;
  Duration submit_precision = 0;
  std::int32_t processors = 0;  // of the machine; 0: it does not say
};

ScheduleOfFile read(const std::string& path, const study::Point& point,
                    const study::ScheduleReading& reading, bool has_own_jobs) {
  Budget budget;
  study::FileSource file(path);
  study::ScheduleSource source(file, path, reading, budget);
  auto form = study::form_of(point.machine);
  form.layout = source.layout();
  form.has_own_jobs = has_own_jobs;
  if (!has_own_jobs) form.number_of = reading.number_of;
  return {study::read_schedule(source, path, point.jobs, budget, form),
          source.precision(), source.submit_precision(), source.processors()};
}

// A file beside jobs.csv or stretches.csv, as a run of berth keeps them; empty if the
// path is neither, or the file is not there.
std::string beside(const std::string& path, const char* name) {
  const std::filesystem::path file(path);
  const bool is_of_berth =
      file.filename() == "jobs.csv" || file.filename() == "stretches.csv";
  std::error_code failed;
  const auto found = file.parent_path() / name;
  if (!is_of_berth || !std::filesystem::is_regular_file(found, failed)) return {};
  return found.string();
}

// The other one of jobs.csv and stretches.csv.
std::string other_beside(const std::string& path) {
  const bool is_jobs = std::filesystem::path(path).filename() == "jobs.csv";
  return beside(path, is_jobs ? "stretches.csv" : "jobs.csv");
}

// What the policy expected of the jobs of the point, where a log tells.  `behind`: see
// shift().
void take_estimates(const VerifyOptions& options, const study::Point& point,
                    Duration behind, study::GivenSchedule& given) {
  const auto log = beside(options.schedule, "log.jsonl");
  if (log.empty()) return;
  Budget budget;
  given.estimates = study::read_estimates(log, point.jobs, budget);
  for (auto& each : given.estimates) each.at -= behind;
}

struct JudgedFiles {
  study::GivenSchedule given;
  ScheduleOfFile file;  // that of --schedule, without its schedule
};

JudgedFiles read_schedules(const VerifyOptions& options,
                           const study::Scenario& scenario, const study::Point& point) {
  JudgedFiles files;
  const auto other =
      options.stretches.empty() ? other_beside(options.schedule) : options.stretches;
  study::ScheduleReading reading{study::ScheduleColumns(options.columns),
                                 !options.columns.empty(),
                                 study::time_zone(scenario.workload.log.time_zone),
                                 {}};
  if (names_jobs(options)) reading.number_of = numbers_of(scenario);
  // The other file has the names of berth.
  const study::ScheduleReading of_berth;
  for (const auto& path : {options.schedule, other}) {
    if (path.empty()) continue;
    const bool is_other = path == other;
    auto file = read(path, point, is_other ? of_berth : reading, !names_jobs(options));
    auto schedule = std::move(file.schedule);
    auto& given = files.given;
    auto& place = schedule.is_of_stretches ? given.stretches : given.jobs;
    if (place) {
      wrong_usage("--schedule, --stretches: one names jobs.csv, one stretches.csv");
    }
    place = std::move(schedule);
    if (!is_other) files.file = std::move(file);
  }
  if (!names_jobs(options) && files.given.stretches) {
    wrong_usage(
        "stretches tell neither submits nor sizes of jobs: name them (--trace)");
  }
  return files;
}

// How many jobs the schedule tells of.
std::size_t jobs_in(const study::GivenSchedule& given) {
  if (given.jobs) return given.jobs->rows.size();
  std::set<JobId> jobs;
  for (const auto& stay : given.stretches->stays) jobs.insert(stay.job);
  return jobs.size();
}

// What the rules allow and a reader may not expect.  `is_refused`: as of
// study::ReleasedJobs.
std::string in_words(const study::GivenSchedule& given, const study::Point& point,
                     const std::vector<bool>& is_refused = {}) {
  if (!given.jobs) return given.stretches->stays.empty() ? "no job ran; " : "";
  const auto& schedule = given.jobs->rows;
  const auto count = [&](auto wanted) {
    return std::count_if(schedule.begin(), schedule.end(), wanted);
  };
  const auto ran = count([](const auto& row) { return !!row.start; });
  const auto rejected = study::rejected_though_fitting(point, *given.jobs, is_refused);
  std::string text;
  if (ran == 0) text += "no job ran; ";
  if (rejected == 0) return text;
  const bool is_one = rejected == 1;
  text +=
      fmt::format("{} {} rejected although ", rejected, is_one ? "job is" : "jobs are");
  if (const auto set = model_of(point.machine).own_parameter; !set.empty()) {
    return text + fmt::format("the {} of the scenario places {} on the empty machine; ",
                              set, is_one ? "it" : "each");
  }
  return text + (is_one ? "it fits the machine; " : "they fit the machine; ");
}

int report(const audit::ScheduleReport& found, const study::GivenSchedule& given,
           const std::string& words, Console& console) {
  for (const auto& violation : found.violations)
    console.out << violation.text() << '\n';
  std::int64_t broken = 0;
  for (const auto& [rule, count] : found.checked) {
    const auto at = found.broken.find(rule);
    const auto times = at == found.broken.end() ? 0 : at->second;
    broken += times;
    console.out << fmt::format("{:<10} checked {:>10}, broken {}\n", rule, count,
                               times);
  }
  if (found.excuses.jobs > 0) {
    console.out << fmt::format(
        "excused promises: {}, the longest by {} s (a loss of hosts or a window that "
        "was announced late broke them)\n",
        found.excuses.jobs, seconds_text(found.excuses.longest));
  }
  const auto stretches =
      given.stretches ? fmt::format(", {} stretches", given.stretches->stays.size())
                      : std::string();
  console.out << fmt::format(
      "{} jobs{}: {}{}\n", jobs_in(given), stretches, words,
      broken == 0 ? "every rule holds" : "the schedule is wrong");
  return broken == 0 ? study::kDone : static_cast<int>(ErrorCode::kAudit);
}

int report_json(const audit::ScheduleReport& found, const study::GivenSchedule& given,
                Console& console) {
  auto rules = Json::array();
  std::int64_t broken = 0;
  for (const auto& [rule, count] : found.checked) {
    const auto at = found.broken.find(rule);
    const auto times = at == found.broken.end() ? 0 : at->second;
    broken += times;
    rules.append({{"rule", rule}, {"checked", count}, {"broken", times}});
  }
  auto violations = Json::array();
  for (const auto& violation : found.violations) violations.append(violation.text());
  Json made{{"format", 1}, {"jobs", jobs_in(given)}};
  if (given.stretches) made.add("stretches", given.stretches->stays.size());
  if (found.excuses.jobs > 0) {
    made.add("excused_promises", found.excuses.jobs);
    made.add("longest_excuse", seconds_text(found.excuses.longest));
  }
  made.add("holds", broken == 0);
  made.add("rules", rules);
  made.add("violations", violations);
  console.out << made.file_text();
  return broken == 0 ? study::kDone : static_cast<int>(ErrorCode::kAudit);
}

// Whether the jobs or the schedule give walltimes.
bool has_walltimes(const study::GivenSchedule& given, std::span<const Job> jobs) {
  const auto is_given = [](const Job& job) { return job.walltime_given; };
  if (std::any_of(jobs.begin(), jobs.end(), is_given)) return true;
  return given.jobs &&
         std::any_of(given.jobs->told.begin(), given.jobs->told.end(), is_given);
}

void require_walltimes(const VerifyOptions& options, const study::GivenSchedule& given,
                       std::span<const Job> jobs) {
  if (options.promise.empty() || has_walltimes(given, jobs)) return;
  throw Error(ErrorCode::kInput,
              "--promise easy: neither the jobs nor the schedule have walltimes, by "
              "which EASY promises starts, and berth invents none");
}

// Brings the times of the schedule to those of the trace, and says so.  Returns by how
// much they were behind.
Duration shift(const VerifyOptions& options, study::Schedule& schedule,
               std::span<const Job> jobs, Duration precision, Console& console) {
  Budget budget;
  if (!options.shift.empty()) {
    const auto by = parse_seconds(options.shift);
    if (by.fault != NumberFault::kNone) {
      wrong_usage(fmt::format("--shift: '{}' is no number of seconds",
                              printable(options.shift)));
    }
    study::shift_back(schedule, by.value);
    return by.value;
  }
  const auto by = study::shift_of(schedule, jobs, precision, budget);
  if (!by || std::max(*by, -*by) <= precision) return 0;
  console.say(fmt::format(
      "all submit times are {} s behind those of the trace: the schedule is "
      "moved by that (--shift says another time)",
      seconds_text(*by)));
  study::shift_back(schedule, *by);
  return *by;
}

int tell(const VerifyOptions& options, const audit::ScheduleReport& found,
         const study::GivenSchedule& given, const std::string& words,
         Console& console) {
  if (options.json) return report_json(found, given, console);
  return report(found, given, words, console);
}

bool has_size(const study::Scenario& scenario) {
  return scenario.processors || study::processors_of_machine(scenario);
}

// How large a machine is whose size at most its schedule tells.
struct SizeOfSchedule {
  std::int32_t processors = 0;
  bool judges_capacity = true;  // else all that was in use at once fits by its making
};

// `jobs`: those of the trace; none: the schedule has its own.
SizeOfSchedule size_of(const JudgedFiles& files, std::span<const Job> jobs,
                       Console& console) {
  if (files.file.processors > 0) return {files.file.processors};
  if (!files.given.jobs) {
    wrong_usage("stretches do not tell how large the machine is (--processors N)");
  }
  Budget budget;
  const auto shown = study::shown_size(*files.given.jobs, jobs, budget);
  console.say(fmt::format(
      "the machine has at least {} processors, {}; --processors says how many",
      shown.processors,
      shown.is_of_numbers
          ? "by their numbers"
          : "the most that were in use at once: capacity is not judged"));
  return {shown.processors, shown.is_of_numbers};
}

// Gives the machine a size where neither it nor the trace has one.  Returns whether
// capacity can be judged.
bool take_size(const VerifyOptions& options, study::Scenario& scenario,
               Console& console) {
  const auto& keys = scenario.workload;
  if (has_size(scenario) || keys.trace.empty() || !keys.mix.empty()) return true;
  // Standard input can be read once.
  if (keys.trace == "-") return true;
  Budget budget;
  const auto workload = study::read_trace_of(scenario, budget);
  if (workload.processors) return true;
  const auto files =
      read_schedules(options, scenario, study::make_point(scenario, 1, workload.jobs));
  const auto size = size_of(files, workload.jobs, console);
  scenario.processors = size.processors;
  return size.judges_capacity;
}

// Where nothing tells what jobs need of hosts, these are as many processors as they
// have.
void count_hosts(study::Scenario& scenario, Console& console) {
  Budget budget;
  for (const auto& line : study::take_hosts(scenario, false, budget)) {
    console.say("warning: " + line);
  }
  auto& groups = scenario.machine.resources.hosts;
  if (groups.empty() || !scenario.hosts.are_read) return;
  scenario.processors =
      static_cast<std::int32_t>(processors_of(scenario.machine.resources));
  groups.clear();
}

// A schedule without its trace: its jobs are what it tells of them.
int verify_own_jobs(const VerifyOptions& options, study::Scenario scenario,
                    Console& console) {
  count_hosts(scenario, console);
  auto files = read_schedules(options, scenario, study::make_point(scenario, 1, {}));
  SizeOfSchedule size;
  if (const auto made = study::processors_of_machine(scenario)) {
    size.processors = *made;
  } else if (scenario.processors) {
    size.processors = *scenario.processors;
  } else {
    size = size_of(files, {}, console);
  }
  Budget budget;
  const auto jobs = study::take_own_jobs(*files.given.jobs, options.schedule, budget);
  require_walltimes(options, files.given, jobs);
  const auto point = study::make_point(scenario, size.processors, jobs);
  auto rules = rules_of(options);
  rules.submit_tolerance = std::max(rules.tolerance, files.file.submit_precision);
  rules.has_own_jobs = true;
  auto found = study::judge_schedule(point, files.given, rules);
  if (!size.judges_capacity) found.checked.erase("capacity");
  console.say("length and missing are not judged: no trace says what they should be");
  return tell(options, found, files.given, in_words(files.given, point), console);
}

// Of failures that were drawn, the run kept when hosts went down and came back.
void take_kept_events(const VerifyOptions& options, study::Scenario& scenario) {
  if (!study::draws_failures(scenario)) return;
  scenario.failures = {};
  scenario.host_failures.clear();
  if (!scenario.machine_events.empty()) return;
  const auto kept =
      std::filesystem::path(options.schedule).parent_path() / study::kHostEventsFile;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(kept, failed)) {
    wrong_usage(
        fmt::format("the scenario draws when hosts go down, and no {} stands beside "
                    "the schedule; name one (--set machine.events=FILE)",
                    study::kHostEventsFile));
  }
  scenario.machine_events = kept.string();
}

// What happens to the machine of the scenario.
void take_life(const VerifyOptions& options, study::Scenario& scenario,
               study::Point& point, Budget& budget) {
  take_kept_events(options, scenario);
  if (const auto [key, wrong] = study::wrong_events(scenario); !wrong.empty()) {
    study::refuse_key(scenario, key, wrong);
  }
  if (const auto wrong = study::wrong_windows(scenario); !wrong.empty()) {
    throw Error(ErrorCode::kInput, wrong);
  }
  auto& life = point.machine.life;
  life.events = study::host_events(scenario, point.machine.processors, budget);
  life.windows = study::machine_windows(scenario, point.machine.processors, budget);
  if (const auto wrong = study::wrong_life(point); !wrong.empty()) wrong_usage(wrong);
}

// From now on the point has the jobs as they were released.
study::ReleasedJobs release(const VerifyOptions& options, study::Point& point,
                            const JobLinks& links, study::GivenSchedule& given) {
  if (!options.shift.empty()) {
    wrong_usage("--shift: jobs wait for others, whose releases would be moved, too");
  }
  const auto never = study::never_starting(point);
  auto released = study::take_releases(
      point.jobs, links, given, [&](JobId id) -> bool { return never[index(id)]; });
  point.jobs = released.jobs;
  if (point.attributes != nullptr) {
    point.attributes = std::make_shared<SelectedAttributes>(std::move(point.attributes),
                                                            released.order);
  }
  return released;
}

int verify_jobs(const VerifyOptions& options, study::Scenario scenario,
                Console& console) {
  Budget budget;
  for (const auto& line : study::take_hosts(scenario, false, budget)) {
    console.say("warning: " + line);
  }
  write_repairs(options.run.form, scenario, false, console);
  const bool judges_capacity = take_size(options, scenario, console);
  auto loaded = study::load_workload(scenario, {}, budget);
  auto point = study::make_point(scenario, loaded.processors, loaded.workload.jobs);
  point.attributes = loaded.attributes;
  point.links = loaded.links;
  study::take_arrays(loaded, point);
  take_life(options, scenario, point, budget);
  auto files = read_schedules(options, scenario, point);
  auto rules = rules_of(options);
  rules.tolerance = std::max(rules.tolerance, files.file.precision);
  rules.submit_tolerance = std::max(rules.tolerance, files.file.submit_precision);
  require_walltimes(options, files.given, point.jobs);
  study::ReleasedJobs released;
  Duration behind = 0;
  if (loaded.links != nullptr) {
    released = release(options, point, *loaded.links, files.given);
  } else if (files.given.jobs) {
    behind = shift(options, *files.given.jobs, point.jobs, files.file.submit_precision,
                   console);
  }
  take_estimates(options, point, behind, files.given);
  auto found = study::judge_schedule(point, files.given, rules);
  found.add(std::move(released.found));
  if (!judges_capacity) found.checked.erase("capacity");
  for (const auto& line :
       study::workload_warnings(loaded, study::Naming::kAsTyped, budget)) {
    console.say("warning: " + line);
  }
  const auto words = in_words(files.given, point, released.is_refused);
  return tell(options, found, files.given, words, console);
}

int verify(const VerifyOptions& options, Console& console) {
  if (options.schedule.empty()) {
    wrong_usage(fmt::format("name the schedule: {} --schedule jobs.csv",
                            options.run.scenario.empty()
                                ? "--trace FILE.swf"
                                : printable(options.run.scenario)));
  }
  constexpr std::array<std::string_view, 1> kPromises = {"easy"};
  if (!options.promise.empty()) choice_option("--promise", options.promise, kPromises);
  const auto scenario = scenario_of(options);
  study::require_judge(model_of(scenario.machine));
  return names_jobs(options) ? verify_jobs(options, scenario, console)
                             : verify_own_jobs(options, scenario, console);
}

}  // namespace

Action declare_verify(Syntax& syntax) {
  auto options = std::make_shared<VerifyOptions>();
  auto& run = options->run;
  syntax.option(
      "SCENARIO", run.scenario,
      "the jobs and the machine, instead of --trace; each machine is judged by "
      "its own laws");
  syntax.option("--trace", run.trace,
                "the jobs: a log, plain or gzip; without it they are those of the "
                "schedule");
  syntax.option(
      "--schedule", options->schedule,
      "CSV with job_id, starting_time, finish_time (or job, start, end, ...), a log "
      "with recorded starts, or what accasim, alea, cqsim, raps, armada and evalys "
      "write; final_state and allocated_resources are checked where given, on a "
      "network switch and reserved, too; stretches.csv will do where no job is "
      "slowed down; a log.jsonl beside jobs.csv tells a policy's own estimates");
  syntax.option(
      "--stretches", options->stretches,
      "where jobs were when that are suspended, moved or slowed down; else the "
      "stretches.csv beside a --schedule jobs.csv, if there is one");
  syntax.option("--columns", options->columns, kColumnsHelp);
  declare_log_form(syntax, "--format", run.form);
  syntax.option("--processors", run.processors, kProcessorsHelp);
  syntax.option("--hosts", run.hosts, kHostsHelp);
  syntax.repeated("--set", run.settings, kPointHelp);
  syntax.option("--seed", run.seed, "start of the random streams, as of berth run");
  syntax.option("--promise", options->promise,
                "easy: the first job of the queue is never delayed by others; judged "
                "on machines of processors alone, where no job is suspended or slowed "
                "down");
  syntax.option("--tolerance", options->tolerance,
                "seconds by which an end may be off (0, or what the form rounds to)");
  syntax.option("--shift", options->shift,
                "seconds by which the times of the schedule are behind those of the "
                "jobs; else what all submit times say");
  syntax.option("--min-planned", options->min_planned,
                "shortest time that was planned for a job, in seconds (1)");
  syntax.flag("--json", options->json, "the report as JSON");
  syntax.footer(
      "Example:\n  berth verify --trace t.swf.gz --schedule out/jobs.csv "
      "--promise easy\n  berth verify scenarios/star.toml --schedule "
      "out/fcfs/jobs.csv");
  return [options](Console& console) { return verify(*options, console); };
}

}  // namespace berth::cli
