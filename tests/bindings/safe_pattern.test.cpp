#include <doctest/doctest.h>
#include <fmt/format.h>
#include <locale.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <chrono>
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
                    try(string.gsub, text, pattern, function(...) return show(...) end) }
    -- Lua does not look at all captures for a table, so it misses some that are broken.
    if pcall(string.gsub, text, pattern, show) then
      lines[#lines + 1] = try(string.gsub, text, pattern, { a = "X", ab = 7, [1] = false })
    end
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

// Counts the steps of a pattern of single characters, `.` any, each with a suffix or a
// blank.
class Counted {
 public:
  Counted(std::string_view text, std::string_view items) : text_(text), items_(items) {}

  std::int64_t search() {
    for (std::size_t at = 0; at <= text_.size() && !match(at, 0); ++at) {
    }
    return steps_;
  }

 private:
  [[nodiscard]] bool fits(std::size_t at, std::size_t item) {
    ++steps_;
    return at < text_.size() && (items_[item] == '.' || items_[item] == text_[at]);
  }
  bool match(std::size_t at, std::size_t item) {
    if (item == items_.size()) return true;
    switch (items_[item + 1]) {
      case '?':
        return (fits(at, item) && match(at + 1, item + 2)) || match(at, item + 2);
      case '-': return least(at, item);
      case '*': return most(at, item, at);
      case '+': return most(at, item, at + 1);
      default: return fits(at, item) && match(at + 1, item + 2);
    }
  }
  bool least(std::size_t at, std::size_t item) {
    while (!match(at, item + 2)) {
      if (!fits(at++, item)) return false;
    }
    return true;
  }
  bool most(std::size_t at, std::size_t item, std::size_t first) {
    while (fits(at, item)) ++at;
    for (; at + 1 > first; --at) {
      if (match(at, item + 2)) return true;
    }
    return false;
  }

  std::string_view text_;
  std::string_view items_;
  std::int64_t steps_ = 0;
};

std::int64_t charged(std::string_view body) {
  return decide(body, counted_limits(1'000'000'000)).usage.longest_entry;
}

// How long the call takes with texts that double, while it is allowed; the first that
// is refused.
struct Growth {
  double longest = 0;  // s, of one call
  std::string refused;
};

Growth grow(const std::string& call) {
  Growth growth;
  for (int bytes = 1; bytes <= 1 << 20 && growth.refused.empty(); bytes *= 2) {
    const auto start = std::chrono::steady_clock::now();
    const auto said =
        load(fmt::format("local n = {} local s = ('a'):rep(n)\n", bytes) + call);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    growth.longest = std::max(growth.longest, took.count());
    growth.refused = said.first_line();
  }
  return growth;
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

  TEST_CASE("character classes are those of ASCII for every byte, in every locale") {
    const locale_t latin = newlocale(LC_ALL_MASK, "de_DE.ISO-8859-1", nullptr);
    const locale_t before = uselocale(latin);  // null: it is not installed
    const std::string counts = shown(R"((function()
      local out = {}
      for _, class in ipairs { "%a", "%c", "%d", "%g", "%l", "%p", "%s", "%u", "%w", "%x" } do
        local n = 0
        for byte = 0, 255 do if string.char(byte):find(class) then n = n + 1 end end
        out[#out + 1] = n
      end
      return table.concat(out, " ")
    end)())");
    uselocale(before);
    if (latin != nullptr) freelocale(latin);
    CHECK(counts == "52 33 10 94 26 32 6 26 62 22");
  }

  TEST_CASE("what a search is charged bounds the steps that it takes") {
    RandomEngine engine = berth::random_stream(12, "steps");
    double closest = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::string text = any_of(engine, "aaab", below(engine, 16));
      std::string items;
      for (int k = below(engine, 6); k >= 0; --k) {
        items += any_of(engine, "ab.", 1) + any_of(engine, " ?-*+", 1);
      }
      items += "b ";
      std::string pattern = items;
      std::erase(pattern, ' ');
      CAPTURE(text);
      CAPTURE(pattern);
      const auto most =
          charged(fmt::format("local _ = ('{}'):match('{}')", text, pattern));
      const auto steps = Counted(text, items).search();
      REQUIRE(steps <= most);
      closest =
          std::max(closest, static_cast<double>(steps) / static_cast<double>(most));
    }
    CHECK(closest > 0.5);
  }

  TEST_CASE("a call that is allowed ends soon, and one that might not is refused") {
    for (const std::string call :
         {"s:find(('.-'):rep(8) .. 'b')", "s:find(('(.-)'):rep(4) .. 'b')",
          "s:match(('a*'):rep(3) .. 'b')", "s:find('^' .. ('a*'):rep(3) .. 'b')",
          "s:match(('a?'):rep(n) .. ('a'):rep(n) .. 'b')", "s:find('.*.*$b')",
          "local _ = ('('):rep(n):find('%b()')", "s:match('^(a*)%1b')",
          "s:match('(a*)(a*)%2%1b')", "s:find('%f[' .. ('b'):rep(n) .. ']')",
          "s:find('[' .. ('b'):rep(n) .. ']-b')", "s:gsub(s .. 'b', '')",
          "s:gsub('a*b', '')", "s:gsub('a-', '')", "for _ in s:gmatch('a*b') do end",
          "for _ in s:gmatch('.-') do end", "for _ in s:gmatch('^-.-') do end"}) {
      CAPTURE(call);
      const Growth growth = grow(call);
      CHECK(growth.longest < 2);
      CHECK(
          growth.refused.starts_with("t.lua:2: work limit: a pattern that may take "));
      CHECK(growth.refused.ends_with(" steps (limit 10,000,000)"));
      CHECK(growth.refused == grow(call).refused);
    }
  }

  TEST_CASE("the refusal says what to do, and nothing catches it") {
    const auto said =
        load("local s = ('a'):rep(3000)\npcall(string.find, s, ('.-'):rep(8) .. 'b')");
    CHECK(said.exit == 5);
    CHECK(said.message.starts_with(
        "t.lua:2: work limit: a pattern that may take 9,223,372,036,854,775,807 steps "
        "(limit 10,000,000)\n  (shorten the text, or have fewer of * + - ? in the "
        "pattern; "
        "find with true as its fourth argument takes any text)\n"));
  }

  TEST_CASE("find takes any text without a pattern in it") {
    CHECK(shown("(('a'):rep(1 << 20) .. ''):find('.', 1, true)") == "nil");
    CHECK(shown("(('a'):rep((1 << 20) - 1) .. 'x'):find('x')") == "1048576\t1048576");
    const Growth growth = grow("s:find(s:sub(n // 2) .. 'b')");
    CHECK(growth.longest < 2);
    CHECK(growth.refused.empty());
  }

  TEST_CASE("a pattern that recurses too deeply is an error") {
    CHECK(shown("pcall(string.find, 'a', ('a-'):rep(300))") ==
          "false\tpattern too complex");
  }

  TEST_CASE("an iterator that has ended, or raised, searches no more") {
    const std::string begin = "local it = ('a'):rep(1000):gmatch('a*b') ";
    CHECK(charged(begin + "for _ = 1, 100 do it() end") == charged(begin));
    CHECK(shown("(function() local it = ('ab'):gmatch('(a)%') "
                "return pcall(it), select('#', it()) end)()") == "false\t0");
    CHECK(shown("select('#', ('a'):gmatch(('()'):rep(32))())") == "32");
  }

  TEST_CASE("errors of gsub are those of Lua, with their line") {
    CHECK(load("('a'):gsub('a', 'x%')").first_line() ==
          "t.lua:1: invalid use of '%' in replacement string");
    CHECK(load("('a'):gsub('[a', 'x')").first_line() ==
          "t.lua:1: malformed pattern (missing ']')");
    CHECK(load("('a'):gsub('a', print, {})").first_line() ==
          "t.lua:1: bad argument #3 to 'gsub' (number expected, got table)");
    CHECK(load("('a'):gsub('a')").first_line() ==
          "t.lua:1: bad argument #2 to 'gsub' (string/function/table expected, got no "
          "value)");
    CHECK(load("('a'):gsub('a', function() return {} end)").first_line() ==
          "t.lua:1: invalid replacement value (a table)");
    CHECK(load("('a'):gsub('a', function()\nerror('inside') end)").first_line() ==
          "t.lua:2: inside");
  }

  TEST_CASE("the result of gsub has at most 1 MiB") {
    CHECK(shown("#(('a'):rep(1024):gsub('a', ('b'):rep(1024)))") == "1048576");
    for (const std::string call :
         {"string.gsub, ('a'):rep(1025), 'a', ('b'):rep(1024)",
          "string.gsub, ('a'):rep(1025), 'a', { a = ('b'):rep(1024) }",
          "string.gsub, ('a'):rep(1025), 'a', function() return ('b'):rep(1024) end"}) {
      CHECK(load("pcall(" + call + ")").first_line() ==
            "t.lua:1: memory limit: string of 1,049,600 bytes (limit 1 MiB)");
    }
    // Functions of C run no instruction at which memory would be looked at.
    CHECK(load("pcall(string.gsub, ('b1048576'):rep(100), '(b)(%d+)', string.rep)")
              .exit == 6);
    CHECK(load("pcall(string.gsub, ('a'):rep(1000), '.*', ('%0'):rep(100000))")
              .first_line() ==
          "t.lua:1: memory limit: string of 1,000,901,000 bytes (limit 1 MiB)");
  }

  TEST_CASE("answers that keep the match, and numbers, count as what they add") {
    CHECK(shown("('a1b2'):gsub('%w', { a = false, ['1'] = 10, b = 'B' })") ==
          "a10B2\t4");
    CHECK(shown("#(('a'):rep(100000):gsub('a', function() return 7.5 end))") ==
          "300000");
  }
}
