#pragma once
// The command line as a function: arguments in, text and an exit status out.

#include <span>
#include <string>

#include "cli/console.hpp"

namespace berth::cli {

// Runs one command.  `args` are those behind the name of the program.  Throws nothing:
// what goes wrong is told on console.err.  The status is that of design section 6.
[[nodiscard]] int run(std::span<const std::string> args, Console& console);

// The same for streams alone: nobody interrupts, nothing moves.
[[nodiscard]] int run(std::span<const std::string> args, std::ostream& out,
                      std::ostream& err);

}  // namespace berth::cli
