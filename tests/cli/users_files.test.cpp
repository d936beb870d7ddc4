// The files that tell who is served and who is hurt (docs/model.md#expectations).

#include <doctest/doctest.h>

#include "tests/support/played.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t kGib = 1'048'576;

// Two processors and 4 GiB; four jobs of 1 s of user 1, two of 2 s of user 2, a GiB
// each.
PlayedScenario two_users(const std::string& more) {
  std::vector<TraceRow> rows;
  for (int i = 0; i < 4; ++i) rows.push_back({0, 1, 1, 0, 1, kGib});
  for (int i = 0; i < 2; ++i) rows.push_back({0, 1, 2, 0, 2, kGib});
  return {rows,
          "[machine]\nprocessors = 2\nmemory = 4\n"
          "[workload]\ntrace = \"jobs.swf\"\n[shares]\nhalf_life = 0\n" +
              more};
}

constexpr const char* kHeader =
    "user,group,weight,jobs,finished,processor_seconds,mean_wait,mean_response,"
    "mean_slowdown,mean_bounded_slowdown,usage,violated,veet,tardiness,"
    "weighted_tardiness,longest_line\n";

}  // namespace

TEST_SUITE("cli/users_files") {
  TEST_CASE("every run writes a row a user") {
    auto played = two_users("[shares.users]\n2 = 3\n");
    REQUIRE(played.run("fcfs").code == 0);
    CHECK(played.text("users.csv") == std::string(kHeader) +
                                          "1,,1,4,4,4,0.5,1.5,1.5,1,4,,,,,\n"
                                          "2,,3,2,2,4,2,4,2,1,4,,,,,\n");
    CHECK(played.text("heatmap.csv").empty());
    CHECK(played.text("expectations.csv").empty());
    const auto summary = played.text("summary.json");
    CHECK(summary.find("\"distributions\": {\n    \"mean_wait\": {\n      \"n\": 2,\n"
                       "      \"min\": 0.5,\n      \"low_whisker\": 0.5,\n"
                       "      \"q1\": 0.875,\n      \"median\": 1.25,\n"
                       "      \"q3\": 1.625,\n      \"high_whisker\": 2.0,\n"
                       "      \"max\": 2.0,\n      \"outliers\": []") !=
          std::string::npos);
    CHECK(summary.find("\"half_life\": 0") != std::string::npos);
    CHECK(played.text("manifest.json").find("users.csv") != std::string::npos);
  }

  TEST_CASE("with expectations it says whose jobs end late") {
    auto played = two_users("[run]\nexpectations = true\n");
    REQUIRE(played.run("fcfs").code == 0);
    CHECK(played.text("users.csv") == std::string(kHeader) +
                                          "1,,1,4,4,4,0.5,1.5,1.5,1,4,0,0,0,0,0\n"
                                          "2,,1,2,2,4,2,4,2,1,4,1,50,2,2,1\n");
    CHECK(played.text("heatmap.csv") == "user,from,to,violations\n2,0,1,1\n");
    CHECK(played.text("expectations.csv") ==
          "job_id,user,size,eet,finish_time,tardiness\n"
          "1,1,1,1,1,0\n2,1,1,2,1,0\n3,1,1,3,2,0\n4,1,1,4,2,0\n"
          "5,2,1,2,4,2\n6,2,1,4,4,0\n");
    const auto summary = played.text("summary.json");
    for (const auto* metric :
         {"violated_jobs", "median_veet", "p75_veet", "max_veet",
          "total_weighted_tardiness", "line_ratio", "median_weighted_tardiness",
          "p75_weighted_tardiness", "jain_index_of_user_slowdowns",
          "utilisation_of_memory"}) {
      CAPTURE(metric);
      CHECK(summary.find(std::string("\"") + metric + "\"") != std::string::npos);
    }
    CHECK(summary.find("\"max_veet\": {\n      \"value\": 50.0,") != std::string::npos);
    CHECK(summary.find("\"veet\": {\n      \"n\": 2,") != std::string::npos);
  }

  TEST_CASE("users and jobs that are ignored are poured, not judged") {
    auto played = two_users("[run]\nexpectations = true\n");
    REQUIRE(played.run("fcfs", {"--set", "expectations.ignore_users=2"}).code == 0);
    auto users = columns_of(played.text("users.csv"));
    CHECK(users["violated"] == std::vector<std::string>{"0", "0"});
    CHECK(users["veet"] == std::vector<std::string>{"0", ""});
    CHECK(columns_of(played.text("expectations.csv"))["job_id"].size() == 4);
    CHECK(played.run("fcfs", {"--set", "expectations.ignore_users=two"}).code != 0);
  }

  TEST_CASE("the share of memory counts where it ends later") {
    auto played =
        two_users("[run]\nexpectations = true\n[expectations]\nmemory = 0.5\n");
    REQUIRE(played.run("fcfs").code == 0);
    // A job of 1 GiB takes twice its length of half a GiB.
    CHECK(columns_of(played.text("expectations.csv"))["eet"] ==
          std::vector<std::string>{"2", "4", "6", "8", "4", "8"});
  }

  TEST_CASE("the time line and the metrics have what is used of each kind") {
    auto played = two_users("");
    REQUIRE(played.run("fcfs").code == 0);
    auto bins = columns_of(played.text("timeline.csv"));
    CHECK(bins["used_memory_mean"] == std::vector<std::string>(4, "2097152"));
    CHECK(bins["used_memory_max"] == std::vector<std::string>(4, "2097152"));
    auto jobs = columns_of(played.text("jobs.csv"));
    CHECK(jobs["need_memory"] == std::vector<std::string>(6, "1048576"));
    const auto said = played.run("fcfs", {"--metric", "utilisation_of_memory"});
    CHECK(said.out.find("0.5") != std::string::npos);
  }

  TEST_CASE("a share of 0 processors is refused with its place") {
    auto played = two_users("[expectations]\nprocessors = 0\n");
    const auto said = played.run("fcfs");
    CHECK(said.code == 3);
    CHECK(said.err.find("case.toml:9:14: expectations.processors") !=
          std::string::npos);
  }

  // Waits of hours on a site weigh little against the fair share, unless age is given
  // more weight (docs/users.md).
  TEST_CASE("on the site's jobs, age parts multifactor from fairshare_easy") {
    const ScratchFolder folder;
    const auto schedule = [&](const std::string& policy) {
      const auto out = (folder.path() / policy).string();
      const auto said = berth_says({"run", source_root() + "/scenarios/site.toml",
                                    "--policy", policy, "--out", out});
      CHECK_MESSAGE(said.code == 0, said.err);
      return text_of_file(out + "/jobs.csv");
    };
    const auto fair = schedule("fairshare_easy");
    CHECK(fair.size() > 10'000);
    CHECK(schedule("multifactor:age=1000") == fair);
    CHECK(schedule("multifactor:age=70000") != fair);
    const auto summary =
        text_of_file((folder.path() / "fairshare_easy/summary.json").string());
    CHECK(summary.find("\"kinds\": {\n        \"gpu\": 4\n") != std::string::npos);
  }
}
