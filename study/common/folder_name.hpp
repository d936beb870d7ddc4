#pragma once
// Names of result folders: one function for policies' labels and points of a sweep.

#include <string>
#include <string_view>

namespace berth::study {

// The folder name of a label.  Letters, digits and "-_+=.,()" stay; every other byte,
// and a leading '.', is written as %XX.  A longer result than 160 bytes is cut and ends
// in '~' and 32 digits of the SHA-256 of the label.  So two labels never share a name,
// and a name is never empty, hidden, "." or "..", and never holds a '/'.
[[nodiscard]] std::string folder_name(std::string_view label);

}  // namespace berth::study
