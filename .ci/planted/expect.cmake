# expect(NAME FILES name text ... FINDS words...): in a small tree made of these files,
# the check called CHECK fails and says each of the words; without FINDS it passes.
# An @ in a text stands for a semicolon.
# SCRATCH is a folder to make the tree in.
cmake_minimum_required(VERSION 3.25)

function(expect name)
  cmake_parse_arguments(ARG "" "" "FILES;FINDS" ${ARGN})
  set(tree ${SCRATCH}/${CHECK}/${name})
  file(REMOVE_RECURSE ${tree})
  while(ARG_FILES)
    list(POP_FRONT ARG_FILES path text)
    string(REPLACE "@" "\;" text "${text}")
    file(WRITE ${tree}/${path} "${text}\n")
  endwhile()
  execute_process(COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/../${CHECK}.cmake
                  WORKING_DIRECTORY ${tree}
                  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(NOT ARG_FINDS AND NOT result EQUAL 0)
    message(SEND_ERROR "${CHECK}, ${name}: should pass, said: ${said}")
  elseif(ARG_FINDS AND result EQUAL 0)
    message(SEND_ERROR "${CHECK}, ${name}: the mistake was not found")
  endif()
  foreach(words IN LISTS ARG_FINDS)
    string(FIND "${said}" "${words}" at)
    if(at EQUAL -1)
      message(SEND_ERROR "${CHECK}, ${name}: expected '${words}' in: ${said}")
    endif()
  endforeach()
endfunction()
