#pragma once
// Reads the tables that policy files and case files return.
//
// Raw access, field by field.
//
// Errors       Error{kPolicy}: "file: what", or "file: where: what".  Lack of memory
//              raises in Lua, so no other exception may be caught around a reader.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <lua.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

class TableReader {
 public:
  TableReader(lua_State* lua, const std::string& file) : lua_(lua), file_(file) {}

  [[nodiscard]] lua_State* lua() const { return lua_; }
  // The part of the file that later messages name.
  void enter(std::string where) { where_ = std::move(where) + ": "; }

  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(ErrorCode::kPolicy, fmt::format("{}: {}{}", file_, where_, what));
  }
  void require(bool right, std::string_view what) const {
    if (!right) refuse(what);
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
    if (type == LUA_TSTRING) value = lua_tostring(lua_, -1);
    lua_pop(lua_, 1);
    return value;
  }

  // A number field; nullopt if absent.
  std::optional<double> number(int table, const char* key) {
    const int type = push(table, key);
    const bool is_finite = type == LUA_TNUMBER && std::isfinite(lua_tonumber(lua_, -1));
    if (type != LUA_TNIL && !is_finite) {
      refuse(fmt::format("{} must be a finite number", key));
    }
    std::optional<double> value;
    if (is_finite) value = lua_tonumber(lua_, -1);
    lua_pop(lua_, 1);
    return value;
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

  // The text keys of the table at `table`, sorted.  Other keys are refused, if `what`
  // is given: the name of the table.
  std::vector<std::string> keys(int table, const char* what = nullptr) {
    std::vector<std::string> found;
    lua_pushnil(lua_);
    while (lua_next(lua_, table) != 0) {
      lua_pop(lua_, 1);
      if (lua_type(lua_, -1) == LUA_TSTRING) {
        found.emplace_back(lua_tostring(lua_, -1));
      } else if (what != nullptr) {
        refuse(fmt::format("the keys of {} must be names", what));
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  // Refuses a text key that is not known: any, or only one that looks like a
  // misspelling of a known one.
  enum class Unknown { kRefused, kRefusedIfNear };
  void check_keys(int table, std::span<const std::string_view> known, Unknown unknown) {
    for (const auto& key : keys(table)) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const auto hint = did_you_mean(key, known);
      if (hint.empty() && unknown == Unknown::kRefusedIfNear) continue;
      refuse(fmt::format("there is no field '{}'{}", key, hint));
    }
  }

 private:
  lua_State* lua_;
  const std::string& file_;
  std::string where_;
};

// Runs `read`, which may use TableReader, and leaves Lua if it throws Error.
template <class Read>
int run_reader(lua_State* lua, const Read& read) {
  auto& guard = Guard::of(lua);
  luaL_checkstack(lua, 20, nullptr);
  Sandbox::push_result(lua);
  bool failed = false;
  try {
    read();
  } catch (const Error&) {
    guard.keep(std::current_exception());
    failed = true;
  }
  if (failed) guard.raise(lua);
  return 0;
}

}  // namespace berth::bindings
