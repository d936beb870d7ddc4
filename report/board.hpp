#pragma once
// The answer of a page as HTML: its sentences, and the board, a row a policy, that
// holds picture and table.
//
// A cell of the board holds its number in data-value, its difference to the base with
// the half-width of its interval in data-difference and data-half, and its verdict in
// data-verdict: the scripts of the page draw these, and compute none.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/compare/comparison.hpp"
#include "report/answer.hpp"

namespace berth::report {

// The sentence and its lead.
[[nodiscard]] std::string answer_html(const Comparison& comparison, Budget& budget);

// Draws the board of a comparison of one cell; `numbers` are those by which the page
// knows its policies.
[[nodiscard]] std::string board_html(const Comparison& comparison,
                                     const std::vector<std::size_t>& numbers);

// "2 h 3 min ± 1 min 20 s", with the reason where it is not comparable.
[[nodiscard]] std::string value_html(const Comparison::Row& row,
                                     const Comparison::Entry& entry);

// The verdict, and the difference to the base with its interval.
[[nodiscard]] std::string against_html(const Comparison::Row& row,
                                       const Comparison::Entry& entry);

}  // namespace berth::report
