# cmake -P .ci/rooms.cmake : lua.hpp and its like only under bindings/ and tests/;
# boost/graph only in .cpp files of machines;
# nlohmann only in the readers and the writer of JSON, so that nothing else can call value(),
# at() or get() of the library, which throw what no caller expects; at() on a map of places.
# Words leave through one door: cli/ writes files by OutputFile alone, and scripts for a
# shell are begun by shell_script() alone.
# Run from the root of the tree.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR}
     engine/*.?pp bindings/*.?pp study/*.?pp report/*.?pp cli/*.?pp bench/*.?pp tests/*.?pp)
if(NOT sources)
  message(SEND_ERROR "no sources below ${CMAKE_SOURCE_DIR}: run from the root")
endif()
foreach(source IN LISTS sources)
  file(STRINGS ${source} includes REGEX "^ *# *include +[<\"]")
  foreach(line IN LISTS includes)
    if(line MATCHES "[<\"](.*/)?(lua|lualib|lauxlib|luaconf)\\.hp?p?[>\"]"
       AND NOT source MATCHES "^(bindings|tests)/")
      message(SEND_ERROR "${source} may not include Lua: ${line}")
    endif()
    if(line MATCHES "[<\"]boost/graph/"
       AND NOT source MATCHES "^engine/machines/.*\\.cpp$")
      message(SEND_ERROR "${source} may not include Boost.Graph: ${line}")
    endif()
    if(line MATCHES "[<\"]nlohmann/"
       AND NOT source MATCHES "^engine/(output/json_reading|base/json|workload/formats/json_records)\\.cpp$"
       AND NOT source MATCHES "^tests/")
      message(SEND_ERROR "${source} may not include nlohmann; JsonReader reads: ${line}")
    endif()
  endforeach()
  if(source MATCHES "^tests/")
    continue()
  endif()
  file(STRINGS ${source} lookups REGEX "(seen_|places)\\.at\\(")
  foreach(line IN LISTS lookups)
    message(SEND_ERROR "${source} may not call at() on a map of places: ${line}")
  endforeach()
  if(source MATCHES "^cli/")
    file(STRINGS ${source} lines REGEX "ofstream|AtomicFile|[^_]write_file\\(")
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${source} may write a file by OutputFile alone: ${line}")
    endforeach()
  endif()
  if(source MATCHES "^(engine|bindings|study|report|cli)/"
     AND NOT source STREQUAL "engine/base/shell_text.cpp")
    file(STRINGS ${source} lines REGEX "\"#!/bin/sh|<<-?[ '\"]*[A-Z]+\\\\n|^[^/]*<<[A-Z]+$")
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${source} may write a script by shell_script() alone: ${line}")
    endforeach()
  endif()
endforeach()
