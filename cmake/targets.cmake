# berth_compile(TARGET [HOT]) : how the sources of a folder are compiled.
#
# HOT: they run at every event of a simulation.  Optimised at -O3 with raised inlining,
# and across files when the program is linked.  All others are compiled as the build type
# says; at -O1 where the whole program is optimised when it is linked (BERTH_COLD), which
# takes a third off that link.  Each kind has one precompiled header, made by its first
# target.

set(BERTH_FAST $<$<CONFIG:RelWithDebInfo,Release>:-O3>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # No loads that join what was just written in parts: they wait for the stores.
  list(APPEND BERTH_FAST
       "$<$<CONFIG:RelWithDebInfo,Release>:-fno-tree-slp-vectorize>"
       "$<$<CONFIG:RelWithDebInfo,Release>:SHELL:--param max-inline-insns-auto=80>"
       "$<$<CONFIG:RelWithDebInfo,Release>:SHELL:--param inline-unit-growth=100>")
endif()

# Whatever links an object of the program optimises it across files, so no object has
# ordinary code: templates that many files instantiate are then compiled once, when the
# program is linked, which takes less time in all.  Other projects link installed libraries
# with compilers of their own, so those have ordinary code.
set(BERTH_WHOLE "")  # for the link of a program
set(BERTH_COLD "")
if(BERTH_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT BERTH_SANITIZE
   AND CMAKE_BUILD_TYPE MATCHES "Rel")
  set(BERTH_WHOLE -flto=auto)
  list(APPEND BERTH_FAST -flto=auto)
  if(BERTH_INSTALL)
    list(APPEND BERTH_FAST -ffat-lto-objects)
  else()
    set(BERTH_COLD -flto=auto -O1)
  endif()
endif()

# A folder is compiled as a few joined files: headers are read, and templates
# instantiated, once for each.  A joined file takes up to 1.5 GB; collecting garbage below
# that costs a sixth of the time.
set(BERTH_COLLECT $<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=1048576>)

# What most files include.  No file may rely on it: the preset dev-clang does without.
set(BERTH_PRECOMPILED
  <algorithm> <array> <charconv> <chrono> <cmath> <filesystem> <functional> <map>
  <memory> <optional> <span> <sstream> <string> <unordered_map> <variant> <vector>
  <boost/container/small_vector.hpp> <boost/random/mersenne_twister.hpp>
  <fmt/format.h>)

# Lets a compiler cache take part where a header is precompiled.
add_library(berth_cached_header INTERFACE)
target_compile_options(berth_cached_header INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

function(berth_compile target)
  cmake_parse_arguments(ARG "HOT" "" "" ${ARGN})
  # One precompiled header asks for the same macros and options everywhere.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ${BERTH_JOINED} UNITY_BUILD_BATCH_SIZE 32)
  if(BERTH_JOINED)
    target_compile_options(${target} PRIVATE "${BERTH_COLLECT}")
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target}
    PRIVATE $<BUILD_INTERFACE:berth_warnings> $<BUILD_INTERFACE:Boost::headers>
            $<BUILD_INTERFACE:fmt::fmt>)
  set(kind cold)
  if(ARG_HOT)
    set(kind hot)
    target_compile_options(${target} PRIVATE ${BERTH_FAST})
  else()
    target_compile_options(${target} PRIVATE ${BERTH_COLD})
  endif()
  if(NOT BERTH_PCH)
    return()
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:berth_cached_header>)
  get_property(first GLOBAL PROPERTY BERTH_PCH_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${BERTH_PRECOMPILED})
    set_property(GLOBAL PROPERTY BERTH_PCH_${kind} ${target})
  endif()
endfunction()
