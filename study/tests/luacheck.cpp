#include "study/tests/luacheck.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>

#include "engine/base/interrupt.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): of POSIX

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// The options are those of the .luacheckrc that `berth new policy` writes.  A file of
// that name is not read: it is a script of its own, which would run outside of the
// sandbox.
constexpr std::array kCommand{"luacheck",
                              "--no-color",
                              "--no-cache",
                              "--no-config",
                              "--formatter",
                              "plain",
                              "--codes",
                              "--std",
                              "lua54",
                              "--max-line-length",
                              "100",
                              "--not-globals",
                              "collectgarbage",
                              "coroutine",
                              "debug",
                              "dofile",
                              "io",
                              "load",
                              "loadfile",
                              "os",
                              "package",
                              "utf8",
                              "warn",
                              "--"};

// What comes through the pipe until it is closed; nothing if that takes too long.
std::optional<std::string> read_in_time(int from) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(10);
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    pollfd wanted{from, POLLIN, 0};
    if (left.count() <= 0 || interrupt_requested()) return std::nullopt;
    if (::poll(&wanted, 1, static_cast<int>(left.count())) <= 0) continue;
    const auto got = ::read(from, buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// What the program prints; empty if it cannot be run.
std::string output_of(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool runs = ::posix_spawnp(&child, arguments[0], &actions, nullptr,
                                   arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  auto text = runs ? read_in_time(ends[0]) : std::nullopt;
  ::close(ends[0]);
  int status = 0;
  if (runs && !text) ::kill(child, SIGKILL);
  while (runs && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return text.value_or("");
}

}  // namespace

std::vector<std::string> luacheck(const std::string& path) {
  std::vector<std::string> words(kCommand.begin(), kCommand.end());
  words.push_back(path);
  const auto text = output_of(std::move(words));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(path + ":")) continue;
    lines.push_back(fs::path(path).filename().string() + line.substr(path.size()));
  }
  return lines;
}

}  // namespace berth::study
