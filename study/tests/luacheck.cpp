#include "study/tests/luacheck.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

extern char** environ;  // NOLINT(readability-redundant-declaration): of POSIX

namespace berth::study {

namespace fs = std::filesystem;

namespace {

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
  std::string text;
  std::array<char, 4096> buffer{};
  while (runs) {
    const auto got = ::read(ends[0], buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  ::close(ends[0]);
  int status = 0;
  while (runs && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

std::vector<std::string> luacheck(const std::string& path) {
  const auto folder = fs::path(path).parent_path();
  const auto config = (folder / ".luacheckrc").string();
  std::vector<std::string> words{"luacheck",    "--no-color", "--no-cache",
                                 "--formatter", "plain",      "--codes"};
  std::error_code failed;
  if (fs::exists(config, failed)) {
    words.insert(words.end(), {"--config", config});
  } else {
    words.insert(words.end(), {"--no-config", "--std", "lua54"});
  }
  words.insert(words.end(), {"--", path});
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
