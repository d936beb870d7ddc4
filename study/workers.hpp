#pragma once
// A few threads with stacks large enough for scripts.

#include <cstddef>
#include <functional>

namespace berth::study {

// Calls work(0) .. work(count - 1), each once, on up to `workers` threads of 8 MiB
// stack each (on none but this one if workers is 1 or count is).  Returns when all are
// done. REQUIRES: work throws nothing; workers >= 1.
void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t)>& work);

}  // namespace berth::study
