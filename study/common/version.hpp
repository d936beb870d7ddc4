#pragma once
// Which program made a result.

#include <string_view>

namespace berth::study {

// Of this program: "0.1.0".
[[nodiscard]] std::string_view version();

// SHA-256 over the sources that decide results (engine/, bindings/, study/): the same
// for every build of the same sources, whenever and wherever it was built.
[[nodiscard]] std::string_view source_sha256();

}  // namespace berth::study
