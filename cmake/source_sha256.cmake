# cmake -D ROOT=.. -D OUTPUT=.. -P : writes a header with one checksum over the names and
# contents of the sources that decide results.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE files RELATIVE ${ROOT}
  ${ROOT}/engine/*.[ch]pp ${ROOT}/bindings/*.[ch]pp ${ROOT}/study/*.[ch]pp)
list(SORT files)
set(all "")
foreach(name IN LISTS files)
  file(SHA256 ${ROOT}/${name} sum)
  string(APPEND all "${sum}  ${name}\n")
endforeach()
string(SHA256 sum "${all}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once
// Made while building: the checksum of the sources that decide results.

#include <string_view>

namespace berth::study {

inline constexpr std::string_view kSourceSha256 =
    \"@sum@\";

}  // namespace berth::study
" @ONLY)
