#include "study/common/program_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "engine/base/interrupt.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): of POSIX

namespace berth::study {

namespace {

using Clock = std::chrono::steady_clock;
using ProgramEnd = ProgramOutput::ProgramEnd;

constexpr std::size_t kComplaint = 2000;  // bytes

// A pipe whose ends a child does not inherit.
class Pipe {
 public:
  Pipe() : is_open_(::pipe2(ends_.data(), O_CLOEXEC) == 0) {}
  ~Pipe() {
    close_writer();
    if (is_open_) ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_writer() {
    if (is_open_ && ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool is_open_;
};

// Ends and waits for its child when it goes, however that is.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  ~ChildProcess() {
    if (!pid_) return;
    ::kill(*pid_, SIGKILL);
    (void)wait();
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // REQUIRES: once.
  int wait() {
    int status = 0;
    while (::waitpid(*pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_.reset();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  std::optional<pid_t> pid_;
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<char*> environment_without(std::span<const std::string_view> names) {
  std::vector<char*> kept;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto name = entry.substr(0, entry.find('='));
    if (std::find(names.begin(), names.end(), name) == names.end()) kept.push_back(*at);
  }
  kept.push_back(nullptr);
  return kept;
}

std::optional<pid_t> spawn(std::vector<std::string>& words, const Pipe& out,
                           const Pipe& err, std::span<const std::string_view> without) {
  auto arguments = pointers_to(words);
  auto environment = environment_without(without);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.writer(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.writer(), STDERR_FILENO);
  pid_t child = 0;
  const bool runs = ::posix_spawnp(&child, arguments[0], &actions, nullptr,
                                   arguments.data(), environment.data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!runs) return std::nullopt;
  return child;
}

// Whether the stream has ended.  What is beyond `most` bytes is dropped.
bool read_some(int from, std::size_t most, std::string& text) {
  std::array<char, 65536> buffer{};
  const auto got = ::read(from, buffer.data(), buffer.size());
  if (got < 0) return errno != EINTR && errno != EAGAIN;
  const auto room = most - std::min(most, text.size());
  text.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  return got == 0;
}

// Reads both streams to their ends; kEnded if these come in time.
ProgramEnd read_all(const Pipe& out, const Pipe& err, const ProgramLimits& limits,
                    ProgramOutput& into) {
  const auto until = Clock::now() + limits.time;
  std::array<pollfd, 2> wanted{pollfd{out.reader(), POLLIN, 0},
                               pollfd{err.reader(), POLLIN, 0}};
  while (wanted[0].fd >= 0 || wanted[1].fd >= 0) {
    throw_if_interrupted();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return ProgramEnd::kTooLate;
    if (::poll(wanted.data(), wanted.size(), static_cast<int>(left.count())) <= 0) {
      continue;
    }
    if (wanted[0].revents != 0 &&
        read_some(out.reader(), limits.bytes + 1, into.text)) {
      wanted[0].fd = -1;
    }
    if (wanted[1].revents != 0 && read_some(err.reader(), kComplaint, into.complaint)) {
      wanted[1].fd = -1;
    }
    if (into.text.size() > limits.bytes) return ProgramEnd::kTooLong;
  }
  return ProgramEnd::kEnded;
}

}  // namespace

ProgramOutput output_of_program(std::vector<std::string> words,
                                const ProgramLimits& limits,
                                std::span<const std::string_view> without) {
  ProgramOutput made;
  Pipe out;
  Pipe err;
  if (!out.is_open() || !err.is_open()) return made;
  const auto pid = spawn(words, out, err, without);
  if (!pid) return made;
  ChildProcess child(*pid);
  out.close_writer();
  err.close_writer();
  made.how = read_all(out, err, limits, made);
  if (made.how == ProgramEnd::kEnded) made.status = child.wait();
  return made;
}

}  // namespace berth::study
