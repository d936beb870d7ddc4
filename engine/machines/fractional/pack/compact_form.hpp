#pragma once
// The packing problem as a linear program, in a compact form: minimise the largest
// load.
//
//   min L   every task is placed once; on each host the CPU needs sum to at most L, the
//           memory to at most 1; L >= 1
//
// The yield is 1 / L.  It has half the columns of the program in section 2.2 of the
// paper and the same optimum, since a placement allows the common yield
// min(1, 1 / largest load).

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/linear_program.hpp"

namespace berth::pack {

// Column task * hosts + host: the part of the task on the host; last column: L.
// `is_integer`: tasks may not be divided.
[[nodiscard]] LinearProgram compact_form(const Problem& problem, Budget& budget,
                                         bool is_integer);

// As exact(), by an integer program.  kNoSolver where there is no solver.
[[nodiscard]] Proven exact_by_program(const Problem& problem, Budget& budget,
                                      int nodes = 1'000'000);

// Where the parts of divided tasks come from.
enum class RelaxedSource : std::uint8_t {
  kSimplex,  // a vertex of the relaxed program
  kUniform,  // the same part of every task on every host: needs no solver
};

// Parts of tasks: [task * hosts + host].  nullopt where the tasks cannot fit, or the
// source needs a solver and there is none (has_solver()).
[[nodiscard]] std::optional<std::vector<double>> relaxed_parts(const Problem& problem,
                                                               Budget& budget,
                                                               RelaxedSource source);

}  // namespace berth::pack
