// Equal parts of what a machine has, through every reader of amounts
// (docs/model.md#amounts).

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Jobs of one processor that come at 0 and run for ten seconds.
std::vector<TraceRow> alike(std::size_t jobs) {
  return std::vector<TraceRow>(jobs, TraceRow{0, 1, 10});
}

std::string needs_of(std::size_t jobs, const std::string& head,
                     const std::string& cells) {
  std::string text = "job_id," + head + "\n";
  for (std::size_t id = 1; id <= jobs; ++id) text += fmt::format("{},{}\n", id, cells);
  return text;
}

// How many of the jobs run at once.
std::size_t at_once(PlayedScenario& played, const std::string& policy) {
  const auto said = played.run(policy);
  CHECK_MESSAGE(said.code == 0, said.err);
  const auto starts = columns_of(played.text("jobs.csv")).at("starting_time");
  return static_cast<std::size_t>(std::count(starts.begin(), starts.end(), "0"));
}

constexpr const char* kWorkload =
    "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";

// Of `jobs` that need `part` GiB each of a machine that has `whole` of them.
std::size_t in_pool(std::size_t jobs, const std::string& whole,
                    const std::string& part) {
  PlayedScenario played(
      alike(jobs),
      fmt::format("[machine]\nprocessors = 1000\nmemory = {}\n{}", whole, kWorkload),
      needs_of(jobs, "memory", part));
  return at_once(played, "fcfs");
}

std::size_t on_host(std::size_t jobs, const std::string& whole,
                    const std::string& part) {
  PlayedScenario played(alike(jobs),
                        fmt::format("[machine.hosts.a]\ncount = 1\nprocessors = "
                                    "1000\nmemory = {}\n{}",
                                    whole, kWorkload),
                        needs_of(jobs, "memory", part));
  return at_once(played, "fcfs");
}

// `part` is one of a host, which has `whole` GiB.
std::size_t by_fractions(std::size_t jobs, const std::string& whole,
                         const std::string& part) {
  PlayedScenario played(
      alike(jobs),
      fmt::format("[machine]\nprocessors = 1\nsharing = "
                  "\"fractional\"\n[machine.fractional]\nmemory = {}\n{}",
                  whole, kWorkload),
      needs_of(jobs, "cpu,memory", "0.001," + part));
  return at_once(played, "mcb");
}

}  // namespace

TEST_SUITE("cli/amounts") {
  TEST_CASE("F41: parts of a host's memory that add up to it fit, whatever its GiB") {
    for (const char* whole : {"8", "10", "3.3", "0.7"}) {
      CAPTURE(whole);
      CHECK(by_fractions(10, whole, "0.1") == 10);
      CHECK(by_fractions(5, whole, "0.2") == 5);
      CHECK(by_fractions(3, whole, "0.3333333333") == 3);
    }
    CHECK(by_fractions(4, "8", "0.26") == 3);
  }

  TEST_CASE("tenths of the memory fill a pool, and a host") {
    CHECK(in_pool(10, "1", "0.1") == 10);
    CHECK(on_host(10, "1", "0.1") == 10);
    CHECK(in_pool(11, "1", "0.1") == 10);
    CHECK(on_host(11, "1", "0.1") == 10);
  }

  TEST_CASE("n equal parts of the whole run at once, on every machine") {
    for (const std::size_t n : {3U, 7U, 11U, 49U, 97U, 199U}) {
      CAPTURE(n);
      for (const double whole : {1.0, 10.0, 504.9}) {
        CAPTURE(whole);
        const double of = 1.0 / static_cast<double>(n);
        const auto text = fmt::format("{}", whole);
        for (const auto& part :
             {fmt::format("{}", whole * of), fmt::format("{:.17g}", whole * of)}) {
          CHECK(in_pool(n, text, part) == n);
          CHECK(on_host(n, text, part) == n);
        }
        if (n > 50) continue;
        CHECK(by_fractions(n, text, fmt::format("{}", of)) == n);
      }
    }
  }

  TEST_CASE("memory of a trace is in whole KiB of each processor, rounded down") {
    // Ten jobs of two processors with a tenth of 1 GiB by two for each.
    const ScratchFolder folder;
    std::string trace;
    for (int id = 1; id <= 11; ++id) {
      trace += fmt::format(
          "{} 0 -1 10 2 -1 52428.8 2 10 52428.8 1 1 -1 -1 -1 -1 -1 -1\n", id);
    }
    (void)folder.file("jobs.swf", trace);
    for (const char* field : {"requested", "used"}) {
      CAPTURE(field);
      const auto scenario = folder.file(
          "case.toml", fmt::format("[machine]\nprocessors = 100\nmemory = "
                                   "1\n[workload]\ntrace = \"jobs.swf\"\nmemory = "
                                   "\"{}\"\n",
                                   field));
      const auto out = (folder.path() / field).string();
      const auto said = berth_says({"run", scenario, "--policy", "fcfs", "--out", out});
      CHECK_MESSAGE(said.code == 0, said.err);
      const auto starts =
          columns_of(text_of_file(out + "/jobs.csv")).at("starting_time");
      CHECK(std::count(starts.begin(), starts.end(), "0") == 10);
    }
  }

  TEST_CASE("cases of a policy read amounts as files do") {
    const ScratchFolder folder;
    std::string jobs;
    for (int id = 1; id <= 10; ++id) {
      jobs += "{ 0, 1, 10, needs = { memory = 0.1 } }, ";
    }
    (void)folder.file("p.lua",
                      "return { schedule = function(queue, cluster) "
                      "cluster:start_all(queue) end }");
    (void)folder.file(
        "p.test.lua",
        "return {\n{ 'a pool', processors = 16, memory = 1,\n  jobs = { " + jobs +
            "},\n  starts = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },\n{ 'a host',\n  "
            "hosts = { { count = 1, processors = 16, memory = 1 } },\n  jobs = { " +
            jobs + "},\n  starts = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } } }\n");
    const auto said = berth_says({"test", (folder.path() / "p.lua").string()});
    CHECK_MESSAGE(said.code == 0, said.out, said.err);
  }

  TEST_CASE("equal parts of a link's bandwidth fit on it") {
    // Two servers of one slot for each of three jobs, on a link of 1 Mb/s each way.
    PlayedScenario played(
        std::vector<TraceRow>(3, TraceRow{0, 2, 10}),
        "[machine]\nsharing = \"slots\"\n[machine.network]\ntopology = "
        "\"star\"\nservers = 2\nslots = 3\nlink_rate = 1\nembedding = "
        "\"first_fit\"\n[workload]\ntrace = \"jobs.swf\"\nbandwidth = "
        "0.33333333333\n");
    CHECK(at_once(played, "fcfs") == 3);
  }
}
