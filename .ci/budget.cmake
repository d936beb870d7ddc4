# cmake -P .ci/budget.cmake : below engine/reserve, engine/workload, report and in the rooms
# pack and embed of machines every loop charges a Budget (engine/base/budget.hpp) or says
# why it need not.  A loop counts as charged if
#   - charge, charge_each, charge_sort, budget or budget_ is named in its head or body, or
#   - it has no loop in it, and one of the first three was called before it in a block that
#     holds it.
# It is marked by a comment on its line or the line above, "Bounded: " and at least three
# words, which say what bounds it; a file whose values have no budget by one of the form
# "Bounded in this file: " between its includes and its code.
# Run from the root of the tree.
cmake_minimum_required(VERSION 3.25)

file(GLOB sources RELATIVE ${CMAKE_SOURCE_DIR}
     engine/machines/*/pack/*.?pp engine/machines/*/embed/*.?pp
     engine/reserve/*.?pp engine/workload/*.?pp report/*.?pp)
if(NOT sources)
  message(FATAL_ERROR "no sources below ${CMAKE_SOURCE_DIR}: run from the root")
endif()
list(SORT sources)
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/budget.awk ${sources}
                OUTPUT_VARIABLE loops OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" loops "${loops}")
foreach(loop IN LISTS loops)
  message(SEND_ERROR "${loop}: this loop charges no budget; charge it, or say what bounds "
                     "it: // Bounded: ...")
endforeach()
