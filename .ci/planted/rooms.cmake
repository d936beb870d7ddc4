set(CHECK rooms)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(where_they_belong FILES
  bindings/sandbox.cpp "#include <lua.hpp>"
  tests/bindings/sandbox.test.cpp "#include <lua.hpp>"
  engine/network/fat_tree.cpp "#include <boost/graph/adjacency_list.hpp>"
  engine/embed/oktopus.cpp "#include <boost/graph/breadth_first_search.hpp>"
  engine/base/random.hpp "#include <boost/random/taus88.hpp>"
  engine/base/evaluation.cpp "#include \"engine/base/value.hpp\"")
expect(lua_in_the_engine
  FILES engine/sim/policy.cpp "#include <lua.hpp>"
  FINDS "engine/sim/policy.cpp may not include Lua")
expect(lua_by_another_name
  FILES study/run.cpp "#include \"lua5.4/lauxlib.h\""
  FINDS "study/run.cpp may not include Lua")
expect(graph_in_a_header
  FILES engine/network/fat_tree.hpp "#include <boost/graph/adjacency_list.hpp>"
  FINDS "engine/network/fat_tree.hpp may not include Boost.Graph")
expect(graph_elsewhere
  FILES engine/pack/pack.cpp "#include <boost/graph/adjacency_list.hpp>"
  FINDS "engine/pack/pack.cpp may not include Boost.Graph")
