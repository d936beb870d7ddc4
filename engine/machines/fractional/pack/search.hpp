#pragma once
// The largest yield at which a packer succeeds, by bisection.
//
// At a yield Y each task asks for Y times its CPU need and for all its memory; a packer
// places all tasks or fails.  Packers are not monotone in the yield: the search may end
// below a yield that would succeed.  Section 3.3 of the paper.

#include <functional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

// Places every task at this yield and returns true, or returns false.  `hosts` has an
// entry for each task; what it holds before the call, and after a failure, is
// arbitrary.
using Fill = std::function<bool(double yield, Hosts& hosts)>;

struct SearchSettings {
  double tolerance = 1e-4;       // above 0; the bracket in which the search ends
  bool test_upper_first = true;  // the relaxed bound itself is tried before all others
};

// The placement of the largest yield that succeeded, with the yield that this placement
// allows, which is often larger.  1 + ceil(log2(bound / tolerance)) packs at most.
[[nodiscard]] Packing search(const Problem& problem, Budget& budget, const Fill& fill,
                             const SearchSettings& settings = {});

// At each yield the first of `fills` that succeeds (Stillwell et al. 2010, METAVP).
[[nodiscard]] Fill first_of(std::vector<Fill> fills);

}  // namespace berth::pack
