#pragma once
// Randomised rounding of the relaxed program: RRND and RRNZ, section 3.1 of the paper.

#include <functional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

// Of RRNZ, where the paper's text lost it.
constexpr double kRrnzEpsilon = 0.01;

// Task by task: a host is drawn with the probability of its part; one without room is
// left out and another drawn; fails when none is left.  `parts`: as relaxed_parts();
// below 1e-9 they count as 0.  `epsilon`: 0 for RRND; RRNZ puts it in place of every
// part that is 0.  `draw` gives numbers in [0, 1): the first host whose cumulative
// probability exceeds it is taken.
[[nodiscard]] Packing rounded(const Problem& problem, Budget& budget,
                              const std::vector<double>& parts, double epsilon,
                              const std::function<double()>& draw);

// The draws of an instance: a function of both.
[[nodiscard]] std::function<double()> rounding_draws(std::uint64_t seed,
                                                     std::int64_t instance);

}  // namespace berth::pack
