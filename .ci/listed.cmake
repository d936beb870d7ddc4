# cmake -P .ci/listed.cmake : every .cpp below engine/, bindings/, study/, report/,
# playground/, cli/ and capi/ is named in the CMakeLists.txt beside it (of
# playground/engine/absent/ above it); every tests/FOLDER/UNIT.test.cpp in
# tests/CMakeLists.txt, with a suite FOLDER/..., without which it would not run.  The calls
# and the tests of machines are found by the names in cmake/machines.cmake, each of which
# has one record in engine/machines/list.cpp.
# Run from the root of the tree.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/machines.cmake)

# find_word(FOUND file word): whether a line of the file has this word.
function(find_word found file word)
  set(lines "")
  if(EXISTS ${CMAKE_SOURCE_DIR}/${file})
    string(REGEX REPLACE "([.+])" "\\\\\\1" pattern ${word})
    file(STRINGS ${file} lines REGEX "^[^#]*(^|[ (])${pattern}($|[ )])")
  endif()
  list(LENGTH lines count)
  set(${found} ${count} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR}
     engine/*.cpp bindings/*.cpp study/*.cpp report/*.cpp playground/*.cpp cli/*.cpp
     capi/*.cpp)
list(FILTER sources EXCLUDE REGEX "^bindings/machines/")
if(EXISTS ${CMAKE_SOURCE_DIR}/engine/machines/list.cpp)
  foreach(machine IN LISTS BERTH_MACHINES)
    file(STRINGS engine/machines/list.cpp lines REGEX "[ {]${machine}_record\\(\\)[,}]")
    string(REGEX MATCHALL "[ {]${machine}_record\\(\\)[,}]" named "${lines}")
    list(LENGTH named count)
    if(NOT count EQUAL 1)
      message(SEND_ERROR "cmake/machines.cmake names ${machine}, and "
                         "engine/machines/list.cpp has ${count} records of it, not one")
    endif()
  endforeach()
endif()
foreach(source IN LISTS sources)
  get_filename_component(folder ${source} DIRECTORY)
  string(REGEX REPLACE "/absent$" "" folder ${folder})
  get_filename_component(name ${source} NAME)
  find_word(found ${folder}/CMakeLists.txt ${name})
  if(NOT found)
    message(SEND_ERROR "${source} is not listed in ${folder}/CMakeLists.txt")
  endif()
endforeach()

file(GLOB_RECURSE units RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/*.test.cpp)
if(NOT units AND NOT sources)
  message(SEND_ERROR "nothing below ${CMAKE_SOURCE_DIR}: run from the root")
endif()
foreach(unit IN LISTS units)
  find_word(found tests/CMakeLists.txt ${unit})
  string(REGEX MATCH "^machines/([a-z_]+)/" of_machine ${unit})
  if(of_machine AND CMAKE_MATCH_1 IN_LIST BERTH_MACHINES)
    set(found 1)
  endif()
  if(NOT found)
    message(SEND_ERROR "tests/${unit} is not listed in tests/CMakeLists.txt")
  endif()
  get_filename_component(folder ${unit} DIRECTORY)
  file(STRINGS tests/${unit} suites REGEX "^TEST_SUITE\\(")
  if(NOT suites)
    message(SEND_ERROR "tests/${unit} has no TEST_SUITE(\"${folder}/...\")")
  endif()
  foreach(line IN LISTS suites)
    if(NOT line MATCHES "^TEST_SUITE\\(\"${folder}/")
      message(SEND_ERROR "tests/${unit} should be TEST_SUITE(\"${folder}/...\"): ${line}")
    endif()
  endforeach()
endforeach()
