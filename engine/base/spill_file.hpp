#pragma once
// Memory that lies in a file: what of it is in use takes room in memory, the rest does
// not.
//
// The file has no name and is gone with this object, however the process ends.  It lies
// in the folder that TMPDIR names, else in /tmp.
//
// Threads      Any may let go while others read or write.
// Nothing      Pages are let go, never lost: what is touched again comes back.

#include <cstddef>
#include <filesystem>
#include <string>

namespace berth {

class SpillFile {
 public:
  // Passes over a file let go of it in pieces of this size.
  static constexpr std::size_t kBlock = std::size_t{1} << 20U;

  // Empty.  Throws Error{kOutput} where no file can be made.
  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // What is new is zero; pointers into the memory are void.  Throws Error{kOutput} if
  // the disk has no room for it: room that was given is never missing later.
  // REQUIRES: bytes > size().
  void grow(std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // All of it leaves memory; the file keeps it.
  void let_go() const;
  // The two blocks that end where the one with this place begins.
  // REQUIRES: a place in the file, or its end.
  void let_go_before(const void* place) const;

 private:
  [[noreturn]] void refuse(int code, const std::string& what) const;
  void let_go(std::size_t from, std::size_t to) const;

  std::filesystem::path folder_;
  int file_ = -1;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// How many entries an array keeps in memory before it goes to a file: the environment
// variable BERTH_JOBS_IN_MEMORY, else 1,048,576.  Throws Error{kUsage} if that is no
// whole number.
[[nodiscard]] std::size_t entries_in_memory();

}  // namespace berth
