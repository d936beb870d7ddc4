#include "bindings/policy_cases.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/support/cases.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

using bindings::PolicyCase;

std::vector<PolicyCase> read(const std::string& text) {
  return bindings::read_policy_cases({"x", "x.test.lua", text}, {},
                                     study::fields_of_cases());
}

std::string refusal(const std::string& text) {
  try {
    (void)read(text);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kPolicy);
    return error.what();
  }
  return "";
}

// A case with these fields.
std::string one(const std::string& fields) {
  return "return { { 'the case', processors = 4, " + fields + " } }";
}

const std::string kFine = "jobs = { { 0, 2, 5 }, { 1, 4, 3, 9 } }, starts = { 0, 5 }";
const std::string kFcfs =
    "return { schedule = function(queue, cluster) for job in queue:startable() do "
    "cluster:start(job) end end }";

std::string verdict(const std::string& starts) {
  const auto text = one("jobs = { { 0, 2, 5 }, { 1, 4, 3, 9 } }, starts = " + starts);
  return test::case_verdict({"x", "x.test.lua", text}, 0, {"fcfs", "fcfs.lua", kFcfs});
}

struct Refused {
  const char* fields;
  const char* says;
};

}  // namespace

TEST_SUITE("bindings/policy_cases") {
  TEST_CASE("a case says processors, jobs, parameters, passes and the starts") {
    const auto cases =
        read(one("params = { depth = 3, block = false, rule = 'x' }, pass = "
                 "'event', ties = 'submits_first', jobs = { { 0.5, 2, 5 }, "
                 "{ 1, 4, 3, 9 } }, starts = { 0.5, false }"));
    REQUIRE(cases.size() == 1);
    const auto& read_case = cases[0];
    CHECK(read_case.name == "the case");
    CHECK(read_case.processors == 4);
    CHECK(read_case.parameters == std::map<std::string, std::string>{{"block", "false"},
                                                                     {"depth", "3"},
                                                                     {"rule", "x"}});
    const auto scenario = study::scenario_of(read_case);
    CHECK(scenario.run.pass == sim::PassMode::kEvent);
    CHECK(scenario.run.ties == Ties::kSubmitsFirst);
    REQUIRE(read_case.jobs.size() == 2);
    CHECK(read_case.jobs[0].submit == 500'000);
    CHECK(read_case.jobs[0].walltime == seconds(5));
    CHECK(read_case.jobs[1].walltime == seconds(9));
    CHECK(read_case.jobs[1].id == 2);
    CHECK(read_case.starts == PolicyCase::Times{{1, 500'000}, {2, std::nullopt}});
  }

  TEST_CASE("a case that is met says nothing, else who starts when instead") {
    CHECK(verdict("{ 0, 5 }").empty());
    CHECK(verdict("{ 0, 4 }") ==
          "the case: job 2 starts at 5, expected 4\n"
          "  at 4: no room: 4 asked, 2 idle\n");
    CHECK(verdict("{ false, 5 }") ==
          "the case: job 1 starts at 0, expected never\n"
          "  at 0: started\n");
  }

  TEST_CASE("what is no list of cases is refused with the file and the case") {
    CHECK(refusal("return 1") == "x.test.lua: the file must return a list of cases");
    CHECK(refusal("return { 1 }") == "x.test.lua: case 1: a case is a table");
    CHECK(refusal("return { {} }") ==
          "x.test.lua: case 1: a case begins with its name");
    CHECK(refusal(one(kFine)).empty());
    static const std::vector<Refused> kRefused{
        {"jobs = 1, starts = {}", "jobs = { { submit, size, length[, walltime] } }"},
        {"jobs = { 1 }, starts = { 1 }", "jobs = {"},
        {"jobs = { { 0, 0, 5 } }, starts = { 0 }", "jobs = {"},
        {"jobs = { { 0, 1.5, 5 } }, starts = { 0 }", "jobs = {"},
        {"jobs = { { 0, 4294967297, 5 } }, starts = { 0 }", "jobs = {"},
        {"jobs = { { -1, 1, 5 } }, starts = { 0 }", "jobs = {"},
        {"jobs = { { 0, 1 } }, starts = { 0 }", "jobs = {"},
        {"jobs = { { 0, 1, 5, 5, 2 } }, starts = { 0 }", "jobs = {"},
        {"jobs = { { 0, 1, 5 } }", "starts = { a start or false for each job }"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0, 1 }", "starts = {"},
        {"jobs = { { 0, 1, 5 } }, starts = { 'x' }", "starts = {"},
        {"jobs = { { 0, 1, 5 } }, starts = { true }", "starts = {"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, params = 1", "params = a table"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, params = { 1 }",
         "the keys of params must be names"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, params = { a = {} }",
         "a parameter is a number, a boolean or a text"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, pass = 'evnt'",
         "pass: 'evnt' is not one of instant, event (did you mean 'event'?)"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, ties = 1",
         "ties: 1 is not text; write \"ends_first\" or \"submits_first\""},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, ties = 'x'",
         "ties: 'x' is not one of ends_first, submits_first"},
        {"jobs = { { 0, 1, 5 } }, starts = { 0 }, parms = {}",
         "there is no field 'parms' (did you mean 'params'?)"},
    };
    for (const auto& refused : kRefused) {
      CAPTURE(refused.fields);
      const auto text = refusal(one(refused.fields));
      CAPTURE(text);
      CHECK(text.find("x.test.lua: the case: ") == 0);
      CHECK(text.find(refused.says) != std::string::npos);
    }
  }

  TEST_CASE("F45: a rejected job says what it lacks, and its reason is too_big") {
    struct Row {
      const char* fields;
      const char* says;
    };
    const std::vector<Row> rows{
        {"hosts = { { count = 1, processors = 8, gpu = 2 } }, jobs = { { 1, 4, 50, "
         "needs "
         "= { gpu = 2 } } }",
         "it needs 8 gpu, no host has more than 2"},
        {"hosts = { { count = 3, processors = 8, gpu = 2 } }, jobs = { { 1, 4, 50, "
         "needs "
         "= { gpu = 2 } } }",
         "it needs 8 gpu, no host has more than 2, all together have 6"},
        {"hosts = { { count = 4, processors = 8, gpu = 2 } }, jobs = { { 1, 4, 50, "
         "needs "
         "= { chunks = 2, gpu = 3 } } }",
         "each of its 2 chunks needs 3 gpu, no host has more than 2"},
        {"hosts = { { count = 2, processors = 3 } }, jobs = { { 1, 4, 50, needs = { "
         "chunks = 1 } } }",
         "it needs 4 processors on one host, no host has more than 3"},
        {"processors = 4, resources = { licence = 2 }, jobs = { { 1, 1, 50, needs = { "
         "licence = 3 } } }",
         "it needs 3 licence, the machine has 2"},
        {"processors = 4, memory = 8, jobs = { { 1, 1, 50, needs = { memory = 9 } } }",
         "it needs 9 GiB of memory, the machine has 8"},
        {"processors = 4, jobs = { { 1, 5, 50 } }",
         "it needs 5 processors, the machine has 4"}};
    const auto told = [](const std::string& fields) {
      return test::case_verdict(
          {"x", "x.test.lua", "return { { 'the case', " + fields + " } }"}, 0,
          {"fcfs", "fcfs.lua", kFcfs});
    };
    for (const auto& row : rows) {
      CAPTURE(row.says);
      CHECK(told(std::string(row.fields) + ", starts = { 1 }") ==
            std::string("the case: job 1 was rejected: ") + row.says +
                "; expected to start at 1\n");
      CHECK(told(std::string(row.fields) + ", starts = { false }") == "");
      CHECK(told(std::string(row.fields) + ", why = { [1] = 'too_big' }") == "");
      CHECK(told(std::string(row.fields) +
                 ", check = function(run) return false, select(2, run:why(1)) end") ==
            std::string("the case: rejected at submit: ") + row.says + "\n");
      CHECK(told(std::string(row.fields) + ", ends = { [1] = 51 }") ==
            std::string("the case: job 1 was rejected: ") + row.says +
                "; expected to end at 51\n");
    }
  }

  TEST_CASE(
      "F45: of a job that the policy rejects it says when, and the policy's reason") {
    CHECK(
        test::case_verdict(
            {"x", "x.test.lua",
             "return { { 'the case', processors = 4, jobs = { { 3, 1, 5 } }, starts = "
             "{ "
             "3 } } }"},
            0,
            {"r", "r.lua",
             "return { schedule = function(queue, cluster) for job in queue:all() do "
             "cluster:because('not today') cluster:reject(job) end end }"}) ==
        "the case: job 1 was rejected by the policy at 3: not today; expected to start "
        "at 3\n");
  }
}
