#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "cli/log_options.hpp"
#include "cli/playground.hpp"
#include "cli/run_options.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/output_file.hpp"
#include "report/page.hpp"
#include "report/results.hpp"
#include "study/common/exit_code.hpp"
#include "study/logs/time_zone.hpp"

namespace berth::cli {

namespace fs = std::filesystem;

namespace {

struct ReportOptions {
  report::Sources sources;
  report::PageOptions page;
  std::string out = "report.html";
  std::string processors;
  std::string columns;
  std::string time_zone = "UTC";
  std::string from;
  std::string to;
  std::string gantt = "auto";
  bool force = false;
  bool json = false;
  bool playground = false;
};

void check(ReportOptions& options) {
  auto& sources = options.sources;
  if (sources.folders.empty() && sources.schedules.empty()) {
    wrong_usage("name the results: berth report DIR, or --jobs FILE");
  }
  if (!options.processors.empty()) {
    constexpr std::int64_t kMost = 1'000'000'000;
    sources.processors = static_cast<std::int32_t>(
        whole_option("--processors", options.processors, 1, kMost));
  }
  sources.reading = {study::ScheduleColumns(options.columns),
                     !options.columns.empty(),
                     study::time_zone(options.time_zone),
                     {}};
  constexpr std::array<std::string_view, 3> kGantt = {"auto", "exact", "off"};
  options.page.gantt =
      static_cast<report::GanttData>(choice_option("--gantt", options.gantt, kGantt));
  if (!options.processors.empty() && sources.schedules.empty()) {
    wrong_usage("--processors is for --jobs: results say how large their machine was");
  }
  if (options.from.empty() != options.to.empty()) {
    wrong_usage("--from and --to belong together");
  }
  if (!options.from.empty()) {
    const auto from = ticks_from_seconds(seconds_option("--from", options.from));
    const auto to = ticks_from_seconds(seconds_option("--to", options.to));
    if (!from || !to) wrong_usage("--from, --to: are no times");
    if (!(*from < *to)) wrong_usage("--from: is not before --to");
    options.page.window = report::PageWindow{*from, *to};
  }
}

Json write_report(const ReportOptions& options, Console& console) {
  Budget budget;
  OutputFile file(options.out, options.force ? Existing::kReplace : Existing::kRefuse);
  const auto results = report::read_results(options.sources, budget);
  for (const auto& warning : results.warnings) console.say("warning: " + warning);
  auto page = options.page;
  if (options.playground) {
    const auto play = playground_of_results(options.sources.folders, console);
    page.extra = {play.section(), play.script()};
  }
  auto said = report::write_page(results, page, file, budget);
  file.commit();
  return said;
}

int make_report(ReportOptions& options, Console& console) {
  check(options);
  const auto said = write_report(options, console);
  if (options.json) console.out << said.file_text();
  return study::kDone;
}

}  // namespace

void report_results(const RunOptions& options, const study::StudyOutcome& outcome,
                    Console& console) {
  const auto has_result = [](const auto& policy) {
    return policy.run.has_value() && policy.failure.code == study::kDone;
  };
  const auto& points = outcome.points;
  const bool is_any = std::any_of(points.begin(), points.end(), [&](const auto& point) {
    return std::any_of(point.policies.begin(), point.policies.end(), has_result);
  });
  if (!options.report || !is_any) return;
  ReportOptions made;
  made.sources.folders = {options.out};
  made.out = (fs::path(options.out) / "report.html").string();
  made.force = true;
  write_report(made, console);
}

Action declare_report(Syntax& syntax) {
  auto options = std::make_shared<ReportOptions>();
  syntax.words(
      "RESULTS", options->sources.folders,
      "folders of runs, of a sweep, of claims or of waits, as --out made them");
  syntax.repeated(
      "--jobs", options->sources.schedules,
      "a schedule of any simulator: CSV with job_id, starting_time, "
      "finish_time, and more of Batsim's columns, a log with recorded "
      "starts, or what accasim, alea, cqsim, raps, armada and evalys write");
  syntax.option("--processors", options->processors,
                "size of the machine of --jobs; else as many as were used");
  syntax.option("--columns", options->columns, kColumnsHelp);
  syntax.option("--time-zone", options->time_zone, kTimeZoneHelp);
  syntax.option("-o,--output", options->out, "the file to write (report.html)");
  syntax.flag("--force", options->force, "replace the file");
  syntax.option("--title", options->page.title, "its title; else the scenario's");
  syntax.option("--from", options->from, "show this time first, with --to");
  syntax.option("--to", options->to, "end of that time");
  syntax.option("--gantt", options->gantt,
                "auto | exact: every rectangle, however many | off: no Gantt chart");
  syntax.flag("--playground", options->playground,
              "with a part in which the policies of the runs are changed and run");
  syntax.flag("--json", options->json, "print what is in the report as JSON");
  syntax.footer(("Columns of a schedule, with further names of each:\n" +
                 study::schedule_columns_text() +
                 "\nExamples:\n  berth run scenarios/quickstart.toml --out results\n"
                 "  berth report results -o report.html\n"
                 "  berth report --jobs out_jobs.csv --processors 64 -o schedule.html")
                    .c_str());
  return [options](Console& console) { return make_report(*options, console); };
}

}  // namespace berth::cli
