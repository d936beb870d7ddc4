#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "report/claims_results.hpp"
#include "report/waits_file.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/small_sweep.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

using test::berth_says;
using test::text_of_file;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The exit status and the message of `berth report` of this folder.
test::Said report_of(const test::ScratchFolder& scratch, const std::string& folder,
                     const std::string& more = "--json") {
  return berth_says({"report", (scratch.path() / folder).string(), "-o",
                     (scratch.path() / "page.html").string(), "--force", more});
}

}  // namespace

TEST_SUITE("report/study_results") {
  TEST_CASE("waits are summed by reason and by job in the way, the longest first") {
    test::MemorySource source(
        "job_id,reason,passes,seconds,first,last,blocker\n"
        "1,no_room,2,5,0,5,7\n2,no_room,1,2.5,0,5,8\n2,depth,3,4,0,5,8\n");
    const auto made = report::read_waits(source, "waits.csv", test::unlimited());
    REQUIRE(made.reasons.size() == 2);
    CHECK(made.reasons[0].words == "no room");
    CHECK(made.reasons[0].jobs == 2);
    CHECK(made.reasons[0].passes == 3);
    CHECK(made.reasons[0].seconds == 7.5);
    REQUIRE(made.blockers.size() == 2);
    CHECK(made.blockers[0].job == 8);
    CHECK(made.blockers[0].seconds == 6.5);
  }

  TEST_CASE("a bad row of waits.csv is refused with line and column") {
    const test::ScratchFolder scratch;
    static_cast<void>(scratch.file(
        "w/waits.csv",
        "job_id,reason,passes,seconds,first,last,blocker\n1,no_room,x,5,0,5,7\n"));
    const auto said = report_of(scratch, "w");
    CHECK(said.code == 3);
    CHECK(has(said.err, "waits.csv:2:11: passes: 'x' is not a whole number"));
    CHECK_FALSE(fs::exists(scratch.path() / "page.html"));
  }

  TEST_CASE("a folder with waits.csv alone is a report of it") {
    const test::ScratchFolder scratch;
    static_cast<void>(scratch.file(
        "w/waits.csv",
        "job_id,reason,passes,seconds,first,last,blocker\n1,no_room,1,5,0,5,\n"));
    const auto said = report_of(scratch, "w");
    REQUIRE(said.code == 0);
    CHECK(nlohmann::json::parse(said.out)["panels"] == nlohmann::json{"waits"});
  }

  TEST_CASE("claims of another format, and text that is none, are refused") {
    CHECK_THROWS_AS(
        static_cast<void>(report::read_claims_results("c", "{}", test::unlimited())),
        Error);
    CHECK_THROWS_AS(
        static_cast<void>(report::read_claims_results("c", "[", test::unlimited())),
        Error);
    CHECK_THROWS_AS(static_cast<void>(report::read_claims_results(
                        "c", R"({"format": 1, "title": ""})", test::unlimited())),
                    Error);
  }

  TEST_CASE("berth claims --out leaves claims.json, and its report shows each claim") {
    const test::ScratchFolder scratch;
    static_cast<void>(scratch.file("c/sweep.toml", test::kSmallSweep));
    static_cast<void>(scratch.file("c/claims.lua", R"(
paper { title = "Does backfilling pay?", axis = "workload.load", found = { "EASY <wins>" } }
claim { "1 <i>", says = "EASY waits less than FCFS", sweep = "sweep.toml", of = "easy",
        against = "fcfs", metric = "mean_wait", rule = "on_average", number = 30, figure = "Fig. 1",
        within = { 0, 1000 } }
claim { "2", says = "at 0.6, too", sweep = "sweep.toml", of = "easy", against = "fcfs", metric = "mean_wait",
        rule = "on_average", at = { ["workload.load"] = 0.6 }, number = 20, figure = "Fig. 1" }
figure { "Fig. 1", says = "waits", sweep = "sweep.toml", of = { "easy", "fcfs" },
         metric = "mean_wait", numbers = { fcfs = { ["0.6"] = 7 } } }
)"));
    const auto out = (scratch.path() / "o").string();
    REQUIRE(
        berth_says({"claims", (scratch.path() / "c").string(), "--out", out}).code ==
        0);
    const auto json =
        nlohmann::json::parse(text_of_file(fs::path(out) / "claims.json"));
    CHECK(json["format"] == 2);
    CHECK(json["claims"][0]["within"]["most"] == 1000);
    CHECK(json["claims"][0]["number"] == 30);
    REQUIRE(report_of(scratch, "o").code == 0);
    const auto page = text_of_file(scratch.path() / "page.html");
    CHECK(has(page, "<bdi>1 &lt;i&gt;</bdi>"));
    CHECK(has(page, "<li><bdi>EASY &lt;wins&gt;</bdi></li>"));
    CHECK(has(page, "data-value=\"" + json["claims"][0]["value"].dump() + "\""));
    CHECK(has(page, "<td>30</td>"));
    CHECK(has(page, "of 2 judged claims"));
    const auto& drawn = json["figures"][0];
    REQUIRE(drawn["series"].size() == 2);
    REQUIRE(drawn["series"][0]["values"].size() == drawn["points"].size());
    CHECK(has(page, "data-chart=\"paper_figures\""));
    CHECK(drawn["series"][1]["values"][0]["number"] == 7);
    CHECK(drawn["series"][1]["values"][1]["number"].is_null());
    // A claim at one point is set beside what it compares.
    REQUIRE(drawn["compared"].size() == 1);
    CHECK(drawn["compared"][0]["claim"] == "2");
    CHECK(drawn["compared"][0]["at"] == "0.6");
    CHECK(drawn["compared"][0]["of"] == "easy");
    CHECK(drawn["compared"][0]["number"] == 20);
    CHECK(drawn["compared"][0]["value"] == json["claims"][1]["value"]);
  }
}
