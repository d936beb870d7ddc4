#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "cli/run_options.hpp"
#include "engine/base/interrupt.hpp"
#include "study/shadow/shadow_session.hpp"
#include "study/shadow/slurm_source.hpp"

namespace berth::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct ShadowOptions {
  RunOptions run;  // policies, settings and limits
  std::string partition;
  std::string every = "30";
  std::string looks;
  std::string from;
  std::string save;
  std::string unit = "processors";
  bool json = false;
};

study::ShadowSession::ShadowView wanted_by(const ShadowOptions& options) {
  constexpr std::array<std::string_view, 2> kUnits{"processors", "nodes"};
  const auto unit = choice_option("--unit", options.unit, kUnits);
  return {options.partition,
          unit == 0 ? study::ShadowUnit::kProcessors : study::ShadowUnit::kNodes};
}

study::Scenario scenario_with(const ShadowOptions& options) {
  study::Scenario scenario;
  add_policies(options.run, scenario);
  if (scenario.policies.empty()) wrong_usage("name a policy: --policy easy");
  return scenario;
}

class Shadowing {
 public:
  Shadowing(const ShadowOptions& options, Console& console)
      : options_(options),
        console_(console),
        scenario_(scenario_with(options)),
        library_(study::PolicyLibrary::standard()),
        loading_(loading()),
        session_(wanted_by(options), scenario_, library_, loading_),
        every_(seconds_option("--every", options.every)) {
    if (every_ < 1) wrong_usage("--every: at least 1 s");
    if (!options.looks.empty()) {
      most_looks_ = whole_option("--looks", options.looks, 1);
    }
    if (!options.save.empty()) recorder_.emplace(options.save);
  }

  int run() {
    if (options_.from.empty()) {
      watch();
    } else {
      replay();
    }
    if (looks_ > 0) show_agreement();
    return study::kDone;
  }

 private:
  [[nodiscard]] study::LoadingOptions loading() const {
    study::LoadingOptions made;
    const auto& run = options_.run;
    if (!run.time_limit.empty()) {
      made.limits.time_seconds = seconds_option("--time-limit", run.time_limit);
    }
    if (!run.work_limit.empty()) {
      made.limits.work_units = whole_option("--work-limit", run.work_limit, 0);
    }
    if (console_.hard_stop) made.limits.hard_stop_seconds = 2;
    return made;
  }

  [[nodiscard]] bool is_over() const {
    return looks_ == most_looks_ || (console_.interrupted && console_.interrupted());
  }

  void replay() {
    study::SlurmRecording recording(options_.from);
    while (!is_over()) {
      const auto state = recording.next();
      if (!state) return;
      look(*state);
    }
  }

  // Looks until the user stops it.  A Slurm that does not answer is asked again, after
  // pauses that double; nothing is decided meanwhile.
  void watch() try {
    double pause = every_;
    while (!is_over()) {
      const auto began = Clock::now();
      const auto answer = slurm_.ask();
      if (answer.state) {
        pause = every_;
        if (!answer.remark.empty()) say_no_usage(answer.remark);
        look(*answer.state);
      } else if (answer.is_lasting && looks_ == 0) {
        throw Error(ErrorCode::kInput, answer.complaint);
      } else {
        constexpr double kLongestPause = 600;
        pause = std::min(2 * pause, std::max(kLongestPause, every_));
        console_.say(
            fmt::format("{}; asking again in {:.0f} s", answer.complaint, pause));
      }
      wait_until(began + std::chrono::milliseconds(static_cast<int>(pause * 1000)));
    }
  } catch (const Interrupted&) {
    // The user ends a session so, and sees what it came to.
  }

  void say_no_usage(const std::string& why) const {
    console_.say(
        fmt::format("{}; without it users have used what this session sees", why));
  }

  void wait_until(Clock::time_point then) const {
    constexpr auto kStep = std::chrono::milliseconds(100);
    while (!is_over() && Clock::now() < then) std::this_thread::sleep_for(kStep);
  }

  // A state that cannot be is left out, but for the first: squeue and sinfo are not
  // asked at one moment.
  void look(const study::ClusterState& state) {
    if (recorder_) recorder_->keep(state);
    try {
      show(session_.take(state));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInput || looks_ == 0) throw;
      console_.say(fmt::format("{}; this look is left out", error.what()));
    }
  }

  void show(const study::ShadowLook& look) {
    ++looks_;
    if (options_.json) {
      console_.out << study::look_json(look).compact() << '\n' << std::flush;
    } else {
      console_.out << study::look_text(look) << '\n' << std::flush;
    }
  }

  void show_agreement() {
    const auto agreement = session_.agreement();
    if (options_.json) {
      console_.out << study::agreement_json(agreement).compact() << '\n';
    } else {
      console_.out << study::agreement_text(agreement);
    }
  }

  const ShadowOptions& options_;
  Console& console_;
  study::Scenario scenario_;
  study::PolicyLibrary library_;
  study::LoadingOptions loading_;
  study::ShadowSession session_;
  study::LiveSlurm slurm_;
  double every_;
  std::int64_t most_looks_ = -1;
  std::int64_t looks_ = 0;
  std::optional<study::SlurmRecorder> recorder_;
};

}  // namespace

Action declare_shadow(Syntax& syntax) {
  auto options = std::make_shared<ShadowOptions>();
  syntax.repeated(
      "--policy", options->run.policies,
      "what decides: a built-in policy or a file, with parameters; once for "
      "each");
  syntax.option("--partition", options->partition,
                "the partition that is looked at; needed where there are several");
  syntax.option("--every", options->every, "seconds from look to look (30)");
  syntax.option("--looks", options->looks, "end after so many (when it is stopped)");
  syntax.option("--save", options->save,
                "folder that keeps every look, without names and comments of jobs");
  syntax.option("--from", options->from, "look at such a folder, not at a Slurm");
  syntax.option("--unit", options->unit,
                "what a job takes: processors | nodes (processors)");
  syntax.repeated("--set", options->run.settings,
                  "KEY=VALUE of the machine or a policy, such as "
                  "policies.easy.depth=100");
  syntax.flag("--json", options->json, "a line of JSON a look, and one at the end");
  syntax.option("--time-limit", options->run.time_limit,
                "seconds that one decision may take (10)");
  syntax.option("--work-limit", options->run.work_limit,
                "work units of one decision (0: none)");
  syntax.footer(
      "Runs `squeue --json`, `sinfo --json`, `sshare --all --json`, nothing else: it\n"
      "cannot change a job.  Asks each policy at every look, and at each second at\n"
      "which Slurm started a job; at the end it counts how often they agree\n"
      "(docs/shadow.md).\n"
      "  berth shadow --policy easy --looks 2 --every 1 --save week\n"
      "  berth shadow --policy conservative --from week");
  return [options](Console& console) { return Shadowing(*options, console).run(); };
}

}  // namespace berth::cli
