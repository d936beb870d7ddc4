#pragma once
// What a fuzz target does with a broken promise, and with the bytes it is given.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace berth::fuzz {

[[noreturn]] inline void broken(std::string_view promise, std::string_view detail) {
  std::fprintf(stderr, "broken promise: %.*s\n%.*s\n", static_cast<int>(promise.size()),
               promise.data(), static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// Ends the process, so that the fuzzer keeps the input, unless the promise holds.
inline void expect(bool holds, std::string_view promise, std::string_view detail = {}) {
  if (!holds) broken(promise, detail);
}

// An input taken apart from its beginning.  Beyond the end everything is zero or empty.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size)
      : left_(reinterpret_cast<const char*>(data), size) {}

  [[nodiscard]] bool empty() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return first;
  }
  // 0 .. count - 1.  REQUIRES: 1 <= count <= 256.
  int below(int count) { return byte() % count; }
  std::uint16_t word() {
    const int low = byte();
    return static_cast<std::uint16_t>(low | byte() << 8);
  }
  // Everything before the next `end`, which is dropped; all if there is none.
  std::string_view until(char end) {
    const auto at = left_.find(end);
    const auto part = left_.substr(0, at);
    left_.remove_prefix(at == std::string_view::npos ? left_.size() : at + 1);
    return part;
  }
  std::string_view rest() {
    const auto all = left_;
    left_ = {};
    return all;
  }

 private:
  std::string_view left_;
};

}  // namespace berth::fuzz
