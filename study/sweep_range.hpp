#pragma once
// The values of a range { from, to, step } in a [sweep] section.
// For the implementation files of this folder only.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "study/settings_table.hpp"

namespace berth::study {

inline constexpr std::size_t kMostPoints = 100'000;

struct SweepRange {
  SettingValue from;  // whole or real
  SettingValue to;
  SettingValue step;
};

// Both ends included, as text; else why there are none.  Whole numbers are exact; sums
// of decimal fractions are rounded to twelve digits, so that 0.5 and two steps of 0.1
// give 0.7.
[[nodiscard]] Result<std::vector<std::string>, std::string> values_of(
    const SweepRange& range);

}  // namespace berth::study
