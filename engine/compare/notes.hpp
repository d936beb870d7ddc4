#pragma once
// What is printed below the tables of a comparison.  For compare/ only.

#include <span>

#include "engine/compare/comparison.hpp"

namespace berth {

// Fills `users` and `notes`.  REQUIRES: the rest of the comparison is complete.
void add_notes(Comparison& comparison, std::span<const ComparedCell> cells,
               sim::Overrun rule);

}  // namespace berth
