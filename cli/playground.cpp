#include "cli/playground.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/run_options.hpp"
#include "engine/output/output_file.hpp"
#include "playground/page.hpp"
#include "study/common/exit_code.hpp"
#include "study/explain/run_folder.hpp"
#include "study/runs/run_identity.hpp"
#include "study/scenario/scenario_reader.hpp"

namespace berth::cli {

namespace fs = std::filesystem;

namespace {

// Without a scenario and a trace.
constexpr std::string_view kExample = R"(title = "A busy synthetic week"
seed = 7

[machine]
processors = 128

[workload]
model = "lublin"
jobs = 500
load = 0.8
estimates = "factor"

[run]
policies = ["fcfs", "sjf", "easy", "conservative"]
)";

struct PlaygroundOptions {
  RunOptions run;
  std::string out = "playground.html";
};

study::Scenario chosen(const RunOptions& options) {
  if (!options.scenario.empty() || !options.trace.empty()) return scenario_of(options);
  auto scenario = study::read_scenario("playground.toml", kExample);
  add_policies(options, scenario);
  return scenario;
}

// A policy that fails is on the page all the same: there it can be mended.
void say_failures(const study::StudyOutcome& outcome, Console& console) {
  for (const auto& policy : outcome.points.front().policies) {
    if (policy.failure.code != study::kDone) console.say(policy.failure.text);
  }
}

int make_playground(const PlaygroundOptions& options, Console& console) {
  const auto scenario = chosen(options.run);
  require_one_run(scenario, "play with");
  OutputFile file(options.out,
                  options.run.force ? Existing::kReplace : Existing::kRefuse);
  Progress progress(console.err, console.live);
  auto how = study_options(options.run, console, progress);
  how.layout = Layout::kRun;
  how.summaries = true;
  const auto native = run_study(scenario, study::PolicyLibrary::standard(), how);
  say_failures(native, console);
  if (console.interrupted && console.interrupted()) return study::kInterruptedCode;
  Budget budget;
  const playground::Playground page(scenario, native, budget);
  const auto said = page.write(file);
  file.commit();
  if (!options.run.json.empty()) console.out << said.file_text();
  return study::kDone;
}

// The folder, if it is of one run; else those in it, by name.
std::vector<fs::path> folders_of_runs(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder / "manifest.json", failed)) return {folder};
  std::vector<fs::path> folders;
  // Bounded: the folders in a folder.
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const bool is_hidden = entry.path().filename().string().front() == '.';
    if (!is_hidden && fs::exists(entry.path() / "manifest.json", failed)) {
      folders.push_back(entry.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  if (folders.empty()) folders.push_back(folder);  // reading it says what is missing
  return folders;
}

// The scenario of all these runs, with their policies.
study::Scenario scenario_of_results(const std::vector<std::string>& given) {
  std::vector<study::RunFolder> runs;
  // Bounded: the folders of the command line.
  for (const auto& folder : given) {
    for (const auto& each : folders_of_runs(folder)) {
      runs.push_back(study::read_run_folder(each, {}));
    }
  }
  if (runs.empty()) wrong_usage("--playground is of runs: name their folder");
  auto scenario = runs.front().scenario;
  const auto settings = study::settings_text(scenario, "");
  scenario.policies.clear();
  for (const auto& run : runs) {
    if (study::settings_text(run.scenario, "") != settings) {
      wrong_usage("--playground: the runs are of several scenarios; name those of one");
    }
    scenario.policies.push_back(run.scenario.policies.front());
  }
  return scenario;
}

}  // namespace

playground::Playground playground_of_results(const std::vector<std::string>& folders,
                                             const Console& console) {
  const auto scenario = scenario_of_results(folders);
  study::StudyOptions how;
  how.layout = Layout::kRun;
  how.summaries = true;
  how.interrupted = console.interrupted;
  const auto native = run_study(scenario, study::PolicyLibrary::standard(), how);
  Budget budget;
  return {scenario, native, budget};
}

Action declare_playground(Syntax& syntax) {
  auto options = std::make_shared<PlaygroundOptions>();
  auto& run = options->run;
  syntax.option("SCENARIO", run.scenario,
                "a scenario, as of berth run; without it a synthetic week");
  syntax.option("--trace", run.trace, "an SWF trace, likewise");
  syntax.option("--processors", run.processors, "likewise");
  syntax.repeated("--policy", run.policies, "the policies of the page, likewise");
  syntax.repeated("--set", run.settings, "likewise");
  syntax.option("--seed", run.seed, "likewise");
  syntax.option("-o,--output", options->out, "the file to write (playground.html)");
  syntax.flag("--force", run.force, "replace the file");
  syntax.flag("--json", run.json, "print what is in the page as JSON");
  syntax.footer(
      "The page runs policies by itself, offline, in browsers of 2023 and later\n"
      "(docs/playground.md).\n\n"
      "Examples:\n  berth playground\n"
      "  berth playground quickstart.toml --policy easy -o easy.html\n"
      "  berth playground --trace KTH.swf.gz --policy easy -o kth.html");
  return [options](Console& console) { return make_playground(*options, console); };
}

}  // namespace berth::cli
