// What files say of jobs stays with the job, whatever becomes of the workload: each
// file by job, with each transform.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/runs/expectations.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)

namespace {

constexpr int kJobs = 24;

// Field 14 (executable) is the mark of a job: copies keep it, whatever number they get.
// Jobs 12 and 13 stand in the wrong order; line 99 is no job, as it has no run time.
std::string trace_text() {
  std::string text = "; MaxProcs: 64\n";
  const auto line = [&](int job) {
    const int memory = job % 5 == 0 ? -1 : job * 64;
    text +=
        fmt::format("{0} {1} 0 60 {2} -1 {3} {2} 90 {3} 1 {4} 1 {0} 1 {5} -1 -1\n", job,
                    50'000 * job, 2 + 2 * (job % 3), memory, 1 + job % 4, 1 + job % 2);
  };
  for (int job = 1; job <= kJobs; ++job) line(job == 12 ? 13 : job == 13 ? 12 : job);
  return text + "99 9000000 0 -1 1 -1 -1 1 90 -1 0 1 1 99 1 1 -1 -1\n";
}

struct JobFile {
  std::string name;
  std::string machine;
  std::string key;
  std::string header;
  // The lines of a job of this mark and size.
  std::function<std::string(int mark, int size)> lines;
  std::string column;
  std::function<std::vector<double>(int mark, int size)> values;
};

const std::vector<JobFile>& files() {
  const auto part = [](int mark) { return (mark % 50 + 1) / 64.0; };
  static const std::vector<JobFile> kAll{
      {"chunks on hosts", "[machine.hosts.a]\ncount = 8\nprocessors = 8\nmemory = 64\n",
       "needs", "job_id,chunks,memory",
       [](int mark, int) { return fmt::format("{0},2,{1}\n", mark, mark / 128.0); },
       "needs.memory", [](int mark, int) { return std::vector{mark * 8192.0}; }},
      {"memory of a pool", "[machine]\nprocessors = 64\nmemory = 64\n", "needs",
       "memory,job_id",
       [](int mark, int) { return fmt::format("{1},{0}\n", mark, mark / 128.0); },
       "needs.memory", [](int mark, int) { return std::vector{mark * 8192.0}; }},
      {"parts of hosts", "[machine]\nsharing = \"fractional\"\nprocessors = 64\n",
       "needs", "job_id,cpu,memory",
       [part](int mark, int) { return fmt::format("{},{},0\n", mark, part(mark)); },
       "cpu_need", [part](int mark, int) { return std::vector{part(mark)}; }},
      {"use of processors", "[machine]\nsharing = \"two_tier\"\nprocessors = 64\n",
       "cpu_use", "job_id,use,declared",
       [part](int mark, int size) {
         std::string text;
         for (int i = 0; i < size; ++i) {
           text += fmt::format("{},{},{}\n", mark, part(mark + i), part(mark));
         }
         return text;
       },
       "cpu_use",
       [part](int mark, int size) {
         std::vector<double> all;
         for (int i = 0; i < size; ++i) all.push_back(part(mark + i));
         return all;
       }},
      {"bandwidth",
       "[machine]\nsharing = \"slots\"\n[machine.network]\nservers = 32\nslots = 2\n",
       "bandwidth", "job_id,bandwidth",
       [](int mark, int) { return fmt::format("{},{}\n", mark, mark); }, "bandwidth",
       [](int mark, int) { return std::vector{double(mark)}; }},
  };
  return kAll;
}

const std::vector<std::string>& transforms() {
  static const std::vector<std::string> kAll{
      "",
      "first = 7\n",
      "from = 300000\n",
      "to = 500000\n",
      "window = \"200000..900000\"\n",
      "partitions = [2]\n",
      "missing_memory = \"leave_out\"\n",
      "memory = \"used\"\n",
      "size = \"allocated\"\n",
      "repeat = 3\n",
      "resample = \"users\"\n",
      "shake = 400000\n",
      "load = 0.5\n",
      "load_scale = 1e6\n",
      "interarrival_factor = 0.25\n",
      "estimates = \"factor\"\n",
      "estimates = \"tsafrir\"\n",
      "partitions = [1]\nfrom = 100000\nfirst = 9\nrepeat = 2\nresample = \"users\"\n"
      "shake = 300000\nload = 2\n",
  };
  return kAll;
}

std::string complaint(const Scenario& scenario) {
  try {
    (void)load_workload(scenario, {}, test::unlimited());
    return {};
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
}

class Bench {
 public:
  explicit Bench(const JobFile& of) : of_(of) {
    (void)folder_.file("t.swf", trace_text());
    (void)folder_.file("f.csv", text());
  }

  [[nodiscard]] std::string text() const {
    auto text = of_.header + "\n";
    for (int job = kJobs; job >= 1; --job) text += of_.lines(job, 2 + 2 * (job % 3));
    return text + of_.lines(99, 1);
  }
  [[nodiscard]] const test::ScratchFolder& folder() const { return folder_; }

  [[nodiscard]] Scenario scenario(const std::string& transform, int seed,
                                  const std::string& trace = "trace = \"t.swf\"\n") {
    return load_scenario(folder_.file(
        "s.toml", fmt::format("seed = {}\n{}[workload]\n{}{} = \"f.csv\"\n{}", seed,
                              of_.machine, trace, of_.key, transform)));
  }

 private:
  const JobFile& of_;
  test::ScratchFolder folder_;
};

}  // namespace

TEST_SUITE("study/job_places") {
  TEST_CASE(
      "F24, F50: the values of a job are those of its original, for each file by job "
      "and each transform") {
    std::size_t pairs = 0;
    for (const auto& file : files()) {
      Bench bench(file);
      for (const auto& transform : transforms()) {
        for (const int seed : {1, 2}) {
          CAPTURE(file.name);
          CAPTURE(transform);
          CAPTURE(seed);
          const auto loaded =
              load_workload(bench.scenario(transform, seed), {}, test::unlimited());
          const auto& jobs = loaded.workload.jobs;
          REQUIRE(!jobs.empty());
          const auto* const column = loaded.attributes->column(file.column);
          REQUIRE(column != nullptr);
          for (std::uint32_t i = 0; i < jobs.size(); ++i) {
            const auto given = column->of(JobId{i});
            const std::vector<double> values(given.begin(), given.end());
            CHECK(values == file.values(jobs[i].executable, jobs[i].size));
            CHECK(loaded.attributes->number(JobId{i}) == jobs[i].id);
          }
          ++pairs;
        }
      }
    }
    CHECK(pairs == 2 * files().size() * transforms().size());
  }

  TEST_CASE("two seeds draw other copies, so that the pairs above are of two draws") {
    Bench bench(files().front());
    const auto marks = [&](int seed) {
      std::vector<std::int32_t> all;
      const auto loaded = load_workload(bench.scenario("resample = \"users\"\n", seed),
                                        {}, test::unlimited());
      for (const auto& job : loaded.workload.jobs) all.push_back(job.executable);
      return all;
    };
    CHECK(marks(1) != marks(2));
  }

  TEST_CASE("a job that the trace has not is told, and one that is left out is not") {
    for (const auto& file : files()) {
      CAPTURE(file.name);
      Bench bench(file);
      for (const auto& transform : transforms()) {
        CAPTURE(transform);
        CHECK(complaint(bench.scenario(transform, 1)).empty());
        const auto scenario = bench.scenario(transform, 1);
        (void)bench.folder().file("f.csv", bench.text() + file.lines(77, 2));
        CHECK(complaint(scenario).find("the workload has no job 77") !=
              std::string::npos);
        (void)bench.folder().file("f.csv", bench.text());
      }
    }
  }

  TEST_CASE("a line is missed of jobs that run, and of no other") {
    const auto& bandwidth = files().back();
    Bench bench(bandwidth);
    auto text = bandwidth.header + "\n";
    for (int job = 1; job <= 6; ++job) text += bandwidth.lines(job, 1);
    (void)bench.folder().file("f.csv", text);
    CHECK(complaint(bench.scenario("first = 6\n", 1)).empty());
    CHECK(complaint(bench.scenario("first = 6\nrepeat = 4\n", 1)).empty());
    CHECK(complaint(bench.scenario("first = 7\nrepeat = 2\n", 1))
              .find("f.csv:1:1: there is no line for job 7") != std::string::npos);
  }

  TEST_CASE("a mix has no files by job: they are refused at their place") {
    for (const auto& file : files()) {
      CAPTURE(file.name);
      Bench bench(file);
      const auto scenario = bench.scenario(
          "load = 0.5\n", 1,
          "mix = [{ trace = \"t.swf\", share = 0.5 }, { trace = \"t.swf\", share = 0.5 "
          "}]\n");
      const auto told = complaint(scenario);
      CHECK(told.find("s.toml:") != std::string::npos);
      CHECK(told.find(fmt::format("workload.{}: a file by job cannot stand beside "
                                  "workload.mix",
                                  file.key)) != std::string::npos);
    }
  }

  TEST_CASE("what users could expect rests on the needs of the original, too") {
    // The same needs twice: in a file, and as the trace's own memory (of one
    // processor).
    test::ScratchFolder folder;
    std::string needs = "job_id,memory\n";
    std::string plain = "; MaxProcs: 8\n";
    std::string told = plain;
    for (int job = 1; job <= 12; ++job) {
      const auto kib = 1024 * 1024 / 8 * (1 + job % 7);
      needs += fmt::format("{},{}\n", job, (1 + job % 7) / 8.0);
      const auto line = [&](int memory) {
        return fmt::format("{} {} 0 900 1 -1 -1 1 900 {} 1 {} 1 1 1 1 -1 -1\n", job,
                           100 * job, memory, 1 + job % 3);
      };
      plain += line(-1);
      told += line(kib);
    }
    (void)folder.file("n.csv", needs);
    (void)folder.file("plain.swf", plain);
    (void)folder.file("told.swf", told);
    const auto ends = [&](const std::string& workload, int seed) {
      const auto scenario = load_scenario(folder.file(
          "s.toml", fmt::format("seed = {}\n[machine]\nprocessors = 8\nmemory = "
                                "4\n[workload]\n{}[run]\nexpectations = true\n",
                                seed, workload)));
      const PreparedPoint point(scenario,
                                prepare_workload(scenario, {}, test::unlimited()));
      return expected_ends(point);
    };
    for (const std::string transform : {"", "repeat = 2\n", "resample = \"users\"\n",
                                        "first = 5\n", "shake = 900\n"}) {
      for (const int seed : {1, 2}) {
        CAPTURE(transform);
        CHECK(ends("trace = \"plain.swf\"\nneeds = \"n.csv\"\n" + transform, seed) ==
              ends("trace = \"told.swf\"\n" + transform, seed));
      }
    }
  }
}
