// For builds without a solver (engine/pack/CMakeLists.txt).

#include "engine/pack/linear_program.hpp"

namespace berth::pack {

bool has_solver() { return false; }

LinearSolution solve(const LinearProgram& /*program*/, Budget& /*budget*/,
                     int /*nodes*/) {
  return {};
}

}  // namespace berth::pack
