#include "engine/machines/fractional/pack/solver_child.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <new>
#include <span>
#include <system_error>
#include <utility>

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
constexpr int kKeptBytes = 1 << 25;
constexpr int kOutOfMemory = 3;
constexpr int kFailed = 4;

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorCode::kMemory,
              fmt::format("the linear solver works in a process of its own, and the "
                          "system refuses {}: {}",
                          what, std::generic_category().message(errno)));
}

// Waits until the socket may be ready for POLLIN or POLLOUT; false: do not go on.
using Wait = std::function<bool(short event)>;

// Sends or receives all of these bytes.  False: the other end is closed, or no wait.
bool transfer(int socket, short event, std::span<std::byte> bytes, const Wait& wait) {
  constexpr int kFlags = MSG_DONTWAIT | MSG_NOSIGNAL;
  // Bounded: the bytes of one message, and as many waits as `wait` allows.
  while (!bytes.empty()) {
    const auto moved = event == POLLOUT
                           ? ::send(socket, bytes.data(), bytes.size(), kFlags)
                           : ::recv(socket, bytes.data(), bytes.size(), kFlags);
    if (moved > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(moved));
      continue;
    }
    const bool is_over = moved == 0 || (errno != EAGAIN && errno != EINTR);
    if (is_over || !wait(event)) return false;
  }
  return true;
}

// Their number, then the numbers.
bool send_numbers(int socket, SolverChild::Numbers numbers, const Wait& wait) {
  std::size_t count = numbers.size();
  return transfer(socket, POLLOUT, std::as_writable_bytes(std::span(&count, 1)),
                  wait) &&
         transfer(socket, POLLOUT, std::as_writable_bytes(std::span(numbers)), wait);
}

bool receive_numbers(int socket, SolverChild::Numbers& numbers, const Wait& wait) {
  std::size_t count = 0;
  if (!transfer(socket, POLLIN, std::as_writable_bytes(std::span(&count, 1)), wait)) {
    return false;
  }
  numbers.resize(count);
  return transfer(socket, POLLIN, std::as_writable_bytes(std::span(numbers)), wait);
}

// In the child: answers until the other end is closed.
void serve(int socket, const SolverChild::Work& work) {
  const auto wait = [socket](short event) {
    pollfd entry{socket, event, 0};
    return ::poll(&entry, 1, -1) > 0 || errno == EINTR;
  };
  SolverChild::Numbers question;
  // Bounded: the other end closes it.
  while (receive_numbers(socket, question, wait) &&
         send_numbers(socket, work(question), wait)) {
  }
}

// In the child.  No destructor of the parent's objects may run there, and no file of
// the parent may stay open as long as it lives.
[[noreturn]] void serve_and_exit(int socket, const SolverChild::Work& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  constexpr int kSocket = STDERR_FILENO + 1;
  ::dup2(socket, kSocket);
  ::close_range(kSocket + 1, ~0U, 0);
  // One question takes about as much memory as the next.
  ::mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  int status = 0;
  try {
    serve(kSocket, work);
  } catch (const std::bad_alloc&) {
    status = kOutOfMemory;
  } catch (...) {  // any other is a defect, which the status says
    status = kFailed;
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

}  // namespace

bool SolverChild::is_ours() const { return pid_ > 0 && owner_ == ::getpid(); }

void SolverChild::begin() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    refuse("a socket");
  }
  owner_ = ::getpid();
  pid_ = fork_with_allocator();
  const int error = errno;
  if (pid_ == 0) serve_and_exit(ends[1], work_);
  socket_ = ends[0];
  ::close(ends[1]);
  if (pid_ > 0) return;
  end();
  errno = error;
  refuse("one");
}

void SolverChild::end() {
  if (is_ours()) {
    ::kill(pid_, SIGKILL);
    wait(0);
  }
  pid_ = 0;
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void SolverChild::wait(int options) {
  pid_t ended = 0;
  // Bounded: a signal may interrupt it a few times.
  do {
    ended = ::waitpid(pid_, &status_, options);
  } while (ended < 0 && errno == EINTR);
  if (ended != 0) pid_ = 0;
}

void SolverChild::throw_status() const {
  // The system kills a process where memory has run out.
  const bool lacks_memory =
      (WIFEXITED(status_) && WEXITSTATUS(status_) == kOutOfMemory) ||
      (WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL);
  if (lacks_memory) throw std::bad_alloc();
  throw Error(ErrorCode::kDefect,
              fmt::format("the linear solver ended with wait status {}", status_));
}

SolverChild::Numbers SolverChild::ask(const Numbers& question,
                                      const Budget& budget) try {
  if (!is_ours()) end(), begin();
  const auto wait_for = [&](short event) {
    pollfd entry{socket_, event, 0};
    if (::poll(&entry, 1, kPollMilliseconds) > 0) return true;
    budget.poll();
    // Another child that was forked meanwhile may keep the socket open, so the end of
    // this one is asked for besides.
    wait(WNOHANG);
    return pid_ > 0;
  };
  Numbers answer;
  const bool is_answered = send_numbers(socket_, question, wait_for) &&
                           receive_numbers(socket_, answer, wait_for);
  if (is_answered) return answer;
  if (pid_ > 0) wait(0);
  throw_status();
} catch (...) {
  end();
  throw;
}

}  // namespace berth::pack
