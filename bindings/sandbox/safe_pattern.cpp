// find, match, gmatch and gsub: the stock functions, called after their cost is known.
//
// The stock matcher backtracks within one call and looks at no limit meanwhile, so the
// most steps that a call can take are charged before it, and too many are refused.  Its
// classes of characters are those of the locale: "C" in every entry.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr std::int64_t kMostSteps = 10'000'000;  // of one call
constexpr std::int64_t kCountless = std::numeric_limits<std::int64_t>::max();
// A gsub with a replacement text may build so much before Lua sees whether the result
// is short enough for a string.
constexpr std::size_t kBuiltBytes = 8 * kStringBytes;

std::int64_t product(std::int64_t a, std::int64_t b) {
  return a > kCountless / b ? kCountless : a * b;
}

// As Lua reads it: a bracket in first place is an element.
std::size_t bytes_of_set(std::string_view pattern) {
  const std::size_t first = pattern.starts_with("[^") ? 2 : 1;
  for (std::size_t at = first; at < pattern.size();) {
    if (pattern[at] == ']' && at > first) return at + 1;
    at += pattern[at] == '%' ? 2 : 1;
  }
  return pattern.size();
}

// Bytes of the item that begins the pattern, without its suffix.  A malformed one ends
// the pattern.
std::size_t bytes_of_item(std::string_view pattern) {
  if (pattern.starts_with("%b")) return 4;
  if (pattern.starts_with("%f[")) return 2 + bytes_of_set(pattern.substr(2));
  if (pattern.starts_with('[')) return bytes_of_set(pattern);
  return pattern.starts_with('%') ? 2 : 1;
}

// Whether the item looks at any number of bytes of the text: `%b()`, `%1`.
bool reads_on(std::string_view item) {
  return item.starts_with("%b") ||
         (item.size() == 2 && item[0] == '%' && item[1] >= '0' && item[1] <= '9');
}

bool takes_suffix(std::string_view item) {
  return item != "(" && item != ")" && !item.starts_with("%f[") && !reads_on(item);
}

// The most steps that Lua's matcher takes.  A step compares one item of the pattern
// with one place of the text.  A set is read up to three times then, 16 of its bytes in
// a step.
//
// Repeats are never nested, and what follows one begins no earlier in the text.  So an
// item behind k of them, the search for a start being one, is met at most
// (bytes + k) over k times, and twice as often for each `?` before it.
class Steps {
 public:
  Steps(std::size_t bytes, std::int64_t ways)
      : bytes_(static_cast<std::int64_t>(bytes)), ways_(ways) {}

  void add(std::string_view pattern) {
    while (!pattern.empty()) {
      const auto item = pattern.substr(0, bytes_of_item(pattern));
      pattern.remove_prefix(item.size());
      meet(item);
      if (pattern.empty() || !takes_suffix(item)) continue;
      if (add_suffix(pattern.front(), item)) pattern.remove_prefix(1);
    }
    meet({});
  }
  // What follows may be met at every later place of the text.
  void repeat() {
    ++repeats_;
    const auto ways = product(ways_, bytes_ + repeats_);
    ways_ = ways == kCountless ? kCountless : ways / repeats_;
  }
  [[nodiscard]] std::int64_t total() const { return total_; }

 private:
  void meet(std::string_view item) {
    const auto set = 3 * static_cast<std::int64_t>(item.size()) / 16;
    const auto cost = 1 + set + (reads_on(item) ? bytes_ : 0);
    total_ += std::min(kCountless - total_, product(ways_, cost));
  }
  bool add_suffix(char suffix, std::string_view item) {
    if (suffix == '?') {
      ways_ = product(ways_, 2);
      return true;
    }
    if (suffix != '*' && suffix != '+' && suffix != '-') return false;
    repeat();
    meet(item);
    return true;
  }

  std::int64_t bytes_;  // of the text
  std::int64_t ways_;   // in which a match can come to the next item
  std::int64_t repeats_ = 0;
  std::int64_t total_ = 0;
};

std::string_view check_text(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, index, &length);
  return {text, length};
}

enum class Anchor : std::uint8_t { kKnown, kUnknown };  // whether a leading `^` is one

// Charges a search that tries one place of the text so many times.  With an anchor it
// tries the first place alone.
void charge_search(lua_State* lua, std::string_view text, std::string_view pattern,
                   std::int64_t tries, Anchor anchor = Anchor::kKnown) {
  Steps steps(text.size(), tries);
  if (anchor == Anchor::kKnown && pattern.starts_with('^')) {
    pattern.remove_prefix(1);
  } else {
    steps.repeat();
  }
  steps.add(pattern);
  if (steps.total() > kMostSteps) {
    Guard::of(lua).refuse(
        lua, {static_cast<std::size_t>(steps.total()), "a pattern that may take ",
              " steps", "10,000,000",
              "shorten the text, or have fewer of * + - ? in the pattern; find with "
              "true as its fourth argument takes any text",
              Trip::kWork});
  }
  Guard::of(lua).charge(lua, steps.total());
}

int call_stock(lua_State* lua) {
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

// Offset given by argument `index`: counted from 1, or from the end if negative.  At
// most length + 1.
std::size_t check_start(lua_State* lua, int index, std::size_t length) {
  const lua_Integer start = luaL_optinteger(lua, index, 1);
  if (start > 0) return std::min(static_cast<std::size_t>(start) - 1, length + 1);
  if (start == 0 || start < -static_cast<lua_Integer>(length)) return 0;
  return length - static_cast<std::size_t>(-start);
}

// The stock function takes the product of both lengths.
int find_plain(lua_State* lua, std::string_view text, std::string_view what) {
  const std::size_t start = check_start(lua, 3, text.size());
  if (start > text.size()) return lua_pushnil(lua), 1;
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

// Upvalues: those of the stock iterator, then its function; nil once it has ended, as
// it would search the rest again and again.
constexpr int kIteratorValues = 3;

int next_match(lua_State* lua) {
  constexpr int kNext = lua_upvalueindex(kIteratorValues + 1);
  const lua_CFunction next = lua_tocfunction(lua, kNext);
  if (next == nullptr) return 0;
  lua_settop(lua, 0);
  lua_pushvalue(lua, kNext);
  lua_pushnil(lua);
  lua_replace(lua, kNext);
  const int count = next(lua);
  if (count > 0) lua_copy(lua, 1, kNext);
  return count;
}

// Bytes that the replacement text adds at most, where it is put `count` times.
std::size_t bytes_added(std::string_view replacement, std::size_t count,
                        std::size_t bytes) {
  constexpr std::size_t kPlace = 7;  // digits of a place in a text
  const auto captures =
      static_cast<std::size_t>(std::count(replacement.begin(), replacement.end(), '%'));
  // Matches do not overlap: one capture of each has no more than the text together.
  return count * (replacement.size() + kPlace * captures) + captures * bytes;
}

void charge_replacement(lua_State* lua, std::size_t bytes) {
  const std::string_view replacement = check_text(lua, 3);
  const auto most = static_cast<lua_Integer>(bytes) + 1;
  const auto count = std::clamp<lua_Integer>(luaL_optinteger(lua, 4, most), 0, most);
  const std::size_t built =
      bytes + bytes_added(replacement, static_cast<std::size_t>(count), bytes);
  if (built > kBuiltBytes) Guard::of(lua).refuse_string(lua, built);
  Guard::charge_bytes(lua, built);
}

// A replacement that asks the function or table, upvalue 1, and counts what its answers
// add, upvalue 2.
int answer_of(lua_State* lua) {
  const int captures = lua_gettop(lua);
  lua_pushvalue(lua, lua_upvalueindex(1));
  if (lua_isfunction(lua, -1)) {
    lua_insert(lua, 1);
    lua_call(lua, captures, 1);
  } else {
    lua_pushvalue(lua, 1);
    lua_gettable(lua, -2);
  }
  if (lua_isstring(lua, -1) == 0) return 1;
  std::size_t length = 0;
  lua_tolstring(lua, -1, &length);
  const auto total =
      static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(2))) + length;
  if (total > kStringBytes) Guard::of(lua).refuse_string(lua, total);
  Guard::charge_bytes(lua, length);
  lua_pushinteger(lua, static_cast<lua_Integer>(total));
  lua_replace(lua, lua_upvalueindex(2));
  return 1;
}

}  // namespace

int safe_find(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view pattern = check_text(lua, 2);
  const bool has_specials =
      pattern.find_first_of("^$*+?.([%-") != std::string_view::npos;
  if (!has_specials || lua_toboolean(lua, 4) != 0) {
    return find_plain(lua, text, pattern);
  }
  charge_search(lua, text, pattern, 1);
  return call_stock(lua);
}

int safe_match(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  charge_search(lua, text, check_text(lua, 2), 1);
  return call_stock(lua);
}

// The walk is charged as a whole: it never goes back, and after an empty match it tries
// the same place once more.
int safe_gmatch(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  charge_search(lua, text, check_text(lua, 2), 2, Anchor::kUnknown);
  call_stock(lua);
  const int iterator = lua_gettop(lua);
  for (int i = 1; i <= kIteratorValues; ++i) lua_getupvalue(lua, iterator, i);
  lua_pushcfunction(lua, lua_tocfunction(lua, iterator));
  lua_pushcclosure(lua, next_match, kIteratorValues + 1);
  return 1;
}

int safe_gsub(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  charge_search(lua, text, check_text(lua, 2), 2);
  const int kind = lua_type(lua, 3);
  if (kind == LUA_TSTRING || kind == LUA_TNUMBER) {
    charge_replacement(lua, text.size());
  } else if (kind == LUA_TFUNCTION || kind == LUA_TTABLE) {
    lua_pushvalue(lua, 3);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, answer_of, 2);
    lua_replace(lua, 3);
  }
  return call_stock(lua);
}

}  // namespace berth::bindings
