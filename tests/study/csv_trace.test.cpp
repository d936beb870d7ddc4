#include "study/inputs/csv_trace.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "engine/base/error.hpp"
#include "engine/workload/line_reader.hpp"
#include "tests/support/played.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using Columns = std::map<std::string, std::string>;

JobFileForm gpus_form() {
  return {{{"gpus", "needs.gpus", JobFileForm::Given::kOrEmpty, nullptr}},
          JobFileForm::Lines::kAtMostOne};
}

study::CsvTrace csv_trace(const std::string& text, const Columns& columns = {},
                          bool needs_length = true) {
  Budget budget;
  MemorySource source(text);
  return study::read_csv_trace(source, "t.csv",
                               {{"workload.columns", columns}, needs_length},
                               gpus_form(), budget);
}

std::string wrong_trace(const std::string& text, const Columns& columns = {}) {
  try {
    (void)csv_trace(text, columns);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

constexpr const char* kHost =
    "[machine]\nsharing = \"devices\"\n"
    "[machine.hosts.a]\ncount = 1\ncpu = 16\ndevices = { type = \"T4\", count = 4 }\n"
    "[workload]\ntrace = \"tasks.csv\"\n";

}  // namespace

TEST_SUITE("study/csv_trace") {
  TEST_CASE("fields are columns, scaled columns and differences of two") {
    const auto [workload, values] =
        csv_trace("sn,begin,end,ms,num,who\nb,7,19,90000,2,4\na,3,4,2000,,\n",
                  {{"name", "sn"},
                   {"submit", "begin"},
                   {"length", "end - begin"},
                   {"walltime", "ms / 1000"},
                   {"gpus", "num"},
                   {"user", "who"}});
    REQUIRE(workload.jobs.size() == 2);
    const auto& first = workload.jobs.front();
    CHECK(first.id == 2);  // by (submit, id)
    CHECK(first.submit == seconds(3));
    CHECK(first.length == seconds(1));
    CHECK(first.walltime == seconds(2));
    CHECK(first.user == kUnknown);
    const auto& last = workload.jobs.back();
    CHECK(last.id == 1);
    CHECK(last.length == seconds(12));
    CHECK(last.walltime == seconds(90));
    CHECK(last.user == 4);
    CHECK(values.columns.at("needs.gpus").at(1).front() == 2);
    CHECK_FALSE(values.columns.at("needs.gpus").contains(2));
    CHECK(values.texts.at("name") == std::vector<std::string>{"b", "a"});
  }

  TEST_CASE("a field is the product of two columns, by or over a number") {
    const std::string text = "length,num,milli\n5,2,1500\n5,3,1000\n5,0,0\n";
    const auto gpus_by = [&](const char* formula) {
      return csv_trace(text, {{"gpus", formula}}).values.columns.at("needs.gpus");
    };
    CHECK(gpus_by("num * milli").at(1).front() == 3000);
    CHECK(gpus_by("num * milli / 1000").at(1).front() == 3);
    CHECK(gpus_by("num * milli / 1000").at(2).front() == 3);
    CHECK(gpus_by("num * milli * 2").at(2).front() == 6000);
    CHECK(wrong_trace("length,num,milli\n5,2,x\n", {{"gpus", "num * milli"}}) ==
          "t.csv:2:5: milli: 'x' is not a number");
    CHECK(wrong_trace("length,num\n5,2\n", {{"gpus", "num * milli"}})
              .starts_with("t.csv:1:1: column milli is missing"));
    for (const auto* formula :
         {"num * milli * length", "num / milli", "num / 1000 * milli",
          "num * milli / 0", "num - milli / 1000", "num * ", " * num", "num milli",
          "num * milli - 1", ""}) {
      CAPTURE(formula);
      CHECK(wrong_trace(text, {{"gpus", formula}}) ==
            "workload.columns.gpus: '" + std::string(formula) +
                "' is no column, nor a column or the product of two, * or / a number, "
                "nor the difference of two columns");
    }
  }

  TEST_CASE("without a submit task k arrives at second k, of one process") {
    const auto read = csv_trace("length\n5\n5\n5\n");
    CHECK(read.workload.jobs.back().submit == seconds(3));
    CHECK(read.workload.jobs.back().size == 1);
    CHECK_FALSE(read.workload.jobs.back().walltime_given);
    CHECK(csv_trace("name\na\n", {}, false).workload.jobs.size() == 1);
  }

  TEST_CASE("what is wrong with a CSV trace is told by its place") {
    CHECK(wrong_trace("name\na\n").starts_with("t.csv:1:1: no column says the length"));
    CHECK(wrong_trace("length\nlong\n") == "t.csv:2:1: length: 'long' is not a time");
    CHECK(wrong_trace("length\n-1\n") == "t.csv:2:1: length: -1 is below 0");
    CHECK(wrong_trace("job_id,length\n1,1\n1,1\n") ==
          "t.csv:3:1: job 1 is already on line 2");
    CHECK(wrong_trace("length,size\n1,0\n") ==
          "t.csv:2:3: size: '0' is not a whole number from 1 to 2147483647");
    CHECK(wrong_trace("length\n1\n", {{"lenght", "length"}}) ==
          "workload.columns.lenght: there is no such field (did you mean 'length'?)");
    CHECK(wrong_trace("length\n1\n", {{"gpus", "num_gpu"}})
              .starts_with("t.csv:1:1: column num_gpu is missing"));
  }

  TEST_CASE(
      "needs of a machine stand in the trace, and columns come from the scenario") {
    PlayedScenario played({}, std::string(kHost) +
                                  "[workload.columns]\nshare = \"milli\"\ncpu = "
                                  "\"cpu_milli / 1000\"\ngpus = \"num_gpu\"\n");
    (void)played.folder().file("tasks.csv",
                               "name,cpu_milli,num_gpu,milli,length\na,1000,1,600,10\n"
                               "b,500,1,1000,10\nc,4000,0,,10\n");
    const auto said = played.run("fcfs");
    CHECK_MESSAGE(said.code == 0, said.err);
    auto jobs = columns_of(played.text("jobs.csv"));
    CHECK(jobs["devices"] == std::vector<std::string>{"0:0*600", "0:1", "0"});
    CHECK(jobs["submission_time"] == std::vector<std::string>{"1", "2", "3"});
  }
}
