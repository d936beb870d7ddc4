// scenarios/operations.toml: failures, windows, limits, an array and links of one site,
// as docs/operations.md tells.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/played.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::string& site() {
  static const std::string kSite = source_root() + "/scenarios/operations.toml";
  return kSite;
}

// What explain tells of a job; without one, of all waiting time.
std::string told_of(const std::string& run, const std::string& job = {}) {
  std::vector<std::string> words{"explain", run};
  if (!job.empty()) words.push_back(job);
  const auto said = berth_says(words);
  CHECK_MESSAGE(said.code == 0, said.err);
  return said.out;
}

}  // namespace

TEST_SUITE("cli/operations") {
  TEST_CASE("everything that an operator's site has is run, judged and explained") {
    ScratchFolder folder;
    const auto out = folder.path() / "out";
    const auto run = berth_says({"run", site(), "--policy", "easy", "--out",
                                 out.string(), "--log", "--audit", "full"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const auto events = (out / "host_events.csv").string();
    CHECK(columns_of(text_of_file(events)).at("time").size() > 4);
    const auto verified =
        berth_says({"verify", site(), "--schedule", (out / "jobs.csv").string()});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    const auto told = told_of(out.string());
    for (const auto* reason :
         {"no_room", "would_delay", "window", "user_window", "hosts_down",
          "limit_array", "limit_user_jobs", "limit_user_processors", "limit_queue_jobs",
          "limit_account_processors", "limit_waiting"}) {
      CAPTURE(reason);
      CHECK(told.find(std::string("\n") + reason + " ") != std::string::npos);
    }
    CHECK(told.find("QOSMaxCpuPerUserLimit") != std::string::npos);
    CHECK(told.find("ReqNodeNotAvail") != std::string::npos);
  }

  TEST_CASE("with guarantees some jobs wait because they would borrow") {
    ScratchFolder folder;
    const auto out = (folder.path() / "out").string();
    const auto run = berth_says({"run", site(), "--policy", "easy", "--out", out,
                                 "--set", "limits.accounts.physics.guaranteed=160",
                                 "--set", "limits.accounts.biology.guaranteed=128"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(told_of(out).find("\nborrowing ") != std::string::npos);
  }

  TEST_CASE("explain says of a job that waited for an array what held it") {
    ScratchFolder folder;
    const auto out = (folder.path() / "out").string();
    REQUIRE(berth_says({"run", site(), "--policy", "easy", "--out", out}).code == 0);
    const auto links =
        columns_of(text_of_file(source_root() + "/scenarios/operations_links.csv"));
    const auto told = told_of(out, links.at("job_id").front());
    CHECK(told.find("Dependency") != std::string::npos);
    const auto never = told_of(out, links.at("job_id").at(1));
    CHECK(never.find("DependencyNeverSatisfied") != std::string::npos);
  }

  TEST_CASE("links.csv of a run has each link, and makes the same schedule") {
    ScratchFolder folder;
    const auto out = (folder.path() / "out").string();
    const auto again = (folder.path() / "again").string();
    REQUIRE(berth_says({"run", site(), "--policy", "fcfs", "--out", out}).code == 0);
    const auto links = columns_of(text_of_file(out + "/links.csv"));
    // An array of 24 that one job waits for, and three links besides.
    CHECK(links.at("job_id").size() == 24 + 3);
    const auto said =
        berth_says({"run", site(), "--policy", "fcfs", "--out", again, "--set",
                    "workload.dependencies=" + out + "/links.csv"});
    REQUIRE_MESSAGE(said.code == 0, said.err);
    CHECK(text_of_file(again + "/jobs.csv") == text_of_file(out + "/jobs.csv"));
  }

  TEST_CASE("a sweep compares the released jobs of its policies, one by one") {
    ScratchFolder folder;
    const auto out = (folder.path() / "sweep").string();
    const auto said =
        berth_says({"sweep", site(), "--policy", "fcfs", "--policy", "easy", "--metric",
                    "mean_wait,mean_response", "--out", out});
    REQUIRE_MESSAGE(said.code == 0, said.err);
    const auto rows = columns_of(text_of_file(out + "/comparison.csv"));
    std::size_t compared = 0;
    for (std::size_t i = 1; i < rows.at("policy").size(); ++i) {
      const bool is_pair = rows.at("policy")[i] == "easy" &&
                           rows.at("metric")[i] == rows.at("metric")[i - 1] &&
                           rows.at("metric")[i].starts_with("mean_");
      if (!is_pair) continue;
      CAPTURE(rows.at("metric")[i]);
      // All jobs finish under both, so that the means are those of the same jobs.
      const auto of = [&](const char* name, std::size_t at) {
        return std::stod(rows.at(name)[at]);
      };
      CHECK(of("difference", i) ==
            doctest::Approx(of("mean", i) - of("mean", i - 1)).epsilon(1e-9));
      ++compared;
    }
    CHECK(compared >= 2);
  }
}
