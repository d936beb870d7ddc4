#include "capi/failures.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace berth::capi {

namespace {

// As much of the text as the array holds, cut between characters of UTF-8.
template <std::size_t N>
void copy_cut(std::string_view text, char (&to)[N]) {
  auto bytes = std::min(text.size(), N - 1);
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (bytes > 0 && continues(bytes)) --bytes;
  std::memcpy(to, text.data(), bytes);
  to[bytes] = '\0';
}

// Takes "12:" off the text; 0: it does not begin so.
std::int32_t take_number(std::string_view& text) {
  std::int32_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != ':' || number < 1) {
    return 0;
  }
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()) + 1);
  return number;
}

}  // namespace

berth_error error_of(const study::Failure& failure) {
  berth_error made{};
  made.code = -failure.code;
  copy_cut(failure.text, made.text);
  const std::string_view line =
      std::string_view(failure.text).substr(0, failure.text.find('\n'));
  for (auto at = line.find(':'); at != std::string_view::npos;
       at = line.find(':', at + 1)) {
    auto behind = line.substr(at + 1);
    made.line = take_number(behind);
    if (made.line == 0) continue;
    made.column = take_number(behind);
    copy_cut(line.substr(0, at), made.file);
    break;
  }
  return made;
}

void wrong_use(const std::string& what) { throw Error(ErrorCode::kUsage, what); }

std::string_view text_of(const char* text, const char* argument) {
  if (text == nullptr) wrong_use(std::string(argument) + " is NULL");
  return text;
}

}  // namespace berth::capi
