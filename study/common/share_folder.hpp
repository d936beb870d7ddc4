#pragma once
// Where data that is installed with this code may be: policies, maps of columns.

#include <filesystem>
#include <string_view>
#include <vector>

namespace berth::study {

// share/berth/NAME beside the running program, then above the library that this code is
// a part of, if it is one: PREFIX/lib/libberth.so, PREFIX/lib/ARCH/libberth.so.  The
// folders need not exist.
[[nodiscard]] std::vector<std::filesystem::path> share_folders(std::string_view name);

}  // namespace berth::study
