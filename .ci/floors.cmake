# cmake -P .ci/floors.cmake : a folder may include only itself and lower floors.
# Run from the root of the tree.
cmake_minimum_required(VERSION 3.25)

set(base 0)

set(clock 1)
set(jobs 1)
set(hosts 1)
set(network 1)
set(queue 1)

set(reserve 2)
set(embed 2)
set(pack 2)
set(share 2)
set(workload 2)

set(sim 3)

set(metrics 4)
set(audit 4)

set(output 5)
set(compare 5)

set(bindings 6)
set(study 7)
set(cli 8)

file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR}
     engine/*.?pp bindings/*.?pp study/*.?pp cli/*.?pp)
if(NOT sources)
  message(SEND_ERROR "no sources below ${CMAKE_SOURCE_DIR}: run from the root")
endif()
foreach(source IN LISTS sources)
  string(REGEX REPLACE "^(engine/)?([a-z]+)/.*" "\\2" here ${source})
  if(NOT DEFINED ${here})
    message(SEND_ERROR "${source}: add the folder ${here}/ to .ci/floors.cmake")
    continue()
  endif()
  file(STRINGS ${source} includes REGEX "^ *# *include +\"")
  foreach(line IN LISTS includes)
    string(REGEX MATCH "\"(engine/)?([a-z]+)/" found "${line}")
    set(there "${CMAKE_MATCH_2}")
    if(NOT there OR NOT DEFINED ${there})
      message(SEND_ERROR "${source}: write the include from the root: ${line}")
    elseif(NOT here STREQUAL there AND NOT ${here} GREATER ${there})
      message(SEND_ERROR "${source} may not include ${there}/: ${line}")
    endif()
  endforeach()
endforeach()
