// `berth explain --without` and `--try submit=` on each machine there is.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"

using berth::test::berth_says;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Machine {
  const char* scenario;
  const char* policy;
  std::vector<std::string> settings;
  const char* job;      // explained
  const char* without;  // left out
};

const std::vector<Machine>& machines() {
  static const std::vector<Machine> kAll{
      {"quickstart", "easy", {"workload.jobs=120"}, "90", "80"},
      {"site", "fairshare_easy", {"workload.first=120"}, "90", "80"},
      {"star", "fcfs", {}, "4", "1"},
      {"tiers", "keasy", {"workload.jobs=120"}, "90", "80"},
      {"fractions", "mcb", {"workload.jobs=60"}, "40", "30"},
      {"fat_tree", "sbf", {"workload.jobs=80"}, "60", "50"},
  };
  return kAll;
}

}  // namespace

TEST_SUITE("cli/explain_changes") {
  TEST_CASE("F35: a job is left out, or submitted later, on each machine") {
    for (const auto& machine : machines()) {
      CAPTURE(machine.scenario);
      const berth::test::ScratchFolder folder;
      const auto out = (folder.path() / "r").string();
      std::vector<std::string> run{
          "run",
          berth::test::source_root() + "/scenarios/" + machine.scenario + ".toml",
          "--policy",
          machine.policy,
          "--no-audit",
          "--out",
          out};
      for (const auto& setting : machine.settings) {
        run.insert(run.end(), {"--set", setting});
      }
      const auto ran = berth_says(run);
      CAPTURE(ran.err);
      REQUIRE(ran.code == 0);
      const std::vector<std::string> asked{"explain", out, machine.job, "--inputs",
                                           berth::test::source_root() + "/scenarios"};
      for (const auto& change : std::vector<std::vector<std::string>>{
               {"--without", machine.without}, {"--try", "submit=2"}}) {
        auto args = asked;
        args.insert(args.end(), change.begin(), change.end());
        const auto said = berth_says(args);
        CAPTURE(said.err);
        CHECK(said.code == 0);
        CHECK(has(said.out, "with the change at"));
      }
    }
  }

  TEST_CASE("what a file says of the others stays with them when a job is left out") {
    // Two hosts of 1 GiB.  Without job 1 of 0.9 GiB job 3 of 0.5 GiB starts at once
    // beside job 2 of 0.5 GiB; with the needs of another row it would not.
    const berth::test::ScratchFolder folder;
    (void)folder.file("t.swf",
                      "; MaxProcs: 4\n"
                      "1 0 -1 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1\n"
                      "2 1 -1 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1\n"
                      "3 2 -1 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1\n");
    (void)folder.file("n.csv", "job_id,memory\n1,0.9\n2,0.5\n3,0.5\n");
    const auto scenario = folder.file(
        "s.toml",
        "[machine]\nprocessors = 4\nmemory = 1\n[workload]\ntrace = \"t.swf\"\nneeds = "
        "\"n.csv\"\n[run]\npolicies = [\"fcfs\"]\n");
    const auto out = (folder.path() / "r").string();
    REQUIRE(berth_says({"run", scenario, "--out", out}).code == 0);
    const auto said = berth_says(
        {"explain", out, "3", "--inputs", folder.path().string(), "--without", "1"});
    CAPTURE(said.err);
    CAPTURE(said.out);
    CHECK(said.code == 0);
    CHECK(has(said.out, "job 3: started at 100, with the change at 2"));
  }

  TEST_CASE("a size that does not go with the chunks of a file is refused") {
    const berth::test::ScratchFolder folder;
    (void)folder.file("t.swf",
                      "; MaxProcs: 8\n1 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n");
    (void)folder.file("n.csv", "job_id,chunks\n1,2\n");
    const auto scenario =
        folder.file("s.toml",
                    "[machine.hosts.a]\ncount = 2\nprocessors = 4\n[workload]\ntrace = "
                    "\"t.swf\"\nneeds = \"n.csv\"\n[run]\npolicies = [\"fcfs\"]\n");
    const auto out = (folder.path() / "r").string();
    REQUIRE(berth_says({"run", scenario, "--out", out}).code == 0);
    const auto said = berth_says(
        {"explain", out, "1", "--inputs", folder.path().string(), "--try", "size=3"});
    CHECK(said.code == 2);
    CHECK(has(said.err, "so its size must be a multiple of 2"));
  }
}
