#include "bindings/sandbox/safe_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace berth::bindings {

namespace {

enum Class : std::uint8_t {
  kLower = 1,
  kUpper = 2,
  kDigit = 4,
  kSpace = 8,
  kControl = 16,
  kPunctuation = 32,
  kHex = 64,
  kZero = 128,
};

constexpr bool between(int c, int low, int high) { return c >= low && c <= high; }

constexpr std::uint8_t classes_of(int c) {
  int classes = 0;
  if (between(c, 'a', 'z')) classes |= kLower;
  if (between(c, 'A', 'Z')) classes |= kUpper;
  if (between(c, '0', '9')) classes |= kDigit;
  if (between(c, 'a', 'f') || between(c, 'A', 'F') || between(c, '0', '9')) {
    classes |= kHex;
  }
  if (c == ' ' || between(c, '\t', '\r')) classes |= kSpace;
  if (c < ' ' || c == 127) classes |= kControl;
  if (c == 0) classes |= kZero;
  const bool is_printed = between(c, '!', '~');
  if (is_printed && (classes & (kLower | kUpper | kDigit)) == 0)
    classes |= kPunctuation;
  return static_cast<std::uint8_t>(classes);
}

constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 0; c < 128; ++c) table[static_cast<std::size_t>(c)] = classes_of(c);
  return table;
}();

// The classes of the letter of `%a`; 0: a literal letter.
constexpr int class_mask(char letter) {
  switch (letter | 0x20) {
    case 'a': return kLower | kUpper;
    case 'c': return kControl;
    case 'd': return kDigit;
    case 'g': return kLower | kUpper | kDigit | kPunctuation;
    case 'l': return kLower;
    case 'p': return kPunctuation;
    case 's': return kSpace;
    case 'u': return kUpper;
    case 'w': return kLower | kUpper | kDigit;
    case 'x': return kHex;
    case 'z': return kZero;
    default: return 0;
  }
}

bool is_letter(char c) {
  return (kClasses[static_cast<unsigned char>(c)] & (kLower | kUpper)) != 0;
}

bool in_class(unsigned char c, char letter) {
  const int mask = is_letter(letter) ? class_mask(letter) : 0;
  if (mask == 0) return static_cast<unsigned char>(letter) == c;
  const bool is_negated = (letter & 0x20) == 0;
  return ((kClasses[c] & mask) != 0) != is_negated;
}

}  // namespace

Matcher::Matcher(lua_State* lua, std::string_view text, std::string_view pattern)
    : lua_(lua),
      guard_(&Guard::of(lua)),
      text_(text.data()),
      text_end_(text.data() + text.size()),
      pattern_(pattern.data()),
      pattern_end_(pattern.data() + pattern.size()) {}

void Matcher::settle() {
  const std::ptrdiff_t steps = steps_;
  steps_ = 0;
  guard_->charge(lua_, steps);
}

const char* Matcher::match(const char* at) {
  level_ = 0;
  depth_ = 0;
  return run(at, pattern_);
}

const char* Matcher::run(const char* at, const char* item) {
  if (++depth_ > kMaxDepth) luaL_error(lua_, "pattern too complex");
  step();
  Cursor cursor{at, item};
  while (cursor.item != pattern_end_) {
    step();
    if (next(cursor) == Go::kDone) break;
  }
  --depth_;
  return cursor.at;
}

Matcher::Go Matcher::next(Cursor& cursor) {
  switch (*cursor.item) {
    case '(': return answer(cursor, open(cursor));
    case ')': return answer(cursor, close(cursor));
    case '%': return escape(cursor);
    case '$':
      if (cursor.item + 1 != pattern_end_) return single(cursor);
      return answer(cursor, cursor.at == text_end_ ? cursor.at : nullptr);
    default: return single(cursor);
  }
}

Matcher::Go Matcher::escape(Cursor& cursor) {
  const char letter = peek(cursor.item + 1);
  if (letter == 'b') return balance(cursor);
  if (letter == 'f') return frontier(cursor);
  if (letter >= '0' && letter <= '9') return back_reference(cursor);
  return single(cursor);
}

// One item and its suffix: none, `*`, `+`, `-` or `?`.
Matcher::Go Matcher::single(Cursor& cursor) {
  const char* const item = cursor.item;
  const char* const end = item_end(item);
  const char suffix = peek(end);
  if (suffix == '-') return answer(cursor, least(cursor.at, item, end));
  if (!fits(cursor.at, item, end)) {
    if (suffix != '*' && suffix != '?') return answer(cursor, nullptr);
    cursor.item = end + 1;
    return Go::kOn;
  }
  if (suffix == '*') return answer(cursor, most(cursor.at, item, end, 0));
  if (suffix == '+') return answer(cursor, most(cursor.at, item, end, 1));
  if (suffix == '?') {
    if (const char* rest = run(cursor.at + 1, end + 1)) return answer(cursor, rest);
    cursor.item = end + 1;
    return Go::kOn;
  }
  ++cursor.at;
  cursor.item = end;
  return Go::kOn;
}

const char* Matcher::most(const char* at, const char* item, const char* end,
                          int minimum) {
  const char* last = at;
  while (fits(last, item, end)) {
    ++last;
    step();
  }
  for (; last - at >= minimum; --last) {
    if (const char* rest = run(last, end + 1)) return rest;
  }
  return nullptr;
}

const char* Matcher::least(const char* at, const char* item, const char* end) {
  while (true) {
    if (const char* rest = run(at, end + 1)) return rest;
    if (!fits(at, item, end)) return nullptr;
    ++at;
  }
}

// `%bxy`: from an x to its matching y.
Matcher::Go Matcher::balance(Cursor& cursor) {
  if (pattern_end_ - cursor.item < 4) {
    luaL_error(lua_, "malformed pattern (missing arguments to '%%b')");
  }
  const char opening = cursor.item[2];
  const char closing = cursor.item[3];
  const char* at = cursor.at;
  if (at == text_end_ || *at != opening) return answer(cursor, nullptr);
  int depth = 1;
  while (++at < text_end_) {
    step();
    if (*at == closing) {
      if (--depth == 0) break;
    } else if (*at == opening) {
      ++depth;
    }
  }
  if (at >= text_end_) return answer(cursor, nullptr);
  cursor.at = at + 1;
  cursor.item += 4;
  return Go::kOn;
}

// `%f[set]`: a transition into the set.
Matcher::Go Matcher::frontier(Cursor& cursor) {
  const char* const set = cursor.item + 2;
  if (peek(set) != '[') luaL_error(lua_, "missing '[' after '%%f' in pattern");
  const char* const end = item_end(set);
  step_over_set(2 * (end - set));
  const char before = cursor.at == text_ ? '\0' : cursor.at[-1];
  const char here = cursor.at == text_end_ ? '\0' : *cursor.at;
  const bool begins = !in_set(before, set, end - 1) && in_set(here, set, end - 1);
  if (!begins) return answer(cursor, nullptr);
  cursor.item = end;
  return Go::kOn;
}

// `%1`: the text of that capture.
Matcher::Go Matcher::back_reference(Cursor& cursor) {
  const int index = cursor.item[1] - '1';
  const bool is_closed = index >= 0 && index < level_ &&
                         captures_[static_cast<std::size_t>(index)].length != kOpen;
  if (!is_closed) luaL_error(lua_, "invalid capture index %%%d", index + 1);
  const Capture& capture = captures_[static_cast<std::size_t>(index)];
  const auto length = static_cast<std::size_t>(capture.length);
  step(std::max<std::ptrdiff_t>(0, capture.length / kBytesPerStep));
  const bool repeats = static_cast<std::size_t>(text_end_ - cursor.at) >= length &&
                       std::memcmp(capture.from, cursor.at, length) == 0;
  if (!repeats) return answer(cursor, nullptr);
  cursor.at += length;
  cursor.item += 2;
  return Go::kOn;
}

const char* Matcher::open(Cursor cursor) {
  const bool is_position = peek(cursor.item + 1) == ')';
  if (level_ >= kMaxCaptures) luaL_error(lua_, "too many captures");
  captures_[static_cast<std::size_t>(level_)] = {cursor.at,
                                                 is_position ? kPosition : kOpen};
  ++level_;
  const char* const rest = run(cursor.at, cursor.item + (is_position ? 2 : 1));
  if (rest == nullptr) --level_;
  return rest;
}

const char* Matcher::close(Cursor cursor) {
  int index = level_ - 1;
  while (index >= 0 && captures_[static_cast<std::size_t>(index)].length != kOpen)
    --index;
  if (index < 0) luaL_error(lua_, "invalid pattern capture");
  Capture& capture = captures_[static_cast<std::size_t>(index)];
  capture.length = cursor.at - capture.from;
  const char* const rest = run(cursor.at, cursor.item + 1);
  if (rest == nullptr) capture.length = kOpen;
  return rest;
}

// The end of the item, where a suffix may follow.
const char* Matcher::item_end(const char* item) {
  if (*item == '%') {
    if (item + 1 == pattern_end_)
      luaL_error(lua_, "malformed pattern (ends with '%%')");
    return item + 2;
  }
  if (*item != '[') return item + 1;
  const char* at = item + 1;
  if (peek(at) == '^') ++at;
  // A bracket in first position is an element.
  do {
    if (at == pattern_end_) luaL_error(lua_, "malformed pattern (missing ']')");
    at += *at == '%' && at + 1 < pattern_end_ ? 2 : 1;
  } while (peek(at) != ']');
  step_over_set(at - item);
  return at + 1;
}

bool Matcher::fits(const char* at, const char* item, const char* end) {
  if (at == text_end_) return false;
  switch (*item) {
    case '.': return true;
    case '%': return in_class(static_cast<unsigned char>(*at), item[1]);
    case '[': step_over_set(end - item); return in_set(*at, item, end - 1);
    default: return *at == *item;
  }
}

// `item` is the opening bracket, `last` the closing one.
bool Matcher::in_set(char c, const char* item, const char* last) {
  const auto byte = static_cast<unsigned char>(c);
  const bool is_negated = item[1] == '^';
  const char* at = item + (is_negated ? 2 : 1);
  while (at < last) {
    if (*at == '%') {
      if (in_class(byte, at[1])) return !is_negated;
      at += 2;
    } else if (at[1] == '-' && at + 2 < last) {
      const bool is_between = static_cast<unsigned char>(at[0]) <= byte &&
                              byte <= static_cast<unsigned char>(at[2]);
      if (is_between) return !is_negated;
      at += 3;
    } else {
      if (*at == c) return !is_negated;
      ++at;
    }
  }
  return is_negated;
}

int Matcher::push_captures(const char* from, const char* to) {
  const int count = level_ == 0 && from != nullptr ? 1 : level_;
  luaL_checkstack(lua_, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(i, from, to);
  return count;
}

void Matcher::push_capture(int index, const char* from, const char* to) {
  if (index >= level_) {
    if (index != 0) luaL_error(lua_, "invalid capture index %%%d", index + 1);
    lua_pushlstring(lua_, from, static_cast<std::size_t>(to - from));
    return;
  }
  const Capture& capture = captures_[static_cast<std::size_t>(index)];
  if (capture.length == kOpen) luaL_error(lua_, "unfinished capture");
  if (capture.length == kPosition) {
    lua_pushinteger(lua_, capture.from - text_ + 1);
  } else {
    lua_pushlstring(lua_, capture.from, static_cast<std::size_t>(capture.length));
  }
}

}  // namespace berth::bindings
