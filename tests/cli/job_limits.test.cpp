// Limits of users, groups, queues, accounts and arrays, from files and through the
// command line (docs/model.md#limits, #arrays).

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

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

TraceRow row_of_group(std::int64_t submit, std::int64_t size, std::int64_t length,
                      std::int64_t group) {
  TraceRow row{submit, size, length};
  row.group = group;
  return row;
}

// Job 3 is of account b, the others of a.
std::vector<TraceRow> rows_of_accounts() {
  return {row_of_group(0, 2, 10, 1), row_of_group(0, 1, 10, 4),
          row_of_group(1, 2, 5, 2), row_of_group(1, 1, 3, 1)};
}

constexpr const char* kTwoAccounts =
    "[limits.accounts.a]\ngroups = [1, 4]\nguaranteed = 2\n"
    "[limits.accounts.b]\ngroups = [2]\nguaranteed = 2\n";

// Of the summary, as it is written.
std::string mean_barred(const PlayedScenario& played) {
  const auto text = played.text("summary.json");
  const auto name = text.find("\"mean_barred_time\"");
  const auto at = text.find("\"value\":", name);
  if (name == std::string::npos || at == std::string::npos) return {};
  return text.substr(at + 8, text.find_first_of(",\n}", at) - at - 8);
}

std::string limit_lines(const std::string& log) {
  std::istringstream lines(log);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"record\":\"limit\"") != std::string::npos) all += line + "\n";
  }
  return all;
}

// What a scenario with such accounts is refused for.
std::string fault_of_accounts(const std::string& a, const std::string& b = {}) {
  return fault_of_limits("[limits.accounts.a]\n" + a + "[limits.accounts.b]\n" + b);
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

  TEST_CASE("how long limits bar jobs is measured, and told with the full audit") {
    PlayedScenario played({{0, 1, 20}, {0, 1, 5}, {1, 2, 10, 0, 2}, {1, 1, 3, 0, 2}},
                          limited_pool(4, "[limits.users.\"*\"]\nrunning_jobs = 1\n"));
    CHECK(limited_spans(played, "fcfs", {"--log"}) == "0-20 20-25 1-11 11-14");
    // Job 2 is barred from 0 to 20, and job 4 from 1 to 11.
    CHECK(mean_barred(played) == " 7.5");
    CHECK(limit_lines(played.text("log.jsonl")) ==
          "{\"at\":0,\"record\":\"limit\",\"job\":2,\"event\":\"barred\",\"scope\":"
          "\"user\",\"reason\":\"limit_user_jobs\"}\n"
          "{\"at\":1,\"record\":\"limit\",\"job\":4,\"event\":\"barred\",\"scope\":"
          "\"user\",\"reason\":\"limit_user_jobs\"}\n");
    const auto light = (played.folder().path() / "light").string();
    CHECK(berth_says(
              {"run", played.scenario(), "--policy", "fcfs", "--log", "--out", light})
              .code == 0);
    std::ifstream log(light + "/log.jsonl");
    const std::string text(std::istreambuf_iterator<char>(log), {});
    CHECK(text.find("\"record\":\"start\"") != std::string::npos);
    CHECK(limit_lines(text).empty());

    // Job 4 waits outside until job 2 starts, and then for job 3.
    PlayedScenario outside(
        {{0, 3, 10}, {0, 4, 10}, {0, 4, 10}, {0, 1, 3}},
        limited_pool(4, "[limits.groups.\"*\"]\nwaiting_jobs = 2\n"));
    CHECK(limited_spans(outside, "fcfs", {"--log"}) == "0-10 10-20 20-30 30-33");
    CHECK(mean_barred(outside) == " 2.5");
    CHECK(limit_lines(outside.text("log.jsonl")) ==
          "{\"at\":0,\"record\":\"limit\",\"job\":4,\"event\":\"barred\",\"scope\":"
          "\"group\",\"reason\":\"limit_waiting\"}\n"
          "{\"at\":10,\"record\":\"limit\",\"job\":4,\"event\":\"shown\"}\n");

    PlayedScenario accounts(rows_of_accounts(), limited_pool(4, kTwoAccounts));
    CHECK(limited_spans(accounts, "first_fit", {"--log"}) == "0-10 0-10 10-15 10-13");
    CHECK(mean_barred(accounts) == " 2.25");
    CHECK(limit_lines(accounts.text("log.jsonl")) ==
          "{\"at\":1,\"record\":\"limit\",\"job\":4,\"event\":\"barred\",\"scope\":"
          "\"account\",\"reason\":\"borrowing\"}\n");
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

  TEST_CASE("an account borrows what no other one waits for") {
    PlayedScenario played(rows_of_accounts(), limited_pool(4, kTwoAccounts));
    CHECK(limited_spans(played, "first_fit") == "0-10 0-10 10-15 10-13");
    const auto verify = [&] {
      return berth_says(
          {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
    };
    const auto verified = verify();
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find("limits     checked") != std::string::npos);
    const auto why = berth_says({"explain", played.out(), "4", "--json"});
    CHECK_MESSAGE(why.code == 0, why.err);
    CHECK(why.out.find("\"why\": \"borrowing\"") != std::string::npos);
    CHECK(why.out.find("\"slurm\": \"Priority\"") != std::string::npos);
    // Without guarantees job 4 runs at 1, which is no schedule of this scenario.
    PlayedScenario free(rows_of_accounts(), limited_pool(4, ""));
    CHECK(limited_spans(free, "first_fit") == "0-10 0-10 10-15 1-4");
    const auto wrong = berth_says(
        {"verify", played.scenario(), "--schedule", free.out() + "/jobs.csv"});
    CHECK(wrong.code == 1);
    CHECK(wrong.out.find("at t=1, job 4: it borrows while another job waits for what "
                         "is guaranteed to its account") != std::string::npos);
  }

  TEST_CASE("limits of an account hold for those below it, and are explained") {
    PlayedScenario played(
        rows_of_accounts(),
        limited_pool(8,
                     "[limits.accounts.top]\nprocessors = 3\n"
                     "[limits.accounts.a]\ngroups = [1, 4]\nparent = \"top\"\n"
                     "running_jobs = 2\n"
                     "[limits.accounts.b]\ngroups = [2]\nparent = \"top\"\n"));
    for (const auto* policy : {"fcfs", "first_fit", "easy", "conservative"}) {
      CHECK(limited_spans(played, policy) == "0-10 0-10 10-15 10-13");
      const auto verified = berth_says(
          {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
      CHECK_MESSAGE(verified.code == 0, verified.out);
      const auto other = berth_says({"explain", played.out(), "3", "--json"});
      CHECK(other.out.find("\"slurm\": \"AssocGrpCpuLimit\"") != std::string::npos);
      const auto own = berth_says({"explain", played.out(), "4", "--json"});
      CHECK(own.out.find("\"slurm\": \"AssocGrpJobsLimit\"") != std::string::npos);
    }
    CHECK(
        limited_spans(played, "easy", {"--set", "limits.accounts.top.processors=1"}) ==
        "- 0-10 - 10-13");
    CHECK(limited_spans(played, "easy", {"--set", "limits.accounts.a.groups=1"}) ==
          "0-10 0-10 10-15 1-4");
  }

  // Job 3, which has no length, holds 1 of the 2 that are guaranteed to a while the
  // pass at 10 goes on, so that job 4 does not claim 2 and job 2 may borrow.
  TEST_CASE("a job without length may end a claim for others of its instant") {
    PlayedScenario played(
        {row_of_group(0, 4, 10, 3), row_of_group(1, 3, 5, 1), row_of_group(0, 1, 0, 1),
         row_of_group(2, 2, 4, 1)},
        limited_pool(4, "[limits.accounts.a]\ngroups = [1]\nguaranteed = 2\n"));
    CHECK(limited_spans(played, "fcfs") == "0-10 10-15 10-10 15-19");
    const auto verified = berth_says(
        {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
  }

  // Jobs 2 and 4 borrow at 10, behind job 3, and job 2 before 4 takes the place of a.
  TEST_CASE("a job without length that borrows starts before those that stay") {
    PlayedScenario played(
        {row_of_group(0, 4, 10, 3), row_of_group(2, 3, 0, 1), row_of_group(1, 1, 0, 1),
         row_of_group(3, 3, 5, 1)},
        limited_pool(4,
                     "[limits.accounts.a]\ngroups = [1]\nguaranteed = 2\n"
                     "running_jobs = 1\n"));
    CHECK(limited_spans(played, "fcfs") == "0-10 10-10 10-10 10-15");
    const auto verified = berth_says(
        {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
  }

  TEST_CASE("guarantees beside what begins to wait within a pass are not verified") {
    const auto refused = [](const PlayedScenario& played) {
      const auto said = berth_says(
          {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
      return said.code == 2 &&
             said.err.find(
                 "verify: not yet where accounts have guaranteed processors "
                 "beside waiting_jobs or dependencies") != std::string::npos;
    };
    ArrayScenario child({{0, 1, 10}, {0, 1, 10}}, "a,1,\n", "2,afterok,1,\n",
                        kTwoAccounts);
    CHECK(limited_spans(child, "fcfs") == "0-10 10-20");
    CHECK(refused(child));
    PlayedScenario outside(
        rows_of_accounts(),
        limited_pool(
            4, std::string(kTwoAccounts) + "[limits.users.\"*\"]\nwaiting_jobs = 2\n"));
    CHECK(limited_spans(outside, "fcfs") == "0-10 0-10 10-15 10-13");
    CHECK(refused(outside));
  }

  TEST_CASE("each mistake in a tree of accounts is named where it stands") {
    CHECK(fault_of_accounts("parent = \"c\"\n") ==
          "case.toml:6:10: limits.accounts.a.parent: there is no account c");
    CHECK(
        fault_of_accounts("parent = \"b\"\n", "parent = \"a\"\n") ==
        "case.toml:6:10: limits.accounts.a.parent: the accounts above it are a cycle");
    CHECK(fault_of_accounts("groups = [1, 4]\n", "groups = [2, 4]\n") ==
          "case.toml:8:10: limits.accounts.b.groups: group 4 is in account a already");
    CHECK(fault_of_accounts("processors = 3\nguaranteed = 4\n") ==
          "case.toml:7:14: limits.accounts.a.guaranteed: 4 is above its processors, 3");
    CHECK(fault_of_accounts("guaranteed = 4\n", "parent = \"a\"\nguaranteed = 5\n") ==
          "case.toml:6:14: limits.accounts.a.guaranteed: the accounts below it are "
          "guaranteed 5 together, and it 4");
    CHECK(fault_of_accounts("running_jobs = -1\n").find("case.toml:6:") == 0);
    CHECK(fault_of_accounts("processors = 2.5\n").find("case.toml:6:") == 0);
    CHECK(fault_of_accounts("groups = [\"x\"]\n").find("case.toml:6:") == 0);
    CHECK(fault_of_accounts("waiting_jobs = 3\n").find("case.toml:6:") == 0);
    CHECK(fault_of_limits("[limits]\nstop = true\n[limits.accounts.a]\n"
                          "guaranteed = 2\n")
              .find("case.toml:6:8: limits.stop: not yet where accounts have "
                    "guaranteed processors") == 0);
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
