// For builds without a solver (CMakeLists.txt).

#include "engine/machines/fractional/pack/linear_program.hpp"

namespace berth::pack {

bool has_solver() { return false; }

LinearSolution solve(const LinearProgram& /*program*/, Budget& /*budget*/,
                     int /*nodes*/) {
  return {};
}

}  // namespace berth::pack
