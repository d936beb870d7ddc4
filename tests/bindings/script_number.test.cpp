// Whole numbers above 2^53 that a script hands over: compared as Lua compares them, or
// refused with line and value.

#include "bindings/sandbox/script_number.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/bindings/scene.hpp"
#include "tests/machines/fractional/packing_scene.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using bindings::is_held_by_double;

struct Handed {
  std::string what;
  std::string policy;
  TestMachine machine;
};

// NUMBER is the number that is handed over.
std::vector<Handed> handed() {
  const auto order = [](const std::string& key) {
    return "return { orders = { mine = " + key +
           " }, order = 'mine', schedule = function(queue, cluster) "
           "cluster:start_all(queue) end }";
  };
  const auto all = "local all = {} for j in queue:all() do all[#all + 1] = j end ";
  return {
      {"key of an order", order("function(job) return NUMBER end"), a_machine(4)},
      {"refreshed key", order("{ key = function(job) return NUMBER end, refresh = 1 }"),
       a_machine(4)},
      {"refresh", order("{ key = function(job) return 1 end, refresh = NUMBER }"),
       a_machine(4)},
      {"default of a parameter",
       "return { params = { p = { default = NUMBER, help = 'x' } }, schedule = "
       "function() end }",
       a_machine(4)},
      {"time", once("cluster:wake_at(NUMBER)"), a_machine(4)},
      {"length", once("cluster:book():earliest(1, NUMBER)"), a_machine(4)},
      {"weight of a host",
       once("cluster.hosts:choose(job, function() return NUMBER end)"),
       with_hosts({{"host", 2, 2}})},
      {"weight of servers",
       once("cluster.network:embed(job, { by = { server_weight = function() return "
            "NUMBER end } })"),
       a_network_machine(4)},
      {"weight of slots",
       once("cluster.network:embed(job, { by = { weight = function() return NUMBER end "
            "} })"),
       a_network_machine(4)},
      {"own embedding",
       "return { embedding = { server_weight = function() return NUMBER end }, "
       "schedule "
       "= function(queue, cluster) cluster:start_all(queue) end }",
       a_network_machine(4)},
      {"yield",
       once("cluster.packing:apply(cluster.packing:mcb({ job })) "
            "cluster:share(job, NUMBER)"),
       a_fractional_machine(4, 0.125)},
      {"key of a packer",
       once(all + std::string("cluster.packing:mcb(all, { key = function() return "
                              "NUMBER end })")),
       a_fractional_machine(4, 0.125)},
      {"budget",
       once(all + std::string("cluster.packing:adapt(all, { budget = NUMBER })")),
       a_fractional_machine(4, 0.125)},
  };
}

std::string with(std::string text, const std::string& number) {
  for (auto at = text.find("NUMBER"); at != std::string::npos;
       at = text.find("NUMBER")) {
    text.replace(at, 6, number);
  }
  return text;
}

}  // namespace

TEST_SUITE("bindings/script_number") {
  TEST_CASE(
      "a double holds whole numbers to 2^53, and larger ones with zeros at the end") {
    constexpr lua_Integer k53 = lua_Integer{1} << 53;
    for (const lua_Integer held :
         {lua_Integer{0}, k53, -k53, k53 + 2, LUA_MININTEGER}) {
      CHECK(is_held_by_double(held));
    }
    for (const lua_Integer lost :
         {k53 + 1, -k53 - 1, LUA_MAXINTEGER, LUA_MININTEGER + 1}) {
      CHECK_FALSE(is_held_by_double(lost));
    }
  }

  TEST_CASE(
      "whatever it is handed over for, one that is not held is refused by value") {
    for (const auto& each : handed()) {
      CAPTURE(each.what);
      for (const auto* number :
           {"9007199254740993", "-9007199254740993", "math.maxinteger"}) {
        bindings::PolicyOptions options;
        if (each.what == "own embedding") {
          options.of_machine = bindings::Parameter{
              "embedding", "", std::string("adaba"), {}, {}, {"adaba"}};
        }
        const auto said =
            play(with(each.policy, number), two_jobs(), each.machine, options);
        const std::string digits =
            number == std::string("math.maxinteger") ? "9223372036854775807" : number;
        CAPTURE(said.error);
        CHECK(said.code == ErrorCode::kPolicy);
        CHECK(said.fails_with(digits + ", a whole number that a double does not hold"));
        CHECK(said.fails_with("test.lua"));
      }
    }
  }

  TEST_CASE("keys that a double holds order the queue as Lua compares them") {
    const auto order_of = [](const std::string& key) {
      return play("return { orders = { mine = function(job) return " + key +
                      " end }, order = 'mine', schedule = function(queue, cluster) for "
                      "job in queue:all() do print(job.id) end end }",
                  two_jobs())
          .printed;
    };
    CHECK(order_of("9007199254740992 + 4 * (3 - job.id)").starts_with("2\n1\n"));
    CHECK(order_of("math.mininteger + 4096 * (3 - job.id)").starts_with("2\n1\n"));
    CHECK(order_of("job.id == 1 and 2^53 or 9007199254740990").starts_with("2\n1\n"));
  }

  TEST_CASE("in a file of cases, too") {
    const auto says = [](const std::string& fields) {
      try {
        (void)bindings::read_policy_cases(
            {"x", "x.test.lua",
             "return { { 'the case', processors = 4, jobs = { { 0, 1, 5 } }, " +
                 fields + " } }"},
            {}, study::fields_of_cases());
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kPolicy);
        return std::string(error.what());
      }
      return std::string();
    };
    for (const auto* field :
         {"cpu_use", "half_life", "cycle", "memory", "processors"}) {
      CAPTURE(field);
      CHECK(says(std::string(field) + " = 9007199254740993, starts = { 0 }")
                .find("9007199254740993") != std::string::npos);
    }
    CHECK_FALSE(says("weights = { [9007199254740993] = 2 }, starts = { 0 }").empty());
    CHECK_FALSE(says("weights = { [1] = 9007199254740993 }, starts = { 0 }").empty());
    CHECK_FALSE(says("starts = { 9007199254740993 }").empty());
    CHECK_FALSE(says("order = { 9007199254740993 }").empty());
    CHECK(says("starts = { 0 }").empty());
  }

  TEST_CASE("one reader: lua_tonumber stands nowhere else in the bindings") {
    const auto folder = std::filesystem::path(test::source_root()) / "bindings";
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto kind = entry.path().extension();
      if (kind != ".cpp" && kind != ".hpp") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      CAPTURE(entry.path().string());
      CHECK(text.str().find("lua_tonumber(") == std::string::npos);
      CHECK(text.str().find("luaL_checknumber(") == std::string::npos);
      CHECK(text.str().find("luaL_checkinteger(") == std::string::npos);
      ++files;
    }
    CHECK(files > 20);
  }
}
