#include "bindings/own_names.hpp"

#include <array>
#include <span>

#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

constexpr std::array<std::string_view, 24> kGlobals{
    "assert", "error",    "getmetatable", "ipairs",       "math",   "next",
    "pairs",  "pcall",    "print",        "rawequal",     "rawget", "rawlen",
    "rawset", "require",  "select",       "setmetatable", "string", "table",
    "type",   "tonumber", "tostring",     "xpcall",       "queue",  "cluster"};
constexpr std::array<std::string_view, 43> kFunctions{
    "byte",       "char", "find",       "format", "gmatch", "gsub",   "len",    "lower",
    "match",      "rep",  "reverse",    "sub",    "upper",  "concat", "insert", "pack",
    "remove",     "sort", "unpack",     "abs",    "acos",   "asin",   "atan",   "ceil",
    "cos",        "deg",  "exp",        "floor",  "fmod",   "huge",   "log",    "max",
    "maxinteger", "min",  "mininteger", "modf",   "pi",     "rad",    "random", "sin",
    "sqrt",       "tan",  "tointeger"};

// What stands between `before` and a quote at the end of the message.
std::string_view quoted_after(std::string_view message, std::string_view before) {
  const auto at = message.rfind(before);
  if (at == std::string_view::npos || !message.ends_with("')")) return {};
  message.remove_prefix(at + before.size());
  message.remove_suffix(2);
  return message;
}

}  // namespace

std::string name_hint(std::string_view message) {
  const auto global = quoted_after(message, "a nil value (global '");
  if (!global.empty()) return did_you_mean(global, kGlobals);
  for (const std::string_view kind :
       {"a nil value (field '", "a nil value (method '"}) {
    const auto name = quoted_after(message, kind);
    if (!name.empty()) return did_you_mean(name, kFunctions);
  }
  return {};
}

}  // namespace berth::bindings
