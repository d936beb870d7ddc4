#pragma once
// Formatted text on its way to a sink, in pieces of about 64 KiB.

#include <fmt/compile.h>
#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/output/number_text.hpp"
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
  // The same for what is written millions of times: FMT_COMPILE("...") with plain {}
  // for arguments of which longest_text() knows the longest text.
  template <class Format, class... Args>
  requires fmt::detail::is_compiled_string<Format>::value void print(
      const Format& format, const Args&... args) {
    const auto before = buffer_.size();
    const std::size_t literal = fmt::string_view(format).size();
    buffer_.reserve(before + (literal + ... + longest_text(args)));
    char* const begin = buffer_.data() + before;
    const char* const end = fmt::format_to(begin, format, args...);
    buffer_.resize(before + static_cast<std::size_t>(end - begin));
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
  template <std::integral Number>
  static constexpr std::size_t longest_text(Number) {
    return std::numeric_limits<Number>::digits10 + 2;
  }
  static constexpr std::size_t longest_text(InSeconds) { return kLongestSeconds; }
  static constexpr std::size_t longest_text(const AsRatio&) { return 32; }
  static constexpr std::size_t longest_text(AsLabel) { return 24; }
  static std::size_t longest_text(std::string_view text) { return text.size(); }

  static constexpr std::size_t kFull = std::size_t{64} * 1024;
  Sink& sink_;
  fmt::memory_buffer buffer_;
};

}  // namespace berth
