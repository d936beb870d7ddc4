#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <string>
#include <vector>

#include "bindings/sandbox/safe_library.hpp"
#include "engine/base/random_stream.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::bindings::Sandbox;

namespace {

// Rows of {key, place} to be sorted by key alone, so that stability shows.
struct Rows {
  std::vector<int> keys;
  std::vector<int> places;  // after the sort, from 0
};

int sort_rows(lua_State* lua) {
  auto& rows = *static_cast<Rows*>(lua_touserdata(lua, 1));
  Sandbox::push_result(lua);
  lua_createtable(lua, static_cast<int>(rows.keys.size()), 0);
  for (std::size_t i = 0; i < rows.keys.size(); ++i) {
    lua_createtable(lua, 2, 0);
    lua_pushinteger(lua, rows.keys[i]);
    lua_rawseti(lua, -2, 1);
    lua_pushinteger(lua, static_cast<lua_Integer>(i));
    lua_rawseti(lua, -2, 2);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_pushvalue(lua, -1);
  lua_insert(lua, 2);
  lua_call(lua, 1, 0);
  for (std::size_t i = 0; i < rows.keys.size(); ++i) {
    lua_rawgeti(lua, 2, static_cast<lua_Integer>(i) + 1);
    lua_rawgeti(lua, -1, 2);
    rows.places.push_back(static_cast<int>(lua_tointeger(lua, -1)));
    lua_pop(lua, 2);
  }
  return 0;
}

std::vector<int> stable_places(const std::vector<int>& keys) {
  std::vector<int> places(keys.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i);
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  return places;
}

}  // namespace

TEST_SUITE("bindings/safe_sort") {
  TEST_CASE("sort with a function gives the order of a stable sort") {
    Sandbox sandbox(quick_limits(), 1, {});
    sandbox.load(
        "t.lua",
        "return function(t) table.sort(t, function(a, b) return a[1] < b[1] end) end");
    berth::RandomEngine engine = berth::random_stream(3, "rows");
    for (int size = 0; size < 300; size = size * 3 / 2 + 1) {
      for (const int kinds : {1, 3, 1000}) {
        Rows rows;
        boost::random::uniform_int_distribution<int> key(0, kinds - 1);
        for (int i = 0; i < size; ++i) rows.keys.push_back(key(engine));
        sandbox.enter(sort_rows, &rows);
        CHECK(rows.places == stable_places(rows.keys));
      }
    }
  }

  TEST_CASE("sort without a function orders numbers, texts and mixed numbers") {
    const auto sorted = [](std::string_view list) {
      return shown(
          fmt::format("(function() local t = {{{}}}; table.sort(t); return "
                      "table.concat(t, ' ') end)()",
                      list));
    };
    CHECK(sorted("3, 1, 2") == "1 2 3");
    CHECK(sorted("2.5, -1.5, 0.5") == "-1.5 0.5 2.5");
    CHECK(sorted("3, 1.5, 2, -4") == "-4 1.5 2 3");
    CHECK(sorted("'b', 'a', 'B', 'ab', ''") == " B a ab b");
    CHECK(sorted("math.maxinteger, 2^63, math.maxinteger - 1") ==
          "9223372036854775806 9223372036854775807 9.2233720368548e+18");
    CHECK(sorted("'a\\0b', 'a', 'a\\0a'") == "a a\\x00a a\\x00b");
    CHECK(sorted("1, 'a'") == "t.lua:1: attempt to compare string with number");
  }

  TEST_CASE("a function that is no order gives some permutation") {
    for (const char* body :
         {"true", "false", "math.random(2) == 1", "a > b == (a % 3 == 0)"}) {
      INFO(body);
      CHECK(shown(fmt::format(R"((function()
        local t, seen = {{}}, {{}}
        for i = 1, 1000 do t[i] = i end
        table.sort(t, function(a, b) return {} end)
        for i = 1, 1000 do seen[t[i]] = true end
        return #t, #seen
      end)())",
                              body)) == "1000\t1000");
    }
  }

  TEST_CASE("NaN among numbers costs its order, not an element") {
    CHECK(shown(R"((function()
      local t = {}
      for i = 1, 99 do t[i] = i % 7 == 0 and 0/0 or -i + 0.5 end
      table.sort(t)
      local n, sum = 0, 0
      for i = 1, 99 do if t[i] ~= t[i] then n = n + 1 else sum = sum + t[i] end end
      return n, sum
    end)())") == "14\t-4172.5");
  }

  TEST_CASE("an error in the function goes through, and the table is as before") {
    CHECK(shown(R"((function()
      local t = { 3, 1, 2 }
      local ok, why = pcall(table.sort, t, function() error("no", 0) end)
      return ok, why, table.concat(t, " ")
    end)())") == "false\tno\t3 1 2");
  }

  TEST_CASE("a table that the function changes while it is sorted is written over") {
    CHECK(shown(R"((function()
      local t = { 3, 1, 2 }
      table.sort(t, function(a, b) t[1], t[2], t[3], t[4] = nil, nil, nil, 9; return a < b end)
      return table.concat(t, " ")
    end)())") == "1 2 3 9");
  }

  TEST_CASE("sort does not ask __len and __index") {
    CHECK(shown(R"((function()
      local t = setmetatable({ 2, 1 }, { __len = function() return 1 << 40 end,
                                         __index = function() error("asked") end })
      table.sort(t)
      return t[1], t[2]
    end)())") == "1\t2");
  }

  TEST_CASE("a merge asks at most n log2 n times") {
    std::vector<std::int32_t> order(1024);
    std::vector<std::int32_t> spare(1024);
    for (int i = 0; i < 1024; ++i) order[static_cast<std::size_t>(i)] = i * 389 % 1024;
    int asked = 0;
    const auto less = [&](std::int32_t a, std::int32_t b) {
      ++asked;
      return a < b;
    };
    berth::bindings::merge_sort(order.data(), spare.data(), 1024, less);
    CHECK(std::is_sorted(order.begin(), order.end()));
    CHECK(asked <= 10 * 1024);
  }
}
