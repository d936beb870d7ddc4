// Limits of users, groups, queues and arrays, from files and through the command line
// (docs/model.md#limits, #arrays).

#include <doctest/doctest.h>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

std::string limited_pool(int processors, const std::string& limits,
                         const std::string& workload = {}) {
  return fmt::format(
      "[machine]\nprocessors = {}\n[workload]\ntrace = \"jobs.swf\"\n{}{}", processors,
      workload, limits);
}

std::string limited_spans(PlayedScenario& played, const std::string& policy,
                          const std::vector<std::string>& more = {}) {
  const auto said = played.run(policy, more);
  CHECK_MESSAGE(said.code == 0, said.err);
  return played.spans();
}

// What a scenario with these limits is refused for.
std::string fault_of_limits(const std::string& limits) {
  PlayedScenario played({{0, 1, 1}}, limited_pool(4, limits));
  const auto said = played.run("fcfs");
  CHECK(said.code == 3);
  CHECK_FALSE(std::filesystem::exists(played.out()));
  const auto at = said.err.find("case.toml:");
  return at == std::string::npos ? said.err
                                 : said.err.substr(at, said.err.find('\n', at) - at);
}

// A scenario whose arrays are these rows, and whose links are those.
struct ArrayScenario : PlayedScenario {
  ArrayScenario(const std::vector<TraceRow>& rows, const std::string& arrays,
                const std::string& links, const std::string& limits = {})
      : PlayedScenario(rows, limited_pool(4, limits,
                                          "arrays = \"arrays.csv\"\n"
                                          "dependencies = \"links.csv\"\n")) {
    (void)folder().file("arrays.csv", "array,job_id,limit\n" + arrays);
    (void)folder().file("links.csv", "job_id,kind,parent,delay\n" + links);
  }
};

// What these files are refused for, from the name of the wrong one on.
std::string fault_of_arrays(const std::string& arrays, const std::string& links) {
  ArrayScenario played({{0, 1, 1}, {0, 1, 1}, {0, 1, 1}}, arrays, links);
  const auto said = played.run("fcfs");
  CHECK(said.code == 3);
  CHECK_FALSE(std::filesystem::exists(played.out()));
  const auto at = std::min(said.err.find("arrays.csv:"), said.err.find("links.csv:"));
  return at == std::string::npos ? said.err
                                 : said.err.substr(at, said.err.find('\n', at) - at);
}

constexpr const char* kMembers = "sweep,1,2\nsweep,2,\nsweep,3,2\nsweep,4,\n";

}  // namespace

TEST_SUITE("cli/job_limits") {
  TEST_CASE("a limit at the head of the queue, and one that stops the queue") {
    PlayedScenario played({{0, 1, 20}, {0, 1, 5}, {1, 2, 10, 0, 2}, {1, 1, 3, 0, 2}},
                          limited_pool(4, "[limits.users.\"*\"]\nrunning_jobs = 1\n"));
    for (const auto* policy : {"fcfs", "first_fit", "easy", "conservative"}) {
      const std::string name(policy);
      CAPTURE(name);
      CHECK(limited_spans(played, name) == "0-20 20-25 1-11 11-14");
      CHECK(limited_spans(played, name, {"--set", "limits.stop=true"}) ==
            "0-20 20-25 20-30 30-33");
    }
  }

  TEST_CASE("tiers of queues come first") {
    PlayedScenario played({{0, 4, 10}, {1, 4, 5}, {2, 4, 5}},
                          limited_pool(4, "[limits.queues.2]\ntier = 1\n"));
    std::string text;
    const std::array<const char*, 3> lines{"0 -1 10", "1 -1 5", "2 -1 5"};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto length = i == 0 ? 10 : 5;
      text += fmt::format("{} {} 4 -1 -1 4 {} -1 1 1 1 -1 {} -1 -1 -1\n", i + 1,
                          lines[i], length, i == 2 ? 2 : 1);
    }
    (void)played.folder().file("jobs.swf", text);
    CHECK(limited_spans(played, "easy") == "0-10 15-20 10-15");
  }

  TEST_CASE("a key of one user counts before that of each") {
    PlayedScenario played(
        {{0, 1, 10}, {0, 1, 10}, {0, 1, 10, 0, 7}, {0, 1, 10, 0, 7}},
        limited_pool(4,
                     "[limits.users.\"*\"]\nrunning_jobs = 1\nprocessors = 3\n"
                     "[limits.users.7]\nrunning_jobs = 2\n"));
    CHECK(limited_spans(played, "fcfs") == "0-10 10-20 0-10 0-10");
    // The limit of processors of each still holds: a job of four is rejected.
    PlayedScenario wide({{0, 4, 10, 0, 7}, {0, 3, 10, 0, 7}},
                        limited_pool(4,
                                     "[limits.users.\"*\"]\nprocessors = 3\n"
                                     "[limits.users.7]\nrunning_jobs = 2\n"));
    CHECK(limited_spans(wide, "fcfs", {"--log"}) == "- 0-10");
    CHECK(wide.text("log.jsonl").find("\"by\":\"limit\"") != std::string::npos);
    CHECK(wide.text("summary.json").find("\"rejected_by_limit\": 1") !=
          std::string::npos);
  }

  TEST_CASE("each mistake in a table of limits is named where it stands") {
    const auto each = [](const std::string& line) {
      return fault_of_limits("[limits.users.\"*\"]\n" + line + "\n");
    };
    CHECK(each("running_jobs = -1").find("case.toml:6:") == 0);
    CHECK(each("processors = 2.5").find("case.toml:6:") == 0);
    CHECK(each("waiting_jobs = 0").find("case.toml:6:") == 0);
    CHECK(each("running_jobs = \"8\"").find("case.toml:6:") == 0);
    CHECK(each("tier = 1").find("case.toml:6:") == 0);
    CHECK(fault_of_limits("[limits.queues.2]\ntier = 5000\n").find("case.toml:6:") ==
          0);
    CHECK(fault_of_limits("[limits]\nstop = 3\n").find("case.toml:6:") == 0);
    CHECK(fault_of_limits("[limits.user.1]\nrunning_jobs = 1\n").find("case.toml:") ==
          0);
  }

  TEST_CASE("an array: two of its members run at once, and a child waits for all") {
    ArrayScenario played(
        {{0, 1, 10}, {0, 1, 10}, {0, 1, 10}, {0, 1, 10}, {0, 4, 5}, {0, 2, 30, 0, 2}},
        kMembers, "5,afterok,@sweep,\n");
    CHECK(limited_spans(played, "fcfs") == "0-10 0-10 10-20 10-20 30-35 0-30");
    auto jobs = columns_of(played.text("jobs.csv"));
    for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
      if (jobs["job_id"][i] == "5") CHECK(jobs["submission_time"][i] == "20");
    }
    const auto why = berth_says({"explain", played.out(), "3", "--json"});
    CHECK_MESSAGE(why.code == 0, why.err);
    CHECK(why.out.find("\"slurm\": \"JobArrayTaskLimit\"") != std::string::npos);
    const auto held = berth_says({"explain", played.out(), "5", "--json"});
    CHECK_MESSAGE(held.code == 0, held.err);
    CHECK(held.out.find("; afterok job 4, which finished at 20\"") !=
          std::string::npos);
    const auto verified = berth_says(
        {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find("limits     checked") != std::string::npos);
  }

  TEST_CASE("afterany on an array whose members do not all end well") {
    // Member 2 is killed at its walltime, so that 4 runs and 5 never does.
    ArrayScenario played({{0, 1, 10}, {0, 1, 10, 6}, {0, 1, 8}, {0, 1, 5}, {0, 1, 5}},
                         "a,1,\na,2,\na,3,\n", "4,afterany,@a,2\n5,afterok,@a,\n");
    CHECK(limited_spans(played, "fcfs", {"--set", "machine.overrun=kill"}) ==
          "0-10 0-6 0-8 12-17 -");
    CHECK(played.text("summary.json").find("\"rejected_by_dependency\": 1") !=
          std::string::npos);
  }

  TEST_CASE("a limit of an array and one of its user: the first of both is named") {
    ArrayScenario played({{0, 1, 10}, {0, 1, 10}, {0, 1, 10}}, "a,1,1\na,2,1\n", "",
                         "[limits.users.\"*\"]\nrunning_jobs = 1\n");
    CHECK(limited_spans(played, "fcfs") == "0-10 10-20 20-30");
    const auto member = berth_says({"explain", played.out(), "2", "--json"});
    CHECK(member.out.find("\"slurm\": \"JobArrayTaskLimit\"") != std::string::npos);
    const auto other = berth_says({"explain", played.out(), "3", "--json"});
    CHECK(other.out.find("\"slurm\": \"QOSMaxJobsPerUserLimit\"") != std::string::npos);
  }

  TEST_CASE("each mistake in a file of arrays is named where it stands") {
    CHECK(fault_of_arrays("a,9,\n", "") ==
          "arrays.csv:2:3: job_id: the workload has no job 9");
    CHECK(fault_of_arrays("a,1,\nb,1,\n", "") ==
          "arrays.csv:3:3: job_id: job 1 is in array a already");
    CHECK(fault_of_arrays("a,1,2\na,2,3\n", "") ==
          "arrays.csv:3:5: limit: the array has the limit 2 already");
    CHECK(fault_of_arrays("a,1,0\n", "").find("arrays.csv:2:5: limit: ") == 0);
    CHECK(fault_of_arrays(",1,2\n", "") ==
          "arrays.csv:2:1: array: an array has a name");
    CHECK(fault_of_arrays("a,1,2\n", "2,afterok,@b,\n") ==
          "links.csv:2:11: parent: there is no array b");
    CHECK(fault_of_arrays("a,1,2\n", "1,afterok,@a,\n") ==
          "links.csv:2:11: parent: a job cannot wait for itself");
    CHECK(
        fault_of_arrays("a,1,2\n", "2,afterok,1,\n2,afterok,@a,\n") ==
        "links.csv:3:11: parent: job 2 waits for job 1 in this way on line 2 already");
    PlayedScenario none({{0, 1, 1}, {0, 1, 1}},
                        limited_pool(4, "", "dependencies = \"links.csv\"\n"));
    (void)none.folder().file("links.csv", "job_id,kind,parent,delay\n2,afterok,@a,\n");
    const auto said = none.run("fcfs");
    CHECK(said.code == 3);
    CHECK(said.err.find("workload.arrays names a file of them") != std::string::npos);
  }
}
