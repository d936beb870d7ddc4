#pragma once
// A sweep on the command line, for `berth run` and `berth sweep`.

#include "cli/run_options.hpp"

namespace berth::cli {

// Runs the sweep, or prints what it would run; the exit status.  Throws Error.
int sweep(const CLI::App& command, const RunOptions& options,
          const study::Scenario& scenario, Console& console);

}  // namespace berth::cli
