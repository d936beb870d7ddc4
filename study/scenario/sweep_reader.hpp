#pragma once
// The [sweep] section of a scenario: which keys vary over which values.
// For scenario_reader.cpp only.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/scenario/scenario.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

struct PlacedAxis {
  SweepAxis axis;
  TextPosition place;  // of its key
};

struct SweepSection {
  std::vector<PlacedAxis> axes;          // in the order of the file, seed last
  const toml::node* policies = nullptr;  // of "run.policies": no axis, a list to read
  std::optional<Windows> windows;        // without a place
  TextPosition windows_at;
};

// A list holds values, a table { from, to, step } a range with both ends (step 1 unless
// it is given).  What is wrong with the section is added to the problems: a key that
// does not exist, a value that the key cannot have, an empty list or range, a value
// twice, more than 100,000 points.
[[nodiscard]] SweepSection read_sweep(const toml::table& sweep, const TomlLines& lines,
                                      Problems& problems);

}  // namespace berth::study
