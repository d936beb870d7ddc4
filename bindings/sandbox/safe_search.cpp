// find, match, gmatch and gsub on Matcher.

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/safe_pattern.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

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

bool has_specials(std::string_view pattern) {
  return pattern.find_first_of("^$*+?.([%-") != std::string_view::npos;
}

int find_plain(lua_State* lua, std::string_view text, std::string_view what,
               std::size_t start) {
  const char* const from = text.data() + start;
  const void* const found = memmem(from, text.size() - start, what.data(), what.size());
  const char* const at =
      found == nullptr ? text.data() + text.size() : static_cast<const char*>(found);
  Guard::of(lua).charge(lua, 1 + (at - from) / 16);
  if (found == nullptr) {
    lua_pushnil(lua);
    return 1;
  }
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
  lua_pushnil(lua);
  return 1;
}

int search(lua_State* lua, Wanted wanted) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern = check_text(lua, 2);
  const std::size_t start = check_start(lua, 3, text.size());
  if (start > text.size()) {
    lua_pushnil(lua);
    return 1;
  }
  const bool is_plain = wanted == Wanted::kPlace &&
                        (lua_toboolean(lua, 4) != 0 || !has_specials(pattern));
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
    Guard::of(lua_).charge(lua_,
                           static_cast<std::int64_t>(luaL_bufflen(&buffer_) / 16));
    luaL_pushresult(&buffer_);
  }

 private:
  void make_room(std::size_t length) {
    if (luaL_bufflen(&buffer_) + length > kStringBytes) {
      luaL_error(lua_, "the result of 'gsub' has more than 1 MiB");
    }
    if (copied_ < kStringBytes / 16) return;
    Guard::of(lua_).charge(lua_, static_cast<std::int64_t>(copied_ / 16));
    copied_ = 0;
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
  lua_Integer run(lua_Integer limit);

 private:
  void replace(const char* from, const char* to);
  void add_template(const char* from, const char* to);
  void add_answer(const char* from, const char* to);

  lua_State* lua_;
  std::string_view text_;
  bool is_anchored_;
  int kind_;  // type of the replacement
  Matcher matcher_;
  Result result_;
};

lua_Integer Substitution::run(lua_Integer limit) {
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

void Substitution::replace(const char* from, const char* to) {
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
void Substitution::add_template(const char* from, const char* to) {
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
void Substitution::add_answer(const char* from, const char* to) {
  if (lua_toboolean(lua_, -1) == 0) {
    lua_pop(lua_, 1);
    result_.add(from, static_cast<std::size_t>(to - from));
  } else if (lua_isstring(lua_, -1) != 0) {
    result_.add_value();
  } else {
    luaL_error(lua_, "invalid replacement value (a %s)", luaL_typename(lua_, -1));
  }
}

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

constexpr std::array kFunctions{luaL_Reg{"find", safe_find},
                                luaL_Reg{"match", safe_match},
                                luaL_Reg{"gmatch", safe_gmatch},
                                luaL_Reg{"gsub", safe_gsub}, luaL_Reg{nullptr, nullptr}};

}  // namespace

void add_patterns(lua_State* lua) { luaL_setfuncs(lua, kFunctions.data(), 0); }

}  // namespace berth::bindings
