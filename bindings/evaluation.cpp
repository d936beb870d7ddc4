#include "bindings/evaluation.hpp"

#include "bindings/sandbox/safe_text.hpp"
#include "engine/base/printable.hpp"

namespace berth::bindings {

namespace {

constexpr std::size_t kLongestValue = 1000;

// "for state" and its like are no names that a script may use.
bool is_name(const char* name) { return name != nullptr && name[0] != '('; }

struct Listing {
  std::vector<LuaPolicy::Local>* all;
};

// A table's text is its first fields.
void append_value(lua_State* lua, int at, std::string& to) {
  std::size_t length = 0;
  const char* text = push_text(lua, at, &length);
  Guard::host_work(lua, [&] {
    to += shortened(plain_text({text, length}, Newlines::kEscape), kLongestValue);
  });
  lua_pop(lua, 1);
}

// The function at the line, seen from a body that was entered there.
bool activation_of_line(lua_State* lua, lua_Debug& activation) {
  for (int level = 0; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "S", &activation);
    if (activation.what[0] != 'C') return true;
  }
  return false;
}

// The value on top of the stack.
void list_value(lua_State* lua, const char* name, const Listing& listing) {
  Guard::host_work(lua, [&] { listing.all->push_back({name, {}}); });
  append_value(lua, lua_gettop(lua), listing.all->back().value);
}

int list_body(lua_State* lua) {
  auto& listing = *static_cast<Listing*>(lua_touserdata(lua, 1));
  lua_Debug activation;
  if (!activation_of_line(lua, activation)) return 0;
  const char* name = nullptr;
  for (int i = 1; (name = lua_getlocal(lua, &activation, i)) != nullptr; ++i) {
    if (is_name(name)) list_value(lua, name, listing);
    lua_pop(lua, 1);
  }
  return 0;
}

struct Evaluation {
  const Expression* expression;
  std::string chunk;
  std::string text;
};

// Pushes the values of the local variables; their names go before the expression.
int push_locals(lua_State* lua, Evaluation& call) {
  lua_Debug activation;
  if (!call.expression->has_locals || !activation_of_line(lua, activation)) return 0;
  constexpr int kMost = 180;  // of 200 that a function may have
  int count = 0;
  const char* name = nullptr;
  for (int i = 1; (name = lua_getlocal(lua, &activation, i)) != nullptr; ++i) {
    if (!is_name(name) || count == kMost) {
      lua_pop(lua, 1);
      continue;
    }
    ++count;
    luaL_checkstack(lua, 4, nullptr);
    Guard::host_work(lua, [&] { (call.chunk += ", ") += name; });
  }
  return count;
}

int evaluate_body(lua_State* lua) {
  auto& call = *static_cast<Evaluation*>(lua_touserdata(lua, 1));
  const int base = lua_gettop(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.expression->queue);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.expression->cluster);
  const int values = 2 + push_locals(lua, call);
  Guard::host_work(lua, [&] {
    call.chunk += " = ...; return ";
    call.chunk += call.expression->text;
  });
  const int status =
      luaL_loadbufferx(lua, call.chunk.data(), call.chunk.size(), "=expression", "t");
  if (status != LUA_OK) return lua_error(lua);
  lua_insert(lua, base + 1);
  lua_call(lua, values, LUA_MULTRET);
  const int top = lua_gettop(lua);
  for (int i = base + 1; i <= top; ++i) {
    if (i > base + 1) Guard::host_work(lua, [&] { call.text += "  "; });
    append_value(lua, i, call.text);
  }
  return 0;
}

}  // namespace

void list_locals(Sandbox& sandbox, std::vector<LuaPolicy::Local>& all) {
  Listing listing{&all};
  sandbox.enter(list_body, &listing, {"look at variables", 0});
}

std::string text_of_expression(Sandbox& sandbox, const Expression& expression) {
  Evaluation call{&expression, "local queue, cluster", {}};
  sandbox.enter(evaluate_body, &call, {"expression", 0});
  return call.text;
}

}  // namespace berth::bindings
