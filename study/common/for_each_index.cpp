#include "study/common/for_each_index.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>

namespace berth::study {

using tbb::global_control;

void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t)>& work) {
  constexpr std::size_t kStackBytes = std::size_t{8} << 20U;
  // One after the other from a common counter, so that indices begin in order.
  std::atomic<std::size_t> next{0};
  const auto take_all = [&] {
    try {
      for (auto i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      throw;
    }
  };
  const auto threads = std::min(workers, count);
  if (threads <= 1) return take_all();
  const global_control stacks(global_control::thread_stack_size, kStackBytes);
  const global_control most(global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    tbb::task_group group;
    for (std::size_t i = 0; i < threads; ++i) group.run(take_all);
    group.wait();
  });
}

}  // namespace berth::study
