#include <algorithm>
#include <csignal>
#include <memory>

#include "cli/line_input.hpp"
#include "cli/run_options.hpp"
#include "engine/base/interrupt.hpp"
#include "study/debug/command_line.hpp"
#include "study/debug/session.hpp"

namespace berth::cli {

namespace {

// Every Ctrl-C asks for the prompt; none ends the program.
class PromptOnInterrupt {
 public:
  PromptOnInterrupt() {
    struct sigaction action {};
    action.sa_handler = [](int) { request_interrupt(); };
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before_);
  }
  ~PromptOnInterrupt() { sigaction(SIGINT, &before_, nullptr); }
  PromptOnInterrupt(const PromptOnInterrupt&) = delete;
  PromptOnInterrupt& operator=(const PromptOnInterrupt&) = delete;

 private:
  struct sigaction before_ {};
};

int debug(const RunOptions& options, Console& console) {
  if (options.scenario.empty() && options.trace.empty()) {
    wrong_usage("name a scenario, or --trace FILE; and --policy ./mine.lua");
  }
  auto scenario = scenario_of(options);
  require_one_run(scenario, "debug");
  if (scenario.policies.size() != 1) {
    wrong_usage("name the one policy to debug: --policy ./mine.lua");
  }
  study::ReadingOptions reading;
  reading.keep_recorded = study::replays(scenario);
  Budget budget;
  auto workload = study::prepare_workload(scenario, reading, budget);
  const study::PreparedPoint prepared(std::move(scenario), std::move(workload));
  const auto library = study::PolicyLibrary::standard();
  const auto load = [&](study::DebugSetup::LineSink line) {
    study::LoadingOptions loading;
    loading.limits.time_seconds = 0;  // a script may stand still at a line
    loading.limits.stops_on_wish = true;
    loading.limits.work_units = 1'000'000'000;
    loading.line = std::move(line);
    auto loaded =
        std::move(study::load_policies(prepared.scenario, library, loading).front());
    if (loaded->failure.code != study::kDone) {
      throw Error(static_cast<ErrorCode>(loaded->failure.code), loaded->failure.text);
    }
    return loaded;
  };
  std::vector<std::string_view> words;
  for (const auto& each : study::debug_commands()) words.push_back(each.name);
  LineInput input("(berth) ", words);
  const PromptOnInterrupt guard;
  return study::debug({prepared, load, [&] { return input.next(); }, console.out,
                       !input.is_terminal(), interrupt_requested});
}

}  // namespace

Action declare_debug(Syntax& syntax) {
  auto options = std::make_shared<RunOptions>();
  syntax.option("SCENARIO", options->scenario, "a scenario, as of berth run");
  syntax.option("--trace", options->trace, "an SWF trace, likewise");
  syntax.option("--processors", options->processors, "likewise");
  syntax.option("--hosts", options->hosts, "likewise");
  syntax.repeated("--policy", options->policies, "the policy to look into");
  syntax.repeated("--set", options->settings, "likewise");
  syntax.option("--seed", options->seed, "likewise");
  syntax.footer(
      "Stops at the first pass; `help` lists the commands.  From a pipe commands are\n"
      "read line by line and printed with what they show.\n\n"
      "Example:\n  berth debug quickstart.toml --policy ./mine.lua");
  return [options](Console& console) { return debug(*options, console); };
}

}  // namespace berth::cli
