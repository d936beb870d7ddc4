// The table library.

#include "bindings/own_library.hpp"

namespace berth::bindings {

void open_table(lua_State* lua) { lua_newtable(lua); }

}  // namespace berth::bindings
