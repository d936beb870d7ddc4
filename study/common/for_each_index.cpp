#include "study/common/for_each_index.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

namespace berth::study {

namespace {

// Indices from a common counter, so that they begin in order.
class Indices {
 public:
  Indices(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work) {}

  // Until there is none left, or one has failed.
  void take_all() noexcept {
    try {
      for (auto i = next_++; i < count_; i = next_++) work_(i);
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void throw_on() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

void* take_all_of(void* indices) {
  static_cast<Indices*>(indices)->take_all();
  return nullptr;
}

// Threads that take indices: as many as are wanted, or as the system gives.  By the
// system's own calls, since no library lets one go on with fewer, or sets the stack.
class Helpers {
 public:
  Helpers(std::size_t wanted, Indices& indices) {
    constexpr std::size_t kStackBytes = std::size_t{8} << 20U;
    threads_.reserve(wanted);
    pthread_attr_t how;
    if (pthread_attr_init(&how) != 0) return;
    pthread_t made{};
    const bool has_stack = pthread_attr_setstacksize(&how, kStackBytes) == 0;
    while (has_stack && threads_.size() < wanted &&
           pthread_create(&made, &how, take_all_of, &indices) == 0) {
      threads_.push_back(made);
    }
    pthread_attr_destroy(&how);
  }
  ~Helpers() {
    for (const auto thread : threads_) pthread_join(thread, nullptr);
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

 private:
  std::vector<pthread_t> threads_;
};

}  // namespace

void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t)>& work) {
  Indices indices(count, work);
  {
    const auto threads = std::max<std::size_t>(1, std::min(workers, count));
    const Helpers helpers(threads - 1, indices);
    indices.take_all();
  }
  indices.throw_on();
}

}  // namespace berth::study
