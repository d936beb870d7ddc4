// In place of bindings/tools/out.cpp, stats.cpp and steps.cpp: conditions of classes of
// jobs, the one script besides policies that a page may have, do without them.

#include "bindings/families.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/page.hpp"

namespace berth::bindings {

const Family& out_family() {
  static const Family kNone{};
  return kNone;
}
const Family& stats_family() { return out_family(); }
const Family& steps_family() { return out_family(); }

void install_out(lua_State*) {}
void install_stats(lua_State*, std::uint64_t) {}
void install_steps(lua_State*) {}

}  // namespace berth::bindings
