// find, match, gmatch and gsub, with a step counter.
//
// The pattern language of Lua 5.4; character classes are ASCII in every locale.
// Backtracking can take exponential time, so every step is counted and charged, and the
// guard stops a match that exceeds a limit.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr bool between(int c, int low, int high) { return c >= low && c <= high; }
constexpr bool is_digit(int c) { return between(c, '0', '9'); }
constexpr bool is_letter(int c) { return between(c | 0x20, 'a', 'z'); }

// Whether the byte belongs to the class of the letter, as in `%a`; upper case negates.
// Any other character stands for itself.
bool in_class(unsigned char c, char letter) {
  bool belongs = false;
  switch (letter | 0x20) {
    case 'a': belongs = is_letter(c); break;
    case 'c': belongs = c < ' ' || c == 127; break;
    case 'd': belongs = is_digit(c); break;
    case 'g': belongs = between(c, '!', '~'); break;
    case 'l': belongs = between(c, 'a', 'z'); break;
    case 'p': belongs = between(c, '!', '~') && !is_letter(c) && !is_digit(c); break;
    case 's': belongs = c == ' ' || between(c, '\t', '\r'); break;
    case 'u': belongs = between(c, 'A', 'Z'); break;
    case 'w': belongs = is_letter(c) || is_digit(c); break;
    case 'x': belongs = is_digit(c) || between(c | 0x20, 'a', 'f'); break;
    case 'z': belongs = c == 0; break;
    default: return static_cast<unsigned char>(letter) == c;
  }
  return belongs != between(letter, 'A', 'Z');
}

// Every member function may raise; the class has no destructor.
class Matcher {
 public:
  // REQUIRES: both texts outlive the matcher; `pattern` has no leading anchor.
  Matcher(lua_State* lua, std::string_view text, std::string_view pattern)
      : lua_(lua),
        guard_(&Guard::of(lua)),
        text_(text.data()),
        text_end_(text.data() + text.size()),
        pattern_(pattern.data()),
        pattern_end_(pattern.data() + pattern.size()) {}

  // The end of the match that begins at `at`; null: no match.  Raises for a malformed
  // pattern.
  const char* match(const char* at) {
    level_ = 0;
    depth_ = 0;
    return run(at, pattern_);
  }

  // Pushes the captures of the last match, [from, to), and returns their number.
  // Without captures the whole match counts as one, unless `from` is null.
  int push_captures(const char* from, const char* to) {
    const int count = level_ == 0 && from != nullptr ? 1 : level_;
    luaL_checkstack(lua_, count, "too many captures");
    for (int i = 0; i < count; ++i) push_capture(i, from, to);
    return count;
  }

  // Pushes capture `index`, from 0.
  void push_capture(int index, const char* from, const char* to) {
    if (index >= level_) {
      if (index != 0) luaL_error(lua_, "invalid capture index %%%d", index + 1);
      lua_pushlstring(lua_, from, static_cast<std::size_t>(to - from));
      return;
    }
    const auto [start, length] = capture(index);
    if (length == kOpen) luaL_error(lua_, "unfinished capture");
    if (length == kPosition) {
      lua_pushinteger(lua_, start - text_ + 1);
    } else {
      lua_pushlstring(lua_, start, static_cast<std::size_t>(length));
    }
  }

  // Charges the steps not yet charged; call it when done.
  void settle() { guard_->charge(lua_, std::exchange(steps_, 0)); }

 private:
  // Position in text and pattern; `at` null: no match.
  struct Cursor {
    const char* at;
    const char* item;
  };
  struct Capture {
    const char* from;
    std::ptrdiff_t length;  // or kOpen, kPosition
  };

  static constexpr int kMaxCaptures = 32;
  static constexpr int kMaxDepth = 180;
  static constexpr std::ptrdiff_t kStepsPerCharge = 1024;
  static constexpr std::ptrdiff_t kBytesPerStep = 16;
  static constexpr std::ptrdiff_t kOpen = -1;
  static constexpr std::ptrdiff_t kPosition = -2;

  void step(std::ptrdiff_t count = 1) {
    steps_ += count;
    if (steps_ >= kStepsPerCharge) settle();
  }
  // Scanning a large set costs more than one step.
  void step_over_set(std::ptrdiff_t bytes) { step(bytes / kBytesPerStep); }
  [[nodiscard]] char peek(const char* item) const {
    return item < pattern_end_ ? *item : '\0';
  }

  [[nodiscard]] Capture& capture(int index) {
    return captures_[static_cast<std::size_t>(index)];
  }

  // Results of the functions below: the match ends at `at`, or goes on there.
  static bool answer(Cursor& cursor, const char* at) {
    cursor.at = at;
    return false;
  }
  static bool go_on(Cursor& cursor, const char* at, const char* item) {
    cursor = {at, item};
    return true;
  }

  const char* run(const char* at, const char* item) {
    if (++depth_ > kMaxDepth) luaL_error(lua_, "pattern too complex");
    step();
    Cursor cursor{at, item};
    while (cursor.item != pattern_end_) {
      step();
      if (!next(cursor)) break;
    }
    --depth_;
    return cursor.at;
  }

  bool next(Cursor& cursor) {
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

  bool escape(Cursor& cursor) {
    const char letter = peek(cursor.item + 1);
    if (letter == 'b') return balance(cursor);
    if (letter == 'f') return frontier(cursor);
    if (letter >= '0' && letter <= '9') return back_reference(cursor);
    return single(cursor);
  }

  // One item and its suffix: none, `*`, `+`, `-` or `?`.
  bool single(Cursor& cursor) {
    const char* const item = cursor.item;
    const char* const end = item_end(item);
    const char suffix = peek(end);
    if (suffix == '-') return answer(cursor, least(cursor.at, item, end));
    if (!fits(cursor.at, item, end)) {
      if (suffix != '*' && suffix != '?') return answer(cursor, nullptr);
      return go_on(cursor, cursor.at, end + 1);
    }
    if (suffix == '*') return answer(cursor, most(cursor.at, item, end, 0));
    if (suffix == '+') return answer(cursor, most(cursor.at, item, end, 1));
    if (suffix == '?') {
      if (const char* rest = run(cursor.at + 1, end + 1)) return answer(cursor, rest);
      return go_on(cursor, cursor.at, end + 1);
    }
    return go_on(cursor, cursor.at + 1, end);
  }

  const char* most(const char* at, const char* item, const char* end, int minimum) {
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

  const char* least(const char* at, const char* item, const char* end) {
    while (true) {
      if (const char* rest = run(at, end + 1)) return rest;
      if (!fits(at, item, end)) return nullptr;
      ++at;
    }
  }

  // `%bxy`: from an x to its matching y.
  bool balance(Cursor& cursor) {
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
    return go_on(cursor, at + 1, cursor.item + 4);
  }

  // `%f[set]`: a transition into the set.
  bool frontier(Cursor& cursor) {
    const char* const set = cursor.item + 2;
    if (peek(set) != '[') luaL_error(lua_, "missing '[' after '%%f' in pattern");
    const char* const end = item_end(set);
    step_over_set(2 * (end - set));
    const char before = cursor.at == text_ ? '\0' : cursor.at[-1];
    const char here = cursor.at == text_end_ ? '\0' : *cursor.at;
    const bool begins = !in_set(before, set, end - 1) && in_set(here, set, end - 1);
    return begins ? go_on(cursor, cursor.at, end) : answer(cursor, nullptr);
  }

  // `%1`: the text of that capture.
  bool back_reference(Cursor& cursor) {
    const int index = cursor.item[1] - '1';
    const bool is_closed =
        index >= 0 && index < level_ && capture(index).length != kOpen;
    if (!is_closed) luaL_error(lua_, "invalid capture index %%%d", index + 1);
    const auto [from, bytes] = capture(index);
    const auto length = static_cast<std::size_t>(bytes);
    step(std::max<std::ptrdiff_t>(0, bytes / kBytesPerStep));
    const bool repeats = static_cast<std::size_t>(text_end_ - cursor.at) >= length &&
                         std::memcmp(from, cursor.at, length) == 0;
    if (!repeats) return answer(cursor, nullptr);
    return go_on(cursor, cursor.at + length, cursor.item + 2);
  }

  const char* open(Cursor cursor) {
    const bool is_position = peek(cursor.item + 1) == ')';
    if (level_ >= kMaxCaptures) luaL_error(lua_, "too many captures");
    capture(level_++) = {cursor.at, is_position ? kPosition : kOpen};
    const char* const rest = run(cursor.at, cursor.item + (is_position ? 2 : 1));
    if (rest == nullptr) --level_;
    return rest;
  }

  const char* close(Cursor cursor) {
    int index = level_ - 1;
    while (index >= 0 && capture(index).length != kOpen) --index;
    if (index < 0) luaL_error(lua_, "invalid pattern capture");
    Capture& closed = capture(index);
    closed.length = cursor.at - closed.from;
    const char* const rest = run(cursor.at, cursor.item + 1);
    if (rest == nullptr) closed.length = kOpen;
    return rest;
  }

  // The end of the item, where a suffix may follow.
  const char* item_end(const char* item) {
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

  bool fits(const char* at, const char* item, const char* end) {
    if (at == text_end_) return false;
    switch (*item) {
      case '.': return true;
      case '%': return in_class(static_cast<unsigned char>(*at), item[1]);
      case '[': step_over_set(end - item); return in_set(*at, item, end - 1);
      default: return *at == *item;
    }
  }

  // `item` is the opening bracket, `last` the closing one.
  static bool in_set(char c, const char* item, const char* last) {
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

  lua_State* lua_;
  Guard* guard_;
  const char* text_;
  const char* text_end_;
  const char* pattern_;
  const char* pattern_end_;
  int depth_ = 0;
  std::ptrdiff_t steps_ = 0;  // since the last charge
  int level_ = 0;             // captures opened
  std::array<Capture, kMaxCaptures> captures_;
};

std::string_view check_text(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, index, &length);
  return {text, length};
}

// Offset given by argument `index`: counted from 1, or from the end if negative.  At
// most length + 1.
std::size_t check_start(lua_State* lua, int index, std::size_t length) {
  const lua_Integer start = luaL_optinteger(lua, index, 1);
  if (start > 0) return std::min(static_cast<std::size_t>(start) - 1, length + 1);
  if (start == 0 || start < -static_cast<lua_Integer>(length)) return 0;
  return length - static_cast<std::size_t>(-start);
}

int find_plain(lua_State* lua, std::string_view text, std::string_view what,
               std::size_t start) {
  const char* const from = text.data() + start;
  const void* const found = memmem(from, text.size() - start, what.data(), what.size());
  const char* const at =
      found == nullptr ? text.data() + text.size() : static_cast<const char*>(found);
  Guard::of(lua).charge(lua, 1 + (at - from) / 16);
  if (found == nullptr) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, at - text.data() + 1);
  lua_pushinteger(lua, at - text.data() + static_cast<std::ptrdiff_t>(what.size()));
  return 2;
}

// Longest text of a number, in bytes.
constexpr std::size_t kNumeral = 64;

enum class Wanted { kPlace, kCaptures };

// A pattern that begins with `^` matches only where the search starts.
int search_pattern(lua_State* lua, Wanted wanted, std::string_view text,
                   std::string_view pattern, std::size_t start) {
  const bool is_anchored = pattern.starts_with('^');
  Matcher matcher(lua, text, pattern.substr(is_anchored ? 1 : 0));
  const char* const last = text.data() + (is_anchored ? start : text.size());
  for (const char* at = text.data() + start; at <= last; ++at) {
    const char* const end = matcher.match(at);
    if (end == nullptr) continue;
    matcher.settle();
    if (wanted == Wanted::kCaptures) return matcher.push_captures(at, end);
    lua_pushinteger(lua, at - text.data() + 1);
    lua_pushinteger(lua, end - text.data());
    return matcher.push_captures(nullptr, nullptr) + 2;
  }
  matcher.settle();
  return lua_pushnil(lua), 1;
}

int search(lua_State* lua, Wanted wanted) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern = check_text(lua, 2);
  const std::size_t start = check_start(lua, 3, text.size());
  if (start > text.size()) return lua_pushnil(lua), 1;
  const bool has_specials =
      pattern.find_first_of("^$*+?.([%-") != std::string_view::npos;
  const bool is_plain =
      wanted == Wanted::kPlace && (lua_toboolean(lua, 4) != 0 || !has_specials);
  if (is_plain) return find_plain(lua, text, pattern, start);
  return search_pattern(lua, wanted, text, pattern, start);
}

int safe_find(lua_State* lua) { return search(lua, Wanted::kPlace); }
int safe_match(lua_State* lua) { return search(lua, Wanted::kCaptures); }

// Upvalues: text, pattern, next offset, end of the last match or -1.
int next_match(lua_State* lua) {
  const std::string_view text = check_text(lua, lua_upvalueindex(1));
  Matcher matcher(lua, text, check_text(lua, lua_upvalueindex(2)));
  const char* const last_end = text.data() + lua_tointeger(lua, lua_upvalueindex(4));
  const char* at = text.data() + lua_tointeger(lua, lua_upvalueindex(3));
  for (; at <= text.data() + text.size(); ++at) {
    const char* const end = matcher.match(at);
    if (end == nullptr || end == last_end) continue;
    matcher.settle();
    lua_pushinteger(lua, end - text.data());
    lua_copy(lua, -1, lua_upvalueindex(3));
    lua_replace(lua, lua_upvalueindex(4));
    return matcher.push_captures(at, end);
  }
  matcher.settle();
  return 0;
}

int safe_gmatch(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  check_text(lua, 2);
  const std::size_t start = check_start(lua, 3, text.size());
  lua_settop(lua, 2);
  lua_pushinteger(lua, static_cast<lua_Integer>(start));
  lua_pushinteger(lua, -1);
  lua_pushcclosure(lua, next_match, 4);
  return 1;
}

// The text built by gsub, at most kStringBytes.
class Result {
 public:
  explicit Result(lua_State* lua) : lua_(lua) { luaL_buffinit(lua, &buffer_); }

  void add(const char* text, std::size_t length) {
    make_room(length);
    luaL_addlstring(&buffer_, text, length);
    copied_ += length;
  }
  void add(char c) {
    make_room(1);
    luaL_addchar(&buffer_, c);
  }
  // The string or number on top of the stack, which is popped.
  void add_value() {
    make_room(lua_type(lua_, -1) == LUA_TSTRING ? lua_rawlen(lua_, -1) : kNumeral);
    luaL_addvalue(&buffer_);
  }
  void push() {
    Guard::charge_bytes(lua_, luaL_bufflen(&buffer_));
    luaL_pushresult(&buffer_);
  }

 private:
  void make_room(std::size_t length) {
    const auto total = luaL_bufflen(&buffer_) + length;
    if (total > kStringBytes) Guard::of(lua_).refuse_string(lua_, total);
    if (copied_ < kStringBytes / 16) return;
    Guard::charge_bytes(lua_, std::exchange(copied_, 0));
  }

  lua_State* lua_;
  luaL_Buffer buffer_;
  std::size_t copied_ = 0;
};

// One call of gsub.  Stack: text, pattern, replacement, ...
class Substitution {
 public:
  Substitution(lua_State* lua, std::string_view text, std::string_view pattern)
      : lua_(lua),
        text_(text),
        is_anchored_(pattern.starts_with('^')),
        kind_(lua_type(lua, 3)),
        matcher_(lua, text, pattern.substr(is_anchored_ ? 1 : 0)),
        result_(lua) {}

  // Pushes the text with at most `limit` matches replaced; returns their number.
  lua_Integer run(lua_Integer limit) {
    const char* at = text_.data();
    const char* const text_end = at + text_.size();
    const char* last_end = nullptr;
    lua_Integer count = 0;
    while (count < limit) {
      const char* const end = matcher_.match(at);
      if (end != nullptr && end != last_end) {
        ++count;
        replace(at, end);
        at = last_end = end;
      } else if (at < text_end) {
        result_.add(*at++);
      } else {
        break;
      }
      if (is_anchored_) break;
    }
    result_.add(at, static_cast<std::size_t>(text_end - at));
    matcher_.settle();
    result_.push();
    return count;
  }

 private:
  void replace(const char* from, const char* to) {
    if (kind_ == LUA_TFUNCTION) {
      lua_pushvalue(lua_, 3);
      lua_call(lua_, matcher_.push_captures(from, to), 1);
      add_answer(from, to);
    } else if (kind_ == LUA_TTABLE) {
      matcher_.push_capture(0, from, to);
      lua_gettable(lua_, 3);
      add_answer(from, to);
    } else {
      add_template(from, to);
    }
  }

  // In a replacement text `%0` to `%9` are captures, `%%` is a percent sign.
  void add_template(const char* from, const char* to) {
    std::size_t length = 0;
    const char* at = lua_tolstring(lua_, 3, &length);
    const char* const end = at + length;
    while (at < end) {
      const auto* sign = static_cast<const char*>(
          std::memchr(at, '%', static_cast<std::size_t>(end - at)));
      result_.add(at, static_cast<std::size_t>((sign == nullptr ? end : sign) - at));
      if (sign == nullptr) return;
      const char what = sign + 1 < end ? sign[1] : '\0';
      if (what == '%') {
        result_.add('%');
      } else if (what == '0') {
        result_.add(from, static_cast<std::size_t>(to - from));
      } else if (what >= '1' && what <= '9') {
        matcher_.push_capture(what - '1', from, to);
        result_.add_value();
      } else {
        luaL_error(lua_, "invalid use of '%%' in replacement string");
      }
      at = sign + 2;
    }
  }

  // The result of a function or table; nil and false keep the match.
  void add_answer(const char* from, const char* to) {
    if (lua_toboolean(lua_, -1) == 0) {
      lua_pop(lua_, 1);
      result_.add(from, static_cast<std::size_t>(to - from));
    } else if (lua_isstring(lua_, -1) != 0) {
      result_.add_value();
    } else {
      luaL_error(lua_, "invalid replacement value (a %s)", luaL_typename(lua_, -1));
    }
  }

  lua_State* lua_;
  std::string_view text_;
  bool is_anchored_;
  int kind_;  // type of the replacement
  Matcher matcher_;
  Result result_;
};

int safe_gsub(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern = check_text(lua, 2);
  const int kind = lua_type(lua, 3);
  const bool is_replacement = kind == LUA_TNUMBER || kind == LUA_TSTRING ||
                              kind == LUA_TFUNCTION || kind == LUA_TTABLE;
  luaL_argexpected(lua, is_replacement, 3, "string/function/table");
  const lua_Integer limit =
      luaL_optinteger(lua, 4, static_cast<lua_Integer>(text.size()) + 1);
  Substitution substitution(lua, text, pattern);
  const lua_Integer count = substitution.run(limit);
  lua_pushinteger(lua, count);
  return 2;
}

constexpr std::array kPatternFunctions{
    luaL_Reg{"find", safe_find}, luaL_Reg{"match", safe_match},
    luaL_Reg{"gmatch", safe_gmatch}, luaL_Reg{"gsub", safe_gsub},
    luaL_Reg{nullptr, nullptr}};

}  // namespace

void add_patterns(lua_State* lua) { luaL_setfuncs(lua, kPatternFunctions.data(), 0); }

}  // namespace berth::bindings
