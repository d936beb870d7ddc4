#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::bindings::Limits;

// What a plain embedding of Lua 5.4.4 lets through, beside what tests/bindings/hostile
// and tests/bindings/sandbox_limits try.
TEST_SUITE("bindings/sandbox_attacks") {
  TEST_CASE("coroutines, files, processes, modules and debugging are absent") {
    CHECK(shown("coroutine, io, os, package, debug, utf8, table.move, string.dump, "
                "string.pack, warn, _VERSION") ==
          "nil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil");
  }

  TEST_CASE("a weak table emptied while it is assigned to ends at the memory limit") {
    // Weak only after setmetatable has looked; the fault needs a collection that a
    // refused allocation causes.
    const ScriptOutcome outcome = decide(R"(
      local keep = {}
      while true do
        local meta = { __newindex = {} }
        local weak = setmetatable({}, meta)
        meta.__mode = "kv"
        for i = 1, 50 do
          meta.__newindex = {}
          weak["k" .. i] = { i }
          keep[#keep + 1] = { weak, i }
        end
      end)",
                                         patient_limits());
    CHECK(outcome.exit == 6);
    CHECK(outcome.first_line().ends_with("memory limit: 64 MiB live"));
  }

  TEST_CASE("an expression of 100,000 accesses is refused before it is compiled") {
    std::string chain = "return t";
    for (int i = 0; i < 100'000; ++i) chain += ".x";
    Limits limits = quick_limits();
    limits.source_kib = 0;
    CHECK(load(chain + ".nope.y", limits)
              .first_line()
              .starts_with("t.lua:1: more than 200 accesses in a row"));
  }

  TEST_CASE("a text of deep nesting is an error of the compiler, not an overflow") {
    for (const char* opening : {"(", "{", "do ", "x[", "function() ", "- "}) {
      INFO(opening);
      std::string text = "x = ";
      while (text.size() < 60'000) text += opening;
      CHECK(load(text).exit == 4);
    }
  }

  TEST_CASE("recursion through metamethods and library functions is an error") {
    for (const char* body :
         {"local function f(n) return 1 + f(n + 1) end f(1)",
          "local t = setmetatable({}, { __index = function(t, k) return t[k] end }) "
          "local _ = t.x",
          "local function f(s) return (s:gsub('.', f)) end f('x')",
          "local function f() table.sort({ 1, 2 }, f) end f()",
          "local function f() return pcall(f) end local ok = f() error('end')",
          "local t = {} setmetatable(t, { __tostring = function() return tostring(t) "
          "end }) "
          "tostring(t)"}) {
      INFO(body);
      const ScriptOutcome outcome = decide(body, patient_limits());
      INFO(outcome.message);
      CHECK(outcome.exit == 4);
      CHECK(outcome.first_line().starts_with("t.lua:1: "));
    }
  }

  TEST_CASE(
      "a sort of 1,000 equal keys in the shape of organ pipes is the same every time") {
    constexpr std::string_view kSort = R"(
      local t = {}
      for i = 1, 1000 do t[i] = { math.min(i, 1001 - i) // 50, i } end
      table.sort(t, function(a, b) return a[1] < b[1] end)
      local sum = 0
      for i = 1, 1000 do sum = (sum * 31 + t[i][2]) % 1000003 end
      print(sum))";
    const std::string first = decide(kSort).printed;
    CHECK(first.size() > 6);
    for (int i = 0; i < 5; ++i) CHECK(decide(kSort).printed == first);
  }

  TEST_CASE("no text of a value holds an address") {
    CHECK(shown(R"((function()
      local values = { {}, type, function() end, string, setmetatable({}, {}), "", 1 }
      local texts = {}
      for _, v in ipairs(values) do
        texts[#texts + 1] = tostring(v)
        texts[#texts + 1] = ("%s %10s"):format(v, v)
        for _, f in ipairs { function() return v.x.y end, function() return v + {} end,
                             function() return v < {} end, function() return v .. {} end,
                             function() v() end, function() return #v + v end,
                             function() for i = v, v do end end,
                             function() error(v) end, function() ipairs(v, v)(v) end,
                             function() setmetatable(v, v) end,
                             function() string.rep(v, v) end } do
          texts[#texts + 1] = tostring((select(2, pcall(f))))
        end
      end
      local text = table.concat(texts, "\n")
      return #text > 1000, text:find("0x%x%x%x%x"), text:find("%x%x%x%x%x%x%x%x")
    end)())") == "true\tnil\tnil");
  }
}
