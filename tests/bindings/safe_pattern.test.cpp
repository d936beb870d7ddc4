#include <doctest/doctest.h>
#include <fmt/format.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <memory>
#include <string>

#include "engine/base/random_stream.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::RandomEngine;
using berth::bindings::Sandbox;

namespace {

int below(RandomEngine& engine, int limit) {
  return boost::random::uniform_int_distribution<int>(0, limit - 1)(engine);
}

std::string any_of(RandomEngine& engine, std::string_view bytes, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) {
    text +=
        bytes[static_cast<std::size_t>(below(engine, static_cast<int>(bytes.size())))];
  }
  return text;
}

// Pieces that make patterns, whole and broken ones.
std::string random_pattern(RandomEngine& engine) {
  static constexpr std::string_view kPieces[] = {
      "a",    "b",    ".",      "%a",    "%d",   "%s",    "%W",     "%x", "%u", "%p",
      "[ab]", "[^a]", "[a-c]",  "[%d_]", "[]]",  "[^]]",  "[a-]",   "(",  ")",  "()",
      "(a*)", "(.-)", "%1",     "%b()",  "%bab", "%f[a]", "%f[%A]", "^",  "$",  "*",
      "+",    "-",    "?",      "%%",    "%.",   "\\0",   "%",      "[",  "%g", "%C",
      "z",    "%z",   "[%a-z]", "%2",    "(b)",  "x*",    "b?",     ".*", ".-", "%l+"};
  std::string pattern;
  for (int i = below(engine, 6); i >= 0; --i) {
    pattern += kPieces[static_cast<std::size_t>(below(engine, std::size(kPieces)))];
  }
  return pattern;
}

struct CloseState {
  void operator()(lua_State* lua) const { lua_close(lua); }
};
using Stock = std::unique_ptr<lua_State, CloseState>;

Stock stock_state() {
  Stock lua(luaL_newstate());
  luaL_openlibs(lua.get());
  return lua;
}

// Lines that tell what all four functions make of one text and one pattern.
constexpr std::string_view kProbe = R"(
  local function show(...)
    local t = table.pack(...)
    for i = 1, t.n do t[i] = tostring(t[i]) end
    return table.concat(t, "|")
  end
  local function try(f, ...)
    local r = table.pack(pcall(f, ...))
    if not r[1] then return (tostring(r[2]):gsub("^t%.lua:%d+: ", "")) end
    return show(table.unpack(r, 1, r.n))
  end
  function probe(text, pattern, start)
    local lines = { try(string.find, text, pattern, start),
                    try(string.match, text, pattern, start),
                    try(string.find, text, pattern, start, true),
                    try(string.gsub, text, pattern, "<%0>"),
                    try(string.gsub, text, pattern, "%1-", 2),
                    try(string.gsub, text, pattern, { a = "X", ab = 7, [1] = false }),
                    try(string.gsub, text, pattern, function(...) return show(...) end) }
    lines[#lines + 1] = try(function()
      local all = {}
      for a, b, c in string.gmatch(text, pattern, start) do
        all[#all + 1] = show(a, b, c)
        if #all > 50 then break end
      end
      return table.concat(all, ",")
    end)
    return table.concat(lines, "\n")
  end
)";

std::string call_probe(lua_State* lua, const std::string& text,
                       const std::string& pattern, int start) {
  lua_getglobal(lua, "probe");
  lua_pushlstring(lua, text.data(), text.size());
  lua_pushlstring(lua, pattern.data(), pattern.size());
  lua_pushinteger(lua, start);
  if (lua_pcall(lua, 3, 1, 0) != LUA_OK) return "error";
  std::size_t length = 0;
  const char* answer = lua_tolstring(lua, -1, &length);
  std::string out(answer, length);
  lua_pop(lua, 1);
  return out;
}

// The same question for our sandbox, handed over as the context.
struct Question {
  std::string text;
  std::string pattern;
  int start;
  std::string answer;
};

int ask(lua_State* lua) {
  auto& question = *static_cast<Question*>(lua_touserdata(lua, 1));
  question.answer = call_probe(lua, question.text, question.pattern, question.start);
  return 0;
}

}  // namespace

TEST_SUITE("bindings/safe_pattern") {
  TEST_CASE("find, match, gmatch and gsub answer as Lua's own on random patterns") {
    const Stock stock = stock_state();
    REQUIRE(luaL_loadbuffer(stock.get(), kProbe.data(), kProbe.size(), "@t.lua") ==
            LUA_OK);
    REQUIRE(lua_pcall(stock.get(), 0, 0, 0) == LUA_OK);
    Sandbox sandbox(quick_limits(), 1, {});
    sandbox.load("t.lua", kProbe);
    RandomEngine engine = berth::random_stream(11, "patterns");
    int matched = 0;
    for (int i = 0; i < 6000; ++i) {
      Question question;
      question.text = any_of(engine, "aabbcAB1 (_)].\n", below(engine, 14));
      question.pattern = random_pattern(engine);
      question.start = below(engine, 12) - 4;
      sandbox.enter(ask, &question);
      const std::string expected =
          call_probe(stock.get(), question.text, question.pattern, question.start);
      matched += expected.starts_with("true|nil") ? 0 : 1;
      INFO(fmt::format("text '{}' pattern '{}' start {}", question.text,
                       question.pattern, question.start));
      REQUIRE(question.answer == expected);
    }
    CHECK(matched > 1000);
  }

  TEST_CASE("character classes are those of ASCII for every byte") {
    CHECK(shown(R"((function()
      local out = {}
      for _, class in ipairs { "%a", "%c", "%d", "%g", "%l", "%p", "%s", "%u", "%w", "%x" } do
        local n = 0
        for byte = 0, 255 do if string.char(byte):find(class) then n = n + 1 end end
        out[#out + 1] = n
      end
      return table.concat(out, " ")
    end)())") == "52 33 10 94 26 32 6 26 62 22");
  }

  TEST_CASE("backtracking without end stops at the time limit and at the work limit") {
    constexpr std::string_view kSlow =
        R"(local s = ("a"):rep(3000); s:find((".-"):rep(8) .. "b"))";
    CHECK(decide(kSlow).exit == 5);
    const ScriptOutcome counted = decide(kSlow, counted_limits(1'000'000));
    CHECK(counted.first_line() ==
          "t.lua:1: work limit (1,000,000 units) reached in decision 1 at t=60");
  }

  TEST_CASE("a pattern that recurses too deeply is refused") {
    CHECK(
        shown("(('a?'):rep(300)), pcall(string.find, ('a'):rep(300), ('a?'):rep(300))")
            .ends_with("false\tpattern too complex"));
  }

  TEST_CASE("the result of gsub has at most 1 MiB") {
    CHECK(shown("#(('a'):rep(1024):gsub('a', ('b'):rep(1024)))") == "1048576");
    CHECK(load("pcall(string.gsub, ('a'):rep(1025), 'a', ('b'):rep(1024))")
              .first_line() ==
          "t.lua:1: memory limit: string of 1,049,600 bytes (limit 1 MiB)");
  }
}
