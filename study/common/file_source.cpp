#include "study/common/file_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kLongestText = std::size_t{16} << 20U;

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw Error(ErrorCode::kInput, fmt::format("{}: {}", printable_name(path), what));
}

std::string reason(int code) {
  const std::string text = std::strerror(code);
  if (code == ENOENT) return "there is no such file; check its name and folder";
  if (code == EACCES) return "no permission to read it";
  return "cannot be read: " + text;
}

// Whether reading returns at once; false after a moment, so that the wish to stop is
// seen.
bool is_ready(int file) {
  constexpr int kMilliseconds = 100;
  pollfd waiting{file, POLLIN, 0};
  const int found = ::poll(&waiting, 1, kMilliseconds);
  return found > 0 || (found < 0 && errno != EINTR);
}

}  // namespace

FileSource::FileSource(const std::string& path) : path_(path) {
  if (path == "-") {
    file_ = STDIN_FILENO;
    return;
  }
  // Without O_NONBLOCK a pipe would block until something is written to it.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file_ < 0) fail(path, reason(errno));
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) return;
  ::close(file_);
  fail(path, S_ISDIR(status.st_mode)
                 ? "is a folder; give a file"
                 : "is no regular file; give a file, or - for standard input");
}

FileSource::~FileSource() {
  if (file_ != STDIN_FILENO) ::close(file_);
}

std::size_t FileSource::read(char* to, std::size_t capacity) {
  while (true) {
    throw_if_interrupted();
    if (file_ == STDIN_FILENO && !is_ready(file_)) continue;
    const auto count = ::read(file_, to, capacity);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) fail(path_, reason(errno));
  }
}

std::string read_bytes(const std::string& path) {
  FileSource source(path);
  std::string text;
  std::array<char, 8192> piece{};  // most files are smaller
  while (const auto count = source.read(piece.data(), piece.size())) {
    text.append(piece.data(), count);
    if (text.size() > kLongestText) fail(path, "is larger than 16 MiB");
  }
  return text;
}

std::string read_text(const std::string& path) {
  auto text = read_bytes(path);
  return text.erase(0, byte_order_mark(text, path));
}

std::optional<std::string> read_text_below(const std::string& folder,
                                           const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(path, failed))) return std::nullopt;
  const auto below = fs::canonical(folder.empty() ? "." : folder, failed);
  const auto whole = failed ? fs::path() : fs::canonical(path, failed);
  if (failed) fail(path, "is a link to nothing; put the file there");
  const auto [behind, rest] =
      std::mismatch(below.begin(), below.end(), whole.begin(), whole.end());
  if (behind != below.end()) {
    fail(path, "is a link to a file outside " + printable_name(below.string()) +
                   "; put a copy there");
  }
  return read_text(path);
}

}  // namespace berth::study
