#pragma once
// Work on several threads.

#include <cstddef>
#include <functional>

namespace berth::study {

// Calls work(0) .. work(count - 1), each once, beginning in this order, on this thread
// and up to `workers` - 1 others of 8 MiB stack each, which is enough for scripts;
// where the system gives fewer threads, on fewer.  Returns when all are done.  After
// one that throws no further one begins; what the first threw is thrown here, once
// those that run have ended.
void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t)>& work);

}  // namespace berth::study
