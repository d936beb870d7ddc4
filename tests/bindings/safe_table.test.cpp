#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;

namespace {

// The list after `change` was made to t.
std::string after(std::string_view list, std::string_view change) {
  return shown(fmt::format(
      "(function() local t = {{{}}}; {}; return table.concat(t, ' ') end)()", list,
      change));
}

}  // namespace

TEST_SUITE("bindings/safe_table") {
  TEST_CASE("insert adds at the end or in between") {
    CHECK(after("1, 2", "table.insert(t, 3)") == "1 2 3");
    CHECK(after("1, 2", "table.insert(t, 1, 0)") == "0 1 2");
    CHECK(after("1, 2", "table.insert(t, 3, 9)") == "1 2 9");
    CHECK(after("", "table.insert(t, 'a')") == "a");
    CHECK(shown("pcall(table.insert, { 1 }, 5, 1)") ==
          "false\tbad argument #2 to 'table.insert' (position out of bounds)");
    CHECK(shown("pcall(table.insert, { 1 })") ==
          "false\twrong number of arguments to 'insert'");
    CHECK(shown("pcall(table.insert, nil, 1)") ==
          "false\tbad argument #1 to 'table.insert' (table expected, got nil)");
  }

  TEST_CASE("remove takes one out and closes the gap") {
    CHECK(after("1, 2, 3", "local first = table.remove(t, 1) t[3] = first * 10") ==
          "2 3 10");
    CHECK(after("1, 2, 3", "table.remove(t)") == "1 2");
    CHECK(after("1, 2, 3", "table.remove(t, 4)") == "1 2 3");
    CHECK(shown("table.remove({}), table.remove({}, 0), #{}") == "nil\tnil\t0");
    CHECK(shown("pcall(table.remove, { 1, 2 }, 7)") ==
          "false\tbad argument #2 to 'table.remove' (position out of bounds)");
  }

  TEST_CASE("concat joins texts and numbers") {
    CHECK(shown("table.concat({ 1, 'b', 2.5 }, ', ')") == "1, b, 2.5");
    CHECK(shown("table.concat({ 1, 2, 3 }, '', 2, 3), table.concat({}, 'x')") ==
          "23\t");
    CHECK(shown("pcall(table.concat, { 1, {}, 3 })") ==
          "false\tinvalid value (at index 2) in table for 'concat'");
    CHECK(shown("pcall(table.concat, {}, '', 1, math.maxinteger)") ==
          "false\tinvalid value (at index 1) in table for 'concat'");
    CHECK(shown("table.concat({ [math.maxinteger] = 'end' }, '-', math.maxinteger, "
                "math.maxinteger)") == "end");
  }

  TEST_CASE("a result of concat with more than 1 MiB is refused") {
    CHECK(load("local t = {} for i = 1, 1025 do t[i] = ('x'):rep(1024) end "
               "pcall(table.concat, t)")
              .first_line() ==
          "t.lua:1: memory limit: string of 1,049,600 bytes (limit 1 MiB)");
  }

  TEST_CASE("pack and unpack are inverse, up to 4,096 values") {
    CHECK(shown("table.unpack(table.pack(1, nil, 3), 1, 3)") == "1\tnil\t3");
    CHECK(shown("table.pack(nil, nil).n, table.pack().n") == "2\t0");
    CHECK(shown("select('#', table.unpack({}, 1, 4096))") == "4096");
    for (const char* range :
         {"1, 4097", "1, 1 << 40", "math.mininteger, math.maxinteger"}) {
      CHECK(shown(fmt::format("pcall(table.unpack, {{}}, {})", range)) ==
            "false\ttoo many results to unpack (at most 4,096)");
    }
  }

  TEST_CASE("table functions work raw, so a length cannot lie") {
    CHECK(shown(R"((function()
      local t = setmetatable({ 1, 2 }, { __len = function() return 1 << 40 end,
                                         __index = function() error("asked") end,
                                         __newindex = function() error("asked") end })
      table.insert(t, 3)
      table.insert(t, 1, 0)
      table.remove(t)
      return table.concat(t, " "), table.unpack(t)
    end)())") == "0 1 2\t0\t1\t2");
  }

  TEST_CASE("moving many elements is charged one unit each") {
    const ScriptOutcome outcome = decide(
        "local t = {} for i = 1, 50000 do t[i] = i end while true do table.insert(t, "
        "1, 0) end",
        counted_limits(5'000'000));
    CHECK(outcome.exit == 5);
    CHECK(outcome.usage.longest_entry >= 5'000'000);
    CHECK(outcome.usage.longest_entry < 5'010'000);
  }
}
