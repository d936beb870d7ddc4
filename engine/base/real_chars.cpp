#include "engine/base/real_chars.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/base/plain_locale.hpp"

namespace berth {

namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

// The end of the digits from here on.
const char* digits_end(const char* at, const char* last) {
  while (at != last && is_decimal(*at)) ++at;
  return at;
}

// The end of this word in small or large letters; nullptr: it is not here.
const char* word_end(const char* at, const char* last, std::string_view word) {
  for (const char c : word) {
    if (at == last || (*at | 0x20) != c) return nullptr;
    ++at;
  }
  return at;
}

// Behind "nan": also the end of "(letters)".
const char* payload_end(const char* at, const char* last) {
  if (at == last || *at != '(') return at;
  for (const char* end = at + 1; end != last; ++end) {
    if (*end == ')') return end + 1;
    const bool is_word = is_decimal(*end) || *end == '_' ||
                         ((*end | 0x20) >= 'a' && (*end | 0x20) <= 'z');
    if (!is_word) break;
  }
  return at;
}

// The end of the number without its sign; nullptr: there is none.
const char* number_end(const char* at, const char* last, std::chars_format format) {
  for (const std::string_view word : {"infinity", "inf"}) {
    if (const char* end = word_end(at, last, word)) return end;
  }
  if (const char* end = word_end(at, last, "nan")) return payload_end(end, last);
  const char* end = digits_end(at, last);
  bool has_digit = end != at;
  if (end != last && *end == '.') {
    const char* behind = digits_end(end + 1, last);
    has_digit = has_digit || behind != end + 1;
    if (has_digit) end = behind;
  }
  if (!has_digit) return nullptr;
  const bool may_have_exponent = format != std::chars_format::fixed;
  if (!may_have_exponent || end == last || (*end | 0x20) != 'e') return end;
  const char* power = end + 1;
  if (power != last && (*power == '+' || *power == '-')) ++power;
  const char* behind = digits_end(power, last);
  return behind == power ? end : behind;
}

}  // namespace

std::from_chars_result real_by_strtod(const char* first, const char* last,
                                      double& value, std::chars_format format) {
  const bool is_negative = first != last && *first == '-';
  const char* end = number_end(is_negative ? first + 1 : first, last, format);
  if (end == nullptr) return {first, std::errc::invalid_argument};
  const std::string text(first, end);
  const PlainLocale locale;
  const int before = errno;
  errno = 0;
  const double read = std::strtod(text.c_str(), nullptr);
  const bool is_out = errno == ERANGE;
  errno = before;
  if (is_out) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

std::from_chars_result real_from_chars(const char* first, const char* last,
                                       double& value, std::chars_format format) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value, format);
#else
  return real_by_strtod(first, last, value, format);
#endif
}

}  // namespace berth
