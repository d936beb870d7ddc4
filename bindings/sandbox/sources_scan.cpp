#include "bindings/sandbox/sources_scan.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace berth::bindings {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::optional<int> run() {
    while (at_ < text_.size()) {
      token();
      if (chain_ > kMaxAccesses) return line();
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] int line() const {
    const auto before = text_.substr(0, at_);
    return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t count) { at_ = std::min(at_ + count, text_.size()); }
  // To the end of `closing`, or of the text.
  void advance_past(std::string_view closing, std::size_t from) {
    const auto end = text_.find(closing, at_ + from);
    at_ = end == std::string_view::npos ? text_.size() : end + closing.size();
  }

  // Bytes of a long bracket `[==[` here; 0: there is none.
  [[nodiscard]] std::size_t long_bracket() const {
    if (peek() != '[') return 0;
    std::size_t length = 1;
    while (peek(length) == '=') ++length;
    return peek(length) == '[' ? length + 1 : 0;
  }

  void skip_long(std::size_t opening) {
    advance_past("]" + std::string(opening - 2, '=') + "]", opening);
  }

  void skip_comment() {
    advance(2);
    if (const std::size_t opening = long_bracket(); opening > 0) {
      skip_long(opening);
    } else {
      advance_past("\n", 0);
    }
  }

  void skip_string() {
    const char quote = peek();
    std::size_t length = 1;
    while (at_ + length < text_.size() && peek(length) != quote) {
      length += peek(length) == '\\' ? 2 : 1;
    }
    advance(length + 1);
  }

  // A name or a numeral: `1.5` and `1..2` hold no access.
  void skip_word(bool is_numeral) {
    std::size_t length = 0;
    while (is_name(peek(length)) || (is_numeral && peek(length) == '.')) ++length;
    advance(length);
  }

  // `.name` and `:name`, or an operator of dots or colons.
  void dot_or_colon() {
    const char mark = peek();
    std::size_t length = 1;
    while (peek(length) == mark) ++length;
    const bool is_numeral = mark == '.' && length == 1 && is_digit(peek(1));
    after_mark_ = length == 1 && !is_numeral;
    chain_ = after_mark_ ? chain_ + 1 : 0;
    if (is_numeral) return skip_word(true);
    advance(length);
  }

  void open() {
    outer_.push_back(chain_);
    chain_ = 0;
    advance(1);
  }

  void close(char bracket) {
    const int before = outer_.empty() ? 0 : outer_.back();
    if (!outer_.empty()) outer_.pop_back();
    // A chain in parentheses continues after them.
    chain_ =
        bracket == ')' ? std::max(before, chain_) : before + (bracket == ']' ? 1 : 0);
    advance(1);
  }

  void token() {
    const char c = peek();
    const bool follows_mark = after_mark_;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return advance(1);
    if (c == '-' && peek(1) == '-') return skip_comment();
    after_mark_ = false;
    if (c == '"' || c == '\'') return skip_string();
    if (const std::size_t opening = long_bracket(); opening > 0)
      return skip_long(opening);
    if (c == '.' || c == ':') return dot_or_colon();
    if (c == '(' || c == '[' || c == '{') return open();
    if (c == ')' || c == ']' || c == '}') return close(c);
    if (!follows_mark) chain_ = 0;
    if (is_name(c)) return skip_word(is_digit(c));
    advance(1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int chain_ = 0;
  bool after_mark_ = false;  // the last token was `.` or `:`
  std::vector<int> outer_;   // chains interrupted by brackets
};

}  // namespace

std::optional<int> long_access_chain(std::string_view text) { return Scan(text).run(); }

}  // namespace berth::bindings
