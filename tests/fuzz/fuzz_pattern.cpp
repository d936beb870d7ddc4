// pattern 0xff replacement 0xff start, text: our find, match, gmatch and gsub against
// those of Lua itself.
//
// Promises: the same answers and the same errors, in the time of the steps that were
// charged.  What our limit of steps refuses is not asked of Lua, which has none.

#include <fmt/format.h>

#include <ctime>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>

#include "bindings/sandbox/sandbox.hpp"
#include "tests/fuzz/expect.hpp"

using namespace berth;
using bindings::Limits;
using bindings::Sandbox;
using fuzz::expect;

namespace {

constexpr std::size_t kLongest = 300;
constexpr std::int64_t kSteps = 2'000'000;  // of all calls
constexpr double kStepsPerSecond = 2e6;     // far less than any machine does

struct Question {
  std::string_view pattern;
  std::string_view replacement;
  std::string_view text;
  int start = 1;
};

// A function of text, pattern, replacement and start; the answer is one text.
constexpr std::string_view kProbe = R"(
local function show(...)
  local shown = table.pack(...)
  for i = 1, shown.n do shown[i] = type(shown[i]) .. ":" .. tostring(shown[i]) end
  return table.concat(shown, "|")
end
local function pairs_of(text, pattern, start)
  local all = {}
  for a, b, c in string.gmatch(text, pattern, start) do
    all[#all + 1] = show(a, b, c)
    if #all > 20 then break end
  end
  return table.concat(all, ",")
end
return function(text, pattern, replacement, start)
  local by_table = { a = "x", ab = 7, [""] = "-", ["1"] = false, [1] = "one" }
  return table.concat({
    show(pcall(string.find, text, pattern, start)),
    show(pcall(string.find, text, pattern, start, true)),
    show(pcall(string.match, text, pattern, start)),
    show(pcall(string.gsub, text, pattern, replacement)),
    show(pcall(string.gsub, text, pattern, replacement, start)),
    show(pcall(string.gsub, text, pattern, show)),
    -- Lua does not look at all captures for a table, so it misses some that are broken.
    pcall(string.gsub, text, pattern, show)
      and show(pcall(string.gsub, text, pattern, by_table)) or "",
    show(pcall(pairs_of, text, pattern, start)),
  }, "\n")
end
)";

struct CloseState {
  void operator()(lua_State* lua) const { lua_close(lua); }
};
using Stock = std::unique_ptr<lua_State, CloseState>;

// The probe is on top; leaves its answer there.
int call_probe(lua_State* lua, const Question& question) {
  lua_pushlstring(lua, question.text.data(), question.text.size());
  lua_pushlstring(lua, question.pattern.data(), question.pattern.size());
  lua_pushlstring(lua, question.replacement.data(), question.replacement.size());
  lua_pushinteger(lua, question.start);
  return lua_pcall(lua, 4, 1, 0);
}

std::string take_text(lua_State* lua) {
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, -1, &length);
  return {text, length};
}

std::string ask_stock(const Question& question) {
  const Stock lua(luaL_newstate());
  luaL_openlibs(lua.get());
  const int status = luaL_loadbuffer(lua.get(), kProbe.data(), kProbe.size(), "@t.lua");
  expect(status == LUA_OK, "the probe compiles", take_text(lua.get()));
  lua_call(lua.get(), 0, 1);
  expect(call_probe(lua.get(), question) == LUA_OK, "the probe ends",
         take_text(lua.get()));
  return take_text(lua.get());
}

struct Asked {
  const Question& question;
  std::string answer;
};

int ask(lua_State* lua) {
  auto& asked = *static_cast<Asked*>(lua_touserdata(lua, 1));
  Sandbox::push_result(lua);
  const int status = call_probe(lua, asked.question);
  if (status != LUA_OK) return lua_error(lua);
  asked.answer = take_text(lua);
  return 0;
}

// nullopt: refused, or stopped at the limit of all steps.
std::optional<std::string> ask_ours(const Question& question) {
  Limits limits;
  limits.work_units = kSteps;
  bindings::Host host;
  host.watchdog = nullptr;
  Sandbox sandbox(limits, 1, host);
  Asked asked{question, {}};
  const std::clock_t start = std::clock();
  try {
    sandbox.load("t.lua", kProbe);
    sandbox.enter(ask, &asked);
  } catch (const Error& error) {
    expect(error.code() == ErrorCode::kTime, "only limits of steps stop", error.what());
    return std::nullopt;
  }
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto steps = static_cast<double>(sandbox.usage().work_units);
  expect(took < 1 + steps / kStepsPerSecond, "no more steps than were charged",
         fmt::format("{} s for {} steps", took, steps));
  return asked.answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr char kEnd = '\xff';
  fuzz::Bytes bytes(data, size);
  Question question;
  question.pattern = bytes.until(kEnd).substr(0, kLongest);
  question.replacement = bytes.until(kEnd).substr(0, kLongest);
  question.start = static_cast<std::int8_t>(bytes.byte());
  question.text = bytes.rest().substr(0, kLongest);
  const auto ours = ask_ours(question);
  if (!ours) return 0;
  const auto stock = ask_stock(question);
  expect(*ours == stock, "our functions answer as Lua's own",
         fmt::format("ours:\n{}\nLua:\n{}", *ours, stock));
  return 0;
}
