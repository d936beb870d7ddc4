# Read by cpack before each kind of package, and by pages.cmake.  The date of everything in
# a package is that of the commit, so that the same sources give the same bytes.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CPACK_BERTH_SOURCES}
                  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT date)
    message(FATAL_ERROR "no commit is here to take the date of: set SOURCE_DATE_EPOCH")
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${date})
endif()
