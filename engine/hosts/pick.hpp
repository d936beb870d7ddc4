#pragma once
// Which of the idle processors a job gets (docs/model.md#assumptions).

#include <cstdint>

namespace berth {

enum class Pick : std::uint8_t { kLowest, kHighest };

}  // namespace berth
