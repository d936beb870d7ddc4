#pragma once
// The one way in for files: everything that berth reads comes through here.
//
// An input is a regular file or "-", standard input.  A folder, a pipe with a name, a
// device and a socket are refused, so that nothing blocks while it is opened; a wait
// for standard input ends when the process is asked to stop.

#include <optional>
#include <string>

#include "engine/workload/byte_source.hpp"

namespace berth::study {

class FileSource final : public ByteSource {
 public:
  // Throws Error{kInput} with the reason and a hint if this is no input, or one that
  // cannot be opened.
  explicit FileSource(const std::string& path);
  ~FileSource() override;

  // Throws Interrupted, and Error{kInput} with the reason.
  std::size_t read(char* to, std::size_t capacity) override;

 private:
  std::string path_;
  int file_ = -1;
};

// The whole file as it is stored.  Throws Error{kInput}; a file above 16 MiB is
// refused.
[[nodiscard]] std::string read_bytes(const std::string& path);

// The same as text: without a byte order mark.  Throws Error{kInput} for UTF-16, too.
[[nodiscard]] std::string read_text(const std::string& path);

// The same for a file that is named by another one; nullopt if it is not there.  Throws
// Error{kInput}, too, if it is a link to a file outside the folder ("": the present
// one): messages show lines of such files.
[[nodiscard]] std::optional<std::string> read_text_below(const std::string& folder,
                                                         const std::string& path);

}  // namespace berth::study
