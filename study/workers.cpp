#include "study/workers.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace berth::study {

namespace {

constexpr std::size_t kStackBytes = std::size_t{8} << 20U;

struct Batch {
  std::size_t count;
  const std::function<void(std::size_t)>& work;
  std::atomic<std::size_t> next{0};

  void run() {
    for (auto i = next++; i < count; i = next++) work(i);
  }
};

void* run_batch(void* batch) {
  static_cast<Batch*>(batch)->run();
  return nullptr;
}

}  // namespace

void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t)>& work) {
  Batch batch{count, work};
  std::vector<pthread_t> threads;
  if (workers > 1 && count > 1) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    for (std::size_t i = 0; i < std::min(workers, count); ++i) {
      pthread_t thread{};
      if (pthread_create(&thread, &attributes, run_batch, &batch) != 0) break;
      threads.push_back(thread);
    }
    pthread_attr_destroy(&attributes);
  }
  // Where no thread could be made, this one does the work.
  if (threads.empty()) batch.run();
  for (const auto thread : threads) pthread_join(thread, nullptr);
}

}  // namespace berth::study
