#pragma once
// Formatted text on its way to a sink, in pieces of about 64 KiB.

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/output/sink.hpp"

namespace berth {

class BufferedText {
 public:
  // The sink outlives it.  What is not flushed is lost.
  explicit BufferedText(Sink& sink) : sink_(sink) {}

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kFull) flush();
  }
  // The same for what is written millions of times: FMT_COMPILE("...").
  template <class Format, class... Args>
  requires fmt::detail::is_compiled_string<Format>::value void print(
      const Format& format, const Args&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, args...);
    if (buffer_.size() >= kFull) flush();
  }
  void append(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kFull) flush();
  }
  void flush() {
    sink_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kFull = std::size_t{64} * 1024;
  Sink& sink_;
  fmt::memory_buffer buffer_;
};

}  // namespace berth
