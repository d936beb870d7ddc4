// Numbers of users, groups and the like above 2^31: read, told apart, shown in full.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "engine/jobs/label.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)
using berth::test::berth_says;

namespace {

// Users 41000000000017 (jobs 1, 2, 4) and 7 (job 3), one processor.
constexpr auto kTrace =
    "; MaxProcs: 1\n"
    "1 0 -1 100 1 -1 -1 1 100 -1 1 41000000000017 52000000000001 9007199254740992 "
    "3000000000 4000000000 -1 -1\n"
    "2 1 -1 10 1 -1 -1 1 10 -1 1 41000000000017 52000000000001 1 3000000000 1 -1 -1\n"
    "3 2 -1 10 1 -1 -1 1 10 -1 1 7 2 1 1 1 -1 -1\n"
    "4 3 -1 10 1 -1 -1 1 10 -1 1 41000000000017 52000000000001 1 1 1 -1 -1\n";

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("cli/labels") {
  TEST_CASE("a label is a number, and large ones keep their order") {
    CHECK(label_code(-1) == -1);
    CHECK(label_code(-7) == -1);
    CHECK(label_number(label_code(17)) == 17);
    const auto larger = label_code(kLargestLabel);
    const auto smaller = label_code(3'000'000'000);
    CHECK(label_number(larger) == kLargestLabel);
    CHECK(label_number(smaller) == 3'000'000'000);
    CHECK(label_code(kLargestLabel) == larger);
    CHECK(LabelLess()(smaller, larger));
    CHECK_FALSE(LabelLess()(larger, smaller));
    CHECK(LabelLess()(5, smaller));
    CHECK(LabelLess()(-1, 5));
  }

  TEST_CASE("a log of hashed users is read, and its users are told apart") {
    const test::ScratchFolder folder;
    (void)folder.file("t.swf", kTrace);
    (void)folder.file("p.lua",
                      "return { schedule = function(queue, cluster)\n"
                      "  for job in queue:all() do\n"
                      "    assert(job.user == 7 or job.user == 41000000000017)\n"
                      "    assert(job.group == 2 or job.group == 52000000000001)\n"
                      "    if not cluster:start(job) then return end\n"
                      "  end\n"
                      "end }\n");
    const auto scenario = folder.file(
        "s.toml",
        "[workload]\ntrace = \"t.swf\"\n[shares]\nhalf_life = "
        "0\n[shares.users]\n41000000000017 = 2\n[classes]\nthey = \"user == "
        "41000000000017\"\n[run]\npolicies = [\"fairshare_fifo\", \"./p.lua\"]\n");
    const auto out = (folder.path() / "out").string();
    const auto said = berth_says({"run", scenario, "--out", out});
    CAPTURE(said.err);
    REQUIRE(said.code == 0);
    const auto jobs = test::text_of_file(out + "/fairshare_fifo/jobs.csv");
    CHECK(has(jobs, "41000000000017,52000000000001"));
    CHECK(has(jobs, "3000000000,4000000000,9007199254740992"));
    const auto users = test::text_of_file(out + "/fairshare_fifo/users.csv");
    CHECK(has(users, "\n7,2,1,1,"));
    CHECK(has(users, "\n41000000000017,52000000000001,2,3,"));
    CHECK(users.find("\n7,") < users.find("\n41000000000017,"));
    CHECK(has(test::text_of_file(out + "/fairshare_fifo/summary.json"),
              "\"41000000000017\": 2"));
    const auto page = (folder.path() / "p.html").string();
    CHECK(berth_says({"report", out, "-o", page}).code == 0);
    const auto told = berth_says({"explain", out + "/fairshare_fifo", "2"});
    CHECK(told.code == 0);
    CHECK(has(told.out, "user 41000000000017"));
  }

  TEST_CASE("a label above 2^53 is refused at its place") {
    const test::ScratchFolder folder;
    const auto trace = folder.file(
        "t.swf",
        "; MaxProcs: 1\n1 0 -1 9 1 -1 -1 1 9 -1 1 9007199254740993 1 1 1 1 -1 -1\n");
    const auto said = berth_says({"trace", trace});
    CHECK(said.code == 3);
    CHECK(has(said.err, "t.swf:2:27: user: 9007199254740993 is out of range"));
  }
}
