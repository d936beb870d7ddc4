#include "engine/base/real_chars.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth {

TEST_SUITE("base/real_chars") {
  TEST_CASE("without the library's own function the same texts are the same numbers") {
    constexpr std::array<std::string_view, 34> kTexts{
        "0",
        "-0",
        "12",
        "1.5",
        ".5",
        "5.",
        "-.25e2",
        "1e5",
        "1e",
        "1e+",
        "1E-3x",
        "0x10",
        " 1",
        "+1",
        "",
        "-",
        ".",
        "-.",
        "e5",
        "1e400",
        "1e-400",
        "inf",
        "-INF",
        "infin",
        "nan",
        "nan(a1)",
        "nan(a-",
        "1,5",
        "1.2.3",
        "--1",
        "0.1",
        "4.35",
        "9007199254740993",
        "179769313486231570814527423731704356798070567525844996598917476803157260780"};
    for (const auto text : kTexts) {
      CAPTURE(std::string(text));
      for (const auto format : {std::chars_format::general, std::chars_format::fixed}) {
        const char* end = text.data() + text.size();
        double own = 7;
        double given = 7;
        const auto by_own = real_by_strtod(text.data(), end, own, format);
        const auto by_given = real_from_chars(text.data(), end, given, format);
        CHECK(by_own.ec == by_given.ec);
        CHECK(by_own.ptr - text.data() == by_given.ptr - text.data());
        const bool is_nan = own != own;
        CHECK((is_nan ? given != given
                      : std::bit_cast<std::uint64_t>(own) ==
                            std::bit_cast<std::uint64_t>(given)));
      }
    }
  }
}

}  // namespace berth
