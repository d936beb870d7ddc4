#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "cli/run_options.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "study/tests/test_files.hpp"
#include "study/watch/watched_files.hpp"
#include "study/watch/watched_run.hpp"

namespace berth::cli {

namespace {

constexpr auto kPause = std::chrono::milliseconds(250);

struct WatchOptions {
  RunOptions run;
  bool tests = false;
};

class Watching {
 public:
  Watching(const WatchOptions& options, Console& console)
      : options_(options),
        console_(console),
        library_(study::PolicyLibrary::standard()) {
    const auto& run = options.run;
    if (!run.scenario.empty()) named_.push_back(run.scenario);
    if (!run.trace.empty()) named_.push_back(run.trace);
    for (const auto& policy : run.policies) {
      const auto choice = study::parse_policy_choice(policy);
      if (choice && choice.value().is_file()) named_.push_back(choice.value().name);
    }
    for (auto& name : named_) {
      name = std::filesystem::path(name).lexically_normal().string();
    }
    files_.watch(named_);
  }

  // Until the user stops it; the status is that of the last run.
  int run() {
    std::vector<std::string> changed;
    while (!is_over()) {
      show(make_block(), changed);
      for (changed = files_.changed(); changed.empty() && !is_over();
           changed = files_.changed()) {
        std::this_thread::sleep_for(kPause);
      }
    }
    return code_;
  }

 private:
  [[nodiscard]] bool is_over() const {
    return console_.interrupted && console_.interrupted();
  }

  // What is printed after one run; errors are a part of it.
  std::string make_block() {
    ++runs_;
    code_ = study::kDone;
    std::string text;
    try {
      const auto scenario = scenario_of(options_.run);
      watch(scenario);
      text = options_.tests ? tests_of(scenario) : run_of(scenario);
    } catch (...) {
      const auto failure = study::failure_now();
      const bool stopped = failure.code == study::kInterruptedCode;
      text = stopped ? "stopped\n" : failure_text(failure);
      code_ = failure.code;
    }
    return text;
  }

  void watch(const study::Scenario& scenario) {
    auto files = study::files_of(scenario);
    files.insert(files.end(), named_.begin(), named_.end());
    files_.watch(files);
  }

  static std::string failure_text(const study::Failure& failure) {
    return message_text(failure.text) + "\n";
  }

  std::string run_of(const study::Scenario& scenario) {
    require_one_run(scenario, "watch");
    study::LoadingOptions loading;
    if (console_.hard_stop) loading.limits.hard_stop_seconds = 2;
    study::Watch watch;
    watch.interrupted = console_.interrupted;
    auto made = study::run_watched(scenario, library_, loading, watch);
    std::string text;
    std::vector<int> codes;
    for (const auto& failure : made.failures) {
      text += failure_text(failure);
      codes.push_back(failure.code);
    }
    code_ = study::worst_code(codes);
    if (made.policies.empty()) return text;
    text += study::watched_text(made, good_ ? &*good_ : nullptr);
    if (made.failures.empty()) good_ = std::move(made);
    return text;
  }

  std::string tests_of(const study::Scenario& scenario) {
    std::vector<std::string> paths;
    for (const auto& policy : scenario.policies) {
      if (policy.is_file()) paths.push_back(policy.name);
    }
    if (paths.empty()) wrong_usage("--test needs a policy of your own: ./mine.lua");
    study::TestOptions options;
    options.workers = std::max(1U, std::thread::hardware_concurrency());
    if (console_.hard_stop) options.limits.hard_stop_seconds = 2;
    const auto report = study::run_tests(study::test_files(paths), library_, options);
    code_ = report.code();
    return study::test_text(report);
  }

  void show(const std::string& block, const std::vector<std::string>& changed) {
    std::string names;
    for (const auto& name : changed) {
      names += (names.empty() ? "" : ", ") + printable_name(name);
    }
    if (console_.colour) console_.out << "\x1b[H\x1b[J";
    console_.out << fmt::format("--- run {}{}\n{}", runs_,
                                names.empty() ? "" : ", changed: " + names, block)
                 << std::flush;
  }

  const WatchOptions& options_;
  Console& console_;
  study::PolicyLibrary library_;
  study::WatchedFiles files_;
  std::vector<std::string> named_;         // on the command line
  std::optional<study::WatchedRun> good_;  // the last without a failure
  std::size_t runs_ = 0;
  int code_ = study::kDone;  // of the last
};

int watch(const WatchOptions& options, Console& console) {
  if (options.run.scenario.empty() && options.run.trace.empty()) {
    wrong_usage("name a scenario, or --trace FILE and --policy ./mine.lua");
  }
  return Watching(options, console).run();
}

}  // namespace

Action declare_watch(Syntax& syntax) {
  auto options = std::make_shared<WatchOptions>();
  auto& run = options->run;
  syntax.option("SCENARIO", run.scenario, "a scenario, as of berth run");
  syntax.option("--trace", run.trace, "an SWF trace, likewise");
  syntax.option("--processors", run.processors, "likewise");
  syntax.option("--hosts", run.hosts, "likewise");
  syntax.repeated("--policy", run.policies, "likewise");
  syntax.repeated("--set", run.settings, "likewise");
  syntax.option("--seed", run.seed, "likewise");
  syntax.flag("--test", options->tests, "run the tests of the policies instead");
  syntax.footer(
      "Runs again when the scenario, the trace, a policy or a library is saved, until\n"
      "Ctrl-C; the exit status is that of the last run.  Without a terminal each run\n"
      "is a block of its own.\n\n"
      "Example:\n  berth watch quickstart.toml --policy easy --policy ./mine.lua");
  return [options](Console& console) { return watch(*options, console); };
}

}  // namespace berth::cli
