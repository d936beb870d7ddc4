// What `berth policies` tells of one policy.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/environment.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

using test::berth_says;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("cli/policies") {
  TEST_CASE("policies NAME tells line, paper, machine, file and parameters") {
    const auto easy = berth_says({"policies", "easy", "keasy"});
    REQUIRE(easy.code == 0);
    CHECK(has(easy.out,
              "easy: EASY backfilling (Mu'alem and Feitelson 2001): the first"));
    CHECK(has(easy.out, "\npaper: Mu'alem and Feitelson 2001: Utilization, "));
    CHECK(has(easy.out, "\nmachine: any\n"));
    CHECK(has(easy.out, "policies/easy.lua\n"));
    CHECK(has(easy.out, "    backfill_depth=-1  "));
    CHECK(has(easy.out, "\nmachine: two_tier (cluster.tiers)\n"));
    const auto json =
        nlohmann::json::parse(berth_says({"policies", "fcfs", "--json"}).out);
    REQUIRE(json["policies"].size() == 1);
    CHECK(json["policies"][0]["machine"] == "any");
    CHECK(json["policies"][0]["line"].get<std::string>().starts_with("First come"));
    const test::ScratchFolder scratch;
    const auto mine = scratch.file(
        "mine.lua", "-- Mine: does nothing.  Really.\nreturn { schedule = print }\n");
    CHECK(has(berth_says({"policies", mine}).out, "mine: Mine: does nothing.\n"));
    const auto wrong = berth_says({"policies", "esay"});
    CHECK(wrong.code == 2);
    CHECK(has(wrong.err, "did you mean 'easy'"));
  }

  TEST_CASE("every built-in policy says what it does, in the list, too") {
    const auto json = nlohmann::json::parse(berth_says({"policies", "--json"}).out);
    const auto list = berth_says({"policies"}).out;
    const auto with_parameters = berth_says({"policies", "--parameters"}).out;
    for (const auto& policy : json["policies"]) {
      const auto name = policy["name"].get<std::string>();
      CAPTURE(name);
      const auto line = policy["line"].get<std::string>();
      CHECK(line.size() > 20);
      const auto listed = "\n" + fmt::format("{:<14} {}\n", name, line);
      CHECK(has("\n" + list, listed));
      CHECK(has("\n" + with_parameters, listed));
    }
  }

  TEST_CASE("the list runs no script") {
    const test::ScratchFolder scratch;
    (void)scratch.file("mine.lua",
                       "-- Mine, after Li et al. 2018. More.\nerror('ran')\n");
    const test::Variable policies("BERTH_POLICIES", scratch.path().string());
    const auto list = berth_says({"policies"});
    CHECK(list.code == 0);
    CHECK(has(list.out, "mine           Mine, after Li et al. 2018.\n"));
    CHECK(berth_says({"policies", "mine"}).code != 0);
  }
}
