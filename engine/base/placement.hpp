#pragma once
// Where a job sits.  One form per sharing model; only that model looks inside, everyone
// else passes it on by reference.  Amounts held (memory, bandwidth, yield) are kept
// beside it.

#include <variant>

#include "engine/base/interval_set.hpp"

namespace berth {

// `exclusive`: the processors it has for itself.
using Placement = std::variant<IntervalSet>;

}  // namespace berth
