#include <doctest/doctest.h>

#include <string>

#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;

TEST_SUITE("bindings/safe_base") {
  TEST_CASE("pcall and xpcall catch ordinary errors") {
    CHECK(shown("pcall(function(a, b) return a + b, 'x' end, 1, 2)") == "true\t3\tx");
    CHECK(shown("pcall(error, 'why', 0)") == "false\twhy");
    CHECK(shown("pcall(error)") == "false\tnil");
    CHECK(shown("xpcall(function(a) return a end, print, 5)") == "true\t5");
    CHECK(shown("xpcall(error, function(e) return e .. '!' end, 'why', 0)") ==
          "false\twhy!");
    CHECK(shown("pcall(pcall)") ==
          "false\tbad argument #1 to 'pcall' (value expected)");
    CHECK(shown("select('#', pcall(function() return nil, nil end))") == "3");
    CHECK(shown("pcall(xpcall, print, 1)") ==
          "false\tbad argument #2 to 'xpcall' (function expected, got number)");
  }

  TEST_CASE("an error in a handler ends as an error, not as a loop") {
    CHECK(shown("xpcall(error, function() error('again') end, 'why')")
              .starts_with("false"));
  }

  TEST_CASE("tostring shows types, never addresses") {
    CHECK(shown("tostring({}), tostring(print), tostring(function() end)") ==
          "table\tfunction\tfunction");
    CHECK(shown("tostring(nil), tostring(1), tostring(1.0), tostring(-0.0), "
                "tostring(2^53)") == "nil\t1\t1.0\t-0.0\t9.007199254741e+15");
    CHECK(shown("tostring(setmetatable({}, { __tostring = function() return 'me' end "
                "}))") == "me");
    CHECK(shown("tostring(setmetatable({}, { __name = 'Thing' }))") == "Thing");
    CHECK(shown("pcall(tostring, setmetatable({}, { __tostring = function() return {} "
                "end }))") == "false\t'__tostring' must return a string");
    CHECK(shown("pcall(tostring)") ==
          "false\tbad argument #1 to 'tostring' (value expected)");
  }

  TEST_CASE("tonumber reads what Lua reads") {
    CHECK(shown("tonumber('0x10'), tonumber(' 1e2 '), tonumber('z', 36), "
                "tonumber('1,5')") == "16\t100.0\t35\tnil");
    CHECK(shown("tonumber({}), tonumber('8', 8)") == "nil\tnil");
  }

  TEST_CASE("setmetatable refuses finalizers, weak tables and protected tables") {
    CHECK(shown("pcall(setmetatable, {}, { __gc = true })") ==
          "false\t'__gc' is not available to policies");
    CHECK(shown("pcall(setmetatable, {}, { __mode = 'k' })") ==
          "false\t'__mode' is not available to policies");
    CHECK(shown("pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {})") ==
          "false\tcannot change a protected metatable");
    CHECK(
        shown("pcall(setmetatable, {}, 1)") ==
        "false\tbad argument #2 to 'setmetatable' (nil or table expected, got number)");
    CHECK(shown("getmetatable(setmetatable(setmetatable({}, {}), nil))") == "nil");
  }

  TEST_CASE(
      "what a metatable says is read by setmetatable and at the end of the load") {
    // While the file is loaded a later event counts from the end of the load on.
    const ScriptOutcome outcome = run_policy_text("t.lua", R"(
      local early, late = {}, {}
      local a = setmetatable({}, early)
      early.__index = function() return "early" end
      print(a.x, getmetatable(a) == early)
      local b
      return { schedule = function()
        if b then return end
        b = setmetatable({}, late)
        late.__index = function() return "late" end
        local c = setmetatable({}, late)
        print(a.x, b.x, c.x, getmetatable(b) == late, getmetatable(c) == late)
      end })",
                                                  quick_limits());
    CHECK(outcome.printed == "nil\ttrue\nearly\tnil\tlate\ttrue\ttrue\n");
  }

  TEST_CASE("a table does not turn weak, whatever is put into its metatable later") {
    CHECK(shown(R"((function()
      local meta = {}
      local t = setmetatable({}, meta)
      meta.__mode = "kv"
      for i = 1, 20000 do t[i] = {} end
      local left = 0
      for _ in pairs(t) do left = left + 1 end
      return left, pcall(setmetatable, {}, meta)
    end)())") == "20000\tfalse\t'__mode' is not available to policies");
  }

  TEST_CASE("a finalizer that is added later is refused with the next setmetatable") {
    const ScriptOutcome outcome = decide(R"(
      local meta = {}
      local t = setmetatable({}, meta)
      meta.__gc = function() while true do end end
      t = nil
      for i = 1, 100000 do local _ = { i } end
      setmetatable({}, meta))");
    CHECK(outcome.first_line() == "t.lua:7: '__gc' is not available to policies");
  }

  TEST_CASE("print that prints while its arguments become text keeps the lines apart") {
    CHECK(load("print('a', setmetatable({}, { __tostring = function() print('b') "
               "return 'c' "
               "end }), 'd')")
              .printed == "b\na\tc\td\n");
  }
}
