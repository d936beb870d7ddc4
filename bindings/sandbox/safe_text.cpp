#include "bindings/sandbox/safe_text.hpp"

#include <fmt/format.h>

#include <array>

#include "bindings/sandbox/sandbox.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

constexpr int kLevels = 12;
constexpr std::size_t kNameBytes = 60;

std::string_view source_name(const lua_Debug& activation) {
  const std::string_view source(activation.source, activation.srclen);
  const bool is_file = !source.empty() && (source[0] == '@' || source[0] == '=');
  return is_file ? source.substr(1) : std::string_view(activation.short_src);
}

std::string place(const lua_Debug& activation) {
  return fmt::format("{}:{}", source_name(activation), activation.currentline);
}

std::string function_name(const lua_Debug& activation) {
  if (*activation.namewhat != '\0') {
    return fmt::format("{} '{}'", activation.namewhat,
                       shortened(activation.name, kNameBytes));
  }
  if (*activation.what == 'm') return "main chunk";
  return fmt::format("function <{}:{}>", source_name(activation),
                     activation.linedefined);
}

std::string trace_line(const lua_Debug& activation) {
  const bool is_native = *activation.what == 'C';
  return fmt::format("    {}: in {}\n", is_native ? "[C]" : place(activation),
                     function_name(activation));
}

// By the scratch buffer, because pushing the text may raise.
void push_handle(lua_State* lua, int index) {
  Sandbox& sandbox = Sandbox::of(lua);
  Guard::host_work(lua, [&] {
    const auto& text_of = sandbox.host().describe;
    sandbox.scratch() = text_of ? text_of(lua_touserdata(lua, index)) : "handle";
  });
  lua_pushlstring(lua, sandbox.scratch().data(), sandbox.scratch().size());
}

void push_type_name(lua_State* lua, int index) {
  const int type = luaL_getmetafield(lua, index, "__name");
  if (type == LUA_TSTRING) return;
  if (type != LUA_TNIL) lua_pop(lua, 1);
  lua_pushstring(lua, luaL_typename(lua, index));
}

void push_plain(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNIL: lua_pushliteral(lua, "nil"); return;
    case LUA_TBOOLEAN:
      lua_pushstring(lua, lua_toboolean(lua, index) != 0 ? "true" : "false");
      return;
    case LUA_TNUMBER:
    case LUA_TSTRING: lua_pushvalue(lua, index); return;
    case LUA_TLIGHTUSERDATA: push_handle(lua, index); return;
    default: push_type_name(lua, index); return;
  }
}

constexpr std::array<std::string_view, 22> kGlobals{
    "assert", "error",    "getmetatable", "ipairs",       "math",   "next",
    "pairs",  "pcall",    "print",        "rawequal",     "rawget", "rawlen",
    "rawset", "require",  "select",       "setmetatable", "string", "table",
    "type",   "tonumber", "tostring",     "xpcall"};
constexpr std::array<std::string_view, 43> kNames{
    "byte",       "char", "find",       "format", "gmatch", "gsub",   "len",    "lower",
    "match",      "rep",  "reverse",    "sub",    "upper",  "concat", "insert", "pack",
    "remove",     "sort", "unpack",     "abs",    "acos",   "asin",   "atan",   "ceil",
    "cos",        "deg",  "exp",        "floor",  "fmod",   "huge",   "log",    "max",
    "maxinteger", "min",  "mininteger", "modf",   "pi",     "rad",    "random", "sin",
    "sqrt",       "tan",  "tointeger"};

// Globals that beginners look for.
struct Absent {
  std::string_view name;
  std::string_view why;
};
constexpr std::string_view kNotHere =
    "not in the sandbox: a policy reaches no files, clock or processes, "
    "docs/sandbox.md";
constexpr std::array kAbsent{
    Absent{"io", kNotHere},
    Absent{"os", "not in the sandbox: cluster:now() is the time, docs/sandbox.md"},
    Absent{"debug", kNotHere},
    Absent{"package", kNotHere},
    Absent{"coroutine", kNotHere},
    Absent{"utf8", kNotHere},
    Absent{"job", "hooks and order keys get it as an argument: function(job, cluster)"},
    Absent{"queue", "schedule gets it as an argument: function(queue, cluster)"},
    Absent{"cluster",
           "it is an argument: schedule = function(queue, cluster), key = "
           "function(job, cluster)"},
};

// The text between `before` and the quote that ends the message.
std::string_view quoted_after(std::string_view message, std::string_view before) {
  const auto at = message.rfind(before);
  if (at == std::string_view::npos || !message.ends_with("')")) return {};
  message.remove_prefix(at + before.size());
  message.remove_suffix(2);
  return message;
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; at -= 3)
    digits.insert(at - 3, 1, ',');
  return digits;
}

std::string place_of(lua_State* lua, int level) {
  lua_Debug activation;
  for (; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "Sl", &activation);
    const bool is_tool = std::string_view(activation.source).starts_with("=tools/");
    if (activation.currentline > 0 && !is_tool) return place(activation);
  }
  return {};
}

std::string traceback(lua_State* lua, int level) {
  std::string out;
  lua_Debug activation;
  int shown = 0;
  for (; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "Sln", &activation);
    // C functions of the host have no name.
    if (*activation.what == 'C' && *activation.namewhat == '\0') continue;
    if (shown++ == kLevels) return out + "    ...\n";
    out += trace_line(activation);
  }
  return out;
}

const char* push_text(lua_State* lua, int index, std::size_t* length) {
  index = lua_absindex(lua, index);
  if (luaL_callmeta(lua, index, "__tostring") == 0) {
    push_plain(lua, index);
  } else if (lua_isstring(lua, -1) == 0) {
    luaL_error(lua, "'__tostring' must return a string");
  }
  return lua_tolstring(lua, -1, length);
}

std::string name_hint(std::string_view message) {
  // `cluster.idle` for `cluster:idle()`.
  for (const std::string_view misuse :
       {"attempt to compare number with function",
        "attempt to compare function with number",
        "attempt to perform arithmetic on a function value"}) {
    if (message.find(misuse) != std::string_view::npos) {
      return " (a function is called with parentheses: cluster:idle())";
    }
  }
  const auto global = quoted_after(message, "a nil value (global '");
  for (const auto& absent : kAbsent) {
    if (absent.name == global) return fmt::format(" ({})", absent.why);
  }
  if (!global.empty()) return did_you_mean(global, kGlobals);
  for (const std::string_view kind :
       {"a nil value (field '", "a nil value (method '"}) {
    const auto name = quoted_after(message, kind);
    if (!name.empty()) return did_you_mean(name, kNames);
  }
  return {};
}

}  // namespace berth::bindings
