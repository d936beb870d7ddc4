#pragma once
// Reads the tables that policy files and case files return.
//
// Raw access, field by field.  What the program keeps of them is counted under the
// memory limit of the script, and names and texts are bounded.
//
// Errors       Error{kPolicy}: "file: what", or "file: where: what", on one line.  A
//              limit is thrown as Exceeded, for run_reader alone.  Lua, too, may raise,
//              for lack of memory: never catch (...) around a reader.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <lua.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "bindings/sandbox/script_number.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

class TableReader {
 public:
  static constexpr std::size_t kLongestName = 200;
  static constexpr std::size_t kLongestText = 4096;

  struct Exceeded {
    Trip limit;
  };

  TableReader(lua_State* lua, const std::string& file) : lua_(lua), file_(file) {}

  [[nodiscard]] lua_State* lua() const { return lua_; }
  // The part of the file that later messages name.
  void enter(std::string where) { where_ = std::move(where) + ": "; }
  void leave() { where_.clear(); }

  [[noreturn]] void refuse(std::string_view what) const {
    const auto text = fmt::format("{}: {}{}", file_, where_, what);
    throw Error(ErrorCode::kPolicy,
                shortened(plain_text(text, Newlines::kEscape), kMessageBytes));
  }
  void require(bool right, std::string_view what) const {
    if (!right) refuse(what);
  }

  // Counts what is kept of the file outside Lua.
  void keep(std::size_t bytes) const {
    const auto limit = Guard::of(lua_).hold_now(bytes, 1);
    if (limit != Trip::kNone) throw Exceeded{limit};
  }
  // A copy of the text at stack index `at`, which is a string.
  [[nodiscard]] std::string kept(int at, std::string_view what,
                                 std::size_t longest = kLongestText) const {
    std::size_t length = 0;
    const char* text = lua_tolstring(lua_, at, &length);
    if (length > longest) {
      refuse(fmt::format("{} has {} bytes, at most {} are allowed", what, length,
                         longest));
    }
    keep(sizeof(std::string) + length);
    return {text, length};
  }

  // Pushes a field of the table at stack index `table`; its type.
  int push(int table, const char* key) {
    lua_pushstring(lua_, key);
    return lua_rawget(lua_, table);
  }

  // A text field; nullopt if absent.
  std::optional<std::string> text(int table, const char* key) {
    const int type = push(table, key);
    if (type != LUA_TNIL && type != LUA_TSTRING) {
      refuse(fmt::format("{} must be text", key));
    }
    std::optional<std::string> value;
    if (type == LUA_TSTRING) value = kept(-1, key);
    lua_pop(lua_, 1);
    return value;
  }

  // A number field; nullopt if absent.
  std::optional<double> number(int table, const char* key) {
    const int type = push(table, key);
    std::optional<double> value;
    if (type != LUA_TNIL) value = number_at(-1, key);
    lua_pop(lua_, 1);
    return value;
  }
  // The number at stack index `at`, which is refused unless a double holds it.
  double number_at(int at, std::string_view what) const {
    const auto value = exact_number(lua_, at);
    if (value) return *value;
    const bool is_whole = lua_isinteger(lua_, at) != 0;
    refuse(is_whole ? fmt::format("{} = {}, a whole number that a double does not hold",
                                  what, lua_tointeger(lua_, at))
                    : fmt::format("{} must be a finite number", what));
  }

  // Sets `value` to the choice named by a text field; unchanged if absent.
  template <class Value, std::size_t count>
  void choice(int table, const char* key, Value& value,
              const std::pair<std::string_view, Value> (&choices)[count]) {
    const auto chosen = text(table, key);
    if (!chosen) return;
    std::string known;
    for (std::size_t i = 0; i < count; ++i) {
      if (choices[i].first == *chosen) return void(value = choices[i].second);
      const auto* separator = i == 0 ? "" : i + 1 < count ? ", " : " or ";
      known += fmt::format("{}\"{}\"", separator, choices[i].first);
    }
    refuse(fmt::format("{} must be {}", key, known));
  }

  // The keys of the table at `table`, which are names, sorted; `what` is the name of
  // the table.  What is refused does not depend on the order of keys in the table.
  std::vector<std::string> keys(int table, std::string_view what) const {
    std::vector<std::string> found;
    std::size_t longest = 0;
    bool is_named = true;
    lua_pushnil(lua_);
    while (lua_next(lua_, table) != 0) {
      lua_pop(lua_, 1);
      is_named = is_named && lua_type(lua_, -1) == LUA_TSTRING;
      if (!is_named) continue;
      longest = std::max<std::size_t>(longest, lua_rawlen(lua_, -1));
      if (longest <= kLongestName) found.push_back(kept(-1, what));
    }
    require(is_named, fmt::format("the keys of {} must be names", what));
    require(longest <= kLongestName,
            fmt::format("a name in {} has {} bytes, at most {} are allowed", what,
                        longest, kLongestName));
    std::sort(found.begin(), found.end());
    return found;
  }

  // Refuses a text key that is not known: any, or only one that looks like a
  // misspelling of a known one.  Of several the first in the order of bytes is named.
  enum class Unknown : std::uint8_t { kRefused, kRefusedIfNear };
  void check_keys(int table, std::span<const std::string_view> known,
                  Unknown unknown) const {
    std::optional<std::string_view> first;  // Lua holds its text as long as the table
    lua_pushnil(lua_);
    while (lua_next(lua_, table) != 0) {
      lua_pop(lua_, 1);
      keep(0);
      if (lua_type(lua_, -1) != LUA_TSTRING) continue;
      std::size_t length = 0;
      const char* text = lua_tolstring(lua_, -1, &length);
      const std::string_view key(text, length);
      if (first && *first < key) continue;
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      if (unknown == Unknown::kRefused || !nearest(key, known).empty()) first = key;
    }
    if (!first) return;
    const auto meant = did_you_mean(*first, known);
    refuse(fmt::format(
        "there is no field '{}'{}", printable(*first),
        meant.empty() ? fmt::format("; it has {}", fmt::join(known, ", ")) : meant));
  }

 private:
  lua_State* lua_;
  const std::string& file_;
  std::string where_;
};

// Runs `read`, which may use TableReader, and leaves Lua if it throws.
template <class Read>
int run_reader(lua_State* lua, const Read& read) {
  auto& guard = Guard::of(lua);
  luaL_checkstack(lua, 20, nullptr);
  Sandbox::push_result(lua);
  auto exceeded = Trip::kNone;
  try {
    read();
  } catch (const TableReader::Exceeded& limit) {
    exceeded = limit.limit;
  } catch (const std::exception&) {  // Lua raises what is none
    guard.keep(std::current_exception());
    exceeded = Trip::kHost;
  }
  if (exceeded != Trip::kNone) guard.trip(lua, exceeded);
  return 0;
}

}  // namespace berth::bindings
