// Files of cases as `berth test` runs them: what is found, told, shrunk and covered.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "engine/base/error.hpp"
#include "study/tests/case_settings.hpp"
#include "study/tests/property.hpp"
#include "study/tests/test_files.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

const std::string kEasy =
    "return { schedule = function(queue, cluster) cluster:backfill(queue) end }\n";
// Stops at the first job that does not fit, but forgets to protect it.
const std::string kForgets =
    "return { schedule = function(queue, cluster)\n"
    "  for job in queue:fitting() do cluster:start(job) end\n"
    "end }\n";
const std::string kProperty =
    "return { { 'never later than FCFS', processors = 16,\n"
    "  random = { jobs = 100, runs = 60, estimates = 'exact' }, versus = 'fcfs',\n"
    "  holds = function(run, other)\n"
    "    for i, job in ipairs(run:jobs()) do\n"
    "      local there = other:jobs()[i]\n"
    "      if job.start > there.start then\n"
    "        return false, 'job ' .. job.number .. ' starts at ' .. job.start ..\n"
    "          ', under FCFS at ' .. there.start\n"
    "      end\n"
    "    end\n"
    "    return true\n"
    "  end } }\n";

class Folder {
 public:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] study::TestReport run(const study::TestOptions& options = {}) const {
    return study::run_tests(study::test_files({folder_.path().string()}),
                            study::PolicyLibrary::standard(), options);
  }

 private:
  test::ScratchFolder folder_;
};

// The report of cases for EASY with these fields, on four processors.
study::TestReport report_of(const std::string& fields,
                            const std::string& policy = kEasy) {
  const Folder folder;
  folder.write("mine.lua", policy);
  folder.write("mine.test.lua",
               "return { { 'it', processors = 4, jobs = { { 0, 3, 10 }, { 0, 4, 10 }, "
               "{ 1, 1, 5 } }, " +
                   fields + " } }");
  return folder.run();
}

std::string says(const std::string& fields, const std::string& policy = kEasy) {
  const auto report = report_of(fields, policy);
  REQUIRE(report.tests.size() == 1);
  return report.tests[0].says;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("study/berth test") {
  TEST_CASE("holds has the jobs of both runs row for row") {
    const Folder folder;
    folder.write("mine.lua", kEasy);
    folder.write(
        "mine.test.lua",
        "return { { 'sums', processors = 16, random = { jobs = 50, runs = 10 },\n"
        "  versus = 'fcfs', holds = function(run, other)\n"
        "    local own, there = run:common(other)\n"
        "    return #own == 50 and #there == 50 and\n"
        "      own.id:eq(there.id):sum() == 50 and\n"
        "      (own.wait - there.wait):sum() ==\n"
        "        own.wait:sum() - there.wait:sum()\n"
        "  end },\n"
        "  { 'no run', processors = 16, random = { jobs = 5, runs = 1 },\n"
        "    holds = function(run) return run:common(17) end } }\n");
    const auto report = folder.run();
    REQUIRE(report.tests.size() == 2);
    CHECK(report.tests[0].says.empty());
    CHECK(has(report.tests[1].says, "run:common takes another run, got number"));
  }

  TEST_CASE("starts, ends, order and reasons are expected, and differences explained") {
    CHECK(says("starts = { 0, 10, 1 }, ends = { 10, 20, 6 }, order = { 1, 3, 2 }, "
               "why = { [2] = 'no_room' }")
              .empty());
    CHECK(says("ends = { [3] = 7 }") == "it: job 3 ends at 6, expected 7\n");
    CHECK(says("ends = { [3] = false }") == "it: job 3 ends at 6, expected never\n");
    CHECK(says("order = { 2, 3 }") ==
          "it: jobs start in the order 3, 2, expected 2, 3\n"
          "  at 1: no room: 4 asked, 0 idle; taken by 3, which is behind it\n");
    CHECK(says("why = { [2] = { [4] = 'would_delay' } }") ==
          "it: the reason of job 2 at 4 is no_room, expected would_delay\n"
          "  no room: 4 asked, 0 idle; taken by 3, which is behind it\n");
    CHECK(says("why = { [1] = 'no_room' }") ==
          "it: the reason of job 1 is none, expected no_room\n");
  }

  TEST_CASE("a check looks at jobs, metrics and reasons") {
    CHECK(says("check = function(run)\n"
               "  assert(run:job(3).start == 1 and run:job(2).wait == 10)\n"
               "  assert(run:job(2).finish == 20 and run:job(1).walltime == 10)\n"
               "  assert(run.processors == 4 and #run:jobs() == 3)\n"
               "  assert(run:metric('mean_wait') > 3 and run:metric('mean_wait') < 4)\n"
               "  local why, words = run:why(2, 4)\n"
               "  assert(why == 'no_room' and words:find('4 asked'))\n"
               "  assert(run:why(1) == nil and run:why(2) == 'no_room')\n"
               "end")
              .empty());
    CHECK(says("check = function(run) return false, 'not so' end") == "it: not so\n");
    CHECK(has(says("check = function(run) assert(run:job(3).start == 2, 'at 2') end"),
              "at 2"));
    CHECK(has(says("check = function(run) run:job(4) end"),
              "mine.test.lua:1: there is no job 4 in this run"));
    CHECK(has(says("check = function(run) run:metric('mean_wiat') end"),
              "did you mean 'mean_wait'?"));
  }

  TEST_CASE("a check has the run that metrics have, and may only read it") {
    CHECK(says("check = function(run)\n"
               "  assert(#run.jobs == 3 and run.jobs.wait:sum() == 10)\n"
               "  assert(run.finished:where('job.size > 3').wait:max() == 10)\n"
               "  assert(run.levels.used:at(0) == 3 and run.levels.used:at(2) == 4)\n"
               "  assert(run.settings['machine.processors'] == 4)\n"
               "  assert(run.counts.finished == 3 and run.machine.processors == 4)\n"
               "  assert(run.users and run.policy == 'mine')\n"
               "  table.remove(run:jobs())\n"
               "  assert(#run:jobs() == 3 and run:jobs()[3].number == 3)\n"
               "  assert(math.type(run:job(3).start) == 'integer')\n"
               "  assert(run:job(3).user == nil and tool == nil and host == nil)\n"
               "end")
              .empty());
    CHECK(has(says("check = function(run) return run.jbos end"),
              "mine.test.lua:1: a run has no 'jbos', did you mean 'jobs'?"));
    CHECK(has(says("check = function(run) return run.jobs.wiat end"),
              "mine.test.lua:1: a frame of jobs has no 'wiat', did you mean 'wait'?"));
    for (const auto* name : {"job", "why", "jobs", "other"}) {
      CAPTURE(name);
      const auto text =
          says(std::string("check = function(run) run.") + name + " = 1 end");
      CHECK(has(text, std::string("a run is read-only: '") + name + "' cannot be set"));
    }
  }

  TEST_CASE("what a function kept of a run that is over is an error") {
    const auto kept = [](const std::string& keep, const std::string& use) {
      const Folder folder;
      folder.write("mine.lua", kEasy);
      folder.write("mine.test.lua",
                   "local kept\n"
                   "return { { 'it', processors = 1, jobs = { { 0, 1, 1 } },\n"
                   "  check = function(run) kept = " +
                       keep +
                       " end,\n"
                       "  holds = function(run) return " +
                       use + " end } }");
      return folder.run().tests.at(0).says;
    };
    for (const auto* use :
         {"#kept.jobs", "kept.title", "kept:jobs()", "kept:metric('mean_wait')",
          "kept:why(1)", "kept:job(1) ~= nil"}) {
      CAPTURE(use);
      CHECK(has(kept("run", use), "mine.test.lua:4: this run is over"));
    }
    CHECK(has(kept("run.settings", "kept['seed']"), "this run is over"));
    CHECK(has(kept("run.jobs", "kept.wait"), "this run is over"));
    // What was read is the script's.
    CHECK(kept("run.jobs.wait", "kept:sum() == 0").empty());
    CHECK(kept("run.levels.used", "kept:max() == 1").empty());
  }

  TEST_CASE("a run is known in its own call alone") {
    const Folder folder;
    folder.write("mine.lua", kEasy);
    folder.write("mine.test.lua",
                 "local kept\n"
                 "return { { 'it', processors = 1, jobs = { { 0, 1, 1 } },\n"
                 "  check = function(run) kept = run end,\n"
                 "  holds = function(run) return kept:job(1) ~= nil end } }");
    const auto report = folder.run();
    CHECK(has(report.tests.at(0).says, "this run is over"));
  }

  TEST_CASE("what a property finds is made smaller, and is ready to paste") {
    const Folder folder;
    folder.write("mine.lua", kForgets);
    folder.write("mine.test.lua", kProperty);
    auto report = folder.run();
    REQUIRE(report.tests.size() == 1);
    const auto test = report.tests[0];
    CHECK(report.code() == 1);
    CHECK(has(test.says, "never later than FCFS: job "));
    CHECK(has(test.says, "made smaller from 100 jobs to "));
    // Why the first job waits: another, behind it, took its processors.
    CHECK(has(test.says, "which is behind it"));

    // The smallest case: as a file of its own it fails alike, and has at most six jobs.
    auto text = kProperty;
    text.insert(text.rfind('}'), ",\n" + test.paste);
    folder.write("mine.test.lua", text);
    report = folder.run();
    REQUIRE(report.tests.size() == 2);
    CHECK(report.tests[1].code == 1);
    CHECK(has(report.tests[1].says, "under FCFS at"));
    const auto cases = bindings::read_policy_cases({"x", "x.test.lua", text}, {},
                                                   study::fields_of_cases());
    CHECK(cases.at(1).jobs.size() <= 6);

    // It does not depend on the cores.
    study::TestOptions parallel;
    parallel.workers = 4;
    const auto again = folder.run(parallel);
    CHECK(again.tests[0].says == test.says);
    CHECK(again.tests[0].paste == test.paste);
  }

  TEST_CASE("the case to paste has the settings and parameters of the property") {
    const Folder folder;
    folder.write("mine.lua",
                 "return { params = { deep = { default = 1 }, word = { default = 'a', "
                 "values = { 'a', 'b' } } }, schedule = function(queue, cluster) "
                 "cluster:start_all(queue) end }");
    const std::string fields =
        "run = { pass = 'event' }, sharing = 'exclusive', params = { deep = 2.5, word "
        "= 'b' }, resources = { licence = 3 }";
    folder.write("mine.test.lua",
                 "return { { 'p \"q\"', processors = 16, " + fields +
                     ", random = { runs = 1 }, holds = function() return false end } "
                     "}");
    const auto paste = folder.run().tests.at(0).paste;
    CHECK(paste ==
          "  { \"p \\\"q\\\": workload 1\", processors = 1,\n"
          "    jobs = { { 0, 1, 1 } },\n"
          "    params = { deep = 2.5, word = \"b\" },\n"
          "    resources = { licence = 3 },\n"
          "    run = { pass = \"event\" },\n"
          "    sharing = \"exclusive\",\n"
          "    holds = \"p \\\"q\\\"\" },\n");
    const auto read = bindings::read_policy_cases(
        {"x", "x.test.lua",
         "return { { 'p \"q\"', processors = 1, jobs = {}, holds = print },\n" + paste +
             "}"},
        {}, study::fields_of_cases());
    CHECK(study::scenario_of(read.at(1)).run.pass == sim::PassMode::kEvent);
    CHECK(read.at(1).parameters ==
          std::map<std::string, std::string>{{"deep", "2.5"}, {"word", "b"}});
  }

  TEST_CASE("a machine of hosts stays as it is when the workload is made smaller") {
    const Folder folder;
    folder.write("mine.lua", kEasy);
    folder.write("mine.test.lua",
                 "return { { 'p', hosts = { { count = 2, processors = 4, gpu = 1 } },\n"
                 "  random = { runs = 1 }, holds = function(run)\n"
                 "    return run.processors ~= 8 end } }");
    CHECK(folder.run().tests.at(0).paste ==
          "  { \"p: workload 1\",\n"
          "    jobs = { { 0, 1, 1 } },\n"
          "    hosts = { [1] = { count = 2, gpu = 1, processors = 4 } },\n"
          "    holds = \"p\" },\n");
  }

  TEST_CASE("a property that holds is told with its runs") {
    const Folder folder;
    folder.write("fcfs.lua",
                 "return { schedule = function(queue, cluster)\n"
                 "  for job in queue:startable() do cluster:start(job) end\nend }\n");
    folder.write("fcfs.test.lua", kProperty);
    const auto report = folder.run();
    CHECK(study::test_text(report) ==
          "ok   fcfs.test.lua: never later than FCFS (60 runs)\n"
          "1 test: all as expected\n");
  }

  TEST_CASE("errors of the policy are found and made smaller, too") {
    const Folder folder;
    folder.write("mine.lua",
                 "return { schedule = function(queue, cluster)\n"
                 "  for job in queue:fitting() do\n"
                 "    if job.size == 7 then error('seven') end\n"
                 "    cluster:start(job)\n  end\nend }\n");
    folder.write("mine.test.lua",
                 "return { { 'p', processors = 16, random = { runs = 20 },\n"
                 "  holds = function() return true end } }");
    const auto report = folder.run();
    const auto& test = report.tests.at(0);
    CHECK(test.code == 4);
    CHECK(has(test.says, "mine.lua:3: seven"));
    CHECK(has(test.paste, "jobs = { { 0, 7, 1 } }"));
  }

  TEST_CASE("random workloads depend on their number alone") {
    bindings::PolicyCase property;
    property.processors = 16;
    property.random = bindings::RandomJobs{};
    const auto first = study::drawn(property, 3).jobs;
    const auto second = study::drawn(property, 3).jobs;
    const auto other = study::drawn(property, 4).jobs;
    REQUIRE(first.size() == 100);
    bool is_other = false;
    for (std::size_t i = 0; i < first.size(); ++i) {
      CHECK(first[i].submit == second[i].submit);
      CHECK(first[i].size == second[i].size);
      CHECK(first[i].walltime >= first[i].length);
      CHECK(first[i].size <= 16);
      is_other = is_other || first[i].length != other[i].length;
    }
    CHECK(is_other);
  }

  TEST_CASE("a scenario or a trace stands for the jobs") {
    const Folder folder;
    folder.write("mine.lua", kEasy);
    folder.write("small.swf",
                 "; MaxProcs: 4\n"
                 "7 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 -1 -1 -1\n"
                 "9 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n");
    folder.write("small.toml",
                 "[machine]\nprocessors = 8\n[workload]\ntrace = \"small.swf\"\n"
                 "[run]\npolicies = [\"fcfs\"]\n");
    folder.write(
        "mine.test.lua",
        "return {\n"
        "  { 'trace', trace = 'small.swf', starts = { [7] = 0, [9] = 10 },\n"
        "    why = { [9] = 'no_room' } },\n"
        "  { 'wide', trace = 'small.swf', processors = 7, starts = { [9] = 0 } },\n"
        "  { 'scenario', scenario = 'small.toml', starts = { [9] = 1 } },\n"
        "  { 'no job', scenario = 'small.toml', starts = { [8] = 1 } },\n"
        "  { 'no file', scenario = 'none.toml', starts = { [8] = 1 } } }");
    const auto report = folder.run();
    REQUIRE(report.tests.size() == 5);
    CHECK(report.tests[0].says.empty());
    CHECK(report.tests[1].says.empty());
    CHECK(has(report.tests[2].says, "scenario: job 9 starts at 0, expected 1"));
    CHECK(has(report.tests[3].says, "there is no job 8 in this run"));
    CHECK(has(report.tests[4].says, "none.toml"));
    CHECK(report.tests[4].code == 3);
  }

  TEST_CASE("a function that spins meets the limits of a run") {
    const Folder folder;
    folder.write("mine.lua", kEasy);
    folder.write("mine.test.lua",
                 "return { { 'spins', processors = 4, random = { runs = 3 },\n"
                 "  holds = function() while true do end end } }");
    study::TestOptions options;
    options.limits.time_seconds = 0;
    options.limits.work_units = 2'000'000;
    const auto report = folder.run(options);
    CHECK(report.tests.at(0).code == 5);
    CHECK(has(report.tests.at(0).says, "mine.test.lua:2"));
  }

  TEST_CASE("memory and what is not in the sandbox, too") {
    const auto ends = [](const std::string& body, std::int64_t mib) {
      const Folder folder;
      folder.write("mine.lua", kEasy);
      folder.write("mine.test.lua",
                   "return { { 'it', processors = 1, jobs = { { 0, 1, 1 } },\n"
                   "  check = function(run) " +
                       body + " end } }");
      study::TestOptions options;
      options.limits.memory_mib = mib;
      return folder.run(options).tests.at(0);
    };
    const auto full = ends("local t = {} while true do t[#t + 1] = { t } end", 16);
    CHECK(full.code == 6);
    CHECK(has(full.says, "mine.test.lua:2: memory limit: 16 MiB live"));
    const auto reads = ends("return io.open('x')", 256);
    CHECK(reads.code == 1);
    CHECK(has(reads.says, "mine.test.lua:2"));
    CHECK(has(reads.says, "not in the sandbox"));
  }

  TEST_CASE("what is wrong with a file is told with its name, and the others run") {
    const Folder folder;
    folder.write("a.lua", kEasy);
    folder.write("a.test.lua", "return { {");
    folder.write("b.test.lua", "return {}");
    folder.write("c.lua", kEasy);
    folder.write("c.test.lua",
                 "return { { 'x', processors = 1, jobs = { { 0, 1, 1 } }, starts = { 0 "
                 "} } }");
    const auto report = folder.run();
    REQUIRE(report.tests.size() == 3);
    CHECK(has(report.tests[0].says, "a.test.lua:1"));
    CHECK(report.tests[0].code == 4);
    CHECK(has(report.tests[1].says, "b.lua"));
    CHECK(report.tests[2].code == 0);
  }

  TEST_CASE("cases that make no sense are refused") {
    const auto refused = [](const std::string& fields) {
      try {
        (void)bindings::read_policy_cases(
            {"x", "x.test.lua", "return { { 'it', processors = 4, " + fields + " } }"},
            {}, study::fields_of_cases());
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(has(refused("random = { jobs = 0 }, holds = print"),
              "random: jobs = a whole number from 1 to 10000"));
    CHECK(has(refused("random = { jbos = 1 }, holds = print"), "did you mean 'jobs'?"));
    CHECK(has(refused("random = {}"), "random jobs need holds"));
    CHECK(has(refused("random = { load = 0 }, holds = print"), "random: load"));
    CHECK(has(refused("random = {}, holds = print, starts = {}"), "no known starts"));
    CHECK(
        has(refused("jobs = { { 0, 1, 1 } }"), "or ends, order, why, check or holds"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, check = 1"), "check = function(run)"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, ends = { [2] = 1 }"), "ends = {"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, order = { 2 }"), "order = {"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, why = { [1] = 1 }"), "why = {"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, why = { [1] = 'no_rom' }"),
              "did you mean 'no_room'?"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, holds = 'none'"),
              "there is no case 'none' with a function holds"));
    CHECK(has(refused("trace = 'x.swf', jobs = {}"), "decides about jobs"));
    CHECK(
        has(refused("trace = 'x.swf', scenario = 'x.toml'"), "a scenario or a trace"));
    CHECK(has(refused("jobs = { { 0, 1, 1 } }, starts = { 0 }, versus = 'fcfs'"),
              "versus is for holds"));
  }

  TEST_CASE("needs of a case may be words where the machine has words for them") {
    const auto with_needs = [](const std::string& needs) {
      const Folder folder;
      folder.write("mine.lua",
                   "return { schedule = function(queue, cluster)\n"
                   "  for job in queue:startable() do\n"
                   "    print(job.types, job.class)\n    cluster:start(job)\n"
                   "  end\nend }\n");
      folder.write(
          "mine.test.lua",
          "return { { 'it', sharing = 'devices', hosts = {\n"
          "    t4 = { count = 1, cpu = 8, devices = { type = 'T4', count = 1 } },\n"
          "    a100 = { count = 1, cpu = 8, devices = { type = 'A100', count = 1 "
          "} } },\n"
          "  jobs = { { 0, 1, 10, needs = { gpus = 1, types = 'A100' } },\n"
          "    { 1, 1, 10, needs = { " +
              needs + " } } }, starts = { 0, 10 } } }");
      const auto report = folder.run();
      REQUIRE(report.tests.size() == 1);
      return report.tests[0].says;
    };
    // Job 2 waits for the one host with such devices.
    CHECK(with_needs("gpus = 1, types = 'A100', class = 'training'").empty());
    CHECK(has(with_needs("gpus = 1, types = 'T4|A100'"), "starts at 1, expected 10"));
    CHECK(has(with_needs("gpus = 1, types = 5"), "it: needs: types: is a text"));
    CHECK(has(with_needs("gpus = 'one'"), "it: needs: gpus: is a number"));
    CHECK(has(with_needs("gpus = 1, types = 'T4||A100'"), "is no list of types"));
    CHECK(has(with_needs("gpus = 1, types = ''"), "needs = { kind = amount }"));
  }

  TEST_CASE("coverage shows the lines of the policy that never ran") {
    const Folder folder;
    folder.write("mine.lua",
                 "return { schedule = function(queue, cluster)\n"
                 "  for job in queue:fitting() do\n"
                 "    if job.size > 100 then\n"
                 "      cluster:reject(job)\n"
                 "    else\n"
                 "      cluster:start(job)\n"
                 "    end\n"
                 "  end\n"
                 "end }\n"
                 "-- end\n");
    folder.write("mine.test.lua",
                 "return { { 'x', processors = 1, jobs = { { 0, 1, 1 } }, starts = { 0 "
                 "} } }");
    study::TestOptions options;
    options.coverage = true;
    const auto text = study::test_text(folder.run(options));
    CHECK(has(text,
              "mine.lua: 4 of 5 lines ran\n  never    4        cluster:reject(job)\n"));
  }

  TEST_CASE("a filter chooses cases; TAP and JUnit say the same") {
    const Folder folder;
    folder.write("mine.lua", kEasy);
    folder.write("mine.test.lua",
                 "local function one(name, start) return { name, processors = 1,\n"
                 "  jobs = { { 0, 1, 1 } }, starts = { start } } end\n"
                 "return { one('good', 0), one('bad <&>', 1), one('other', 0) }");
    const auto report = folder.run();
    CHECK(study::test_tap(report) ==
          "TAP version 13\n1..3\nok 1 - mine.test.lua: good\n"
          "not ok 2 - mine.test.lua: bad <&>\n"
          "# bad <&>: job 1 starts at 0, expected 1\n#   at 0: started\n"
          "ok 3 - mine.test.lua: other\n");
    const auto junit = study::test_junit(report);
    CHECK(has(junit, "tests=\"3\" failures=\"1\""));
    CHECK(has(junit, "name=\"bad &lt;&amp;&gt;\""));
    CHECK(has(junit, "job 1 starts at 0, expected 1"));
    study::TestOptions options;
    options.filter = "oo";
    CHECK(folder.run(options).tests.size() == 1);
  }
}
