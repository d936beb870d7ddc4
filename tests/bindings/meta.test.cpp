#include <doctest/doctest.h>

#include <lua.hpp>
#include <memory>

#include "bindings/families.hpp"
#include "bindings/guide.hpp"
#include "engine/base/error.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

bool parses(const std::string& chunk) {
  const std::unique_ptr<lua_State, decltype(&lua_close)> lua(luaL_newstate(),
                                                             lua_close);
  return luaL_loadstring(lua.get(), chunk.c_str()) == LUA_OK;
}

}  // namespace

TEST_SUITE("bindings/meta") {
  TEST_CASE("a parameter that is a function is one parameter") {
    const auto text = bindings::api_definitions();
    CHECK(text.find(
              "---@param order? string|fun(cpu: number, memory: number): number\n") !=
          std::string::npos);
    CHECK(text.find("function Draft:tasks(order) end") != std::string::npos);
    CHECK(text.find("function Draft:put_all(order, by) end") != std::string::npos);
  }

  TEST_CASE("the definitions are Lua and mention every record") {
    const auto text = bindings::api_definitions();
    CHECK(parses(text));
    CHECK_FALSE(parses(text + " end"));
    for (const auto& family : bindings::families()) {
      CHECK(text.find("---@class (exact) " + std::string(family.type)) !=
            std::string::npos);
      for (const auto& primitive : family.primitives) {
        const auto what = primitive.call == nullptr
                              ? "---@field " + std::string(primitive.name) + " "
                              : "function " + std::string(family.type) + ":" +
                                    std::string(primitive.name) + "(";
        CAPTURE(what);
        CHECK(text.find(what) != std::string::npos);
        CHECK(text.find(primitive.brief) != std::string::npos);
      }
    }
  }

  TEST_CASE("the page has a heading and an example for every record") {
    const auto page = bindings::api_page();
    for (const auto& family : bindings::families()) {
      CHECK(page.find("## " + std::string(family.type)) != std::string::npos);
      for (const auto& primitive : family.primitives) {
        CHECK(page.find(primitive.example) != std::string::npos);
      }
    }
  }

  TEST_CASE("the page begins with the policy file, field by field, and idioms") {
    const auto page = bindings::api_page();
    const auto first = page.find("\n## ");
    CHECK(page.compare(first, 18, "\n## A policy file\n") == 0);
    auto last = first;
    for (const auto& topic : bindings::policy_topics()) {
      const auto at = page.find(topic.example, last);
      CAPTURE(topic.name);
      CHECK(at != std::string::npos);
      last = at;
    }
    for (const auto& idiom : bindings::idioms()) {
      CHECK(page.find(idiom.example, last) != std::string::npos);
    }
    CHECK(page.find("\n## Job") > last);
  }

  TEST_CASE("a field of the policy file, or an idiom, is answered by its name") {
    CHECK(bindings::api_text("orders").find("`orders` are further orders") == 0);
    CHECK(bindings::api_text("orders").find("refresh = 3600") != std::string::npos);
    const auto policy = bindings::api_text("policy");
    CHECK(policy.find("A policy is one Lua file") == 0);
    CHECK(policy.find(" promises pack require cases refusals reasons\n") !=
          std::string::npos);
    CHECK(policy.find("  keep_tenth     A part of the machine") != std::string::npos);
    CHECK(bindings::api_text("selective").find("book:place(job)") != std::string::npos);
    CHECK(bindings::api_text("params").find("cluster.params: table") !=
          std::string::npos);
  }

  TEST_CASE("the features of agents have a page") {
    const auto text = bindings::api_text("features");
    CHECK(text.find("What an agent sees") == 0);
    CHECK(text.find("| job | `area` | q(size * walltime, 900 P) |") !=
          std::string::npos);
    CHECK(text.find("| machine | `idle` | idle / P |") != std::string::npos);
    CHECK(bindings::api_page().find("\n### `features`\n") != std::string::npos);
  }

  TEST_CASE("one name shows all that is known of it") {
    const auto text = bindings::api_text("cluster:start");
    CHECK(text.find(
              "cluster:start(job: Job, where?: Processors|Placement|table) -> true?, "
              "refusal? why\n") == 0);
    CHECK(text.find("example: ") != std::string::npos);
    // `start` is a call of the cluster and a field of jobs and plans.
    const auto starts = bindings::api_text("start");
    CHECK(starts.find("job.start: seconds?") != std::string::npos);
    CHECK(starts.find("plan.start: seconds") != std::string::npos);
    CHECK(bindings::api_text("Plan").find("plan:admits") != std::string::npos);
  }

  TEST_CASE("without a name it lists every record in a line") {
    const auto text = bindings::api_text("");
    for (const auto* line : {"\n  cluster:now() -> seconds\n", "\n  job.id: integer\n",
                             "\n  queue:head() -> Job?\n"}) {
      CAPTURE(line);
      CHECK(text.find(line) != std::string::npos);
    }
  }

  TEST_CASE("a name that does not exist is refused with the nearest that does") {
    try {
      (void)bindings::api_text("strat");
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUsage);
      CHECK(
          std::string(error.what()) ==
          "the policy API has no 'strat' (did you mean 'start'?); `berth api` lists it "
          "all");
    }
  }
}
