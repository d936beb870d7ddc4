// The string library; what searches for patterns is in safe_pattern.cpp.  `format` is
// the stock function, called after its arguments have been made harmless.

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/safe_text.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

// Calls the stock function and charges its result: bytes / 16, or values.
int charged(lua_State* lua) {
  const int count = lua_tocfunction(lua, lua_upvalueindex(1))(lua);
  const auto length = count == 1 && lua_type(lua, -1) == LUA_TSTRING
                          ? static_cast<std::int64_t>(lua_rawlen(lua, -1)) / 16
                          : count;
  Guard::of(lua).charge(lua, length);
  return count;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

int change_letters(lua_State* lua, char (*change)(char)) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  Guard::charge_bytes(lua, length);
  luaL_Buffer buffer;
  char* out = luaL_buffinitsize(lua, &buffer, length);
  std::transform(text, text + length, out, change);
  luaL_pushresultsize(&buffer, length);
  return 1;
}

int safe_lower(lua_State* lua) { return change_letters(lua, lower); }
int safe_upper(lua_State* lua) { return change_letters(lua, upper); }

// Fills the rest by doubling the first unit.
void repeat(char* out, std::size_t unit, std::size_t total) {
  for (std::size_t done = std::min(unit, total); done < total;) {
    const std::size_t more = std::min(done, total - done);
    std::memcpy(out + done, out, more);
    done += more;
  }
}

// The largest number, if it has no room in one.
std::size_t length_of_repeated(std::size_t unit, std::size_t gap, lua_Integer count) {
  constexpr auto kMost = static_cast<std::size_t>(LUA_MAXINTEGER);
  const auto times = static_cast<std::size_t>(count);
  return times > kMost / unit ? kMost : unit * times - gap;
}

// rep(s, n [, separator])
int safe_rep(lua_State* lua) {
  std::size_t length = 0;
  std::size_t gap = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  const lua_Integer count = luaL_checkinteger(lua, 2);
  const char* separator = luaL_optlstring(lua, 3, "", &gap);
  const std::size_t unit = length + gap;
  if (count <= 0 || unit == 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  if (static_cast<std::uint64_t>(count) > (kStringBytes + gap) / unit) {
    Guard::of(lua).refuse_string(lua, length_of_repeated(unit, gap, count));
  }
  const std::size_t total = unit * static_cast<std::size_t>(count) - gap;
  Guard::charge_bytes(lua, total);
  luaL_Buffer buffer;
  char* out = luaL_buffinitsize(lua, &buffer, unit * static_cast<std::size_t>(count));
  std::memcpy(out, text, length);
  std::memcpy(out + length, separator, gap);
  repeat(out, unit, total);
  luaL_pushresultsize(&buffer, total);
  return 1;
}

// --- format ---

struct Directive {
  char conversion;     // '\0': the format ends here
  bool has_precision;  // limits a text to 99 bytes
};

// Reads the directive after a '%' and removes it from `format`.
Directive take_directive(std::string_view& format) {
  const auto end = std::min(format.find_first_not_of("-+ #0123456789."), format.size());
  const bool has_precision = format.substr(0, end).find('.') != std::string_view::npos;
  const char conversion = end < format.size() ? format[end] : '\0';
  format.remove_prefix(std::min(end + 1, format.size()));
  return {conversion, has_precision};
}

// Replaces an argument by its text where the stock function would show an address.
// Returns the least number of bytes that it adds.
std::size_t prepare(lua_State* lua, int index, const Directive& directive) {
  if (directive.conversion == 'p') {
    luaL_error(lua, "'%%p' is not available to policies");
  }
  if (directive.conversion == 's') {
    luaL_checkany(lua, index);
    std::size_t length = 0;
    push_text(lua, index, &length);
    lua_replace(lua, index);
    return directive.has_precision ? 0 : length;
  }
  const bool is_text =
      directive.conversion == 'q' && lua_type(lua, index) == LUA_TSTRING;
  return is_text ? lua_rawlen(lua, index) : 1;
}

int safe_format(lua_State* lua) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  std::string_view format(text, length);
  std::size_t total = 0;
  int index = 1;
  while (!format.empty()) {
    const auto sign = format.find('%');
    total += std::min(sign, format.size());
    if (sign == std::string_view::npos) break;
    format.remove_prefix(sign + 1);
    const Directive directive = take_directive(format);
    if (directive.conversion == '%') continue;
    total += prepare(lua, ++index, directive);
    Guard::of(lua).charge(lua, 1);
  }
  if (total > kStringBytes) Guard::of(lua).refuse_string(lua, total);
  Guard::charge_bytes(lua, total);
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

constexpr std::array kStock{"byte", "char", "len", "reverse", "sub"};
constexpr std::array kWrapped{
    luaL_Reg{"format", safe_format}, luaL_Reg{"find", safe_find},
    luaL_Reg{"match", safe_match}, luaL_Reg{"gmatch", safe_gmatch},
    luaL_Reg{"gsub", safe_gsub}};
constexpr std::array kString{luaL_Reg{"lower", safe_lower},
                             luaL_Reg{"upper", safe_upper}, luaL_Reg{"rep", safe_rep},
                             luaL_Reg{nullptr, nullptr}};

// Adds the stock function `name` behind `wrapper` to the table on top.
void wrap(lua_State* lua, int stock, const char* name, lua_CFunction wrapper) {
  lua_getfield(lua, stock, name);
  lua_pushcclosure(lua, wrapper, 1);
  lua_setfield(lua, -2, name);
}

// All strings share one metatable: it finds the safe functions and is hidden from
// scripts.  Its arithmetic is kept: "10" + 1 is 11.
void lock_metatable(lua_State* lua, int library) {
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushvalue(lua, library);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
  lua_settop(lua, library);
}
}  // namespace

void open_string(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_string);
  lua_call(lua, 0, 1);
  const int stock = lua_gettop(lua);
  lua_createtable(lua, 0, int{kStock.size() + kWrapped.size() + kString.size()});
  for (const char* name : kStock) wrap(lua, stock, name, charged);
  for (const auto& [name, wrapper] : kWrapped) wrap(lua, stock, name, wrapper);
  luaL_setfuncs(lua, kString.data(), 0);
  lock_metatable(lua, stock + 1);
  lua_remove(lua, stock);
}

}  // namespace berth::bindings
