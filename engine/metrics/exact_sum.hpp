#pragma once
// A sum of doubles that does not depend on their order: it is exact until it is read.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/time.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

// Whole multiples of 2^-1075, as digits of 32 bits that are kept in 128: 2^42 terms do
// not carry over.
//
// Memory       1 KiB
// Cost         O(1) a term
class ExactSum {
 public:
  // An infinite or undefined term makes the sum so.
  void add(double term) {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    const auto exponent = static_cast<unsigned>(bits >> kFraction) & kTop;
    const auto fraction = bits & ((std::uint64_t{1} << kFraction) - 1);
    if (exponent == kTop) {
      beyond_ += term;
      return;
    }
    const bool is_normal = exponent != 0;
    const auto whole =
        static_cast<std::int64_t>(fraction | (std::uint64_t{is_normal} << kFraction));
    const auto shift = is_normal ? exponent : 1;  // of the multiple
    const Int128 moved = Int128{whole} << (shift % kDigit);
    digits_[shift / kDigit] += std::signbit(term) ? -moved : moved;
  }

  // Rounded to the nearest double; next to halfway between two it may be either.
  [[nodiscard]] double value() const {
    std::array<std::uint32_t, kDigits> carried{};
    Int128 carry = 0;
    for (std::size_t i = 0; i < kDigits; ++i) {
      carry += digits_[i];
      carried[i] = static_cast<std::uint32_t>(carry);
      carry >>= kDigit;
    }
    CompensatedSum sum;
    double rounded = 0.0;  // infinite where the sum is beyond the doubles
    const auto add = [&](double part) {
      sum.add(part);
      rounded += part;
    };
    add(std::ldexp(static_cast<double>(carry), kDigits * kDigit - kUnit));
    for (int i = kDigits; i-- > 0;) {
      const auto digit = carried[static_cast<std::size_t>(i)];
      if (digit != 0) add(std::ldexp(digit, i * kDigit - kUnit));
    }
    return (std::isfinite(rounded) ? sum.value() : rounded) + beyond_;
  }

 private:
  static constexpr int kFraction = 52;
  static constexpr unsigned kTop = 0x7ff;
  static constexpr int kUnit = 1075;
  static constexpr int kDigit = 32;
  static constexpr int kDigits = 64;

  std::array<Int128, kDigits> digits_{};
  double beyond_ = 0.0;
};

[[nodiscard]] inline double exact_sum(std::span<const double> values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

}  // namespace berth
