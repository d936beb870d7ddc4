// Worked examples of machines with several kinds of resource and of users, through
// scenario files of the command line (docs/model.md#kinds, #shares).

#include <doctest/doctest.h>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kTwoHosts =
    "[machine.hosts.node]\ncount = 2\nprocessors = 4\nmemory = 8\n"
    "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";

std::string spans(PlayedScenario& played, const std::string& policy,
                  const std::vector<std::string>& more = {}) {
  const auto said = played.run(policy, more);
  CHECK_MESSAGE(said.code == 0, said.err);
  return played.spans();
}

}  // namespace

TEST_SUITE("cli/kinds_scenarios") {
  TEST_CASE("seven jobs in chunks on two hosts") {
    PlayedScenario played(
        {{0, 3, 10}, {0, 3, 6}, {1, 2, 5}, {1, 2, 4}, {2, 1, 3}, {3, 1, 30}, {4, 4, 2}},
        kTwoHosts,
        "job_id,chunks,processors,memory\n1,1,3,1\n2,1,3,1\n3,1,2,1\n"
        "4,2,1,1\n5,1,1,6\n6,1,1,1\n7,1,4,8\n");
    CHECK(spans(played, "fcfs") == "0-10 0-6 6-11 6-10 6-9 9-39 10-12");
    CHECK(spans(played, "easy") == "0-10 0-6 6-11 1-5 5-8 5-35 10-12");
    CHECK(spans(played, "conservative") == "0-10 0-6 6-11 1-5 5-8 5-35 10-12");
    // The same jobs in a pool: what chunks have of memory is needed in all.
    const auto pool = played.folder().file(
        "pool.toml",
        "[machine]\nprocessors = 8\nmemory = 16\n[workload]\ntrace = \"jobs.swf\"\n"
        "needs = \"pool.csv\"\n");
    (void)played.folder().file("pool.csv",
                               "job_id,memory\n1,1\n2,1\n3,1\n4,2\n5,6\n6,1\n7,8\n");
    for (const auto* policy : {"fcfs", "easy", "conservative"}) {
      CAPTURE(policy);
      const auto out = (played.folder().path() / policy).string();
      const auto said = berth_says(
          {"run", pool, "--policy", policy, "--audit", "full", "--out", out});
      CHECK(said.code == 0);
      auto jobs = columns_of(text_of_file(out + "/jobs.csv"));
      CHECK(jobs["waiting_time"].size() == 7);
      double sum = 0;
      for (const auto& wait : jobs["waiting_time"]) sum += std::stod(wait);
      CHECK(sum == 18);
    }
  }

  TEST_CASE("F48: a reservation that gets no earlier keeps its hosts") {
    PlayedScenario played(
        {{0, 1, 50, 100}, {0, 1, 80}, {0, 1, 80}, {1, 2, 10}, {2, 1, 100}},
        "[machine.hosts.a]\ncount = 3\nprocessors = 1\nmemory = 1\n"
        "[workload]\ntrace = \"jobs.swf\"\n");
    CHECK(spans(played, "conservative") == "0-50 0-80 0-80 80-90 50-150");
    auto jobs = columns_of(played.text("jobs.csv"));
    std::map<std::string, std::string> places;
    for (std::size_t i = 0; i < 5; ++i) {
      places[jobs["job_id"][i]] = jobs["allocated_resources"][i];
    }
    CHECK(places["4"] == "1-2");
    CHECK(places["5"] == "0");
  }

  TEST_CASE("licences of the whole machine beside hosts") {
    PlayedScenario played(
        {{0, 3, 10},
         {0, 2, 6},
         {1, 4, 5},
         {1, 1, 3},
         {2, 1, 20},
         {2, 2, 4},
         {3, 1, 9},
         {3, 4, 2}},
        std::string(kTwoHosts) + "[machine.resources]\nlicence = 3\n",
        "job_id,chunks,processors,memory,licence\n1,1,3,2,\n2,1,2,6,2\n"
        "3,2,2,4,0\n4,1,1,1,2\n5,1,1,2,1\n6,2,1,1,0\n7,1,1,2,\n8,1,4,2,\n");
    CHECK(spans(played, "fcfs") == "0-10 0-6 6-11 6-9 9-29 10-14 10-19 11-13");
    for (const auto* policy : {"first_fit", "easy", "bb"}) {
      CAPTURE(policy);
      CHECK(spans(played, policy) == "0-10 0-6 6-11 10-13 2-22 2-6 10-19 11-13");
    }
    CHECK(spans(played, "ibb") == "0-10 0-6 6-11 10-13 10-30 11-15 3-12 15-17");
    CHECK(spans(played, "conservative") == "0-10 0-6 6-11 6-9 9-29 2-6 10-19 11-13");
  }

  TEST_CASE("eight jobs of three users, with and without decay") {
    PlayedScenario played(
        {{0, 3, 100, 0, 1},
         {0, 1, 50, 0, 2},
         {10, 1, 40, 0, 1},
         {20, 3, 60, 0, 2},
         {30, 2, 30, 0, 3},
         {40, 1, 20, 0, 1},
         {60, 1, 30, 0, 3},
         {70, 1, 10, 0, 2}},
        "[machine]\nprocessors = 4\n[workload]\ntrace = \"jobs.swf\"\n");
    const std::string none = "shares.half_life=0";
    const std::string short_one = "shares.half_life=20";
    CHECK(spans(played, "fcfs") ==
          "0-100 0-50 50-90 100-160 160-190 160-180 160-190 180-190");
    for (const auto& half_life : {none, short_one}) {
      CHECK(spans(played, "fairshare_fifo", {"--set", half_life}) ==
            "0-100 0-50 140-180 130-190 100-130 180-200 100-130 130-140");
    }
    CHECK(spans(played, "easy") ==
          "0-100 0-50 50-90 100-160 160-190 90-110 110-140 140-150");
    CHECK(spans(played, "fairshare_easy", {"--set", none}) ==
          "0-100 0-50 50-90 130-190 100-130 110-130 90-120 100-110");
    CHECK(spans(played, "fairshare_easy", {"--set", short_one}) ==
          "0-100 0-50 50-90 100-160 160-190 130-150 90-120 120-130");
    // What they were charged by the end.
    CHECK(played.run("fairshare_fifo", {"--set", none}).code == 0);
    auto users = columns_of(played.text("users.csv"));
    CHECK(users["user"] == std::vector<std::string>{"1", "2", "3"});
    CHECK(users["usage"] == std::vector<std::string>{"360", "240", "90"});
  }

  TEST_CASE("a charge by dominant share changes who is next") {
    constexpr std::int64_t kGib = 1'048'576;
    PlayedScenario played(
        {{0, 2, 10, 0, 1, 4 * kGib},
         {0, 4, 10, 0, 2, kGib / 4},
         {1, 4, 5, 0, 1, kGib / 4},
         {1, 6, 5, 0, 2, kGib},
         {12, 8, 5, 0, 1, kGib / 8},
         {13, 8, 5, 0, 2, kGib / 8}},
        "[machine]\nprocessors = 10\nmemory = 10\n"
        "[workload]\ntrace = \"jobs.swf\"\n[shares]\nhalf_life = 0\n");
    CHECK(spans(played, "fairshare_fifo") == "0-10 0-10 1-6 10-15 15-20 20-25");
    CHECK(spans(played, "fairshare_fifo", {"--set", "shares.charge=dominant"}) ==
          "0-10 0-10 10-15 10-15 20-25 15-20");
  }

  // Job 1 outlives its walltime on the host that the reservation of job 3 names.  When
  // that is due, at 10, the rebuild names the other host, from 20 on.
  TEST_CASE("a reservation due on a host where a job overran moves to another") {
    PlayedScenario played({{0, 2, 30, 10}, {0, 2, 20}, {1, 2, 5}, {2, 2, 5}},
                          "[machine.hosts.node]\ncount = 2\nprocessors = 2\n"
                          "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
                          "job_id,chunks,processors\n1,1,2\n2,1,2\n3,1,2\n4,1,2\n");
    CHECK(spans(played, "conservative", {"--log"}) == "0-30 0-20 20-25 25-30");
    const auto log = played.text("log.jsonl");
    CAPTURE(log);
    for (const auto* line :
         {R"({"at":1,"record":"reservation","job":3,"start":10})",
          R"({"at":10,"record":"reservation","job":3,"start":20})",
          R"({"at":10,"record":"reservation","job":4,"start":25})",
          R"({"at":20,"record":"start","job":3,"resources":"2-3",)",
          R"({"at":25,"record":"start","job":4,"resources":"2-3",)"}) {
      CAPTURE(line);
      CHECK(log.find(line) != std::string::npos);
    }
    // It is expected at 70 then, far behind the other host's 20.
    CHECK(spans(played, "easy") == "0-30 0-20 20-25 25-30");
  }

  // 6 processors, 4 GiB (2 on each host) and 1 licence are left by job 1 until 10.
  TEST_CASE("a job that waits is told which kind lacks, or that no hosts have room") {
    PlayedScenario played(
        {{0, 2, 10}, {1, 1, 10}, {2, 1, 10}, {3, 1, 10}, {4, 8, 10}},
        std::string(kTwoHosts) + "[machine.resources]\nlicence = 3\n",
        "job_id,chunks,memory,licence\n1,2,6,2\n2,1,5,\n3,1,3,\n4,1,,2\n"
        "5,2,,\n");
    const auto policy = played.folder().file(
        "asks.lua",
        "return { schedule = function(queue, cluster)\n"
        "  cluster:start_all(queue)\n"
        "  if cluster:now() ~= 4 then return end\n"
        "  for job in queue:all() do print(job.id, queue:why_not(job)) end\n"
        "  local plan = cluster:reserve(queue:head())\n"
        "  print(plan:spare_of('licence'))\n"
        "end }\n");
    CHECK(played.run(policy).code == 0);
    CHECK(played.text("policy.log") ==
          "t=4 2\tbusy\t5242880\t4194304\tnil\tmemory\n"
          "t=4 3\tbusy\t1\t0\tnil\tchunks\n"
          "t=4 4\tbusy\t2\t1\tnil\tlicence\n"
          "t=4 5\tbusy\t8\t6\tnil\tprocessors\n"
          "t=4 3\n");
    const auto said = berth_says({"explain", played.out(), "2", "3", "4", "5"});
    CAPTURE(said.out);
    CHECK(said.code == 0);
    for (const auto* words :
         {"no room: memory asked 5 GiB, idle 4 GiB",
          "no room: chunks asked 1, hosts have room for 0",
          "no room: licence asked 2, idle 1", "no room: 8 asked, 5 to 6 idle"}) {
      CAPTURE(words);
      CHECK(said.out.find(words) != std::string::npos);
    }
  }

  // In a pool: the plan of job 2 leaves 1 licence at 10, and job 3 would take 2 past
  // it.
  TEST_CASE("a job held back by a plan is told which kind the plan cannot spare") {
    PlayedScenario played(
        {{0, 1, 10}, {1, 8, 10}, {2, 1, 30}},
        "[machine]\nprocessors = 10\n[machine.resources]\nlicence = 4\n"
        "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
        "job_id,licence\n1,2\n2,3\n3,2\n");
    const auto policy = played.folder().file(
        "asks.lua",
        "return { schedule = function(queue, cluster)\n"
        "  local first = cluster:start_all(queue)\n"
        "  if cluster:now() ~= 2 then return end\n"
        "  local plan = cluster:reserve(first)\n"
        "  for job in queue:all() do\n"
        "    if job ~= first then print(queue:why_not(job, plan)) end\n"
        "  end\n"
        "end }\n");
    CHECK(played.run(policy).code == 0);
    const auto said = played.text("policy.log");
    CAPTURE(said);
    CHECK(said.find("held\t2\t1\t") != std::string::npos);
    CHECK(said.find("\tlicence\n") != std::string::npos);
  }
}
