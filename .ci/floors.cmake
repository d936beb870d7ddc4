# cmake -P .ci/floors.cmake : a folder may include only itself and lower floors.  A room
# (a folder within a folder) may have a floor of its own: FOLDER_ROOM.  A room of study/
# holds at most 25 files.  No machine includes another, and of all else only the two lists
# include a machine.
# Run from the root of the tree.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../cmake/machines.cmake)

set(base 0)

set(clock 1)
set(jobs 1)
set(hosts 1)
set(queue 1)
set(bindings_sandbox 1)

set(reserve 2)
set(share 2)
set(expect 2)
set(workload 2)

set(sim 3)

set(metrics 4)
set(audit 4)
set(explain 4)

set(machines 5)

foreach(machine IN LISTS BERTH_MACHINES)
  set(machines_${machine} 6)
  set(floor 5)
  foreach(room IN LISTS BERTH_ROOMS_${machine})
    string(APPEND floor 1)
    set(machines_${machine}_${room} 5.${floor})
  endforeach()
endforeach()
set(output 6)
set(compare 6)

set(bindings 7)
set(bindings_machines 8)
set(study_common 8)
set(study_scenario 9)
set(study_life 9.5)
set(study_links 9.5)
set(study_logs 9.5)
set(study_inputs 10)
set(study_policies 10)
set(study_schedules 10.5)
set(study_metrics 10.5)
set(study_results 11)
set(study_runs 12)
set(study_claims 13)
set(study_explain 13)
set(study_tests 13)
set(study_watch 13)
set(study_debug 13)
set(study 13)

set(report 14)

set(cli 15)
set(capi 15)

file(GLOB rooms ${CMAKE_SOURCE_DIR}/study/*/)
foreach(room IN LISTS rooms)
  file(GLOB files ${room}/*.?pp)
  list(LENGTH files count)
  if(count GREATER 25)
    message(SEND_ERROR "${room} has ${count} files: make another room")
  endif()
endforeach()

file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR}
     engine/*.?pp bindings/*.?pp study/*.?pp report/*.?pp cli/*.?pp capi/*.?pp)
if(NOT sources)
  message(SEND_ERROR "no sources below ${CMAKE_SOURCE_DIR}: run from the root")
endif()

# locate(KEY path): the folder or room of a file, as named above; "" if there is none.
macro(locate key path)
  string(REGEX MATCH "^(engine/)?([a-z]+)/(([a-z_]+)/)?(([a-z_]+)/)?" found "${path}")
  set(${key} "${CMAKE_MATCH_2}")
  foreach(room ${CMAKE_MATCH_2}_${CMAKE_MATCH_4}
               ${CMAKE_MATCH_2}_${CMAKE_MATCH_4}_${CMAKE_MATCH_6})
    if(DEFINED ${room})
      set(${key} "${room}")
    endif()
  endforeach()
endmacro()

# machine_of(MACHINE path): the machine whose file it is; "" if it is none's.
function(machine_of machine path)
  set(${machine} "" PARENT_SCOPE)
  foreach(name IN LISTS BERTH_MACHINES)
    if(path MATCHES "^(engine/machines/${name}/|bindings/machines/${name}[._])")
      set(${machine} ${name} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# refuse(source line words): the line, an include of the source, is wrong.
function(refuse source line words)
  file(READ ${source} text)
  string(REPLACE ";" "," text "${text}")
  string(FIND "${text}" "${line}" at)
  string(SUBSTRING "${text}" 0 ${at} before)
  string(REGEX MATCHALL "\n" ends "${before}")
  list(LENGTH ends number)
  math(EXPR number "${number} + 1")
  message(SEND_ERROR "${source} ${words}: line ${number}: ${line}")
endfunction()

foreach(source IN LISTS sources)
  locate(here ${source})
  machine_of(mine ${source})
  if(NOT DEFINED ${here})
    message(SEND_ERROR "${source}: add the folder ${here}/ to .ci/floors.cmake")
    continue()
  endif()
  if(NOT mine AND source MATCHES "^(engine/machines/.*/|bindings/machines/)"
     AND NOT source MATCHES "/list.cpp$")
    message(SEND_ERROR "${source} is of no machine that cmake/machines.cmake names")
    continue()
  endif()
  file(STRINGS ${source} includes REGEX "^ *# *include +\"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[^\"]*\"([^\"]*).*" "\\1" included "${line}")
    locate(there "${included}")
    machine_of(its "${included}")
    get_filename_component(folder "${included}" DIRECTORY)
    if(NOT there OR NOT DEFINED ${there})
      refuse(${source} "${line}" "has an include that is not from the root")
    elseif(its AND mine AND NOT its STREQUAL mine)
      refuse(${source} "${line}" "may not include another machine's ${folder}/")
    elseif(its AND NOT mine AND NOT source MATCHES "^(engine|bindings)/machines/list.cpp$")
      refuse(${source} "${line}" "may not include ${folder}/, which is a machine's")
    elseif(NOT here STREQUAL there AND NOT ${here} GREATER ${there})
      refuse(${source} "${line}" "may not include ${folder}/")
    endif()
  endforeach()
endforeach()
