#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/progress.hpp"
#include "cli/run_options.hpp"
#include "cli/slurm_script.hpp"
#include "cli/steps.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/shell_text.hpp"
#include "study/inputs/windows.hpp"
#include "study/results/finished_point.hpp"
#include "study/results/study_folder.hpp"

namespace berth::cli {

namespace {

// Messages, each with its first point and the number of points, in order of first
// points.
class Messages {
 public:
  void add(const std::string& line, const std::string& point) {
    const auto [at, is_new] = counts_.try_emplace(line, Occurrences{0, point});
    if (is_new) order_.push_back(&*at);
    ++at->second.count;
  }

  void show(std::string_view what, Console& console) const {
    for (const auto* line : order_) {
      const auto& [count, point] = line->second;
      console.say(fmt::format("{}{}: {}", what, point, line->first));
      if (count < 2) continue;
      console.err << fmt::format("  the same at {} more points\n", count - 1);
    }
  }

 private:
  struct Occurrences {
    std::size_t count;
    std::string point;  // the first
  };
  std::map<std::string, Occurrences> counts_;
  std::vector<const std::pair<const std::string, Occurrences>*> order_;
};

void show_all_messages(const study::StudyOutcome& outcome, Console& console) {
  Messages failures;
  Messages warnings;
  const auto add_run = [&](const auto& run, const std::string& point) {
    for (const auto& line : run.warnings) {
      warnings.add(fmt::format("{}: {}", run.label, line), point);
    }
    if (run.failure.code == study::kDone) return;
    const auto head = run.label + ": ";
    const bool has_label = run.failure.text.substr(0, head.size()) == head;
    failures.add((has_label ? "" : head) + run.failure.text, point);
  };
  for (const auto& point : outcome.points) {
    if (point.was_of_old_format) {
      warnings.add("its batches were those of an earlier version, so it ran again",
                   point.name);
    }
    for (const auto& line : point.warnings) warnings.add(line, point.name);
    for (const auto& run : point.policies) add_run(run, point.name);
  }
  failures.show("failed: ", console);
  warnings.show("warning: ", console);
}

void show_counts(const study::StudyOutcome& outcome, Console& console) {
  std::size_t failed = 0;
  for (const auto& point : outcome.points) {
    for (const auto& run : point.policies) failed += run.failure.code != study::kDone;
  }
  const auto left = outcome.count(study::PointState::kNotBegun);
  console.err << fmt::format(
      "{} point{}: {} finished before, {} run now{}{}\n", outcome.points.size(),
      outcome.points.size() == 1 ? "" : "s", outcome.count(study::PointState::kReused),
      outcome.count(study::PointState::kRan),
      left > 0 ? fmt::format(", {} left", left) : std::string(),
      failed > 0 ? fmt::format("; {} runs failed", failed) : std::string());
}

int show_plan(const study::StudyPlan& plan, const RunOptions& options,
              const study::Shard& shard, Console& console) {
  const auto& grid = plan.grid();
  std::size_t points = 0;
  std::size_t finished = 0;
  const study::Wanted wanted{
      options.keep_jobs ? study::Keep::kAll : study::Keep::kSummary,
      options.log ? study::Log::kOn : study::Log::kOff};
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (!shard.has(i)) continue;
    ++points;
    const auto folder = std::filesystem::path(options.out) / "points" / grid.name(i);
    const bool is_finished =
        !options.out.empty() && study::read_finished(folder, plan.runs(i), wanted);
    finished += is_finished ? 1 : 0;
    console.out << fmt::format("{:04}  {}{}\n", i + 1,
                               printable(study::point_text(grid.settings(i))),
                               is_finished ? "  (finished)" : "");
  }
  const auto policies = plan.labels().size();
  console.out << fmt::format("{} point{} x {} polic{} = {} runs", points,
                             points == 1 ? "" : "s", policies,
                             policies == 1 ? "y" : "ies", points * policies);
  if (!options.out.empty())
    console.out << fmt::format("; {} points finished", finished);
  console.out << '\n';
  return study::kDone;
}

// The command line of a part without -j and --shard.  No word can be taken for an
// option that is none.
std::vector<std::string> arguments_of(const RunOptions& options) {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("{}={}", name, value));
  };
  const auto add_flag = [&](const char* name, bool is_set) {
    if (is_set) words.emplace_back(name);
  };
  add("--trace", options.trace);
  add("--format", options.form.format);
  add("--time-zone", options.form.time_zone);
  add("--processors", options.processors);
  add("--hosts", options.hosts);
  for (const auto& policy : options.policies) add("--policy", policy);
  for (const auto& setting : options.settings) add("--set", setting);
  for (const auto& axis : options.varied) add("--vary", axis);
  add("--metric", options.metrics);
  add("--seed", options.seed);
  add("--out", options.out);
  add_flag("--keep-jobs", options.keep_jobs);
  add_flag("--log", options.log);
  add_flag("--no-audit", options.no_audit);
  if (options.audit != "light") add("--audit", options.audit);
  add_flag("--strict", options.strict);
  add("--time-limit", options.time_limit);
  add("--memory-limit", options.memory_limit);
  add("--work-limit", options.work_limit);
  if (!options.scenario.empty()) words.insert(words.end(), {"--", options.scenario});
  return words;
}

// Whether something is asked of the table that is not usual.
bool prints_otherwise(const RunOptions& options) {
  return !options.json.empty() || options.table != "text" || options.all_metrics ||
         options.colour != "auto";
}

// Seconds that the first point takes under all policies, on one worker.
double measured_point(const study::Scenario& scenario, const RunOptions& options,
                      const Console& console) {
  Progress progress(console.err, false);
  auto one = study_options(options, console, progress);
  one.workers = 1;
  one.out.reset();
  one.log = study::Log::kOff;
  one.print = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  const auto point = study::SweepGrid(scenario).point(0).scenario;
  const auto outcome = study::run_study(point, study::PolicyLibrary::standard(), one);
  if (outcome.code() == study::kInterruptedCode) throw study::Interrupted{};
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return took.count();
}

int emit(const RunOptions& options, const study::Scenario& scenario, Console& console) {
  if (options.emit != "slurm") {
    wrong_usage(fmt::format("--emit: '{}' is not slurm", printable(options.emit)));
  }
  if (options.out.empty() || options.force || !options.shard.empty()) {
    wrong_usage("--emit slurm needs --out DIR, and neither --force nor --shard");
  }
  if (options.dry_run || options.report || prints_otherwise(options)) {
    wrong_usage(
        "--emit slurm prints a script: --dry-run, --report, --json, --table, "
        "--all-metrics and --color would do nothing");
  }
  SlurmSweep made;
  made.folder = std::filesystem::current_path().string();
  made.berth = std::filesystem::read_symlink("/proc/self/exe").string();
  made.arguments = arguments_of(options);
  made.out = options.out;
  made.points = study::SweepGrid(scenario).size();
  made.seconds_a_point = measured_point(scenario, options, console);
  console.out << slurm_script(made);
  return study::kDone;
}

}  // namespace

int sweep(const RunOptions& options, const study::Scenario& scenario,
          Console& console) {
  const auto shard = shard_of(options);
  if (!options.form.repairs.empty()) {
    wrong_usage("--repairs is of the jobs of one run; a sweep may have several");
  }
  if (options.log && !options.keep_jobs) {
    wrong_usage("--log of a sweep needs --keep-jobs");
  }
  if (shard.of > 1 && (options.report || prints_otherwise(options))) {
    wrong_usage(
        "--shard: a part prints no table and has no report; give --json, --table, "
        "--all-metrics and --color to berth merge, and make the report behind it");
  }
  const auto library = study::PolicyLibrary::standard();
  for (const auto& line : study::replication_warnings(scenario)) {
    console.err << "warning: " << line << '\n';
  }
  study::StudyOutcome outcome;
  {
    Progress progress(console.err, console.live);
    progress.expect("points", 1);
    auto made = study_options(options, console, progress);
    made.keep = options.keep_jobs ? study::Keep::kAll : study::Keep::kSummary;
    made.shard = shard;
    study::StudyPlan plan(scenario, library, {made.limits, nullptr}, made.layout,
                          made.audit);
    if (options.dry_run) return show_plan(plan, options, shard, console);
    outcome = study::run_study(plan, made);
  }
  show_all_messages(outcome, console);
  show_counts(outcome, console);
  if (outcome.count(study::PointState::kNotBegun) > 0) return outcome.code();
  if (shard.of > 1) {
    const std::vector<std::string> merge{"berth", "merge", "--", options.out};
    console.say(fmt::format("part {} of {}; when all are done: {}", shard.number,
                            shard.of, shell_words(merge)));
    return outcome.code();
  }
  return Steps(outcome.code(), console)
      .then([&] {
        if (options.out.empty()) return;
        study::write_comparison(options.out, scenario, outcome);
      })
      .then([&] { print_results(options, scenario, outcome, console); })
      .then([&] { report_results(options, outcome, console); })
      .code();
}

Action declare_sweep(Syntax& syntax) {
  auto options = std::make_shared<RunOptions>();
  declare_run_options(syntax, *options);
  syntax.option("--emit", options->emit,
                "slurm: print a script that submits the sweep to Slurm");
  syntax.footer("Example:\n  berth sweep scenarios/load_sweep.toml --out results -j 4");
  return [options](Console& console) {
    if (const auto shown = show_tables(*options, console)) return *shown;
    check_options(*options, console);
    const auto scenario = scenario_of(*options);
    return options->emit.empty() ? sweep(*options, scenario, console)
                                 : emit(*options, scenario, console);
  };
}

}  // namespace berth::cli
