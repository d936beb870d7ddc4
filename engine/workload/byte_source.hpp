#pragma once
// Where bytes come from: a file, standard input, memory, or another source unpacked.
//
// The engine opens no file itself.  Whoever reads a trace hands in one of these.

#include <cstddef>

namespace berth {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // The next bytes, at most `capacity` of them, put at `to`; how many there are.
  // 0 means the end, and stays so.  Throws Error when the bytes cannot be had.
  // REQUIRES: capacity > 0.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;
};

}  // namespace berth
