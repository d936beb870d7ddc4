#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <span>

#include "cli/command.hpp"
#include "engine/audit/placement_check.hpp"
#include "engine/base/error.hpp"
#include "engine/base/json.hpp"
#include "engine/base/printable.hpp"
#include "engine/models/sharing_models.hpp"
#include "engine/workload/gzip_source.hpp"
#include "study/common/exit_code.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/inputs/schedule_reader.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/setting_override.hpp"

namespace berth::cli {

namespace {

struct VerifyOptions {
  std::string scenario;
  std::string trace;
  std::string schedule;
  std::string processors;
  std::string promise;
  std::string tolerance = "0";
  std::string min_planned;
  bool json = false;
};

study::Scenario scenario_of(const VerifyOptions& options) {
  auto scenario = options.scenario.empty() ? study::Scenario{}
                                           : study::load_scenario(options.scenario);
  if (!options.trace.empty()) scenario.workload.trace = options.trace;
  if (!options.processors.empty()) {
    study::override_setting(scenario, "machine.processors=" + options.processors,
                            "--processors");
  }
  if (!options.min_planned.empty()) {
    study::override_setting(scenario, "machine.min_planned=" + options.min_planned,
                            "--min-planned");
  }
  return scenario;
}

audit::ScheduleRules rules_of(const VerifyOptions& options,
                              const study::Scenario& scenario,
                              std::int32_t processors) {
  audit::ScheduleRules rules{processors};
  rules.easy = options.promise == "easy";
  rules.min_planned = scenario.machine.min_planned;
  const auto tolerance =
      ticks_from_seconds(seconds_option("--tolerance", options.tolerance));
  if (!tolerance) {
    wrong_usage(fmt::format("--tolerance: {} is more than {} seconds",
                            printable(options.tolerance), kMaxSeconds));
  }
  rules.tolerance = *tolerance;
  return rules;
}

// What the rules allow and a reader may not expect.
std::string in_words(std::span<const audit::Scheduled> schedule,
                     const SpillingArray<Job>& jobs, std::int32_t processors) {
  const auto count = [&](auto wanted) {
    return std::count_if(schedule.begin(), schedule.end(), wanted);
  };
  const auto ran = count([](const auto& row) { return !!row.start; });
  const auto rejected = count([&](const auto& row) {
    return row.state == audit::Stated::kRejected &&
           jobs[index(row.job)].size <= processors;
  });
  std::string text;
  if (ran == 0) text += "no job ran; ";
  if (rejected > 0) {
    text += fmt::format("{} {} rejected although {} the machine; ", rejected,
                        rejected == 1 ? "job is" : "jobs are",
                        rejected == 1 ? "it fits" : "they fit");
  }
  return text;
}

int report(const audit::ScheduleReport& found, std::size_t jobs,
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
  console.out << fmt::format(
      "{} jobs: {}{}\n", jobs, words,
      broken == 0 ? "every rule holds" : "the schedule is wrong");
  return broken == 0 ? study::kDone : static_cast<int>(ErrorCode::kAudit);
}

int report_json(const audit::ScheduleReport& found, std::size_t jobs,
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
  console.out << Json{
      {"format", 1},
      {"jobs", jobs},
      {"holds", broken == 0},
      {"rules", rules},
      {"violations",
       violations}}.file_text();
  return broken == 0 ? study::kDone : static_cast<int>(ErrorCode::kAudit);
}

// On a network or with several kinds: where the jobs were, too.
void check_places(const study::Scenario& scenario, const study::SizedWorkload& loaded,
                  const study::Schedule& schedule, audit::ScheduleReport& to) {
  const auto point =
      study::make_point(scenario, loaded.processors, loaded.workload.jobs);
  const ModelSpec spec{point.machine, point.jobs, loaded.attributes,
                       point.settings.seed};
  const auto law = model_of(point.machine).law(spec);
  const std::span<const Job> jobs(loaded.workload.jobs);
  auto found =
      point.machine.resources.empty()
          ? audit::check_placements(
                jobs, schedule.rows,
                *make_topology(settings_of<SlotsSettings>(point.machine)), *law)
          : audit::check_placements(jobs, schedule.rows, *law);
  for (const auto& [rule, count] : found.checked) to.checked[rule] += count;
  for (const auto& [rule, count] : found.broken) to.broken[rule] += count;
  std::move(found.violations.begin(), found.violations.end(),
            std::back_inserter(to.violations));
}

audit::ScheduleReport check(const VerifyOptions& options,
                            const study::Scenario& scenario,
                            const study::SizedWorkload& loaded,
                            const study::Schedule& schedule) {
  const auto& model = model_of(scenario.machine);
  const bool on_network = model.network != nullptr;
  if (schedule.is_of_stretches && !on_network) {
    wrong_usage("--schedule: stretches are judged on a network alone; give jobs.csv");
  }
  if (on_network && !schedule.has_switches) {
    wrong_usage(
        "--schedule: on a network it needs the columns allocated_resources and switch");
  }
  const bool has_kinds = !scenario.machine.resources.empty();
  if (has_kinds && !schedule.has_processors) {
    wrong_usage(
        "--schedule: on a machine with several kinds of resource or hosts it needs the "
        "column allocated_resources");
  }
  if (has_kinds && options.promise == "easy") {
    wrong_usage("--promise: easy is judged on processors alone");
  }
  audit::ScheduleReport found;
  if (!schedule.is_of_stretches) {
    found = audit::check_schedule(loaded.workload.jobs, schedule.rows,
                                  rules_of(options, scenario, loaded.processors));
  }
  if (on_network || has_kinds) check_places(scenario, loaded, schedule, found);
  return found;
}

int verify(const VerifyOptions& options, Console& console) {
  const bool has_jobs = !options.trace.empty() || !options.scenario.empty();
  if (!has_jobs || options.schedule.empty()) {
    wrong_usage(fmt::format(
        "name both: {} --schedule jobs.csv",
        options.scenario.empty() ? "--trace FILE.swf" : printable(options.scenario)));
  }
  constexpr std::array<std::string_view, 1> kPromises = {"easy"};
  if (!options.promise.empty()) choice_option("--promise", options.promise, kPromises);
  const auto scenario = scenario_of(options);
  auto loaded = study::load_workload(scenario, {});
  study::FileSource file(options.schedule);
  GzipSource unpacked(file, options.schedule);
  const auto schedule =
      study::read_schedule(unpacked, options.schedule, loaded.workload.jobs);
  const auto found = check(options, scenario, loaded, schedule);
  for (const auto& line : study::workload_warnings(loaded, study::Naming::kAsTyped)) {
    console.say("warning: " + line);
  }
  const auto& rows = schedule.rows;
  if (options.json) return report_json(found, rows.size(), console);
  return report(found, rows.size(),
                in_words(rows, loaded.workload.jobs, loaded.processors), console);
}

}  // namespace

Action declare_verify(Syntax& syntax) {
  auto options = std::make_shared<VerifyOptions>();
  syntax.option("SCENARIO", options->scenario,
                "the jobs and the machine, instead of --trace; placements on a network "
                "or on hosts are judged, too");
  syntax.option("--trace", options->trace, "the jobs: an SWF file, plain or gzip");
  syntax.option("--schedule", options->schedule,
                "CSV with job_id, starting_time, finish_time (or job, start, end); "
                "final_state and allocated_resources are checked where given, on a "
                "network switch and reserved, too, and stretches.csv is read");
  syntax.option("--processors", options->processors,
                "size of the machine; else what the trace says");
  syntax.option("--promise", options->promise,
                "easy: the first job of the queue is never delayed by others");
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
