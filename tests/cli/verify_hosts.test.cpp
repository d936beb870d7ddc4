// `berth verify` on machines with hosts and counts finds each mistake of a schedule.

#include <doctest/doctest.h>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Two plain hosts 0-3 and 4-7, one of partition 2 with GPUs, 8-11.  Job 1: two chunks
// of one processor; 2: one of two with a GPU; 3: one of two with 6 GiB; 4: two
// licences.
Said verify(const std::string& rows, const std::vector<std::string>& more = {}) {
  const PlayedScenario played(
      {{0, 2, 10}, {0, 2, 10, 0, 1, -1, 2}, {0, 2, 10}, {0, 1, 10}, {0, 1, 10}},
      "[machine.hosts.thin]\ncount = 2\nprocessors = 4\nmemory = 8\n"
      "[machine.hosts.gpu]\ncount = 1\nprocessors = 4\nmemory = 8\npartition = 2\n"
      "resources = { gpu = 1 }\n[machine.resources]\nlicence = 3\n"
      "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
      "job_id,chunks,processors,memory,gpu,licence\n1,2,1,1,,\n2,1,2,1,1,\n3,1,2,6,,\n"
      "4,1,1,3,,2\n5,1,1,1,,2\n");
  const auto schedule = played.folder().file(
      "schedule.csv", "job_id,starting_time,finish_time,allocated_resources\n" + rows);
  std::vector<std::string> args{"verify", played.scenario(), "--schedule", schedule};
  args.insert(args.end(), more.begin(), more.end());
  return berth_says(args);
}

bool says(const Said& said, const std::string& text) {
  return said.out.find(text) != std::string::npos;
}

constexpr const char* kRight =
    "1,0,10,0 4\n2,0,10,8-9\n3,0,10,5-6\n4,0,10,1\n5,10,20,1\n";

}  // namespace

TEST_SUITE("cli/verify_hosts") {
  TEST_CASE("a right schedule breaks no rule") {
    const auto said = verify(kRight);
    CHECK_MESSAGE(said.code == 0, said.out);
    CHECK(says(said, "every rule holds"));
    CHECK(says(said, "whole placement checked          5, broken 0"));
  }

  TEST_CASE("each mistake is found and named") {
    const auto bad = [](const std::string& rows, const std::string& text) {
      const auto said = verify(rows);
      CAPTURE(said.out);
      CHECK(said.code == 1);
      CHECK(says(said, text));
    };
    // Host memory: 6 and 3 GiB on a host of 8.
    bad("1,0,10,0 4\n2,0,10,8-9\n3,0,10,1-2\n4,0,10,3\n5,10,20,1\n",
        "memory: 2097152 more in use on host 0 than it has");
    // Host processors: the same one twice.
    bad("1,0,10,0 4\n2,0,10,8-9\n3,0,10,4-5\n4,0,10,1\n5,10,20,1\n",
        "a processor that serves another job");
    // GPU: job 2 on a host without any.
    bad("1,0,10,0 4\n2,0,10,6-7\n3,0,10,1-2\n4,10,20,1\n5,20,30,1\n",
        "gpu: 1 more in use on host 1 than it has");
    // Licences: 2 and 2 of 3.
    bad("1,0,10,0 4\n2,0,10,8-9\n3,0,10,5-6\n4,0,10,1\n5,5,15,2\n",
        "licence: 1 more in use than the machine has");
    // A chunk of two processors over two hosts.
    bad("1,0,10,0 4\n2,0,10,8-9\n3,0,10,3 5\n4,0,10,1\n5,10,20,1\n",
        "one of its chunks is spread over two hosts");
    // Job 1 has no partition, and the third host takes jobs of one only.
    bad("1,0,10,0 10\n2,0,10,8-9\n3,0,10,5-6\n4,0,10,1\n5,10,20,1\n",
        "a host that its partition may not use");
  }

  TEST_CASE("a stay that breaks a rule holds nothing, so that one mistake is one") {
    // Job 5 is the mistake; job 4 may have the licences at 5, when that would be over.
    const auto said =
        verify("1,0,10,0 4\n2,0,10,8-9\n3,0,10,3 5\n4,0,10,5\n5,10,20,1\n");
    CHECK(said.code == 1);
    CHECK(says(said, "whole placement checked          5, broken 1"));
    CHECK(says(said, "capacity   checked"));
  }

  TEST_CASE("what cannot be judged is refused") {
    CHECK(verify(kRight, {"--promise", "easy"}).code == 2);
    const PlayedScenario played({{0, 1, 10}},
                                "[machine]\nprocessors = 1\nmemory = 1\n[workload]\n"
                                "trace = \"jobs.swf\"\n");
    const auto schedule = played.folder().file(
        "schedule.csv", "job_id,starting_time,finish_time\n1,0,10\n");
    const auto said = berth_says({"verify", played.scenario(), "--schedule", schedule});
    CHECK(said.code == 2);
    CHECK(said.err.find("allocated_resources") != std::string::npos);
  }
}
