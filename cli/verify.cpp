#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <span>

#include "cli/run_options.hpp"
#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/base/printable.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/workload/gzip_source.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/inputs/schedule_judge.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/links/trace_links.hpp"
#include "study/scenario/settings_door.hpp"

namespace berth::cli {

namespace {

struct VerifyOptions {
  RunOptions run;  // the jobs and the machine
  std::string schedule;
  std::string columns;
  std::string stretches;
  std::string promise;
  std::string tolerance = "0";
  std::string min_planned;
  bool json = false;
};

study::Scenario scenario_of(const VerifyOptions& options) {
  auto scenario = scenario_of(options.run);
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

study::Schedule read(const std::string& path, const study::Point& point,
                     const study::ScheduleColumns& columns) {
  study::FileSource file(path);
  Budget budget;
  GzipSource unpacked(file, path, budget);
  auto form = study::form_of(point.machine);
  form.columns = columns;
  return study::read_schedule(unpacked, path, point.jobs, budget, form);
}

// The other one of jobs.csv and stretches.csv, as a run of berth keeps them; empty if
// the path is neither, or the other is not there.
std::string beside(const std::string& path) {
  const std::filesystem::path file(path);
  const auto* other = file.filename() == "jobs.csv"        ? "stretches.csv"
                      : file.filename() == "stretches.csv" ? "jobs.csv"
                                                           : "";
  std::error_code failed;
  const auto found = file.parent_path() / other;
  if (*other == '\0' || !std::filesystem::is_regular_file(found, failed)) return {};
  return found.string();
}

study::GivenSchedule read_schedules(const VerifyOptions& options,
                                    const study::Point& point) {
  study::GivenSchedule given;
  const auto other =
      options.stretches.empty() ? beside(options.schedule) : options.stretches;
  // The other file has the names of berth.
  const study::ScheduleColumns columns(options.columns);
  for (const auto& path : {options.schedule, other}) {
    if (path.empty()) continue;
    auto schedule =
        read(path, point, path == other ? study::ScheduleColumns() : columns);
    auto& place = schedule.is_of_stretches ? given.stretches : given.jobs;
    if (place) {
      wrong_usage("--schedule, --stretches: one names jobs.csv, one stretches.csv");
    }
    place = std::move(schedule);
  }
  return given;
}

// How many jobs the schedule tells of.
std::size_t jobs_in(const study::GivenSchedule& given) {
  if (given.jobs) return given.jobs->rows.size();
  std::set<JobId> jobs;
  for (const auto& stay : given.stretches->stays) jobs.insert(stay.job);
  return jobs.size();
}

// What the rules allow and a reader may not expect.
std::string in_words(const study::GivenSchedule& given, const study::Point& point) {
  if (!given.jobs) return given.stretches->stays.empty() ? "no job ran; " : "";
  const auto& schedule = given.jobs->rows;
  const auto count = [&](auto wanted) {
    return std::count_if(schedule.begin(), schedule.end(), wanted);
  };
  const auto ran = count([](const auto& row) { return !!row.start; });
  const auto rejected = study::rejected_though_fitting(point, *given.jobs);
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
  made.add("holds", broken == 0);
  made.add("rules", rules);
  made.add("violations", violations);
  console.out << made.file_text();
  return broken == 0 ? study::kDone : static_cast<int>(ErrorCode::kAudit);
}

int verify(const VerifyOptions& options, Console& console) {
  const auto& run = options.run;
  const bool has_jobs = !run.trace.empty() || !run.scenario.empty();
  if (!has_jobs || options.schedule.empty()) {
    wrong_usage(fmt::format(
        "name both: {} --schedule jobs.csv",
        run.scenario.empty() ? "--trace FILE.swf" : printable(run.scenario)));
  }
  constexpr std::array<std::string_view, 1> kPromises = {"easy"};
  if (!options.promise.empty()) choice_option("--promise", options.promise, kPromises);
  const auto scenario = scenario_of(options);
  study::require_judge(model_of(scenario.machine));
  const auto rules = rules_of(options);
  Budget budget;
  auto loaded = study::load_workload(scenario, {}, budget);
  study::refuse_links(loaded.links, "verify");
  auto point = study::make_point(scenario, loaded.processors, loaded.workload.jobs);
  point.attributes = loaded.attributes;
  const auto given = read_schedules(options, point);
  const auto found = study::judge_schedule(point, given, rules);
  for (const auto& line :
       study::workload_warnings(loaded, study::Naming::kAsTyped, budget)) {
    console.say("warning: " + line);
  }
  if (options.json) return report_json(found, given, console);
  return report(found, given, in_words(given, point), console);
}

}  // namespace

Action declare_verify(Syntax& syntax) {
  auto options = std::make_shared<VerifyOptions>();
  auto& run = options->run;
  syntax.option(
      "SCENARIO", run.scenario,
      "the jobs and the machine, instead of --trace; each machine is judged by "
      "its own laws");
  syntax.option("--trace", run.trace, "the jobs: an SWF file, plain or gzip");
  syntax.option(
      "--schedule", options->schedule,
      "CSV with job_id, starting_time, finish_time (or job, start, end, ...); "
      "final_state and allocated_resources are checked where given, on a "
      "network switch and reserved, too; stretches.csv will do where no job is "
      "slowed down");
  syntax.option(
      "--stretches", options->stretches,
      "where jobs were when that are suspended, moved or slowed down; else the "
      "stretches.csv beside a --schedule jobs.csv, if there is one");
  syntax.option("--columns", options->columns, kColumnsHelp);
  syntax.option("--processors", run.processors, kProcessorsHelp);
  syntax.repeated("--set", run.settings, kPointHelp);
  syntax.option("--seed", run.seed, "start of the random streams, as of berth run");
  syntax.option("--promise", options->promise,
                "easy: the first job of the queue is never delayed by others; judged "
                "on machines of processors alone, where no job is suspended or slowed "
                "down");
  syntax.option("--tolerance", options->tolerance,
                "seconds by which an end may be off (0)");
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
