#pragma once
// The command line as a function: arguments in, text and an exit status out.

#include <span>
#include <string>

#include "cli/console.hpp"

namespace berth::cli {

// Runs one command; returns the exit status (listed by `berth --help`).  `args` are
// those after the name of the program.  Throws nothing: errors are written to
// console.err.
[[nodiscard]] int run(std::span<const std::string> args, Console& console);

// The same without interrupts, progress lines and the hard stop.
[[nodiscard]] int run(std::span<const std::string> args, std::ostream& out,
                      std::ostream& err);

}  // namespace berth::cli
