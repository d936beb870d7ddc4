// `berth verify` on a network: what berth wrote passes, and each planted mistake is
// found by its rule.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/played.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::string kFolder = source_root() + "/scenarios/";

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

// scenarios/star.toml with other links.
std::string scenario(const ScratchFolder& scratch, const std::string& link_rate) {
  auto text = contents(kFolder + "star.toml");
  text = with(text, "star.swf", kFolder + "star.swf");
  text = with(text, "star_bandwidths", kFolder + "star_bandwidths");
  return scratch.file("star.toml",
                      with(text, "link_rate = 100", "link_rate = " + link_rate));
}

// Where its jobs were under bgmbf.
std::string stays(const ScratchFolder& scratch) {
  const auto out = scratch.path() / "out";
  const auto said = berth_says(
      {"run", scenario(scratch, "100"), "--policy", "bgmbf", "--out", out.string()});
  REQUIRE(said.code == 0);
  return contents(out / "stretches.csv");
}

Said verify(const ScratchFolder& scratch, const std::string& schedule,
            const std::string& link_rate = "100") {
  return berth_says({"verify", scenario(scratch, link_rate), "--schedule",
                     scratch.file("stays.csv", schedule)});
}

bool breaks(const Said& said, const std::string& rule) {
  CAPTURE(said.out);
  CAPTURE(said.err);
  CHECK(said.code == 1);
  const auto text = said.out + said.err;
  return text.find(rule) != std::string::npos;
}

}  // namespace

TEST_SUITE("cli/verify_network") {
  // Eight VMs of 50 Mb/s have no place on two servers of four slots with links of 100;
  // those of 25 have one.
  TEST_CASE("a job that the empty network has no place for is not said to fit") {
    const ScratchFolder scratch;
    (void)scratch.file("jobs.swf", swf_text({{0, 8, 10}, {1, 8, 10}, {2, 1, 10}}));
    (void)scratch.file("b.csv", "job_id,bandwidth\n1,50\n2,25\n3,1\n");
    const auto two = scratch.file(
        "two.toml",
        "[machine]\nsharing = \"slots\"\n[machine.network]\ntopology = \"star\"\n"
        "servers = 2\nslots = 4\nlink_rate = 100\n[workload]\ntrace = \"jobs.swf\"\n"
        "bandwidth = \"b.csv\"\n");
    const auto out = scratch.path() / "two";
    REQUIRE(berth_says({"run", two, "--policy", "easy", "--out", out.string()}).code ==
            0);
    const auto rows = contents(out / "jobs.csv");
    CHECK(rows.find("REJECTED") != std::string::npos);
    const auto said =
        berth_says({"verify", two, "--schedule", (out / "jobs.csv").string()});
    CAPTURE(said.out);
    CHECK(said.code == 0);
    CHECK(said.out.find("rejected") == std::string::npos);
    // Rejected by somebody else, job 2 would have had a place.
    const auto none = berth_says(
        {"verify", two, "--schedule",
         scratch.file("none.csv",
                      "job_id,starting_time,finish_time,final_state,"
                      "allocated_resources,switch\n1,,,REJECTED,,\n2,,,REJECTED,,\n"
                      "3,2,12,COMPLETED_SUCCESSFULLY,0,edge 0\n")});
    CAPTURE(none.out);
    CAPTURE(none.err);
    CHECK(none.code == 0);
    CHECK(none.out.find("1 job is rejected although the embedding of the scenario "
                        "places it on the empty machine; every rule holds") !=
          std::string::npos);
  }

  TEST_CASE("what berth wrote passes, and four mistakes are found by their rules") {
    const ScratchFolder scratch;
    const auto right = stays(scratch);
    CHECK(verify(scratch, right).code == 0);
    // Job 2 has four VMs of 20 Mb/s on each server.
    CHECK(verify(scratch, right, "80").code == 0);
    CHECK(breaks(verify(scratch, right, "79.999"), "(C6, "));
    CHECK(
        breaks(verify(scratch, with(right, "edge 0,160", "edge 0,160.001")), "(C6, "));
    CHECK(breaks(verify(scratch, with(right, "1,0-7", "1,0-6")), "(C7, "));
    CHECK(breaks(verify(scratch, with(right, "5,15,19,running,,1,4-5",
                                      "5,15,19,running,,1,3-4")),
                 "(C4, "));
    // Job 1 does not give back what it holds at 10.
    CHECK(breaks(verify(scratch, with(right, "1,0,10,", "1,0,11,")), "(C4, "));
  }
}
