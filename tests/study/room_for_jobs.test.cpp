#include "study/inputs/room_for_jobs.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;

TEST_SUITE("study/room_for_jobs") {
  // 84 bytes a job beside the 64 MiB of any run.
  constexpr std::int64_t kOfRun = 64 * 1'048'576;

  TEST_CASE("as many jobs fit as the message says, and not one more") {
    const std::int64_t bytes = kOfRun + 84 * 1000;
    CHECK_NOTHROW(study::check_room_for_jobs(1000, bytes));
    const auto* const wanted =
        "memory limit: a run over 1000001 jobs takes 151 MB of memory, and this "
        "process "
        "may use 67 MB, in which 1000 jobs fit; ask for fewer jobs, or give it more "
        "memory (ulimit -v, or a larger computer)";
    CHECK_THROWS_WITH_AS(study::check_room_for_jobs(1'000'001, bytes), wanted, Error);
    CHECK_THROWS_AS(study::check_room_for_jobs(1001, bytes), Error);
  }

  TEST_CASE("in less memory than any run takes no job fits") {
    CHECK_NOTHROW(study::check_room_for_jobs(0, kOfRun - 1));
    CHECK_THROWS_AS(study::check_room_for_jobs(1, kOfRun - 1), Error);
  }

  TEST_CASE("this computer has room for a run") {
    CHECK_NOTHROW(study::check_room_for_jobs(1000));
  }

  TEST_CASE("jobs repeated beyond the memory are refused before they are made") {
    // 20,000,000,000 jobs.
    const test::ScratchFolder scratch;
    const auto scenario =
        scratch.file("s.toml",
                     "[machine]\nprocessors = 64\n[workload]\nmodel = \"lublin\"\n"
                     "jobs = 200000\nrepeat = 100000\n[run]\npolicies = [\"fcfs\"]\n");
    const auto said = test::berth_says({"run", scenario});
    CAPTURE(said.err);
    CHECK(said.code == 2);
    CHECK(said.err.find("a run over 20000000000 jobs takes") != std::string::npos);
    CHECK(said.out.empty());
  }
}
