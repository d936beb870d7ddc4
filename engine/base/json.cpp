#include "engine/base/json.hpp"

#include <array>
#include <cmath>
#include <nlohmann/detail/conversions/to_chars.hpp>
#include <utility>

namespace berth {

namespace {

struct Sequence {
  std::size_t length;  // in bytes, up to the first that does not belong to it
  bool is_valid;
};

// The UTF-8 sequence that begins a text (Unicode 15, table 3-7).
Sequence first_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto first = byte(0);
  if (first < 0x80) return {1, true};
  if (first < 0xC2 || first > 0xF4) return {1, false};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  // Neither overlong, nor surrogates, nor above U+10FFFF.
  const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < least || byte(1) > most) return {1, false};
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {i, false};
  }
  return {length, true};
}

void print_character(std::string& out, std::string_view character) {
  constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  constexpr std::string_view kDigits = "0123456789abcdef";
  const char c = character.front();
  if (const auto at = kSpecial.find(c); at != std::string_view::npos) {
    out += '\\';
    out += kLetters[at];
  } else if (const auto code = static_cast<unsigned char>(c); code < 0x20) {
    out += "\\u00";
    out += kDigits[code / 16];
    out += kDigits[code % 16];
  } else {
    out += character;
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto [length, is_valid] = first_sequence(text);
    if (is_valid) {
      print_character(out, text.substr(0, length));
    } else {
      out += "\xEF\xBF\xBD";
    }
    text.remove_prefix(length);
  }
  return out += '"';
}

void begin_line(std::string& out, std::size_t indent) {
  out += '\n';
  out.append(indent, ' ');
}

}  // namespace

// Not fmt's digits: published results have those of this function, which differ in one
// number of a thousand.
Json::Json(double value) : text_("null") {
  if (!std::isfinite(value)) return;
  std::array<char, 64> digits{};
  auto* begin = digits.data();
  text_.assign(begin, nlohmann::detail::to_chars(begin, begin + digits.size(), value));
}

Json::Json(std::string_view text) : text_(quoted(text)) {}

Json::Json(std::initializer_list<Member> members) : kind_(Kind::kObject) {
  for (const auto& [name, value] : members) add(name, value);
}

Json Json::array() {
  Json made;
  made.kind_ = Kind::kArray;
  return made;
}

Json Json::object() {
  Json made;
  made.kind_ = Kind::kObject;
  return made;
}

void Json::append(Json value) { values_.push_back(std::move(value)); }

void Json::add(std::string_view name, Json value) {
  names_.push_back(quoted(name));
  values_.push_back(std::move(value));
}

std::string Json::compact() const {
  std::string out;
  print(out, std::nullopt);
  return out;
}

std::string Json::file_text() const {
  std::string out;
  print(out, 0);
  return out += '\n';
}

void Json::print(std::string& out, std::optional<std::size_t> indent) const {
  if (kind_ == Kind::kScalar) {
    out += text_;
    return;
  }
  constexpr std::size_t kStep = 2;
  const auto inner = indent ? std::optional(*indent + kStep) : std::nullopt;
  const bool is_object = kind_ == Kind::kObject;
  out += is_object ? '{' : '[';
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (i > 0) out += ',';
    if (inner) begin_line(out, *inner);
    if (is_object) out += names_[i] + (indent ? ": " : ":");
    values_[i].print(out, inner);
  }
  if (indent && !values_.empty()) begin_line(out, *indent);
  out += is_object ? '}' : ']';
}

}  // namespace berth
