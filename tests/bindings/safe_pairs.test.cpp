#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::bindings::Sandbox;

namespace {

// The keys that pairs visits, after `change` was run for each.
std::string walk(std::string_view table, std::string_view change = "") {
  return shown(fmt::format(R"((function()
    local t, keys = {}, {{}}
    for k, v in pairs(t) do keys[#keys + 1] = tostring(k); {} end
    return table.concat(keys, " ")
  end)())",
                           table, change));
}

int pairs_over_jobs(lua_State* lua) {
  Sandbox::push_result(lua);
  lua_newtable(lua);
  for (const std::intptr_t job : {40, 8, 24}) {
    lua_pushlightuserdata(lua, reinterpret_cast<void*>(job));
    lua_pushboolean(lua, 1);
    lua_rawset(lua, -3);
  }
  lua_call(lua, 1, 0);
  return 0;
}

// A global table with weak values.
int set_weak_table(lua_State* lua) {
  lua_newtable(lua);
  lua_newtable(lua);
  lua_pushliteral(lua, "v");
  lua_setfield(lua, -2, "__mode");
  lua_setmetatable(lua, -2);
  lua_setglobal(lua, "weak");
  return 0;
}

int call_result(lua_State* lua) {
  Sandbox::push_result(lua);
  lua_call(lua, 0, 0);
  return 0;
}

}  // namespace

TEST_SUITE("bindings/safe_pairs") {
  TEST_CASE(
      "a table whose elements are collected while it is sorted is walked safely") {
    // No script can make a table weak; the walk does not count on that.
    for (int i = 0; i < 10; ++i) {
      Sandbox sandbox(patient_limits(), 1, {});
      sandbox.load("t.lua", R"(return function()
        for i = 1, 3000 do
          weak[i] = {}
          weak["k" .. i] = {}
          if i % 50 == 0 then
            for key, value in pairs(weak) do assert(next(value) == nil) end
          end
        end
      end)");
      sandbox.enter(set_weak_table, nullptr);
      CHECK_NOTHROW(sandbox.enter(call_result, nullptr));
    }
  }

  TEST_CASE("keys come as numbers, texts and booleans, each in order") {
    CHECK(walk("{ 'a', 'b', 'c' }") == "1 2 3");
    CHECK(walk("{ [3] = 1, [1] = 1, [2] = 1, [-1] = 1 }") == "-1 1 2 3");
    CHECK(
        walk("{ z = 1, a = 1, [true] = 1, [2] = 1, [0.5] = 1, [false] = 1, B = 1 }") ==
        "0.5 2 B a z false true");
    CHECK(
        walk("{ [math.maxinteger] = 1, [2^63] = 1, [-2^63] = 1, [1e300] = 1, [-1e300] "
             "= 1 }") ==
        "-1e+300 -9223372036854775808 9223372036854775807 9.2233720368548e+18 1e+300");
    CHECK(walk("{}") == "");
  }

  TEST_CASE("jobs come after texts, by number, and before booleans") {
    std::string printed;
    berth::bindings::Host host;
    host.print = [&](std::string_view line) { printed += line; };
    host.describe = [](const void* value) {
      return fmt::format("job {}", reinterpret_cast<std::intptr_t>(value) / 8);
    };
    Sandbox sandbox(quick_limits(), 1, host);
    sandbox.load("t.lua", R"(return function(t)
      t.text, t[true] = 1, 1
      for k in pairs(t) do print(k, "; ") end
    end)");
    sandbox.enter(pairs_over_jobs, nullptr);
    CHECK(printed == "text\t; job 1\t; job 3\t; job 5\t; true\t; ");
  }

  TEST_CASE("keys removed meanwhile are left out") {
    CHECK(walk("{ a = 1, b = 2, c = 3, d = 4 }",
               "if k == 'a' then t.b, t.c = nil end") == "a d");
    CHECK(walk("{ 1, 2, 3, 4 }", "if k == 1 then t[2], t[4] = nil end") == "1 3");
  }

  TEST_CASE("keys added meanwhile do not disturb the walk") {
    CHECK(walk("{ a = 1, b = 2 }", "for i = 1, 99 do t['x' .. i .. k] = 1 end") ==
          "a b");
    CHECK(walk("{ 7, 8 }", "t.text = 1; t[#t + 1] = k") == "1 2");
  }

  TEST_CASE("texts that were keys once leave no trace in the order of numbers") {
    // Whether the numbers collide with the dead texts depends on the seed of the state.
    for (int i = 0; i < 20; ++i) {
      CHECK(walk("(function() local u = { a = 1, b = 1, c = 1, d = 1 } "
                 "u.a, u.b, u.c = nil u[1000] = 1 u[77] = 1 u[-5] = 1 u.d = nil return "
                 "u end)()") == "-5 77 1000");
    }
  }

  TEST_CASE("other keys are refused without naming one") {
    const char* const kRefused =
        "t.lua:3: keys must be numbers, strings, booleans or jobs";
    CHECK(walk("{ [{}] = 1, a = 2 }") == kRefused);
    CHECK(walk("{ [print] = 1 }") == kRefused);
  }

  TEST_CASE("pairs is raw") {
    CHECK(walk("setmetatable({ 1, 2 }, { __pairs = function() error('asked') end })") ==
          "1 2");
  }

  TEST_CASE("an iterator taken out of its loop shows no hash order") {
    CHECK(shown(R"((function()
      local t = { 5 }
      local step = pairs(t)
      local other = { a = 1, b = 2, c = 3 }
      return step(other, nil)
    end)())") == "1\t5");
  }

  TEST_CASE("next tells only whether a table is empty") {
    CHECK(shown("next({}), next({ 1 }), next({ x = 1 })") == "nil\ttrue\ttrue");
    CHECK(shown("next({ x = 1 }, 'x')") ==
          "t.lua:1: 'next' tells policies only whether a table is empty; walk it with "
          "'pairs'");
  }

  TEST_CASE("the work units of a walk do not depend on the hash seed") {
    // The seed comes from the place of the state in memory, so all of them stay alive.
    std::vector<std::unique_ptr<Sandbox>> sandboxes;
    for (int i = 0; i < 20; ++i) {
      sandboxes.push_back(std::make_unique<Sandbox>(counted_limits(1'000'000), 1,
                                                    berth::bindings::Host{}));
      sandboxes.back()->load("t.lua",
                             "local t = {} for i = 1, 300 do t['key' .. i * 7] = i end "
                             "for i = 1, 20 do for _ in pairs(t) do end end");
      CHECK(sandboxes.back()->usage().longest_entry ==
            sandboxes.front()->usage().longest_entry);
    }
  }

  TEST_CASE("a long walk is charged") {
    const ScriptOutcome outcome = decide(
        "local t = {} for i = 1, 20000 do t['k' .. i] = i end while true do pairs(t) "
        "end",
        counted_limits(3'000'000));
    CHECK(outcome.exit == 5);
    CHECK(outcome.says("work limit (3,000,000 units) reached in decision 1"));
  }
}
