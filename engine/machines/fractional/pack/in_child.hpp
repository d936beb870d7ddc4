#pragma once
// Work of a library that cannot be stopped, in a process that can.

#include <functional>
#include <vector>

#include "engine/base/budget.hpp"

namespace berth::pack {

// What `work` returns, computed in a child process.  The budget is polled while it
// lasts; where that throws, the child is killed first.  What the child throws or
// changes is lost.  Throws std::bad_alloc where the child runs out of memory,
// Error{kMemory} if the system refuses a process or a pipe, Error{kDefect} if the child
// dies otherwise. Cost: a fork, which copies no memory, and a pipe.
[[nodiscard]] std::vector<double> in_child(
    const Budget& budget, const std::function<std::vector<double>()>& work);

}  // namespace berth::pack
