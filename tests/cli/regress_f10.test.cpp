// F10: `berth verify` accepted rows marked REJECTED that ran, a job wider than the
// machine, one "killed at its walltime" long after its length, and jobs that never
// start while the machine is idle.

#include <doctest/doctest.h>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;

namespace {

// Of the second job the walltime is its length.
constexpr auto kTrace =
    "; MaxProcs: 8\n"
    "1 0 -1 100 4 -1 -1 4 1000 -1 1 1 1 1 1 1 -1 -1\n"
    "2 1 -1 100 8 -1 -1 8 100 -1 1 2 1 1 1 1 -1 -1\n"
    "3 2 -1 50 2 -1 -1 2 60 -1 1 3 1 1 1 1 -1 -1\n"
    "4 3 -1 30 16 -1 -1 16 40 -1 1 3 1 1 1 1 -1 -1\n";

using test::Said;

Said verify(const std::string& rows, const std::string& promise = {}) {
  const test::ScratchFolder folder;
  std::vector<std::string> args{
      "verify", "--trace", folder.file("v.swf", kTrace), "--schedule",
      folder.file("s.csv", "job_id,starting_time,finish_time,final_state\n" + rows)};
  if (!promise.empty()) args.insert(args.end(), {"--promise", promise});
  return test::berth_says(args);
}

void check_broken(const std::string& rows, const std::string& what,
                  const std::string& promise = {}) {
  const auto said = verify(rows, promise);
  CAPTURE(said.out);
  CAPTURE(what);
  CHECK(said.code == 1);
  CHECK(said.out.find(what) != std::string::npos);
}

constexpr auto kGood = "1,0,100,\n2,100,200,\n3,200,250,\n4,,,\n";

}  // namespace

TEST_SUITE("cli/regress_f10") {
  TEST_CASE("a schedule of these jobs that is right passes every rule") {
    CHECK(verify(kGood).code == 0);
    CHECK(verify(kGood, "easy").code == 0);
  }

  TEST_CASE("a row that says it was rejected does not run") {
    check_broken("1,0,100,\n2,1,101,REJECTED\n3,2,52,REJECTED\n4,,,\n",
                 "state at t=1, job 2: it is rejected and starts");
    // It takes processors all the same.
    check_broken("1,0,100,\n2,1,101,REJECTED\n3,2,52,REJECTED\n4,,,\n",
                 "capacity at t=1: 12 processors in use, there are 8");
  }

  TEST_CASE("a job wider than the machine does not run") {
    check_broken("1,0,100,\n2,100,200,\n3,200,250,\n4,3,33,\n",
                 "capacity at t=3, job 4: it needs 16 processors, there are 8");
  }

  TEST_CASE("a job that is killed would have run longer than its walltime") {
    check_broken(
        "1,0,1000,COMPLETED_WALLTIME_REACHED\n2,1000,1100,\n3,2000,2050,\n4,,,\n",
        "state at t=0, job 1: it was killed at its walltime of 1000, and its length is "
        "100");
    check_broken("1,0,100,\n2,100,200,COMPLETED_WALLTIME_REACHED\n3,200,250,\n4,,,\n",
                 "state at t=100, job 2: it was killed at its walltime of 100");
  }

  TEST_CASE("what completed has a start and an end, what did not has no end") {
    check_broken("1,0,100,\n2,,,COMPLETED_SUCCESSFULLY\n3,200,250,\n4,,,\n",
                 "state at t=1, job 2: it completed without a start and an end");
    check_broken("1,0,100,\n2,100,,COMPLETED_SUCCESSFULLY\n3,2,52,\n4,,,\n",
                 "state at t=100, job 2: it completed without a start and an end");
    check_broken("1,0,100,NOT_FINISHED\n2,100,200,\n3,200,250,\n4,,,\n",
                 "state at t=0, job 1: it is not finished and ends");
  }

  TEST_CASE("a head that never starts on an empty machine is found") {
    constexpr auto kRows = "1,0,100,\n3,2,52,\n2,,,\n4,,,\n";
    check_broken(kRows,
                 "unstarted at t=100, job 2: it never starts, and 8 of 8 processors "
                 "are idle for ever");
    check_broken(kRows,
                 "easy at t=100, job 2: head of the queue, it could have started at "
                 "100, and never starts",
                 "easy");
  }

  TEST_CASE("a schedule in which nothing runs is wrong") {
    check_broken("1,,,\n2,,,\n3,,,\n4,,,\n",
                 "unstarted at t=2, job 1: it never starts");
  }

  TEST_CASE("a job may wait for ever behind one that never ends") {
    CHECK(verify("1,0,,\n2,,,\n3,2,52,\n4,,,\n").code == 0);
    check_broken("1,0,,\n2,,,\n3,,,\n4,,,\n",
                 "unstarted at t=2, job 3: it never starts, and 4 of 8 processors are "
                 "idle for ever");
  }

  TEST_CASE("that every job is rejected is allowed, and said") {
    const auto said =
        verify("1,,,REJECTED\n2,,,REJECTED\n3,,,REJECTED\n4,,,REJECTED\n");
    CHECK(said.code == 0);
    CHECK(said.out.find("4 jobs: no job ran; 3 jobs are rejected although they fit the "
                        "machine; every rule holds") != std::string::npos);
  }
}
