#pragma once
// One command of the program, as a record: the list of them is in commands.cpp.

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

#include "cli/console.hpp"

namespace berth::cli {

// Does what was asked; the exit status.  Throws Error.
using Action = std::function<int(Console&)>;

struct Command {
  std::string_view name;
  std::string_view brief;  // one line of `berth --help`
  // Adds the options; what it returns runs once they are read.
  Action (*declare)(CLI::App& command);
};

// In the order of the help.
[[nodiscard]] std::span<const Command> commands();

Action declare_run(CLI::App& command);
Action declare_sweep(CLI::App& command);
Action declare_merge(CLI::App& command);
Action declare_verify(CLI::App& command);
Action declare_policies(CLI::App& command);
Action declare_new(CLI::App& command);
Action declare_check(CLI::App& command);
Action declare_claims(CLI::App& command);
Action declare_trace(CLI::App& command);
Action declare_generate(CLI::App& command);
Action declare_api(CLI::App& command);
Action declare_completions(CLI::App& command);

// Throws Error{kUsage}: "what\n`berth COMMAND --help` tells more".
[[noreturn]] void wrong_usage(const CLI::App& command, const std::string& what);

// The value behind an option: a whole number from `least` on, or a number that is not
// negative.  Throw Error{kUsage} naming the option.
[[nodiscard]] std::int64_t whole_option(const std::string& option,
                                        const std::string& text, std::int64_t least);
[[nodiscard]] double real_option(const std::string& option, const std::string& text);

}  // namespace berth::cli
