// Every wrong input of users, kinds of resource and hosts: file, line and column of it,
// exit status 3, and nothing is written.  And what is counted instead.

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::string kJobs = "[workload]\ntrace = \"jobs.swf\"\n";  // lines 1 and 2
const std::string kPool = kJobs + "[machine]\nprocessors = 8\n";
const std::string kHosts =
    kJobs + "[machine.hosts.a]\ncount = 2\nprocessors = 4\nmemory = 8\n";
// Jobs 1 of 4 processors and 2 of 6.
const std::vector<TraceRow> kTwoJobs{{0, 4, 10, 0, 7}, {1, 6, 10, 0, 8}};

const std::string kNoSize =
    "warning: no MaxProcs/MaxNodes header: the machine size must come from the "
    "scenario\n";

// `what` with every `part` of it taken out.
std::string without(std::string what, const std::string& part) {
  for (auto at = what.find(part); at != std::string::npos; at = what.find(part)) {
    what.erase(at, part.size());
  }
  return what;
}

struct Asked {
  std::string scenario;
  std::string policy = "fcfs";
  std::string needs{};
  std::vector<TraceRow> rows = kTwoJobs;
};

// What is said about it, files without their folder.
std::string refusal(const Asked& asked) {
  PlayedScenario played(asked.rows, asked.scenario, asked.needs);
  const auto said = played.run(asked.policy);
  CHECK_MESSAGE(said.code == 3, said.err);
  CHECK(said.out == "");
  CHECK_FALSE(std::filesystem::exists(played.folder().path() / "out1"));
  return without(without(said.err, kNoSize), played.folder().path().string() + "/");
}

std::string refused_shares(const std::string& keys) {
  return refusal({kPool + "[shares]\n" + keys, "fairshare_fifo"});
}

std::string refused_needs(const std::string& needs) {
  return refusal(
      {"[machine.hosts.a]\ncount = 2\nprocessors = 4\nmemory = 8\n"
       "resources = { gpu = 2 }\n[machine.resources]\nlicence = 3\n" +
           kJobs + "needs = \"needs.csv\"\n",
       "fcfs", needs});
}

}  // namespace

TEST_SUITE("cli/bad_kinds") {
  TEST_CASE("shares that cannot be") {
    CHECK(refused_shares("half_life = -1\n") ==
          "case.toml:6:13: shares.half_life: -1 is below 0\n");
    CHECK(refused_shares("half_life = \"week\"\n") ==
          "case.toml:6:13: shares.half_life: 'week' is not a number of seconds or a "
          "time such as 2h30m\n");
    CHECK(refused_shares("charge = \"energy\"\n") ==
          "case.toml:6:10: shares.charge: 'energy' is not one of processors, dominant, "
          "billing\n");
    CHECK(refused_shares("charge = \"billing\"\n[shares.billing]\ngpu = 2\n") ==
          "case.toml:8:7: shares.billing.gpu: the machine has no kind of this name\n");
    for (const std::string of : {"users", "groups"}) {
      CAPTURE(of);
      const auto weight = [&](const std::string& value) {
        return refused_shares("[shares." + of + "]\n7 = " + value + "\n");
      };
      const auto place = "case.toml:7:5: shares." + of + ".7: ";
      CHECK(weight("0") == place + "0 is not above 0\n");
      CHECK(weight("-2") == place + "-2 is not above 0\n");
      CHECK(weight("\"heavy\"") == place + "'heavy' is not a number\n");
    }
    CHECK(refused_shares("[shares.users]\nanna = 2\n") ==
          "case.toml:7:1: anna: there is no such key in [shares.users]: the keys are "
          "numbers, as in the trace\n");
  }

  TEST_CASE("a fair order of jobs that name no user") {
    auto rows = kTwoJobs;
    for (auto& row : rows) row.user = -1;
    CHECK(refusal({kPool, "fairshare_fifo", "", rows}) ==
          "case.toml:2:9: fairshare_fifo: order \"fair_share\": no job names a user\n");
    // The policy's own place comes first.
    PlayedScenario played(rows,
                          kPool + "[run]\npolicies = [\"fcfs\", \"fairshare_easy\"]\n");
    const auto said = berth_says({"run", played.scenario()});
    CHECK(said.code == 3);
    CHECK(said.err.find("case.toml:6:21: fairshare_easy: order \"fair_share\": no job "
                        "names a user\n") != std::string::npos);
  }

  TEST_CASE("machines that cannot be") {
    CHECK(
        refusal({kHosts + "[machine]\nprocessors = 8\n"}) ==
        "case.toml:8:14: machine.processors: the hosts have the processors; leave one "
        "of the two out\n");
    CHECK(refusal({kJobs + "[machine.hosts.a]\nprocessors = 4\n"}) ==
          "case.toml:3:16: machine.hosts.a: how many hosts? add count\n");
    CHECK(refusal({kJobs + "[machine.hosts.a]\ncount = 0\nprocessors = 4\n"}) ==
          "case.toml:4:9: machine.hosts.a.count: 0 is below 1\n");
    CHECK(
        refusal({kHosts + "resources = { gpu = 1 }\n[machine.resources]\ngpu = 3\n"}) ==
        "case.toml:9:7: machine.resources.gpu: hosts have this kind, too; a kind is on "
        "hosts or machine-wide\n");
    CHECK(refusal({kPool + "[machine.resources]\nmemory = 3\n"}) ==
          "case.toml:6:10: machine.resources.memory: write it as machine.memory\n");
    CHECK(refusal({kPool + "[machine.resources]\nprocessors = 3\n"}) ==
          "case.toml:6:14: machine.resources.processors: write it as "
          "machine.processors\n");
    CHECK(refusal({kHosts + "resources = { memory = 3 }\n"}) ==
          "case.toml:7:24: machine.hosts.a.resources.memory: write it beside count, as "
          "machine.hosts.a.memory\n");
    CHECK(refusal({kPool + "[machine.resources]\nlicence = -3\n"}) ==
          "case.toml:6:11: machine.resources.licence: -3 is below 0\n");
    CHECK(refusal({kHosts + "resources = { gpu = -1 }\n"}) ==
          "case.toml:7:21: machine.hosts.a.resources.gpu: -1 is below 0\n");
    std::string many;
    for (int i = 1; i <= 16; ++i) many += fmt::format("k{} = 1\n", i);
    CHECK(refusal({kPool + "[machine.resources]\n" + many}) ==
          "case.toml:21:7: machine.resources.k16: k16 is the 17th kind of resource; a "
          "machine has at most 16\n");
    CHECK(
        refusal({kHosts + "[machine]\nsharing = \"two_tier\"\n"}) ==
        "case.toml:3:16: machine.hosts: comes with sharing = \"exclusive\" alone, and "
        "it is \"two_tier\"\n");
    CHECK(refusal({kPool + "[run]\ncycle = 0\n"}) ==
          "case.toml:6:9: run.cycle: 0 is not above 0\n");
    CHECK(refusal({kPool + "[expectations]\nprocessors = 0\n"}) ==
          "case.toml:6:14: expectations.processors: 0 is below 1\n");
  }

  TEST_CASE("files of needs that cannot be") {
    const auto absent =
        refusal({without(kHosts, kJobs) + kJobs + "needs = \"absent.csv\"\n"});
    CHECK(
        absent.starts_with("case.toml:7:9: workload.needs: absent.csv: there is no "
                           "such file; looked in "));
    CHECK(absent.ends_with("; check its name, or name its folder in BERTH_TRACES\n"));
    CHECK(refused_needs("job_id,gpus\n1,1\n") ==
          "needs.csv:1:8: the machine has no kind 'gpus' (did you mean 'gpu'?)\n");
    CHECK(refused_needs("job_id,gpu\n9,1\n") ==
          "needs.csv:2:1: the workload has no job 9\n");
    CHECK(refused_needs("job_id,gpu\n1,1\n1,1\n") ==
          "needs.csv:3:1: job 1 is already on line 2\n");
    CHECK(refused_needs("job_id,gpu\n1,-1\n") == "needs.csv:2:3: gpu: -1 is below 0\n");
    CHECK(refused_needs("job_id,memory\n1,-1\n") ==
          "needs.csv:2:3: memory: -1 is below 0\n");
    CHECK(refused_needs("job_id,memory\n1,inf\n") ==
          "needs.csv:2:3: memory: 'inf' is not a number\n");
    CHECK(refused_needs("job_id,gpu\n1,0.5\n") ==
          "needs.csv:2:3: gpu: 0.5 is not a whole number\n");
    CHECK(refused_needs("job_id,chunks,processors\n1,3,2\n") ==
          "needs.csv:2:5: job 1 has 4 processors, which is not chunks times "
          "processors\n");
  }

  TEST_CASE("jobs without memory or a user, and jobs that no hosts hold, are counted") {
    constexpr std::int64_t kGib = 1'048'576;
    PlayedScenario played(
        {{0, 4, 10, 0, 7}, {1, 4, 10, 0, -1, kGib}, {2, 4, 10, 0, 8, 9 * kGib}},
        kHosts);
    const auto said = played.run("fairshare_easy");
    CHECK(said.code == 0);
    CHECK(without(said.err, kNoSize) ==
          "warning: 1 job has no memory: it is counted as needing none\n"
          "warning: 1 job does not fit the empty machine, so it is rejected, for want "
          "of: memory 1\n"
          "warning: 1 job names no user: together they count as one user, -1\n");
    CHECK(said.out.find("as too demanding for the empty machine: 1") !=
          std::string::npos);
    CHECK(played.spans() == "0-10 1-11 -");
  }

  TEST_CASE("a kind, or a partition, that no host has enough of is named") {
    PlayedScenario played(
        {{0, 4, 10, 0, 1, -1, 1}, {0, 4, 10, 0, 1, -1, 1}, {0, 4, 10, 0, 1, -1, 3}},
        without(kHosts, kJobs) +
            "partition = 1\nresources = { gpu = 2 }\n"
            "[machine.resources]\nlicence = 3\n" +
            kJobs + "needs = \"needs.csv\"\n",
        "job_id,chunks,gpu,licence\n1,1,3,\n2,1,,4\n3,4,,\n");
    const auto said = played.run("fcfs");
    CAPTURE(said.out);
    CHECK(
        said.err.find("3 jobs do not fit the empty machine, so they are rejected, for "
                      "want of: gpu 1, licence 1, partition 1\n") != std::string::npos);
  }
}
