#pragma once
// A comparison for people, as tools/comparison.lua tells it: the notes below its
// tables, and the tables as text for a terminal, a page or a paper.
//
// Forms for people round (decimals by the largest number of a line or table); all end
// with a line end.

#include <span>
#include <string>
#include <vector>

#include "bindings/tools/page.hpp"
#include "engine/compare/comparison.hpp"
#include "engine/sim/machine.hpp"

namespace berth::bindings {

// What must be known to read the numbers; `rule` is the one in force, for those of a
// run.  REQUIRES: the comparison is of these cells.
[[nodiscard]] std::vector<std::string> notes_on(const Comparison& comparison,
                                                std::span<const ComparedCell> cells,
                                                sim::Overrun rule);

// Aligned columns, times also in days and hours; the notes below.  Control bytes in
// labels are escaped.  In a run "*" marks the best, "!" a value that the queue spoils,
// and a value that is not comparable has the reason below; a sweep has one table for
// each metric.  Wider tables are turned or folded, those of a sweep all in one way.
[[nodiscard]] std::string as_text(const Comparison& comparison,
                                  const PageStyle& style = {.columns = 80});

// Pipe tables, the best of a run in bold; the notes as a list.
[[nodiscard]] std::string as_markdown(const Comparison& comparison);

// Tabulars for the package booktabs, the best of a run in bold; the notes as comments.
[[nodiscard]] std::string as_latex(const Comparison& comparison);

}  // namespace berth::bindings
