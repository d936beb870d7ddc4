#include "engine/machines/fractional/pack/in_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <system_error>

#include "engine/base/error.hpp"

// The child allocates.  The C library lets no thread hold its allocator at a fork; the
// address sanitizer of clang does so only since version 17, and has these for it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && __clang_major__ < 17
#define BERTH_HOLD_ALLOCATOR
namespace __lsan {       // NOLINT(bugprone-reserved-identifier)
void LockAllocator();    // NOLINT(readability-identifier-naming)
void UnlockAllocator();  // NOLINT(readability-identifier-naming)
}  // namespace __lsan
namespace __sanitizer {      // NOLINT(bugprone-reserved-identifier)
void StackDepotLockAll();    // NOLINT(readability-identifier-naming)
void StackDepotUnlockAll();  // NOLINT(readability-identifier-naming)
}  // namespace __sanitizer
#endif
#endif

namespace berth::pack {

namespace {

constexpr int kPollMilliseconds = 5;
constexpr int kOutOfMemory = 3;
constexpr int kFailed = 4;

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorCode::kMemory,
              fmt::format("the linear solver works in a process of its own, and the "
                          "system refuses {}: {}",
                          what, std::generic_category().message(errno)));
}

bool write_all(int to, const void* data, std::size_t size) {
  const auto* next = static_cast<const std::byte*>(data);
  // Bounded: the bytes of one result, in the child.
  while (size > 0) {
    const auto wrote = ::write(to, next, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    next += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
  return true;
}

// In the child.  No destructor of the parent's objects may run there.
[[noreturn]] void work_and_exit(int to,
                                const std::function<std::vector<double>()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = kFailed;
  try {
    const auto values = work();
    const bool is_told = write_all(to, values.data(), values.size() * sizeof(double));
    status = is_told ? 0 : kFailed;
  } catch (const std::bad_alloc&) {
    status = kOutOfMemory;
  } catch (...) {  // any other is a defect, which the status says
  }
  ::_exit(status);
}

pid_t fork_with_allocator() {
#ifdef BERTH_HOLD_ALLOCATOR
  __lsan::LockAllocator();
  __sanitizer::StackDepotLockAll();
  const auto pid = ::fork();
  const int error = errno;
  __sanitizer::StackDepotUnlockAll();
  __lsan::UnlockAllocator();
  errno = error;
  return pid;
#else
  return ::fork();
#endif
}

class Child {
 public:
  explicit Child(const std::function<std::vector<double>()>& work) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("a pipe");
    from_ = ends[0];
    ::fcntl(from_, F_SETFL, O_NONBLOCK);
    pid_ = fork_with_allocator();
    const int error = errno;
    if (pid_ == 0) work_and_exit(ends[1], work);
    ::close(ends[1]);
    if (pid_ > 0) return;
    ::close(from_);
    errno = error;
    refuse("one");
  }
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait(0);
    }
    ::close(from_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  std::vector<double> result(const Budget& budget) {
    // Another child that was forked meanwhile may keep the pipe open, so the end of
    // this one is asked for besides.
    while (!is_closed_ && pid_ > 0) {
      pollfd entry{from_, POLLIN, 0};
      const bool is_ready = ::poll(&entry, 1, kPollMilliseconds) > 0;
      if (is_ready) drain();
      if (is_ready && !is_closed_) continue;
      budget.poll();
      if (!is_closed_) wait(WNOHANG);
    }
    if (pid_ > 0) wait(0);
    drain();
    check_status();
    std::vector<double> values(bytes_.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes_.data(), bytes_.size());
    return values;
  }

 private:
  // All that can be read now.
  void drain() {
    std::array<std::byte, 1U << 14U> piece;
    // Bounded: what the pipe holds now.
    while (!is_closed_) {
      const auto got = ::read(from_, piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return;
      is_closed_ = got == 0;
      bytes_.insert(bytes_.end(), piece.begin(), piece.begin() + got);
    }
  }

  void wait(int options) {
    pid_t ended = 0;
    // Bounded: a signal may interrupt it a few times.
    do {
      ended = ::waitpid(pid_, &status_, options);
    } while (ended < 0 && errno == EINTR);
    if (ended != 0) pid_ = 0;
  }

  void check_status() const {
    if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return;
    // The system kills a process where memory has run out.
    const bool lacks_memory =
        (WIFEXITED(status_) && WEXITSTATUS(status_) == kOutOfMemory) ||
        (WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL);
    if (lacks_memory) throw std::bad_alloc();
    throw Error(ErrorCode::kDefect,
                fmt::format("the linear solver ended with wait status {}", status_));
  }

  int from_ = -1;
  pid_t pid_ = 0;  // 0: it has been waited for
  int status_ = 0;
  bool is_closed_ = false;
  std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<double> in_child(const Budget& budget,
                             const std::function<std::vector<double>()>& work) {
  return Child(work).result(budget);
}

}  // namespace berth::pack
