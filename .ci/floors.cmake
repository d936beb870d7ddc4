# cmake -P .ci/floors.cmake : a folder may include only itself and lower floors.  A room
# (a folder within a folder) may have a floor of its own: FOLDER_ROOM.  A room of study/
# holds at most 25 files.
# Run from the root of the tree.
cmake_minimum_required(VERSION 3.25)

set(base 0)

set(clock 1)
set(jobs 1)
set(hosts 1)
set(network 1)
set(queue 1)
set(bindings_sandbox 1)

set(reserve 2)
set(embed 2)
set(pack 2)
set(share 2)
set(expect 2)
set(workload 2)

set(sim 3)

set(metrics 4)
set(audit 4)
set(explain 4)

set(models 5)

set(output 5)
set(compare 5)

set(bindings 6)
set(study_common 7)
set(study_scenario 8)
set(study_inputs 9)
set(study_policies 9)
set(study_results 10)
set(study_runs 11)
set(study_claims 12)
set(study_explain 12)
set(study_tests 12)
set(study_watch 12)
set(study_debug 12)
set(study 12)

set(report 13)

set(cli 14)

file(GLOB rooms ${CMAKE_SOURCE_DIR}/study/*/)
foreach(room IN LISTS rooms)
  file(GLOB files ${room}/*.?pp)
  list(LENGTH files count)
  if(count GREATER 25)
    message(SEND_ERROR "${room} has ${count} files: make another room")
  endif()
endforeach()

file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR}
     engine/*.?pp bindings/*.?pp study/*.?pp report/*.?pp cli/*.?pp)
if(NOT sources)
  message(SEND_ERROR "no sources below ${CMAKE_SOURCE_DIR}: run from the root")
endif()

# locate(KEY path): the folder or room of a file, as named above; "" if there is none.
macro(locate key path)
  string(REGEX MATCH "^(engine/)?([a-z]+)/(([a-z]+)/)?" found "${path}")
  set(${key} "${CMAKE_MATCH_2}")
  if(DEFINED ${CMAKE_MATCH_2}_${CMAKE_MATCH_4})
    set(${key} "${CMAKE_MATCH_2}_${CMAKE_MATCH_4}")
  endif()
endmacro()

foreach(source IN LISTS sources)
  locate(here ${source})
  if(NOT DEFINED ${here})
    message(SEND_ERROR "${source}: add the folder ${here}/ to .ci/floors.cmake")
    continue()
  endif()
  file(STRINGS ${source} includes REGEX "^ *# *include +\"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[^\"]*\"([^\"]*).*" "\\1" included "${line}")
    locate(there "${included}")
    if(NOT there OR NOT DEFINED ${there})
      message(SEND_ERROR "${source}: write the include from the root: ${line}")
    elseif(NOT here STREQUAL there AND NOT ${here} GREATER ${there})
      string(REPLACE "_" "/" there ${there})
      message(SEND_ERROR "${source} may not include ${there}/: ${line}")
    endif()
  endforeach()
endforeach()
