#include "study/common/for_each_index.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "engine/output/writer_thread.hpp"

using namespace berth;
using namespace berth::study;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

// Leaves this process so much more memory for stacks of threads.
void leave(std::size_t bytes) {
  std::ifstream state("/proc/self/statm");
  std::size_t pages = 0;
  state >> pages;
  const auto now = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const rlimit limit{now + bytes, now + bytes};
  ::setrlimit(RLIMIT_AS, &limit);
}

// What `check` returns, in a process of its own.
bool holds_in_child(bool (*check)()) {
  const auto child = ::fork();
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_SUITE("study/for_each_index") {
  TEST_CASE("each index is taken once, by any number of workers") {
    for (const std::size_t workers : {0U, 1U, 2U, 7U, 300U}) {
      std::vector<std::atomic<int>> taken(100);
      for_each_index(100, workers, [&](std::size_t i) { ++taken[i]; });
      for (const auto& times : taken) CHECK(times == 1);
    }
  }

  TEST_CASE("what fails first is thrown, and no further index is taken") {
    for (const std::size_t workers : {1U, 4U}) {
      std::atomic<int> taken{0};
      const auto work = [&](std::size_t i) {
        ++taken;
        if (i == 3) throw std::runtime_error("no");
        // An exception takes its time; the other workers must not be done before.
        if (i > 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      };
      CHECK_THROWS_WITH(for_each_index(10'000, workers, work), "no");
      CHECK(taken < 10'000);
    }
  }

  TEST_CASE("E 23: where the system gives fewer threads the work is done on fewer") {
    if (kIsSanitized) return;
    CHECK(holds_in_child([] {
      leave(std::size_t{20} << 20U);  // for two stacks
      std::atomic<int> taken{0};
      for_each_index(500, 64, [&](std::size_t) { ++taken; });
      return taken == 500;
    }));
  }

  TEST_CASE("E 23: where the system gives no thread the writer's tasks are done") {
    if (kIsSanitized) return;
    CHECK(holds_in_child([] {
      leave(std::size_t{1} << 20U);
      int done = 0;
      WriterThread thread;
      for (int i = 0; i < 10; ++i) thread.post([&] { ++done; });
      thread.finish();
      return done == 10;
    }));
  }
}
