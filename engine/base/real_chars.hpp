#pragma once
// std::from_chars of doubles, which smaller C++ libraries lack.

#include <charconv>

namespace berth {

// As std::from_chars: no blank and no `+` before the number; what follows it is left
// (of "0x10" all but the 0); a number out of range leaves `value` as it is.
[[nodiscard]] std::from_chars_result real_from_chars(
    const char* first, const char* last, double& value,
    std::chars_format format = std::chars_format::general);

// What real_from_chars() is where the library has none; by strtod.
// REQUIRES: general or fixed.
[[nodiscard]] std::from_chars_result real_by_strtod(
    const char* first, const char* last, double& value,
    std::chars_format format = std::chars_format::general);

}  // namespace berth
