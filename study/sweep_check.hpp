#pragma once
// The values of a [sweep] section: each must be one that its key can have.
// For the implementation files of this folder only.

#include "study/toml_value.hpp"

namespace berth::study {

// Adds what is wrong with the section.  One in which nothing is wrong is refused as a
// whole: this version runs one point.
void check_sweep(const toml::table& sweep, const TomlLines& lines, Problems& problems);

}  // namespace berth::study
