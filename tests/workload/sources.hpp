#pragma once
// Byte sources for tests, and the reader over them.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/swf_reader.hpp"
#include "tests/support/unlimited.hpp"

namespace berth::test {

// Returns at most `step` bytes a read, as a pipe may.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, std::size_t step = std::string::npos)
      : bytes_(std::move(bytes)), step_(step) {}

  std::size_t read(char* to, std::size_t capacity) override {
    const std::size_t count = std::min({capacity, step_, bytes_.size() - at_});
    std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t step_;
  std::size_t at_ = 0;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path)
      : in_(path, std::ios::binary) {}

  std::size_t read(char* to, std::size_t capacity) override {
    in_.read(to, static_cast<std::streamsize>(capacity));
    return static_cast<std::size_t>(in_.gcount());
  }

 private:
  std::ifstream in_;
};

inline std::string read_all(ByteSource& source, std::size_t step = 4096) {
  std::string text;
  std::string piece(step, '\0');
  while (const std::size_t count = source.read(piece.data(), piece.size())) {
    text.append(piece, 0, count);
  }
  return text;
}

inline Workload parse(std::string text, SwfOptions options = {"x.swf"}) {
  MemorySource source(std::move(text));
  return read_swf(source, options, unlimited());
}

inline Workload parse_file(const std::filesystem::path& path, SwfOptions options = {}) {
  options.name = path.filename().string();
  FileSource file(path);
  GzipSource source(file, options.name, unlimited());
  return read_swf(source, options, unlimited());
}

// The text of the error; "" if none is thrown.
template <class Call>
std::string error_of(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace berth::test
