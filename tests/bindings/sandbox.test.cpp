#include "bindings/sandbox/sandbox.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <locale.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::Error;
using berth::ErrorCode;
using berth::bindings::Guard;
using berth::bindings::Host;
using berth::bindings::LoadedSource;
using berth::bindings::Sandbox;

namespace {

using Files = std::map<std::string, std::string, std::less<>>;

Host with_library(const Files& files) {
  Host host;
  host.library = [&files](std::string_view name) -> std::optional<LoadedSource> {
    const auto file = files.find(name);
    if (file == files.end()) return std::nullopt;
    return LoadedSource{fmt::format("lib/{}.lua", name), file->second};
  };
  return host;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

int read_result(lua_State* lua) {
  auto& text = *static_cast<std::string*>(lua_touserdata(lua, 1));
  Sandbox::push_result(lua);
  std::size_t length = 0;
  const char* result = luaL_checklstring(lua, -1, &length);
  text.assign(result, length);
  return 0;
}

std::string result_of(Sandbox& sandbox) {
  std::string text;
  sandbox.enter(read_result, &text);
  return text;
}

int call_result(lua_State* lua) {
  Sandbox::push_result(lua);
  lua_call(lua, 0, 0);
  return 0;
}

// Enters the same sandbox once more, as an engine does that computes a key.
int enter_again(lua_State* lua) {
  bool failed = false;
  try {
    Sandbox::of(lua).enter(call_result, nullptr);
  } catch (...) {
    Guard::of(lua).keep(std::current_exception());
    failed = true;
  }
  if (failed) Guard::of(lua).raise(lua);
  return 0;
}

// Fails as an engine does: by an exception, which is kept.
int fail_in_engine(lua_State* lua) {
  try {
    throw std::out_of_range("no such host");
  } catch (const std::exception&) {
    Guard::of(lua).keep(std::current_exception());
  }
  Guard::of(lua).raise(lua);
}

struct Counted {
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  ~Counted() { --alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  int& alive_;
};

bool is_even(const std::string& text) { return text.size() % 2 == 0; }

// A primitive by the rules: the object is gone before the error is raised.
int raise_beside_an_object(lua_State* lua) {
  auto& alive = *static_cast<int*>(lua_touserdata(lua, 1));
  bool even = false;
  {
    const Counted counted(alive);
    even = is_even(std::string(100, 'x'));
  }
  if (even) return luaL_error(lua, "refused");
  return 0;
}

}  // namespace

TEST_SUITE("bindings/sandbox") {
  TEST_CASE("the environment holds what is listed and nothing else") {
    const ScriptOutcome outcome = load(R"(
      for _, group in ipairs { _G, string, table } do
        local names = {}
        for name in pairs(group) do names[#names + 1] = name end
        print(table.concat(names, " "))
      end
      print(math.randomseed, math.random ~= nil, math.pi > 3, _G._G == _G)
    )");
    CHECK(
        outcome.printed ==
        "_G assert collectgarbage dofile error getmetatable ipairs load loadfile "
        "loadstring math next pairs pcall print rawequal rawget rawlen rawset require "
        "select setmetatable string table tonumber tostring type xpcall\n"
        "byte char find format gmatch gsub len lower match rep reverse sub upper\n"
        "concat insert pack remove sort unpack\n"
        "nil\ttrue\ttrue\ttrue\n");
  }

  TEST_CASE("what is refused says so by name") {
    for (const char* name :
         {"load", "loadstring", "loadfile", "dofile", "collectgarbage"}) {
      CHECK(load(fmt::format("{}('x')", name)).first_line() ==
            fmt::format("t.lua:1: '{}' is not available to policies", name));
    }
  }

  TEST_CASE(
      "a load keeps what the chunk returns, also after the script changed its "
      "globals") {
    Sandbox sandbox(quick_limits(), 1, {});
    sandbox.load(
        "t.lua",
        "local all = _G for k in pairs(all) do all[k] = nil end return 'kept'");
    CHECK(result_of(sandbox) == "kept");
  }

  TEST_CASE("an error names its line, shows it, and tells where the simulation stood") {
    const ScriptOutcome outcome =
        run_policy_text("policies/mine.lua",
                        "local function f(x)\n"
                        "  return x.size\n"
                        "end\n"
                        "return { schedule = function() local n = f(nil) "
                        "return n end }\n",
                        quick_limits());
    CHECK(outcome.exit == 4);
    CHECK(outcome.message ==
          "policies/mine.lua:2: attempt to index a nil value (local 'x')\n"
          "     2 |   return x.size\n"
          "stack traceback:\n"
          "    policies/mine.lua:2: in upvalue 'f'\n"
          "    policies/mine.lua:4: in function <policies/mine.lua:4>\n"
          "in decision 1 at t=60");
  }

  TEST_CASE("a file name longer than Lua shows is whole in traceback and excerpt") {
    const std::string name = std::string(80, 'd') + "/mine.lua";
    const ScriptOutcome outcome = run_policy_text(
        name, "return { schedule = function() error('no') end }", quick_limits());
    CHECK(outcome.first_line() == name + ":1: no");
    CHECK(outcome.says("     1 | return { schedule"));
    CHECK(outcome.says("    " + name + ":1: in function"));
  }

  TEST_CASE("a syntax error names its line") {
    CHECK(load("local x =\n= 3").first_line() == "t.lua:2: unexpected symbol near '='");
  }

  TEST_CASE("error objects that are no text are shown without running their code") {
    CHECK(load("error({ code = 2 })").first_line() ==
          "t.lua:1: (error object is a table)");
    CHECK(load("error(nil)").first_line() == "t.lua:1: (error object is a nil)");
    CHECK(load("error(12.5)").first_line() == "t.lua:1: 12.5");
    CHECK(load("error('plain', 0)").first_line() == "t.lua:1: plain");
  }

  TEST_CASE("messages are bounded and have their control bytes escaped") {
    const ScriptOutcome outcome = load("error(('\\27[2J\\r\\xff'):rep(10000))");
    CHECK(outcome.first_line().starts_with("t.lua:1: \\x1b[2J\\x0d\\xff\\x1b"));
    CHECK(outcome.message.size() <= 16 * 1024);
    CHECK(load("error('über\\u{9b}31m')").first_line() == "t.lua:1: über\\xc2\\x9b31m");
  }

  TEST_CASE("a traceback has at most 12 levels") {
    const ScriptOutcome outcome = load(
        "local function f(n) if n == 0 then error('deep') end return 1 + f(n - 1) end "
        "f(90)");
    CHECK(outcome.says("stack traceback:\n"));
    std::size_t levels = 0;
    for (auto at = outcome.message.find("\n    "); at != std::string::npos;
         at = outcome.message.find("\n    ", at + 1)) {
      ++levels;
    }
    CHECK(levels == 14);  // the excerpt, 12 levels, the dots
  }

  TEST_CASE(
      "require loads a file once, in the same environment, and remembers its text") {
    const Files files{{"one", "count = (count or 0) + 1 return { n = count }"},
                      {"two", "return require('one')"},
                      {"none", "seen = true"}};
    Sandbox sandbox(quick_limits(), 1, with_library(files));
    sandbox.load("t.lua",
                 "local a, b = require('two'), require('one')\n"
                 "return tostring(a == b) .. count .. tostring(require('none')) .. "
                 "tostring(seen)");
    CHECK(result_of(sandbox) == "true1truetrue");
    REQUIRE(sandbox.sources().size() == 4);
    CHECK(sandbox.sources()[0].name == "t.lua");
    CHECK(sandbox.sources()[1].name == "lib/two.lua");
    CHECK(sandbox.sources()[2].name == "lib/one.lua");
    CHECK(sandbox.sources()[2].text == files.at("one"));
  }

  TEST_CASE("require refuses other names, circles, absent files and later calls") {
    const Files files{{"a", "return require('b')"},
                      {"b", "return require('a')"},
                      {"bad", "return 1 +"}};
    const auto first_line = [&](const std::string& script) {
      Sandbox sandbox(quick_limits(), 1, with_library(files));
      const std::string error = error_of([&] { sandbox.load("t.lua", script); });
      return error.substr(0, error.find('\n'));
    };
    for (const char* name : {"../a", "a.b", "A", "", "a\\0", "/etc/x"}) {
      CHECK(first_line(fmt::format("require('{}')", name)) ==
            "t.lua:1: bad argument #1 to 'require': a name has only a-z, 0-9 and _");
    }
    CHECK(first_line("require('a')") ==
          "lib/b.lua:1: 'require' of 'a' while it is being loaded");
    CHECK(first_line("require('nowhere')") ==
          "t.lua:1: 'require' finds no file 'nowhere.lua'");
    CHECK(first_line("require('bad')") ==
          "lib/bad.lua:1: unexpected symbol near <eof>");
    CHECK(decide("require('a')").first_line() ==
          "t.lua:1: 'require' is not available to policies once they are loaded");
  }

  TEST_CASE("an exception of the library callback comes out of the load as it was") {
    Host host;
    host.library = [](std::string_view) -> std::optional<LoadedSource> {
      throw Error(ErrorCode::kInput, "lib/x.lua: cannot be read");
    };
    Sandbox sandbox(quick_limits(), 1, host);
    CHECK_THROWS_WITH_AS(sandbox.load("t.lua", "pcall(require, 'x')"),
                         "lib/x.lua: cannot be read", Error);
  }

  TEST_CASE("texts that are too long, precompiled or chained are refused") {
    const std::string long_text(64 * 1024 + 1, ' ');
    CHECK(
        load(long_text).first_line() ==
        "t.lua:1: the text has 65,537 bytes, allowed are 64 KiB; move parts of it to a "
        "file of their own and `require` it");
    CHECK(load(long_text.substr(1)).exit == 0);
    CHECK(load("\x1bLuaT").first_line() ==
          "t.lua:1: this is precompiled Lua; give its text");
    std::string chain = "\nlocal t = {} return t";
    for (int i = 0; i < 201; ++i) chain += ".x";
    CHECK(
        load(chain).first_line() ==
        "t.lua:2: more than 200 accesses in a row, or 500 with those in brackets; keep "
        "a value in between in a local variable");
  }

  TEST_CASE("print joins its arguments, splits lines and escapes control bytes") {
    CHECK(load("print(1, nil, true, {}, print, 'a\\nb', '\\27[m', 2.0)").printed ==
          "1\tnil\ttrue\ttable\tfunction\ta\nb\t\\x1b[m\t2.0\n");
  }

  TEST_CASE("a misspelt global, field or method names the nearest that is there") {
    CHECK(load("requir('x')").first_line() ==
          "t.lua:1: attempt to call a nil value (global 'requir') (did you mean "
          "'require'?)");
    CHECK(load("local t = {} table.insrt(t, 1)").first_line() ==
          "t.lua:1: attempt to call a nil value (field 'insrt') (did you mean "
          "'insert'?)");
    CHECK(load("local s = ('x'):uper()").first_line() ==
          "t.lua:1: attempt to call a nil value (method 'uper') (did you mean "
          "'upper'?)");
    CHECK(load("whatever()").first_line() ==
          "t.lua:1: attempt to call a nil value (global 'whatever')");
    CHECK(load("error(\"it isn't there (or is it: 'x')\")").first_line() ==
          "t.lua:1: it isn't there (or is it: 'x')");
  }

  TEST_CASE("print ends after 1 MiB and says so once") {
    const ScriptOutcome outcome = load("for i = 1, 3000 do print(('x'):rep(1023)) end");
    CHECK(outcome.exit == 0);
    // A line of 1,023 bytes counts 17 more: 1,008 of them fit.
    CHECK(outcome.printed.size() == 1008 * 1024 + 27);
    CHECK(outcome.printed.ends_with("x\nprint output limit reached\n"));
  }

  TEST_CASE("an exception of the print sink ends the run as it was") {
    Host host;
    host.print = [](std::string_view) {
      throw Error(ErrorCode::kOutput, "policy.log: the disk is full");
    };
    Sandbox sandbox(quick_limits(), 1, host);
    CHECK_THROWS_WITH_AS(sandbox.load("t.lua", "pcall(print, 1) while true do end"),
                         "policy.log: the disk is full", Error);
  }

  TEST_CASE("an exception that the engine keeps comes out of the entry as it was") {
    Sandbox sandbox(quick_limits(), 1, {});
    CHECK_THROWS_WITH_AS(sandbox.enter(fail_in_engine, nullptr), "no such host",
                         std::out_of_range);
  }

  TEST_CASE("an entry inside an entry of the same sandbox runs under its limits") {
    Sandbox sandbox(quick_limits(), 1, {});
    sandbox.load(
        "t.lua",
        "return function() n = (n or 0) + 1 if n == 2 then while true do end end end");
    sandbox.enter(enter_again, nullptr);
    const std::string error = error_of([&] { sandbox.enter(call_result, nullptr); });
    CHECK(error.starts_with("t.lua:1: time limit: this decision ran for 0.2 s\n"));
  }

  TEST_CASE("an ordinary error in an inner entry comes out of the outer one") {
    Sandbox sandbox(quick_limits(), 1, {});
    sandbox.load("t.lua", "return function() error('in a key') end");
    CHECK(error_of([&] {
            sandbox.enter(enter_again, nullptr);
          }).starts_with("t.lua:1: in a key\n"));
  }

  TEST_CASE("an ordinary error leaves the sandbox usable, a limit does not") {
    Sandbox sandbox(quick_limits(), 1, {});
    sandbox.load("t.lua",
                 "return function() n = (n or 0) + 1 if n < 3 then error('no') end "
                 "while true do end end");
    CHECK(error_of([&] {
            sandbox.enter(call_result, nullptr);
          }).starts_with("t.lua:1: no\n"));
    CHECK(error_of([&] {
            sandbox.enter(call_result, nullptr);
          }).starts_with("t.lua:1: no\n"));
    const std::string limit = error_of([&] { sandbox.enter(call_result, nullptr); });
    CHECK(limit.starts_with("t.lua:1: time limit"));
    CHECK(error_of([&] { sandbox.enter(call_result, nullptr); }) == limit);
  }

  TEST_CASE("objects of a primitive that raises are destroyed every time") {
    Sandbox sandbox(quick_limits(), 1, {});
    int alive = 0;
    for (int i = 0; i < 10'000; ++i) {
      const std::string error =
          error_of([&] { sandbox.enter(raise_beside_an_object, &alive); });
      REQUIRE(error.starts_with("refused"));
    }
    CHECK(alive == 0);
  }

  TEST_CASE(
      "the locale of the host does not reach the script and comes back after it") {
    const locale_t german = newlocale(LC_ALL_MASK, "de_DE.UTF-8", nullptr);
    if (german == nullptr) {
      MESSAGE("skipped: the locale de_DE.UTF-8 is not installed");
      return;
    }
    const locale_t before = uselocale(german);
    CHECK(shown("1.5, tonumber('2.5'), string.format('%.1f', 0.5)") == "1.5\t2.5\t0.5");
    CHECK(uselocale(before) == german);
    freelocale(german);
  }

  TEST_CASE("two sandboxes do not see each other") {
    Sandbox one(quick_limits(), 1, {});
    Sandbox two(quick_limits(), 1, {});
    one.load("t.lua", "string.len = nil shared = 1 return 'one'");
    two.load("t.lua", "return tostring(shared) .. ('xy'):len()");
    CHECK(result_of(one) == "one");
    CHECK(result_of(two) == "nil2");
  }

  TEST_CASE("strings share a metatable that no script can reach") {
    CHECK(shown("getmetatable('')") == "locked");
    CHECK(load("setmetatable('', {})").exit == 4);
    CHECK(shown("('x'):rep(3), '10' + 1, #'abc'") == "xxx\t11\t3");
    CHECK(shown("('x').pack, ('x').dump, string.dump") == "nil\tnil\tnil");
  }
}
