#include "bindings/own_library.hpp"
namespace berth::bindings {
int own_pairs(lua_State* lua) { return luaL_error(lua, "pairs"); }
}  // namespace berth::bindings
