// string.format: the stock function, after its arguments have been made harmless.

#include <algorithm>
#include <cstring>
#include <string_view>

#include "bindings/own_library.hpp"
#include "bindings/own_text.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

struct Directive {
  char conversion;     // '\0': the format ends within it
  bool has_precision;  // then no more than 99 bytes of a text are shown
};

// Reads the directive behind a '%', and moves `format` past it.
Directive take_directive(std::string_view& format) {
  const auto end = std::min(format.find_first_not_of("-+ #0123456789."), format.size());
  const bool has_precision = format.substr(0, end).find('.') != std::string_view::npos;
  const char conversion = end < format.size() ? format[end] : '\0';
  format.remove_prefix(std::min(end + 1, format.size()));
  return {conversion, has_precision};
}

// Puts text where the stock function would show an address.  Returns the bytes that
// argument `index` takes at least.
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

}  // namespace

int own_format(lua_State* lua) {
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
  if (total > kStringBytes) {
    return luaL_error(lua, "the result of 'format' has more than 1 MiB");
  }
  Guard::of(lua).charge(lua, static_cast<std::int64_t>(total / 16));
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

}  // namespace berth::bindings
