#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/call_profile.hpp"
#include "cli/progress.hpp"
#include "cli/run_options.hpp"
#include "cli/steps.hpp"
#include "engine/base/time.hpp"
#include "engine/compare/text_table.hpp"
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

// Shares of what the policy took in all.
std::string calls_text(const bindings::CallProfile& profile) {
  TextTable table{{{"call", "calls", "ms", "share"}}, 1};
  const double all = std::max(profile.seconds(), 1e-9);
  for (const auto& row : profile.rows()) {
    table.lines.push_back({row.is_script ? row.name + ", the script itself" : row.name,
                           grouped(row.calls), fmt::format("{:.2f}", row.seconds * 1e3),
                           fmt::format("{:.1f} %", 100 * row.seconds / all)});
  }
  return aligned_text(table);
}

std::string slowest_text(const bindings::CallProfile& profile) {
  constexpr std::size_t kMostNamed = 3;  // calls of an entry
  TextTable table{{{"slowest", "calls", "t, s", "waiting", "ms"}}, 2};
  for (const auto& entry : profile.slowest()) {
    std::vector<std::string> asked;
    for (const auto& row : entry.asked) {
      if (asked.size() == kMostNamed) break;
      asked.push_back(fmt::format("{} {}", row.name, grouped(row.calls)));
    }
    if (entry.asked.size() > kMostNamed) asked.push_back("...");
    table.lines.push_back({fmt::format("{} {}", entry.kind, entry.number),
                           fmt::format("{}", fmt::join(asked, ", ")),
                           seconds_text(entry.at),
                           grouped(static_cast<std::int64_t>(entry.waiting)),
                           fmt::format("{:.3f}", entry.seconds * 1e3)});
  }
  return aligned_text(table);
}

void show_profiles(const std::deque<bindings::CallProfile>& profiles,
                   Console& console) {
  for (const auto& profile : profiles) {
    const auto label = profile.label.empty() ? "a policy" : profile.label;
    if (profile.entries() == 0) {
      console.say(fmt::format(
          "profile: {} was not run: its results are there already (--force)", label));
      continue;
    }
    console.err << fmt::format("\n{}: {:.3f} s in {} entries\n{}\n{}", label,
                               profile.seconds(), grouped(profile.entries()),
                               calls_text(profile), slowest_text(profile));
  }
}

// A scenario without [sweep] is a sweep of one point if an option of sweeps was given.
bool is_sweep(const study::Scenario& scenario, const RunOptions& options) {
  return !scenario.sweep.empty() || options.dry_run || !options.shard.empty();
}

int run(const RunOptions& options, Console& console) {
  if (const auto shown = show_tables(options, console)) return *shown;
  check_options(options, console);
  const auto scenario = scenario_of(options);
  if (options.profile) require_one_run(scenario, "profile");
  if (is_sweep(scenario, options)) return sweep(options, scenario, console);
  write_repairs(options.form, scenario, options.strict, console);
  study::StudyOutcome outcome;
  std::deque<bindings::CallProfile> profiles;
  {
    Progress progress(console.err, console.live);
    progress.expect("jobs", std::max<std::size_t>(2, scenario.policies.size()));
    auto made = study_options(options, console, progress);
    made.layout = Layout::kRun;
    made.keep = study::Keep::kAll;
    if (options.profile) made.profiles = &profiles;
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
      .then([&] { show_profiles(profiles, console); })
      .then([&] { report_results(options, outcome, console); })
      .code();
}

}  // namespace

Action declare_run(Syntax& syntax) {
  auto options = std::make_shared<RunOptions>();
  declare_run_options(syntax, *options);
  syntax.flag("--profile", options->profile,
              "where the time of each policy goes: its calls of the API, its slowest "
              "passes; on stderr (docs/debug.md)");
  syntax.footer(
      "Examples:\n"
      "  berth run scenarios/quickstart.toml --out results\n"
      "  berth run --trace KTH.swf.gz --policy fcfs --policy easy --policy ./mine.lua");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace berth::cli
