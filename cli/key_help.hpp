#pragma once
// Help that comes from tables: the keys of a scenario, the metrics of a run.

#include "cli/console.hpp"

namespace berth::cli {

// Each writes to console.out and returns the exit status.
int show_keys(Console& console);
int show_metrics(Console& console);

}  // namespace berth::cli
