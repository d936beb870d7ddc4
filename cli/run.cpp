#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/progress.hpp"
#include "cli/run_options.hpp"
#include "cli/steps.hpp"
#include "study/results/kept_results.hpp"

namespace berth::cli {

namespace {

// Lines in the order in which they came, each with the policies that have it.
class WarningLines {
 public:
  void add(const std::string& line, const std::string& label) {
    auto at = std::find_if(lines_.begin(), lines_.end(),
                           [&](const auto& each) { return each.first == line; });
    if (at == lines_.end()) at = lines_.insert(at, {line, {}});
    at->second.push_back(label);
  }
  [[nodiscard]] const auto& all() const { return lines_; }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> lines_;
};

void show_warnings(const study::StudyOutcome& outcome, Console& console) {
  const auto& point = outcome.points.front();
  for (const auto& line : point.warnings) console.say("warning: " + line);
  // A line that several policies have is said once.
  WarningLines lines;
  for (const auto& policy : point.policies) {
    for (const auto& line : policy.warnings) lines.add(line, policy.label);
  }
  for (const auto& [line, labels] : lines.all()) {
    console.say(fmt::format("warning: {}: {}", fmt::join(labels, ", "), line));
  }
}

void show_failures(const study::StudyOutcome& outcome, Console& console) {
  for (const auto& policy : outcome.points.front().policies) {
    const auto& failure = policy.failure;
    if (failure.code == study::kDone || failure.code == study::kInterruptedCode) {
      continue;
    }
    console.say(failure.text);
  }
}

// Where not all policies have a result: which have, and how to go on.
void show_kept(const RunOptions& options, const study::StudyOutcome& outcome,
               Console& console) {
  const auto code = outcome.code();
  if (code == study::kDone) return;
  const bool interrupted = code == study::kInterruptedCode;
  const auto kept = outcome.kept();
  const std::string head = interrupted ? "interrupted: " : "";
  if (options.out.empty() || kept.empty()) {
    const auto* what =
        options.out.empty() ? "interrupted" : "interrupted: nothing is kept";
    if (interrupted) console.say(what);
    return;
  }
  const auto existing =
      options.force ? study::Existing::kReplace : study::Existing::kRefuse;
  console.say(head + study::kept_text(outcome.layout, kept, outcome.labels.size(),
                                      options.out, existing));
}

// A scenario without [sweep] is a sweep of one point if an option of sweeps was given.
bool is_sweep(const study::Scenario& scenario, const RunOptions& options) {
  return !scenario.sweep.empty() || options.dry_run || !options.shard.empty();
}

int run(const RunOptions& options, Console& console) {
  if (const auto shown = show_tables(options, console)) return *shown;
  check_options(options, console);
  const auto scenario = scenario_of(options);
  if (is_sweep(scenario, options)) return sweep(options, scenario, console);
  write_repairs(options.form, scenario, options.strict, console);
  study::StudyOutcome outcome;
  {
    Progress progress(console.err, console.live);
    progress.expect("jobs", std::max<std::size_t>(2, scenario.policies.size()));
    auto made = study_options(options, console, progress);
    made.layout = Layout::kRun;
    made.keep = study::Keep::kAll;
    outcome = study::run_study(scenario, study::PolicyLibrary::standard(), made);
  }
  show_failures(outcome, console);
  show_kept(options, outcome, console);
  if (outcome.code() == study::kInterruptedCode && !options.out.empty()) {
    return study::kInterruptedCode;
  }
  show_warnings(outcome, console);
  if (outcome.code() == study::kInterruptedCode) {
    // These results are nowhere else.
    print_results(options, scenario, outcome, console);
  }
  return Steps(outcome.code(), console)
      .then([&] { print_results(options, scenario, outcome, console); })
      .then([&] { report_results(options, outcome, console); })
      .code();
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
