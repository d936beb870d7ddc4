#include "study/common/file_source.hpp"

#include <fmt/format.h>

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
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail(path, "is a folder; give a file");
  }
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (!file_) fail(path, reason(errno));
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

}  // namespace berth::study
