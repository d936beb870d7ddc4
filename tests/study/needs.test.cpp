// Needs of tasks on hosts shared by fractions: files, and scenarios that are refused.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/fractional_settings.hpp"
#include "study/inputs/job_file.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)

namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / "berth_needs_test") {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string write(const std::string& name,
                                  const std::string& text) const {
    const auto file = path_ / name;
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  fs::path path_;
};

std::string refusal_of(const std::string& text) {
  const std::vector jobs{test::a_job(1, 0, 1, 9), test::a_job(2, 0, 2, 9)};
  Workload workload;
  for (const auto& job : jobs) workload.jobs.push_back(job);
  JobColumns columns(jobs);
  test::MemorySource source{text, 7};
  try {
    const auto values = read_job_file(source, "needs.csv", workload, task_needs_form(),
                                      test::unlimited());
    add(columns, values);
    keep_places(workload, test::unlimited());
    check_has_lines(values, workload.of_trace);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    const std::string said = error.what();
    return said.substr(said.find("needs.csv") + 9);
  }
  CHECK(columns.column("cpu_need")->of(JobId{1}).front() == 0.5);
  CHECK(columns.column("memory_need")->of(JobId{1}).front() == 1);
  return "";
}

// What is wrong with a scenario of these sections, as `berth run` finds it.
std::string refusal_of_scenario(const std::string& text) {
  const Folder folder;
  const auto file = folder.write("case.toml", text);
  try {
    (void)prepare_workload(load_scenario(file), {}, test::unlimited());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kModel = "[workload]\nmodel = \"lublin\"\njobs = 5\n";

}  // namespace

TEST_SUITE("study/needs") {
  TEST_CASE("a file of needs has one right line for each job") {
    CHECK(refusal_of("job_id,cpu,memory\n2,0.5,1\n1,1,0\n") == "");
    CHECK(refusal_of("memory,job_id,cpu\n1,2,0.5\n0,1,1\n") == "");
    CHECK(
        refusal_of("") ==
        ":1:1: column job_id is missing; the first line must name job_id, cpu, memory");
    CHECK(
        refusal_of("job_id,cpu\n1,1\n") ==
        ":1:1: column memory is missing; the first line must name job_id, cpu, memory");
    CHECK(refusal_of("job_id,cpu,memory\n1,1\n") ==
          ":2:1: 2 fields where 3 are needed");
    CHECK(refusal_of("job_id,cpu,memory\n1,0,1\n") ==
          ":2:3: cpu: 0 is not above 0 and at most 1");
    CHECK(refusal_of("job_id,cpu,memory\n1,1.5,1\n") ==
          ":2:3: cpu: 1.5 is not above 0 and at most 1");
    CHECK(refusal_of("job_id,cpu,memory\n1,1,-1\n") ==
          ":2:5: memory: -1 is not from 0 to 1: it is a part of a host, not GiB");
    CHECK(refusal_of("job_id,cpu,memory\n1,1,2\n") ==
          ":2:5: memory: 2 is not from 0 to 1: it is a part of a host, not GiB");
    CHECK(refusal_of("job_id,cpu,memory\n1,nan,1\n") ==
          ":2:3: cpu: 'nan' is not a number");
    CHECK(refusal_of("job_id,cpu,memory\n1,1,x\n") ==
          ":2:5: memory: 'x' is not a number");
    CHECK(refusal_of("job_id,cpu,memory\n3,1,1\n") ==
          ":2:1: the workload has no job 3");
    CHECK(refusal_of("job_id,cpu,memory\n1,1,1\n1,1,1\n") ==
          ":3:1: job 1 is already on line 2");
    CHECK(refusal_of("job_id,cpu,memory\n1,1,1\n") ==
          ":1:1: there is no line for job 2");
  }

  TEST_CASE("keys of fractions are refused on another machine, and kills on this one") {
    const std::string fractional =
        "[machine]\nprocessors = 4\nsharing = \"fractional\"\n";
    CHECK(refusal_of_scenario(fractional + kModel) == "");
    CHECK(refusal_of_scenario(fractional + kModel + "needs = \"dfrs\"\n") == "");
    CHECK(refusal_of_scenario(fractional + kModel + "needs = 0.5\n") == "");
    CHECK(refusal_of_scenario("[machine]\nprocessors = 4\n" + std::string(kModel) +
                              "needs = \"dfrs\"\n")
              .find("[machine.fractional], and workload.needs but for a file, are for "
                    "machine.sharing = \"fractional\", and it is \"exclusive\"") !=
          std::string::npos);
    CHECK(refusal_of_scenario("[machine]\nprocessors = 4\n[machine.fractional]\nmemory "
                              "= 8\n" +
                              std::string(kModel))
              .find("[machine.fractional], and workload.needs but for a file") !=
          std::string::npos);
    CHECK(refusal_of_scenario(fractional + "overrun = \"kill\"\n" + kModel)
              .find("machine.overrun = \"kill\"") != std::string::npos);
    CHECK(
        refusal_of_scenario(fractional + "[machine.fractional]\nmemory = 0\n" + kModel)
            .find("machine.fractional.memory") != std::string::npos);
    CHECK(refusal_of_scenario(fractional + kModel + "needs = 1.5\n")
              .find("workload.needs") != std::string::npos);
  }

  TEST_CASE("jobs without memory are counted, and memory of the trace is not ignored") {
    const Folder folder;
    const auto trace =
        folder.write("jobs.swf",
                     "1 0 -1 10 1 -1 -1 1 10 1024 1 -1 -1 -1 -1 -1 -1 -1\n"
                     "2 0 -1 10 1 -1 -1 1 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n");
    const auto file = folder.write("case.toml",
                                   "[machine]\nprocessors = 4\nsharing = "
                                   "\"fractional\"\n[workload]\ntrace = \"" +
                                       trace + "\"\n");
    const auto messages =
        prepare_workload(load_scenario(file), {}, test::unlimited())->messages;
    std::string all;
    for (const auto& line : messages) all += line + "\n";
    CAPTURE(all);
    CHECK(all.find("1 job without memory in the trace needs none") !=
          std::string::npos);
    CHECK(all.find("requested memory") == std::string::npos);
  }
}
