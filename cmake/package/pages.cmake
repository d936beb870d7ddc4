# cmake -D PYTHON=.. -D PROGRAM=.. -D VERSION=.. -D SOURCES=.. -D FOLDER=.. -P : what a
# package holds besides the program, made of it: man pages (without PYTHON none), scripts of
# completion, Debian's changelog.
cmake_minimum_required(VERSION 3.25)
set(CPACK_BERTH_SOURCES ${SOURCES})
include(${CMAKE_CURRENT_LIST_DIR}/date.cmake)
file(REMOVE_RECURSE ${FOLDER}/man)
file(MAKE_DIRECTORY ${FOLDER})
if(PYTHON)
  execute_process(COMMAND ${PYTHON} ${SOURCES}/docs/make_pages.py ${PROGRAM} ${SOURCES}
                          ${FOLDER}/man COMMAND_ERROR_IS_FATAL ANY)
endif()
foreach(shell bash zsh fish)
  execute_process(COMMAND ${PROGRAM} completions ${shell}
                  OUTPUT_FILE ${FOLDER}/berth.${shell} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(ENV{LC_ALL} C)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${FOLDER}/changelog @ONLY)
execute_process(COMMAND gzip -9 -n -f ${FOLDER}/changelog COMMAND_ERROR_IS_FATAL ANY)
