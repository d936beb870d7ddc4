set(CHECK rooms)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(where_they_belong FILES
  bindings/sandbox.cpp "#include <lua.hpp>"
  tests/bindings/sandbox.test.cpp "#include <lua.hpp>"
  engine/machines/network/fat_tree.cpp "#include <boost/graph/adjacency_list.hpp>"
  engine/machines/network/embed/oktopus.cpp "#include <boost/graph/breadth_first_search.hpp>"
  engine/base/random.hpp "#include <boost/random/taus88.hpp>"
  engine/base/evaluation.cpp "#include \"engine/base/value.hpp\""
  engine/output/json_reading.cpp "#include <nlohmann/json.hpp>"
  engine/base/json.cpp "#include <nlohmann/detail/conversions/to_chars.hpp>"
  tests/output/json.test.cpp "#include <nlohmann/json.hpp>"
  study/scenario/places.cpp "  const auto at = seen_.find(key);"
  engine/base/shell_text.cpp "text = \"#!/bin/sh\\n\"\;"
  study/output.cpp "AtomicFile file(path)\;"
  cli/output.cpp "OutputFile file(path, existing)\;")
expect(lua_in_the_engine
  FILES engine/sim/policy.cpp "#include <lua.hpp>"
  FINDS "engine/sim/policy.cpp may not include Lua")
expect(lua_by_another_name
  FILES study/run.cpp "#include \"lua5.4/lauxlib.h\""
  FINDS "study/run.cpp may not include Lua")
expect(graph_in_a_header
  FILES engine/machines/network/fat_tree.hpp "#include <boost/graph/adjacency_list.hpp>"
  FINDS "engine/machines/network/fat_tree.hpp may not include Boost.Graph")
expect(graph_elsewhere
  FILES engine/reserve/pack.cpp "#include <boost/graph/adjacency_list.hpp>"
  FINDS "engine/reserve/pack.cpp may not include Boost.Graph")
expect(json_read_elsewhere
  FILES report/results.cpp "#include <nlohmann/json.hpp>"
  FINDS "report/results.cpp may not include nlohmann")
expect(json_in_a_header
  FILES engine/output/json_reading.hpp "#include <nlohmann/json_fwd.hpp>"
  FINDS "engine/output/json_reading.hpp may not include nlohmann")
expect(place_that_may_be_missing
  FILES study/scenario/scenario_reader.cpp "  problems_.add(seen_.at(\"workload.to\"), what);"
  FINDS "study/scenario/scenario_reader.cpp may not call at() on a map of places")
expect(a_file_by_another_door
  FILES cli/export.cpp "std::ofstream out(options.file)\;"
        cli/save.cpp "  write_file(options.file, text)\;"
  FINDS "cli/export.cpp may write a file by OutputFile alone"
        "cli/save.cpp may write a file by OutputFile alone")
expect(a_script_by_another_door
  FILES cli/pbs_script.cpp "const auto text = \"#!/bin/sh\\ncd \" + folder\;"
        study/job.cpp "R\"(qsub <<PART"
  FINDS "cli/pbs_script.cpp may write a script by shell_script() alone"
        "study/job.cpp may write a script by shell_script() alone")
