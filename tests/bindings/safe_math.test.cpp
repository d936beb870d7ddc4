#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth::test;
using berth::bindings::Host;
using berth::bindings::Sandbox;

namespace {

std::string printed_with_seed(std::uint64_t seed, std::string_view script) {
  std::string printed;
  Host host;
  host.print = [&](std::string_view line) { printed += line; };
  Sandbox sandbox(quick_limits(), seed, host);
  sandbox.load("t.lua", script);
  return printed;
}

}  // namespace

TEST_SUITE("bindings/safe_math") {
  TEST_CASE("random draws from the stream named policy") {
    berth::RandomEngine engine = berth::random_stream(42, "policy");
    const double first = berth::uniform(engine);
    const auto bits = static_cast<std::int64_t>(engine());
    CHECK(printed_with_seed(42,
                            "print(('%.17g'):format(math.random()), math.random(0))") ==
          fmt::format("{:.17g}\t{}", first, bits));
  }

  TEST_CASE("the same seed gives the same numbers, another seed others") {
    constexpr std::string_view kScript =
        "for i = 1, 20 do print(math.random(100), math.random(), math.random(-5, 5)) "
        "end";
    CHECK(printed_with_seed(1, kScript) == printed_with_seed(1, kScript));
    CHECK(printed_with_seed(1, kScript) != printed_with_seed(2, kScript));
  }

  TEST_CASE("random keeps the contract of Lua's own") {
    CHECK(shown("math.random(7, 7), math.random(1)") == "7\t1");
    CHECK(shown("pcall(math.random, 0, -1)") ==
          "false\tbad argument #2 to 'math.random' (interval is empty)");
    CHECK(shown("pcall(math.random, -3)") ==
          "false\tbad argument #1 to 'math.random' (interval is empty)");
    CHECK(shown("pcall(math.random, 1, 2, 3)") == "false\twrong number of arguments");
    CHECK(shown("pcall(math.random, 1.5)") ==
          "false\tbad argument #1 to 'math.random' (number has no integer "
          "representation)");
    CHECK(shown("math.type(math.random(math.mininteger, math.maxinteger))") ==
          "integer");
  }

  TEST_CASE("draws from one to six come out evenly") {
    // 6,000 draws: each count within 5 standard deviations (29) of 1,000.
    CHECK(shown(R"((function()
      local count = { 0, 0, 0, 0, 0, 0 }
      for i = 1, 6000 do local k = math.random(6) count[k] = count[k] + 1 end
      for k = 1, 6 do if math.abs(count[k] - 1000) > 145 then return count[k] end end
      return "even"
    end)())") == "even");
  }

  TEST_CASE("reseeding is absent") { CHECK(shown("math.randomseed") == "nil"); }
}
