#include "study/common/folder_name.hpp"

#include <fmt/format.h>

#include "engine/output/sha256.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kLongest = 160;  // bytes; file systems take 255
constexpr std::size_t kDigits = 32;

bool is_safe(char c) {
  constexpr std::string_view kSafe = "-_+=.,()";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kSafe.find(c) != std::string_view::npos;
}

}  // namespace

std::string folder_name(std::string_view label) {
  std::string name;
  for (const char c : label) {
    const bool hides = c == '.' && name.empty();
    if (is_safe(c) && !hides) {
      name += c;
    } else {
      name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  if (name.empty()) return "%";  // no label encodes to this
  if (name.size() <= kLongest) return name;
  name.resize(kLongest - kDigits - 1);
  return name + "~" + sha256(label).substr(0, kDigits);
}

}  // namespace berth::study
