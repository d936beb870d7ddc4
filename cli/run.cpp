#include <fmt/format.h>

#include <memory>

#include "cli/progress.hpp"
#include "cli/run_options.hpp"
#include "engine/compare/renderers.hpp"
#include "study/runs/study_run.hpp"

namespace berth::cli {

namespace {

study::StudyOptions study_options(const RunOptions& options, const Console& console,
                                  Progress& progress) {
  study::StudyOptions made;
  made.layout = Layout::kRun;
  made.keep = study::Keep::kAll;
  made.summaries = options.json;
  made.audit = audit_of(options);
  made.log = options.log ? study::Log::kOn : study::Log::kOff;
  made.strict = options.strict;
  made.workers = workers_of(options);
  made.limits = limits_of(options, console);
  if (!options.out.empty()) made.out = options.out;
  made.existing = options.force ? study::Existing::kReplace : study::Existing::kRefuse;
  made.interrupted = console.interrupted;
  made.print = [&progress](std::string_view label, std::string_view line) {
    progress.message(fmt::format("{}: {}", label, line));
  };
  if (console.live) {
    made.progress = [&progress](std::string_view label, std::size_t submitted,
                                std::size_t of) {
      progress.show(label, submitted, of);
    };
  }
  return made;
}

void show_messages(const study::StudyOutcome& outcome, Console& console) {
  const auto& point = outcome.points.front();
  for (const auto& line : point.warnings) console.err << "warning: " << line << '\n';
  for (const auto& policy : point.policies) {
    for (const auto& line : policy.warnings) {
      console.err << fmt::format("warning: {}: {}\n", policy.label, line);
    }
  }
}

void show_failures(const study::StudyOutcome& outcome, Console& console) {
  bool interrupted = false;
  for (const auto& policy : outcome.points.front().policies) {
    if (policy.failure.code == study::kDone) continue;
    if (policy.failure.code == study::kInterruptedCode && interrupted) continue;
    interrupted = policy.failure.code == study::kInterruptedCode;
    console.err << policy.failure.text << '\n';
  }
}

void show_results(const RunOptions& options, TableFormat format,
                  const study::Scenario& scenario, const study::StudyOutcome& outcome,
                  Console& console) {
  if (options.json) {
    console.out << study::json_array(outcome);
    return;
  }
  const auto rows = options.all_metrics ? study::Rows::kAll : study::Rows::kUsual;
  const auto comparison = study::comparison_of(scenario, outcome, rows);
  if (!comparison.policies.empty()) console.out << rendered(comparison, format);
}

// A scenario without one is a sweep of one point if it is asked what only sweeps have.
bool is_sweep(const study::Scenario& scenario, const RunOptions& options) {
  return !scenario.sweep.empty() || options.dry_run || !options.shard.empty();
}

int run(const RunOptions& options, Console& console) {
  if (const auto shown = show_tables(options, console)) return *shown;
  check_together(options);
  const auto format = table_format(options);
  const auto scenario = scenario_of(options);
  if (is_sweep(scenario, options)) return sweep(options, scenario, console);
  study::StudyOutcome outcome;
  {
    Progress progress(console.err, console.live);
    outcome = study::run_study(scenario, study::PolicyLibrary::standard(),
                               study_options(options, console, progress));
  }
  show_failures(outcome, console);
  show_messages(outcome, console);
  show_results(options, format, scenario, outcome, console);
  return outcome.code();
}

}  // namespace

Action declare_run(Syntax& syntax) {
  auto options = std::make_shared<RunOptions>();
  declare_run_options(syntax, *options);
  syntax.footer(
      "Examples:\n"
      "  berth run scenarios/quickstart.toml --out results\n"
      "  berth run --trace KTH.swf.gz --policy fcfs --policy easy --policy ./mine.lua");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace berth::cli
