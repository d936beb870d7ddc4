// Bytes as a table: sort against std::stable_sort, pairs against a sorted copy of the
// keys while the walk itself changes the table.
//
// Promises: sort is stable, gives some permutation for a comparison without sense, and
// asks at most n log2 n times; pairs shows the keys that the table had at its begin, in
// order, but those that are gone when their turn comes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lua.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "tests/fuzz/expect.hpp"

using namespace berth;
using bindings::Sandbox;
using fuzz::Bytes;
using fuzz::expect;

namespace {

struct JobKey {
  std::uint32_t number;
  friend auto operator<=>(const JobKey&, const JobKey&) = default;
};
// In the order in which pairs shows kinds; numbers of both types are one kind.
using Key = std::variant<std::int64_t, double, std::string, JobKey, bool>;

int rank_of(const Key& key) { return std::max(1, static_cast<int>(key.index())); }

// Holds every integer and every double of Lua exactly.
long double number_of(const Key& key) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  if (const auto* whole = std::get_if<std::int64_t>(&key)) return *whole;
  return std::get<double>(key);
}

bool key_less(const Key& a, const Key& b) {
  if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
  if (rank_of(a) == 1) return number_of(a) < number_of(b);
  return a < b;
}

// A float with a whole value is the same key as the integer.
Key normal(Key key) {
  const auto* number = std::get_if<double>(&key);
  const bool is_whole = number != nullptr && std::floor(*number) == *number &&
                        *number >= -0x1p63 && *number < 0x1p63;
  return is_whole ? Key(static_cast<std::int64_t>(*number)) : key;
}

std::string text_of(const Key& key) {
  switch (key.index()) {
    case 0: return fmt::format("i{}", std::get<std::int64_t>(key));
    case 1: return fmt::format("f{}", std::get<double>(key));
    case 2: return "s" + std::get<std::string>(key);
    case 3: return fmt::format("j{}", std::get<JobKey>(key).number);
    default: return std::get<bool>(key) ? "true" : "false";
  }
}

constexpr int kJobStep = 8;  // a handle is number * 8 + kind, and 0 is the kind of jobs

void push_key(lua_State* lua, const Key& key) {
  switch (key.index()) {
    case 0: return lua_pushinteger(lua, std::get<std::int64_t>(key));
    case 1: return lua_pushnumber(lua, std::get<double>(key));
    case 2: {
      const auto& text = std::get<std::string>(key);
      lua_pushlstring(lua, text.data(), text.size());
      return;
    }
    case 3: {
      const std::uintptr_t handle =
          std::get<JobKey>(key).number * std::uintptr_t{kJobStep};
      return lua_pushlightuserdata(lua, reinterpret_cast<void*>(handle));
    }
    default: return lua_pushboolean(lua, std::get<bool>(key));
  }
}

Key read_key(lua_State* lua, int at) {
  switch (lua_type(lua, at)) {
    case LUA_TNUMBER:
      if (lua_isinteger(lua, at) != 0) {
        return std::int64_t{lua_tointeger(lua, at)};
      }
      return lua_tonumber(lua, at);
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* text = lua_tolstring(lua, at, &length);
      return std::string(text, length);
    }
    case LUA_TLIGHTUSERDATA: {
      const auto handle = reinterpret_cast<std::uintptr_t>(lua_touserdata(lua, at));
      return JobKey{static_cast<std::uint32_t>(handle / kJobStep)};
    }
    default: return lua_toboolean(lua, at) != 0;
  }
}

Key key_from(Bytes& bytes) {
  static constexpr double kFloats[] = {0.5,     -0.5,   1e300,  -1e300, 0x1p53, 0x1p63,
                                       -0x1p63, 0x1p64, 1e-300, 2.0,    -0.0};
  const int kind = bytes.below(8);
  const auto small = static_cast<std::int8_t>(bytes.byte());
  switch (kind) {
    case 0: return std::int64_t{small} << (bytes.byte() % 57);
    case 1: return kFloats[static_cast<std::uint8_t>(small) % std::size(kFloats)];
    case 2: return small / 8.0;
    case 3: return std::string(1, static_cast<char>(small));
    case 4: return std::string(bytes.until('\n').substr(0, 40));
    case 5: return JobKey{static_cast<std::uint32_t>(small & 0x3f)};
    case 6: return small > 0;
    default: return std::int64_t{small & 15};
  }
}

// What the walk does to the table when it has shown its n-th key.
struct Step {
  enum Kind { kNothing, kRemove, kSet } kind = kNothing;
  Key key;
};

struct Case {
  std::vector<Key> keys;
  std::vector<Step> steps;
  std::vector<std::int64_t> numbers;  // to be sorted
  std::int64_t modulus = 1;           // they count as equal modulo this
  std::string coins;                  // answers of a comparison without sense
  std::vector<std::string> shown;     // what pairs gave
};

Case case_from(Bytes bytes) {
  Case it;
  it.modulus = 1 + bytes.byte();
  for (int count = bytes.below(64); count > 0 && !bytes.empty(); --count) {
    it.keys.push_back(normal(key_from(bytes)));
  }
  for (int count = bytes.below(64); count > 0 && !bytes.empty(); --count) {
    const auto kind = static_cast<Step::Kind>(bytes.below(3));
    it.steps.push_back({kind, normal(key_from(bytes))});
  }
  const auto rest = bytes.rest();
  it.coins = std::string(rest) + '\0';
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto low = static_cast<std::uint8_t>(rest[i]);
    it.numbers.push_back(low * 256 + static_cast<std::int64_t>(i % 256));
  }
  return it;
}

// The script: walk(table, actions, keys) gives what pairs showed, and three sorts.
constexpr std::string_view kScript = R"(
return {
  walk = function(t, kinds, keys)
    local shown = {}
    for key, value in pairs(t) do
      if t[key] ~= value then error("pairs shows a value that is not there") end
      shown[#shown + 1] = key
      local kind, other = kinds[#shown], keys[#shown]
      if kind == 1 then t[other] = nil elseif kind == 2 then t[other] = #shown end
    end
    return shown
  end,
  sort = function(list, modulus)
    table.sort(list, function(a, b) return a % modulus < b % modulus end)
  end,
  plain = function(list) table.sort(list) end,
  toss = function(list, coins)
    local asked = 0
    table.sort(list, function()
      asked = asked + 1
      return coins:byte((asked - 1) % #coins + 1) % 2 == 1
    end)
    return asked
  end,
}
)";

void push_function(lua_State* lua, const char* name) {
  Sandbox::push_result(lua);
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
}

void push_table(lua_State* lua, const std::vector<Key>& keys) {
  lua_newtable(lua);
  lua_Integer value = 1000;
  for (const Key& key : keys) {
    push_key(lua, key);
    lua_pushinteger(lua, ++value);
    lua_rawset(lua, -3);
  }
}

int walk(lua_State* lua) {
  auto& it = *static_cast<Case*>(lua_touserdata(lua, 1));
  push_function(lua, "walk");
  push_table(lua, it.keys);
  lua_newtable(lua);
  lua_newtable(lua);
  for (std::size_t i = 0; i < it.steps.size(); ++i) {
    lua_pushinteger(lua, it.steps[i].kind);
    lua_rawseti(lua, -3, static_cast<lua_Integer>(i + 1));
    push_key(lua, it.steps[i].key);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_call(lua, 3, 1);
  const auto count = static_cast<lua_Integer>(lua_rawlen(lua, -1));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(lua, -1, i);
    it.shown.push_back(text_of(read_key(lua, -1)));
    lua_pop(lua, 1);
  }
  return 0;
}

void push_numbers(lua_State* lua, const std::vector<std::int64_t>& numbers) {
  lua_createtable(lua, static_cast<int>(numbers.size()), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushinteger(lua, numbers[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i + 1));
  }
}

std::vector<std::int64_t> read_numbers(lua_State* lua, int at) {
  std::vector<std::int64_t> numbers;
  for (lua_Unsigned i = 1; i <= lua_rawlen(lua, at); ++i) {
    lua_rawgeti(lua, at, static_cast<lua_Integer>(i));
    numbers.push_back(lua_tointeger(lua, -1));
    lua_pop(lua, 1);
  }
  return numbers;
}

// Sorts a copy by the function called `name`, whose second argument is on top; leaves
// what the function returns there.
std::vector<std::int64_t> sorted_by(lua_State* lua, const Case& it, const char* name) {
  const int argument = lua_gettop(lua);
  push_numbers(lua, it.numbers);
  push_function(lua, name);
  lua_pushvalue(lua, argument + 1);
  lua_pushvalue(lua, argument);
  lua_call(lua, 2, 1);
  return read_numbers(lua, argument + 1);
}

int sort(lua_State* lua) {
  const auto& it = *static_cast<Case*>(lua_touserdata(lua, 1));
  auto expected = it.numbers;
  lua_pushinteger(lua, it.modulus);
  std::stable_sort(
      expected.begin(), expected.end(),
      [&](std::int64_t a, std::int64_t b) { return a % it.modulus < b % it.modulus; });
  expect(sorted_by(lua, it, "sort") == expected, "sort is stable");

  std::sort(expected.begin(), expected.end());
  lua_pushnil(lua);
  expect(sorted_by(lua, it, "plain") == expected, "sort puts numbers in order");

  lua_pushlstring(lua, it.coins.data(), it.coins.size());
  auto tossed = sorted_by(lua, it, "toss");
  std::sort(tossed.begin(), tossed.end());
  expect(tossed == expected, "any comparison gives a permutation");
  const auto count = static_cast<double>(it.numbers.size());
  const double most = count < 2 ? 0 : count * std::ceil(std::log2(count));
  expect(lua_tonumber(lua, -1) <= most, "sort asks at most n log2 n times",
         fmt::format("{} of {}", lua_tonumber(lua, -1), most));
  return 0;
}

std::vector<std::string> expected_walk(const Case& it) {
  std::vector<Key> present = it.keys;
  std::sort(present.begin(), present.end(), key_less);
  present.erase(std::unique(present.begin(), present.end()), present.end());
  const std::vector<Key> at_begin = present;
  std::vector<std::string> shown;
  for (const Key& key : at_begin) {
    const auto at = std::find(present.begin(), present.end(), key);
    if (at == present.end()) continue;
    shown.push_back(text_of(key));
    if (shown.size() > it.steps.size()) continue;
    const Step& step = it.steps[shown.size() - 1];
    if (step.kind == Step::kNothing) continue;
    std::erase(present, step.key);
    if (step.kind == Step::kSet) present.push_back(step.key);
  }
  return shown;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto it = case_from(Bytes(data, std::min<std::size_t>(size, 2048)));
  bindings::Host host;
  host.watchdog = nullptr;
  Sandbox sandbox({}, 1, host);
  try {
    sandbox.load("t.lua", kScript);
    sandbox.enter(walk, &it);
    sandbox.enter(sort, &it);
  } catch (const Error& error) {
    fuzz::broken("nothing here is refused", error.what());
  }
  const auto expected = expected_walk(it);
  expect(it.shown == expected, "pairs shows the keys in order",
         fmt::format("{}\n{}", fmt::join(it.shown, " "), fmt::join(expected, " ")));
  return 0;
}
