#include "study/common/file_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

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

}  // namespace

void FileSource::Close::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

FileSource::FileSource(const std::string& path) : path_(path) {
  if (path == "-") {
    file_.reset(stdin);
    return;
  }
  // Opening a FIFO would otherwise wait for a writer.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) fail(path, reason(errno));
  file_.reset(::fdopen(number, "rb"));
  struct stat about {};
  if (!file_ || ::fstat(number, &about) != 0) fail(path, reason(errno));
  if (S_ISDIR(about.st_mode)) fail(path, "is a folder; give a file");
  if (!S_ISREG(about.st_mode)) {
    fail(path, "is no regular file; give a file, or - for standard input");
  }
}

std::size_t FileSource::read(char* to, std::size_t capacity) {
  const auto count = std::fread(to, 1, capacity, file_.get());
  if (count == 0 && std::ferror(file_.get()) != 0) fail(path_, reason(errno));
  return count;
}

std::string read_text(const std::string& path) {
  FileSource source(path);
  std::string text;
  std::string piece(std::size_t{64} << 10U, '\0');
  while (const auto count = source.read(piece.data(), piece.size())) {
    text.append(piece, 0, count);
    if (text.size() > kLongestText) fail(path, "is larger than 16 MiB");
  }
  return text;
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
