#pragma once
// A string literal as a parameter of a template.
//
// Each law then has its own code for the day it does not hold, and where it holds
// nothing is made ready for that day.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace berth::audit {

template <std::size_t kBytes>
struct Literal {
  // NOLINTNEXTLINE(google-explicit-constructor, *-avoid-c-arrays): it stands for it
  consteval Literal(const char (&literal)[kBytes]) {
    std::copy_n(literal, kBytes, bytes);
  }
  [[nodiscard]] constexpr std::string_view text() const { return {bytes, kBytes - 1}; }

  char bytes[kBytes]{};  // NOLINT(*-avoid-c-arrays)
};

}  // namespace berth::audit
