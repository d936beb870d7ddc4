#pragma once
// Linear programs with or without integer columns, and their solution by the solver
// that this build knows.  The interface names no solver.
//
// The solver is loaded when a program is solved for the first time; what does not solve
// one does not pay for it.  It runs in a child process, one for each thread that
// solves, since nothing else ends it at any moment: the budget is polled every few
// milliseconds, and where it ends the work the child is killed.  It is limited by nodes
// and iterations, never by seconds, and prints nothing.  Each of its iterations is
// charged one unit a row and column.

#include <cstdint>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth::pack {

// Minimise the sum of cost * value over columns, every row between its bounds.
struct LinearProgram {
  struct Column {
    double cost = 0;
    double lower = 0;
    double upper = 0;
    bool is_integer = false;
  };
  struct Row {
    double lower = 0;
    double upper = 0;
  };
  struct Entry {
    int row = 0;
    double value = 0;
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::vector<Entry>> entries;  // by column
};

enum class LinearOutcome : std::uint8_t { kOptimal, kInfeasible, kLimit, kNoSolver };

struct LinearSolution {
  LinearOutcome outcome = LinearOutcome::kNoSolver;
  // By column: the optimum, at a vertex if no column is integer; after kLimit the best
  // found.  Empty if there is none.
  std::vector<double> values = {};
  double bound = 0;  // no solution has a smaller sum
  std::int64_t nodes = 0;
};

// Whether solve() can do without kNoSolver.  Loads the solver.
[[nodiscard]] bool has_solver();

// At most `nodes` nodes if a column is integer.  Throws std::bad_alloc if the child
// runs out of memory or the system refuses a process, Error{kDefect} if it dies.
[[nodiscard]] LinearSolution solve(const LinearProgram& program, Budget& budget,
                                   int nodes = 1'000'000);

}  // namespace berth::pack
