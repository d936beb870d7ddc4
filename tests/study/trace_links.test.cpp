// What jobs wait for, as files and logs say it (docs/model.md#dependencies).

#include "study/links/trace_links.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/shared_data.hpp"
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
  int user = 1;
};

std::string log_of(const std::vector<LogLine>& lines) {
  std::string text = "; MaxProcs: 4\n";
  for (const auto& line : lines) {
    text +=
        fmt::format("{} {} {} {} {} -1 -1 {} {} -1 {} {} -1 -1 -1 -1 {} {}\n", line.id,
                    line.submit, line.wait, line.length, line.size, line.size,
                    line.length, line.status, line.user, line.parent, line.think);
  }
  return text;
}

// By job number: submission_time, starting_time and finish_time of jobs.csv.
using Rows = std::map<int, std::vector<std::string>>;
Rows rows_of_run(const ScratchFolder& folder, std::vector<std::string> args) {
  const auto out = (folder.path() / "out").string();
  args.insert(args.begin(), "run");
  args.insert(args.end(), {"--out", out, "--force"});
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

// Jobs 2 to 7 of a user, behind job 1 of another one.
std::string sessions_log() {
  return log_of({{1, 0, 0, 5000, 1, 1, -1, -1, 2},
                 {2, 0, 0, 100},
                 {3, 60, 0, 100},
                 {4, 400, 50, 100},
                 {5, 2000, -1, 50},
                 {6, 2100, 0, 10},
                 {7, 2100, 0, 10}});
}

constexpr const char* kSessions = "workload.feedback=sessions";

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
          "links.csv:2:11: delay: a delay is from 0 to 100000000000 s");
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

  TEST_CASE("sessions of a log, through the command line") {
    const ScratchFolder folder;
    const auto log = folder.file("log.swf", sessions_log());
    const auto run = [&](std::vector<std::string> more) {
      std::vector<std::string> args{"--trace",  log,      "--processors", "1",
                                    "--policy", "fcfs",   "--audit",      "full",
                                    "--set",    kSessions};
      args.insert(args.end(), more.begin(), more.end());
      return rows_of_run(folder, args);
    };
    // Job 3 comes 60 s after job 2 came; 4 comes 240 s after 3 has ended; 5 not before
    // 4 has ended; 6 and 7 come 50 s after that.
    const auto rows = run({});
    CHECK(rows.at(1) == Cells{"0", "0", "5000"});
    CHECK(rows.at(2) == Cells{"0", "5000", "5100"});
    CHECK(rows.at(3) == Cells{"60", "5100", "5200"});
    CHECK(rows.at(4) == Cells{"5440", "5440", "5540"});
    CHECK(rows.at(5) == Cells{"5540", "5540", "5590"});
    CHECK(rows.at(6) == Cells{"5640", "5640", "5650"});
    CHECK(rows.at(7) == Cells{"5640", "5650", "5660"});
    const auto out = (folder.path() / "out").string();
    std::ifstream file(out + "/summary.json");
    const std::string summary(std::istreambuf_iterator<char>(file), {});
    CHECK(summary.find("feedback by sessions: 3 jobs are submitted after another has "
                       "ended and the user has thought, 1 with the one before, 1 begin "
                       "a session, 2 come as recorded") != std::string::npos);
    CHECK(summary.find("1 wait that the trace does not know counts as 0") !=
          std::string::npos);
    const auto verified =
        berth_says({"verify", "--trace", log, "--processors", "1", "--set", kSessions,
                    "--schedule", out + "/jobs.csv"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find("dependencies checked") != std::string::npos);

    // Delays are the user's: twice the gaps of the log leave them as they are.
    CHECK(run({"--set", "workload.interarrival_factor=2"}).at(4)[0] == "5440");
    // With a gap of 0 only jobs of one instant are a batch, and each other job waits
    // for the one that ended last in the log.
    const auto apart = run({"--set", "workload.session_gap=0"});
    CHECK(apart.at(3) == Cells{"60", "5100", "5200"});
    CHECK(apart.at(4) == Cells{"5200", "5200", "5300"});
    CHECK(apart.at(7) == Cells{"5350", "5360", "5370"});
    // Links are those of the jobs that are left: job 4 is the first of its user.
    CHECK(run({"--set", "workload.from=100"}).at(4) == Cells{"400", "400", "500"});
  }

  TEST_CASE("sessions need users") {
    const ScratchFolder folder;
    const auto log = folder.file("log.swf", log_of({{1, 0, 0, 10, 1, 1, -1, -1, -1}}));
    const auto said =
        berth_says({"run", "--trace", log, "--policy", "fcfs", "--set", kSessions});
    CHECK(said.code == 3);
    CHECK(said.err.find("workload.feedback: no job names a user, so there are no "
                        "sessions") != std::string::npos);
    const auto named = folder.file("named.swf", sessions_log());
    const auto gap = berth_says({"run", "--trace", named, "--policy", "fcfs", "--set",
                                 kSessions, "--set", "workload.session_gap=-1"});
    CHECK(gap.code == 2);
    CHECK(gap.err.find("workload.session_gap: -1 is below 0") != std::string::npos);
  }

  TEST_CASE("sessions of KTH: links by rule, and waits of an independent simulator") {
    const auto trace = shared_data("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    if (!trace) return;
    const ScratchFolder folder;
    const auto mean_wait = [&](const std::string& policy) {
      const auto rows = rows_of_run(
          folder, {"--trace", trace->string(), "--policy", policy, "--set", kSessions});
      double all = 0;
      for (const auto& each : rows) {
        all += std::stod(each.second[1]) - std::stod(each.second[0]);
      }
      CHECK(rows.size() == 28475);
      return all / static_cast<double>(rows.size());
    };
    CHECK(mean_wait("fcfs") == doctest::Approx(43195.516).epsilon(1e-8));
    CHECK(mean_wait("first_fit") == doctest::Approx(3925.469).epsilon(1e-7));
    CHECK(mean_wait("easy") == doctest::Approx(4607.371).epsilon(1e-7));
    CHECK(mean_wait("conservative") == doctest::Approx(5026.646).epsilon(1e-7));
    std::ifstream file(folder.path() / "out" / "summary.json");
    const std::string summary(std::istreambuf_iterator<char>(file), {});
    CHECK(summary.find("11523 jobs are submitted after another has ended and the user "
                       "has thought, 6273 with the one before, 10453 begin a session, "
                       "226 come as recorded") != std::string::npos);
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
