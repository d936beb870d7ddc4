#include "bindings/tools/explain_script.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "bindings/tools/run_waits.hpp"
#include "engine/jobs/job.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)

namespace {

Job job_to_explain(std::int64_t id, std::int32_t size, std::int32_t user) {
  Job job;
  job.id = id;
  job.size = size;
  job.user = user;
  job.length = seconds(90'000);
  job.walltime = seconds(100'800);
  return job;
}

// Four jobs: 11 waits for 10 and 12, 12 for nobody, 13 not at all.
class ExplainedRunOfFour {
 public:
  ExplainedRunOfFour()
      : jobs_{job_to_explain(10, 4, 7), job_to_explain(11, 3, 7),
              job_to_explain(12, 1, 8), job_to_explain(13, 1, kUnknown)} {
    machine_.processors = 4;
    run_.policy = "easy";
    run_.machine = &machine_;
    run_.workload = jobs_;
  }

  void add(std::uint32_t job, Why why, Duration time,
           std::vector<std::pair<JobId, Duration>> blockers = {}) {
    explained_[JobId{job}].push_back(
        {why, 2, time, seconds(5), seconds(5) + time, blockers});
  }
  void add_all() {
    explained_[JobId{0}] = {};
    add(1, Why::kNoRoom, seconds(2'000),
        {{JobId{0}, seconds(1'500)}, {JobId{2}, seconds(500)}});
    add(1, Why::kWouldDelay, seconds(1'000), {{JobId{2}, seconds(1'000)}});
    add(2, Why::kOrder, seconds(1'000) + 500'000);
    add(3, Why::kNotAsked, 0);
  }
  [[nodiscard]] ExplainAnswer told(bool json = false, bool files = false) {
    WaitTimes times;
    // The frames put them in order.
    for (auto each = explained_.rbegin(); each != explained_.rend(); ++each) {
      times.add(each->first, each->second);
    }
    times.sort();
    auto frames = run_waits(times);
    run_.waits = frames.waits;
    run_.blocks = frames.blocks;
    run_.blockers = frames.blockers;
    return ExplainScript(test::patient_limits())
        .all(run_, explained_.size(), {json, files});
  }

 private:
  std::vector<Job> jobs_;
  sim::Machine machine_;
  ToolRun run_;
  std::map<JobId, std::vector<ReasonTime>> explained_;
};

}  // namespace

TEST_SUITE("bindings/explain_script") {
  TEST_CASE("where all waiting time went") {
    ExplainedRunOfFour run;
    run.add_all();
    const auto answer = run.told();
    CHECK(as_text(answer.page) ==
          "4 jobs under easy: 2 waited, 4000.5 s in all\n\n"
          "reason       slurm      seconds   share  jobs  passes\n"
          "no_room      Resources    2,000  50.0 %     1       2\n"
          "order        Priority    1000.5  25.0 %     1       2\n"
          "would_delay  Priority     1,000  25.0 %     1       2\n"
          "not_asked    None             0   0.0 %     0       2\n\n"
          "jobs that others waited for longest\n\n"
          "job  size      length    walltime  seconds  jobs\n"
          "10      4  1-01:00:00  1-04:00:00    1,500     1\n"
          "12      1  1-01:00:00  1-04:00:00    1,500     2\n\n"
          "by user\n\n"
          "user  most of it  seconds   share  jobs\n"
          "7     no_room       3,000  75.0 %     1\n"
          "8     order        1000.5  25.0 %     1\n\n"
          "by size\n\n"
          "size  most of it  seconds   share  jobs\n"
          "1     order        1000.5  25.0 %     1\n"
          "3-4   no_room       3,000  75.0 %     1\n");
    const auto markdown = as_markdown(answer.page);
    CHECK(
        markdown.find("s in all\n\n| reason | slurm | seconds | share | jobs | passes "
                      "|\n|---|---|---:|---:|---:|---:|\n| no_room | Resources | 2,000 "
                      "| 50.0 % | 1 | 2 |\n") != std::string::npos);
    CHECK(markdown.find("| 12 | 1 | 1-01:00:00 | 1-04:00:00 | 1,500 | 2 |\n\n\nby "
                        "user\n\n| user |") != std::string::npos);
    CHECK(markdown.ends_with("| 3-4 | no_room | 3,000 | 75.0 % | 1 |\n\n"));
  }

  TEST_CASE("the same as JSON, and each wait in waits.csv") {
    ExplainedRunOfFour run;
    run.add_all();
    const auto answer = run.told(true, true);
    CHECK(answer.page.parts.empty());
    CHECK(
        answer.json.value().compact() ==
        R"({"policy":"easy","jobs":4,"waited":2,"seconds":4000.5,"reasons":{)"
        R"("no_room":{"seconds":2000.0,"jobs":1,"passes":2},)"
        R"("would_delay":{"seconds":1000.0,"jobs":1,"passes":2},)"
        R"("order":{"seconds":1000.5,"jobs":1,"passes":2},)"
        R"("not_asked":{"seconds":0.0,"jobs":0,"passes":2}},"blockers":[)"
        R"({"job":10,"seconds":1500.0,"jobs":1},{"job":12,"seconds":1500.0,"jobs":2}],)"
        R"("users":{"7":{"seconds":3000.0,"jobs":1,"passes":4},)"
        R"("8":{"seconds":1000.5,"jobs":1,"passes":2}},)"
        R"("sizes":{"1":{"seconds":1000.5,"jobs":1,"passes":4},)"
        R"("3-4":{"seconds":3000.0,"jobs":1,"passes":4}},"format":1})");
    REQUIRE(answer.files.parts.size() == 1);
    const auto& file = answer.files.parts.front().file;
    CHECK(file.name == "waits.csv");
    CHECK(as_csv(file) ==
          "job_id,reason,passes,seconds,first,last,blocker\n"
          "11,no_room,2,2000,5,2005,10\n"
          "11,would_delay,2,1000,5,1005,12\n"
          "12,order,2,1000.5,5,1005.5,\n"
          "13,not_asked,2,0,5,5,\n");
  }

  TEST_CASE("of jobs that never waited only their number is told") {
    ExplainedRunOfFour run;
    CHECK(as_text(run.told().page) == "0 jobs under easy: 0 waited, 0 s in all\n\n");
    CHECK(as_markdown(run.told().page) ==
          "0 jobs under easy: 0 waited, 0 s in all\n\n");
    CHECK(run.told(true).json.value().compact() ==
          R"({"policy":"easy","jobs":0,"waited":0,"seconds":0.0,"reasons":{},)"
          R"("blockers":[],"users":{},"sizes":{},"format":1})");
    run.add(3, Why::kNotAsked, 0);
    CHECK(as_text(run.told().page) ==
          "1 jobs under easy: 0 waited, 0 s in all\n\n"
          "reason     slurm  seconds  share  jobs  passes\n"
          "not_asked  None         0      -     0       2\n\n"
          "by size\n\n"
          "size  most of it  seconds  share  jobs\n"
          "1     not_asked         0      -     0\n");
  }
}
