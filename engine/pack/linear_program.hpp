#pragma once
// Linear programs with or without integer columns, and their solution by the solver
// that this build knows.  The interface names no solver.
//
// The solver is loaded when a program is solved for the first time; what does not solve
// one does not pay for it.  It runs on one thread, is limited by nodes, never by
// seconds, and prints nothing.

#include <cstdint>
#include <vector>

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

// At most `nodes` nodes if a column is integer.  Callers on several threads take turns.
[[nodiscard]] LinearSolution solve(const LinearProgram& program, int nodes = 1'000'000);

}  // namespace berth::pack
