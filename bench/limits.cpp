// How long over its limit a spinning policy runs: several ways of spinning, several
// limits.
//
// bench_limits [SECONDS...] : these limits; 0.2 0.5 1 5 unless given.  Exit 1 if one
// ran more than 10 % over.

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "engine/base/error.hpp"

using namespace berth;
using bindings::Sandbox;

namespace {

struct Spin {
  std::string_view name;
  std::string_view body;
};

constexpr double kMostOver = 1.1;
constexpr std::array kSpins{
    Spin{"loop", "while true do end"},
    Spin{"caught", "while true do pcall(function() while true do end end) end"},
    Spin{"handler", "xpcall(error, function() while true do end end)"},
    Spin{"close",
         "local x <close> = setmetatable({}, { __close = function() while true do end "
         "end })"},
    Spin{"deep",
         "local function f(n) if n == 0 then while true do end end return 1 + "
         "f(n - 1) end f(150000)"},
    Spin{"pattern", "local s = ('a'):rep(80) while true do s:find('.-.-.-b') end"},
    Spin{"long set",
         "local s, set = ('x'):rep(100), ('a'):rep(10000) while true do "
         "s:find('[' .. set .. ']-b') end"},
    Spin{"plain find",
         "local s, w = ('a'):rep(1000000), ('a'):rep(500000) .. 'b' while "
         "true do s:find(w, 1, true) end"},
    Spin{"long texts",
         "local a = ('a'):rep(1000000) local b = a .. 'b' while true do "
         "local _ = a < b end"},
    Spin{"zero bytes",
         "local a = ('\\0'):rep(1000000) local b = a .. 'b' while true do "
         "local _ = a < b end"},
    Spin{"sort",
         "local t = {} for i = 1, 30000 do t[i] = i * 7919 % 30011 end while true "
         "do table.sort(t, function(a, b) return a < b end) t[1] = -t[1] end"},
    Spin{"pairs",
         "local t = {} for i = 1, 99999 do t['k' .. i] = i end while true do "
         "for _ in pairs(t) do break end end"},
    Spin{"garbage", "while true do local t = { {}, {}, {} } end"},
    Spin{"near limit",
         "local keep = {} for i = 1, 250000 do keep[i] = { i } end while "
         "true do local t = { {} } end"},
    Spin{"print", "while true do print('x') end"}};

int call_result(lua_State* lua) {
  Sandbox::push_result(lua);
  lua_call(lua, 0, 0);
  return 0;
}

// Seconds that the entry took, or less than nothing if it was not its time limit that
// ended it.
double seconds_under(double limit, const Spin& spin) {
  bindings::Limits limits;
  limits.time_seconds = limit;
  limits.memory_mib = 64;
  bindings::Host host;
  host.print = [](std::string_view) {};
  Sandbox sandbox(limits, 1, host);
  sandbox.load("spin.lua", fmt::format("return function() {} end", spin.body));
  const auto begin = std::chrono::steady_clock::now();
  try {
    sandbox.enter(call_result, nullptr);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kTime) return -1;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

std::vector<double> limits_from(int count, char** arguments) {
  std::vector<double> limits;
  for (int i = 1; i < count; ++i) limits.push_back(std::atof(arguments[i]));
  if (limits.empty()) limits = {0.2, 0.5, 1, 5};
  return limits;
}

}  // namespace

int main(int count, char** arguments) {
  const auto limits = limits_from(count, arguments);
  bool within = true;
  fmt::print("{:<12}", "limit, s");
  for (const double limit : limits) fmt::print("{:>9g}", limit);
  fmt::print("\n");
  for (const Spin& spin : kSpins) {
    fmt::print("{:<12}", spin.name);
    for (const double limit : limits) {
      const double took = seconds_under(limit, spin);
      within = within && took > 0 && took <= limit * kMostOver;
      fmt::print("{:>9.3f}", took);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  return within ? 0 : 1;
}
