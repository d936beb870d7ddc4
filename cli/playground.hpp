#pragma once
// Playgrounds of what commands are given.

#include <string>
#include <vector>

#include "cli/console.hpp"
#include "playground/page.hpp"

namespace berth::cli {

// Of runs in folders of results, each a run or the folder of several; all of them of
// one scenario, whose policies they are.  They run again.  Throws Error, WrongUsage.
[[nodiscard]] playground::Playground playground_of_results(
    const std::vector<std::string>& folders, const Console& console);

}  // namespace berth::cli
