#pragma once
// A temporary file mapped into memory.
//
// The file is unlinked when it is created, so it vanishes however the process ends.  It
// lies in the folder TMPDIR, else in /tmp.
//
// Threads      drop_pages() is safe while other threads read or write
// Guarantee    dropping a page loses no data: the next access reads it from the file

#include <cstddef>
#include <filesystem>
#include <string>

namespace berth {

class SpillFile {
 public:
  // Bytes that a sequential pass drops at a time.
  static constexpr std::size_t kBlock = std::size_t{1} << 20U;

  // An empty file.  Throws Error{kOutput} if none can be created.
  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // New bytes are 0; pointers into the file become invalid.  Throws Error{kOutput} if
  // the disk is full: space is allocated here, so later writes cannot fail.
  // REQUIRES: bytes > size().
  void grow(std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // Drops all pages from memory.
  void drop_pages() const;
  // Drops the two blocks before the block that contains `at`.
  // REQUIRES: `at` points into the file, or to its end.
  void drop_pages_before(const void* at) const;

 private:
  [[noreturn]] void refuse(int code, const std::string& what) const;
  void drop_pages(std::size_t from, std::size_t to) const;

  std::filesystem::path folder_;
  int file_ = -1;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// The largest number of entries that an array keeps in memory: the environment variable
// BERTH_JOBS_IN_MEMORY, else 1,048,576.  Throws Error{kUsage} if it is not a whole
// number.
[[nodiscard]] std::size_t entries_in_memory();

}  // namespace berth
