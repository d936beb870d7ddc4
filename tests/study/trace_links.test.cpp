// What jobs wait for, as files and logs say it (docs/model.md#dependencies).

#include "study/links/trace_links.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

// Jobs 1 to 3, of a user.
Workload three_jobs() {
  Workload workload;
  workload.source = "log.swf";
  for (int id = 1; id <= 3; ++id) workload.jobs.push_back(a_job(id, id, 1, 10));
  keep_places(workload, unlimited());
  return workload;
}

std::string fault_of(const std::string& rows, LinkKeys keys = {}) {
  const ScratchFolder folder;
  const auto workload = three_jobs();
  keys.dependencies = folder.file("links.csv", "job_id,kind,parent,delay\n" + rows);
  try {
    (void)trace_links(keys, workload, nullptr, unlimited());
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    const std::string text = error.what();
    return text.substr(
        text.find("links.csv") == std::string::npos ? 0 : text.find("links.csv"));
  }
}

// A line of a log: the fields that matter here.
struct LogLine {
  int id;
  int submit;
  int wait;
  int length;
  int size = 1;
  int status = 1;
  int parent = -1;
  int think = -1;
};

std::string log_of(const std::vector<LogLine>& lines) {
  std::string text = "; MaxProcs: 4\n";
  for (const auto& line : lines) {
    text += fmt::format("{} {} {} {} {} -1 -1 {} {} -1 {} 1 -1 -1 -1 -1 {} {}\n",
                        line.id, line.submit, line.wait, line.length, line.size,
                        line.size, line.length, line.status, line.parent, line.think);
  }
  return text;
}

// By job number: submission_time, starting_time and finish_time of jobs.csv.
using Rows = std::map<int, std::vector<std::string>>;
Rows rows_of_run(const ScratchFolder& folder, std::vector<std::string> args) {
  const auto out = (folder.path() / "out").string();
  args.insert(args.begin(), "run");
  args.insert(args.end(), {"--out", out});
  const auto said = berth_says(args);
  REQUIRE_MESSAGE(said.code == 0, said.err);
  std::ifstream file(out + "/jobs.csv");
  Rows rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    rows[std::stoi(cells[0])] = {cells[3], cells[8], cells[10]};
  }
  return rows;
}

using Cells = std::vector<std::string>;

}  // namespace

TEST_SUITE("study/trace_links") {
  TEST_CASE("what is wrong with a file of dependencies is told with its place") {
    CHECK(fault_of("2,afterok,1,5\n").empty());
    CHECK(fault_of("2,before,1,\n") ==
          "links.csv:2:3: kind: 'before' is no kind of dependency: after, afterany, "
          "afterok, afternotok or with");
    CHECK(fault_of("9,after,1,\n") ==
          "links.csv:2:1: job_id: the workload has no job 9");
    CHECK(fault_of("2,after,2,\n") ==
          "links.csv:2:9: parent: a job cannot wait for itself");
    CHECK(fault_of("2,after,1,-3\n") ==
          "links.csv:2:11: delay: a delay is not below 0");
    CHECK(fault_of("2,after,1,\n3,after,1,\n2,after,1,4\n") ==
          "links.csv:4:9: parent: job 2 waits for job 1 in this way on line 2 already");
    CHECK(
        fault_of("1,after,3,\n2,with,1,\n3,afterok,2,\n").find("wait for each other") !=
        std::string::npos);
    LinkKeys strict;
    strict.missing_parent = MissingParent::kError;
    CHECK(fault_of("2,after,7,\n", strict) ==
          "workload.missing_parent: job 7, for which job 2 waits, is not there");
  }

  TEST_CASE("a parent that is not there counts as ended, and is named") {
    const ScratchFolder folder;
    auto workload = three_jobs();
    LinkKeys keys;
    keys.dependencies =
        folder.file("links.csv", "job_id,kind,parent\n2,after,7\n3,after,1\n");
    auto links = trace_links(keys, workload, nullptr, unlimited());
    REQUIRE(links.has_value());
    const auto made = links_of_jobs(std::move(*links), workload, keys, unlimited());
    REQUIRE(made != nullptr);
    CHECK(made->waits_for(1) == 0);
    CHECK(made->waits_for(2) == 1);
    CHECK(workload.repairs.at("missing_parent").count == 1);
    CHECK(workload.repairs.at("missing_parent").first_text ==
          "job 7, for which job 2 waits");
  }

  TEST_CASE("links by sessions are those of the three rules") {
    Workload workload;
    const std::vector<std::array<int, 4>> jobs{{1, 0, 0, 100},    {2, 60, 0, 100},
                                               {3, 400, 50, 100}, {4, 2000, 0, 50},
                                               {5, 2100, 0, 10},  {6, 2100, 0, 10}};
    for (const auto& [id, submit, wait, length] : jobs) {
      auto job = a_job(id, submit, 1, length);
      job.user = 1;
      workload.jobs.push_back(job);
      workload.recorded.emplace_back().wait = seconds(wait);
    }
    keep_places(workload, unlimited());
    const auto [links, told] = links_by_sessions(workload, {}, unlimited());
    using enum LinkKind;
    const std::vector<JobLink> wanted{{0, 1, kWith, seconds(60)},
                                      {1, 2, kAfterAny, seconds(240)},
                                      {2, 3, kAfterAny, 0},
                                      {3, 4, kAfterAny, seconds(50)},
                                      {3, 5, kAfterAny, seconds(50)}};
    CHECK(links.links == wanted);
    CHECK(links.closed == std::vector<bool>{false, true, true, false, true, true});
  }

  TEST_CASE("a chain by a file, through the command line") {
    const ScratchFolder folder;
    const auto log = folder.file(
        "log.swf",
        log_of({{1, 0, 0, 10, 4}, {2, 0, 0, 5, 2}, {3, 2, 0, 4, 2}, {4, 0, 0, 6, 4}}));
    const auto links = folder.file("links.csv",
                                   "job_id,kind,parent,delay\n2,afterok,1,\n"
                                   "3,afterany,2,3\n");
    const auto rows = rows_of_run(folder, {"--trace", log, "--policy", "fcfs", "--set",
                                           "workload.dependencies=" + links});
    CHECK(rows.at(1) == Cells{"0", "0", "10"});
    CHECK(rows.at(4) == Cells{"0", "10", "16"});
    CHECK(rows.at(2) == Cells{"10", "16", "21"});
    CHECK(rows.at(3) == Cells{"24", "24", "28"});
  }

  TEST_CASE("preceding jobs and think times of a log make a closed loop") {
    const ScratchFolder folder;
    const auto log = folder.file("log.swf", log_of({{1, 0, 0, 10, 2},
                                                    {2, 15, 0, 10, 2, 1, 1, 5},
                                                    {3, 30, 0, 10, 2, 1, 2, 5},
                                                    {4, 0, 0, 20, 2}}));
    const auto rows =
        rows_of_run(folder, {"--trace", log, "--processors", "2", "--policy", "fcfs",
                             "--set", "workload.dependencies=swf"});
    CHECK(rows.at(2) == Cells{"15", "30", "40"});
    CHECK(rows.at(3) == Cells{"45", "45", "55"});
  }

  TEST_CASE("what cannot stand beside dependencies is said") {
    const ScratchFolder folder;
    const auto log = folder.file("log.swf", log_of({{1, 0, 0, 10}}));
    const auto fault = [&](const std::string& setting) {
      return berth_says({"run", "--trace", log, "--policy", "fcfs", "--set",
                         "workload.dependencies=swf", "--set", setting});
    };
    CHECK(fault("run.measure=steady").code == 3);
    CHECK(fault("workload.feedback=sessions").code == 3);
    CHECK(fault("run.expectations=true").code == 3);
    const auto scenario = folder.file(
        "s.toml",
        "[machine]\nprocessors = 8\n[workload]\nmodel = \"lublin\"\njobs = 9\n"
        "feedback = \"sessions\"\n[run]\npolicies = [\"fcfs\"]\n");
    const auto said = berth_says({"run", scenario});
    CHECK(said.code == 3);
    CHECK(said.err.find("workload.feedback: only an SWF trace says what this needs") !=
          std::string::npos);
  }
}
