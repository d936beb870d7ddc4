#pragma once
// Files and standard input, as the readers below take them.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "engine/workload/byte_source.hpp"

namespace berth::study {

class FileSource final : public ByteSource {
 public:
  // "-" is standard input.  Throws Error{kInput} with the reason and a hint if the file
  // cannot be opened or is no regular file.
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

// The same for a file that is named by another one; nullopt if it is not there.  Throws
// Error{kInput}, too, if it is a link to a file outside the folder ("": the present
// one): messages show lines of such files.
[[nodiscard]] std::optional<std::string> read_text_below(const std::string& folder,
                                                         const std::string& path);

}  // namespace berth::study
