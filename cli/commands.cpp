#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "cli/command.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth::cli {

namespace {

constexpr std::array kCommands{
    Command{"run", "run policies on a workload, audited, and compare them",
            declare_run},
    Command{"sweep", "run a scenario at every point of its [sweep], and compare",
            declare_sweep},
    Command{"merge", "put the parts of a sweep together, and compare", declare_merge},
    Command{"verify", "audit the schedule of any simulator", declare_verify},
    Command{"policies", "list the built-in policies", declare_policies},
    Command{"new", "write a policy to start from, with a test and a scenario",
            declare_new},
    Command{"check", "everything that is wrong with a policy, a scenario or a trace",
            declare_check},
    Command{"claims", "judge what a paper claims by the sweeps that it names",
            declare_claims},
    Command{"trace", "what is in a trace, and the repairs that reading it needs",
            declare_trace},
    Command{"generate", "write a synthetic workload as SWF", declare_generate},
    Command{"api", "the reference of what policies can call", declare_api},
    Command{"completions", "write a completion script for bash", declare_completions},
};

template <class T>
bool read_whole_text(const std::string& text, T& value) {
  const auto* end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && at == end;
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

void wrong_usage(const CLI::App& command, const std::string& what) {
  const auto name = command.get_parent() == nullptr
                        ? std::string("berth")
                        : fmt::format("berth {}", command.get_name());
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: {}\n`{} --help` tells more", name, what, name));
}

std::int64_t whole_option(const std::string& option, const std::string& text,
                          std::int64_t least) {
  std::int64_t value = 0;
  if (!read_whole_text(text, value) || value < least) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: '{}' is not a whole number from {} on", option,
                            printable(text), least));
  }
  return value;
}

double real_option(const std::string& option, const std::string& text) {
  double value = 0;
  if (!read_whole_text(text, value) || !std::isfinite(value) || value < 0) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: '{}' is not a number from 0 on",
                                               option, printable(text)));
  }
  return value;
}

}  // namespace berth::cli
