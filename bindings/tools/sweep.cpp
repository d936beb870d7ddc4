#include "bindings/tools/sweep.hpp"

#include "bindings/sandbox/guard.hpp"

namespace berth::bindings {

namespace {

void set_text(lua_State* lua, const std::string& key, const std::string& text) {
  lua_pushlstring(lua, key.data(), key.size());
  lua_pushlstring(lua, text.data(), text.size());
  lua_rawset(lua, -3);
}

// Pushes a list of what `push` makes of each.
template <class Values, class Push>
void push_list(lua_State* lua, const Values& values, const Push& push) {
  lua_createtable(lua, static_cast<int>(values.size()), 0);
  lua_Integer i = 0;
  for (const auto& value : values) {
    Guard::of(lua).charge(lua, 1);
    push(value);
    lua_rawseti(lua, -2, ++i);
  }
}

const SweepSource& sweep_of(lua_State* lua) {
  return *static_cast<const SweepSource*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

std::string_view sweep_text(lua_State* lua, int at) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, at, &length);
  return {text, length};
}

std::size_t sweep_number(lua_State* lua, int at, std::size_t most) {
  const auto number = luaL_checkinteger(lua, at);
  if (number < 1 || static_cast<std::size_t>(number) > most) {
    luaL_error(lua, "there is no number %I among %I", static_cast<LUAI_UACINT>(number),
               static_cast<LUAI_UACINT>(most));
  }
  return static_cast<std::size_t>(number) - 1;
}

// Reads the arguments `point, policy` from stack index `at` on.
SweepSource::Place place_at(lua_State* lua, int at) {
  return {sweep_number(lua, at, sweep_of(lua).shape().points.size()),
          sweep_text(lua, at + 1)};
}

int sweep_values(lua_State* lua) {
  const auto& source = sweep_of(lua);
  const auto metric = sweep_text(lua, 2);
  const auto place = place_at(lua, 3);
  const auto seeds = source.shape().seeds;
  lua_createtable(lua, static_cast<int>(seeds), 0);
  lua_createtable(lua, static_cast<int>(seeds), 0);
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    SweepSource::Value found;
    Guard::host_work(lua, [&] { found = source.value(metric, place, seed); });
    Guard::of(lua).charge(lua, 1);
    if (found.value) {
      lua_pushnumber(lua, *found.value);
    } else {
      lua_pushboolean(lua, 0);
    }
    lua_rawseti(lua, -3, static_cast<lua_Integer>(seed) + 1);
    lua_pushnumber(lua, found.n);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(seed) + 1);
  }
  return 2;
}

int sweep_batches(lua_State* lua) {
  const auto& source = sweep_of(lua);
  const auto metric = sweep_text(lua, 2);
  const auto place = place_at(lua, 3);
  const auto seed = sweep_number(lua, 5, source.shape().seeds);
  std::span<const double> batches;
  Guard::host_work(lua, [&] { batches = source.batches(metric, place, seed); });
  if (batches.empty()) return 0;
  push_list(lua, batches, [lua](double value) { lua_pushnumber(lua, value); });
  return 1;
}

int sweep_failure(lua_State* lua) {
  const auto place = place_at(lua, 2);
  std::string_view text;
  Guard::host_work(lua, [&] { text = sweep_of(lua).failure(place); });
  if (text.empty()) return 0;
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

template <bool (SweepSource::*question)(const SweepSource::Place&) const>
int sweep_asks(lua_State* lua) {
  const auto place = place_at(lua, 2);
  bool answer = false;
  Guard::host_work(lua, [&] { answer = (sweep_of(lua).*question)(place); });
  lua_pushboolean(lua, answer ? 1 : 0);
  return 1;
}

constexpr luaL_Reg kSweepCalls[] = {
    {"values", sweep_values},
    {"batches", sweep_batches},
    {"failure", sweep_failure},
    {"is_full", sweep_asks<&SweepSource::is_full>},
    {"is_one_run", sweep_asks<&SweepSource::is_one_run>},
    {nullptr, nullptr}};

}  // namespace

void push_texts(lua_State* lua, const std::vector<std::string>& texts) {
  push_list(lua, texts, [lua](const std::string& text) {
    lua_pushlstring(lua, text.data(), text.size());
  });
}

void push_sweep(lua_State* lua, const SweepSource& source) {
  const auto& shape = source.shape();
  luaL_checkstack(lua, 10, nullptr);
  lua_newtable(lua);
  push_list(lua, shape.axes, [lua](const SweepShape::Axis& axis) {
    lua_newtable(lua);
    set_text(lua, "key", axis.key);
    push_texts(lua, axis.values);
    lua_setfield(lua, -2, "values");
  });
  lua_setfield(lua, -2, "axes");
  push_list(lua, shape.points, [lua](const SweepShape::SweepCell& point) {
    lua_newtable(lua);
    lua_newtable(lua);
    for (const auto& [key, value] : point.settings) set_text(lua, key, value);
    lua_setfield(lua, -2, "settings");
    set_text(lua, "text", point.text);
  });
  lua_setfield(lua, -2, "points");
  push_texts(lua, shape.policies);
  lua_setfield(lua, -2, "policies");
  push_texts(lua, shape.classes);
  lua_setfield(lua, -2, "classes");
  lua_pushinteger(lua, static_cast<lua_Integer>(shape.seeds));
  lua_setfield(lua, -2, "seeds");
  lua_pushlightuserdata(lua, const_cast<SweepSource*>(&source));
  luaL_setfuncs(lua, kSweepCalls, 1);
}

}  // namespace berth::bindings
