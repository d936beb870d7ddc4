#pragma once
// An input stream of bytes: a file, standard input, memory, or another source unpacked.
// The engine opens no files; the caller of a reader passes a source.

#include <cstddef>

namespace berth {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Stores up to `capacity` bytes at `to` and returns their number.  0 means the end;
  // later calls return 0 too.  Throws Error if reading fails. REQUIRES: capacity > 0.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;
};

}  // namespace berth
