#pragma once

#include <string_view>

namespace berth::study {

// Of this program: "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace berth::study
