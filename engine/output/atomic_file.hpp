#pragma once
// A file that appears under its name only when it is complete.
//
// It is written beside the target under a hidden name and renamed when committed;
// destroyed before that, it leaves nothing behind.  A target that exists and is no
// regular file (a device, a pipe) cannot be replaced and is written directly.
//
// Errors       Error{kOutput} with the target's path and the system's reason.

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/output/sink.hpp"

namespace berth {

// What becomes of something that stands at the place of a result already.
enum class Existing : std::uint8_t { kRefuse, kReplace };

class AtomicFile : public Sink {
 public:
  // Creates the file beside the target.
  explicit AtomicFile(std::filesystem::path target,
                      Existing existing = Existing::kReplace);
  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Not buffered: one call, one write to the system.  REQUIRES: not committed.
  void write(std::string_view text) override;

  // Closes the file and gives it its name; an older file of that name is replaced, or
  // Error{kOutput} is thrown and it stays as it was.
  // REQUIRES: not committed.
  void commit();

  [[nodiscard]] const std::filesystem::path& target() const { return target_; }

 private:
  void open_beside();
  [[noreturn]] void fail(const char* what, int reason) const;

  [[nodiscard]] bool rename_into_place() const;

  std::filesystem::path target_;
  Existing existing_;
  std::filesystem::path written_;  // = target_ if written directly
  int file_ = -1;
};

// Throws Error{kOutput}: "PATH: cannot be written: WHY".
[[noreturn]] void cannot_write(const std::filesystem::path& path,
                               const std::error_code& why);

// The whole text as one file, complete or not there.
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace berth
