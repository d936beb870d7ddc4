#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "cli/command.hpp"
#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth::cli {

namespace {

constexpr std::array kCommands{
    Command{"run", "run policies on a workload, audited, and compare them",
            declare_run},
    Command{"sweep", "run a scenario at every point of its [sweep], and compare",
            declare_sweep},
    Command{"merge", "put the parts of a sweep together, and compare", declare_merge},
    Command{"report", "one HTML file that shows results", declare_report},
    Command{"playground", "one HTML file in which policies run, in any browser",
            declare_playground},
    Command{"verify", "audit the schedule of any simulator", declare_verify},
    Command{"expectations", "judge what the users of a trace could expect",
            declare_expectations},
    Command{"explain", "why jobs waited, pass by pass, and what would have helped",
            declare_explain},
    Command{"policies", "list the built-in policies", declare_policies},
    Command{"new", "write a policy to start from, with a test and a scenario",
            declare_new},
    Command{"init", "write a folder to start from: a machine, tasks and a policy",
            declare_init},
    Command{"check", "everything that is wrong with a policy, a scenario or a trace",
            declare_check},
    Command{"test", "run the cases and properties of policies", declare_test},
    Command{"watch", "run again whenever a file is saved, and say what changed",
            declare_watch},
    Command{"debug", "stop a run, look inside, go on and back", declare_debug},
    Command{"shadow", "what a policy would do on a real Slurm, now; it only looks",
            declare_shadow},
    Command{"claims", "judge what a paper claims by the sweeps that it names",
            declare_claims},
    Command{"trace", "what is in a trace, and the repairs that reading it needs",
            declare_trace},
    Command{"convert", "one log format into another", declare_convert},
    Command{"generate", "write a synthetic workload as SWF", declare_generate},
    Command{"api", "the reference of what policies can call", declare_api},
    Command{"completions", "write a completion script for bash, zsh or fish",
            declare_completions},
};

template <class T>
bool read_whole_text(const std::string& text, T& value) {
  const auto* end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && at == end;
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

void wrong_usage(const std::string& what) { throw WrongUsage(what); }

std::int64_t whole_option(const std::string& option, const std::string& text,
                          std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const bool is_whole = read_whole_text(text, value);
  if (is_whole && value > most) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: '{}' is above {}", option, printable(text), most));
  }
  if (!is_whole || value < least) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: '{}' is not a whole number of at least {}", option,
                            printable(text), least));
  }
  return value;
}

std::size_t workers_option(const std::string& text) {
  constexpr std::int64_t kMostWorkers = 4096;
  return static_cast<std::size_t>(whole_option("-j", text, 1, kMostWorkers));
}

double seconds_option(const std::string& option, const std::string& text) {
  if (const auto seconds = seconds_from_text(text)) return *seconds;
  double value = 0;
  if (!read_whole_text(text, value) || !std::isfinite(value) || value < 0) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: '{}' is not a number of at least 0",
                                               option, printable(text)));
  }
  return value;
}

std::size_t choice_option(const std::string& option, const std::string& text,
                          std::span<const std::string_view> known) {
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (text == known[i]) return i;
  }
  wrong_usage(fmt::format("{}: '{}' is not one of {}{}", option, printable(text),
                          fmt::join(known, ", "), did_you_mean(text, known)));
}

}  // namespace berth::cli
