#pragma once
// Files and standard input, as the readers below take them.

#include <cstdio>
#include <memory>
#include <string>

#include "engine/workload/byte_source.hpp"

namespace berth::study {

class FileSource final : public ByteSource {
 public:
  // "-" is standard input.  Throws Error{kInput} with the reason and a hint if the file
  // cannot be opened or is a folder.
  explicit FileSource(const std::string& path);

  std::size_t read(char* to, std::size_t capacity) override;

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

// The whole file.  Throws Error{kInput}; a file above 16 MiB is refused.
[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace berth::study
