#pragma once
// Figures of judged claims and of reasons to wait.

#include "report/figures.hpp"

namespace berth::report {

// "claims", "paper_figures" and "waits" in the data, with their captions, if there are
// any.
void add_study_figures(const Results& results, Figures& figures, Blocks& blocks);

}  // namespace berth::report
