// Rates by class and type: how long jobs take where, what is planned for them, and when
// they are killed; through scenario files of the command line, under the whole audit.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/played.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// One T4 on host 0 and one V100 on host 1.
std::string two_types(const std::string& more = {}) {
  return "[machine]\nsharing = \"devices\"\nspeeds = \"speeds.csv\"\n" + more +
         "[machine.hosts.t4]\ncount = 1\ncpu = 8\ndevices = { type = \"T4\", count = 1 "
         "}\n"
         "[machine.hosts.v100]\ncount = 1\ncpu = 8\n"
         "devices = { type = \"V100\", count = 1 }\n"
         "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";
}

constexpr const char* kRates =
    "class,type,rate\na,T4,0.25\na,V100,1\nb,T4,0.5\nb,V100,0.5\n";

// Jobs of whole devices on such a machine.
class PlayedSpeeds {
 public:
  PlayedSpeeds(const std::vector<TraceRow>& rows, const std::string& needs,
               const std::string& more = {}, const std::string& rates = kRates)
      : played_(rows, two_types(more), "job_id,cpu,gpus,class,types\n" + needs) {
    (void)played_.folder().file("speeds.csv", rates);
  }
  std::string spans(const std::string& policy) {
    const auto said = run(policy);
    CHECK_MESSAGE(said.code == 0, said.err);
    return played_.spans();
  }
  Said run(const std::string& policy) { return played_.run(policy); }
  // The policy, a file of this text.
  std::string spans_of(const std::string& text) {
    return spans(played_.folder().file("own.lua", text));
  }
  // Of a job, by number.
  [[nodiscard]] std::string cell(const std::string& job,
                                 const std::string& column) const {
    auto jobs = columns_of(played_.text("jobs.csv"));
    const auto& ids = jobs["job_id"];
    const auto at = std::find(ids.begin(), ids.end(), job);
    return at == ids.end() ? "" : jobs[column][std::size_t(at - ids.begin())];
  }
  // Both files of the last run, and jobs.csv without the stretches.
  void check_verified() const {
    const auto jobs = played_.out() + "/jobs.csv";
    const auto both = berth_says({"verify", played_.scenario(), "--schedule", jobs});
    CHECK_MESSAGE(both.code == 0, (both.out + both.err));
    const auto alone = played_.folder().file("alone.csv", text_of_file(jobs));
    const auto rows = berth_says({"verify", played_.scenario(), "--schedule", alone});
    CHECK_MESSAGE(rows.code == 0, (rows.out + rows.err));
  }
  [[nodiscard]] const PlayedScenario& played() const { return played_; }

 private:
  PlayedScenario played_;
};

const std::vector<TraceRow>& four_speeds() {
  static const std::vector<TraceRow> kJobs{
      {0, 1, 100, 120}, {0, 1, 100, 120}, {10, 1, 100, 120}, {20, 1, 40, 50}};
  return kJobs;
}
constexpr const char* kFourNeeds = "1,1,1,a,\n2,1,1,a,\n3,1,1,b,\n4,1,1,a,V100\n";

// What the reader says of such rates.
std::string refused_rates(const std::string& rates) {
  PlayedSpeeds played({{0, 1, 10}}, "1,1,1,a,\n", {}, "class,type,rate\n" + rates);
  const auto said = played.run("fcfs");
  CHECK(said.code == 3);
  return said.err;
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text);
  const bool is_there = text.find(part) != std::string::npos;
  CHECK_MESSAGE(is_there, part);
  return is_there;
}

}  // namespace

TEST_SUITE("machines/devices/device_speeds") {
  TEST_CASE("a job takes its length over the rate of its devices") {
    for (const auto* policy : {"fcfs", "easy", "conservative"}) {
      CAPTURE(policy);
      PlayedSpeeds played(four_speeds(), kFourNeeds);
      CHECK(played.spans(policy) == "0-400 0-100 100-300 300-340");
      CHECK(played.cell("1", "devices") == "0:0");
      played.check_verified();
    }
  }

  TEST_CASE("a job does not outlive a walltime of work by being slow") {
    // Job 1 does its 100 s of work of 120 in 400 s.
    PlayedSpeeds reference(four_speeds(), kFourNeeds);
    CHECK(reference.run("fcfs").code == 0);
    has(reference.played().text("summary.json"), "\"outlived_walltime\": 0");
    PlayedSpeeds clock(four_speeds(), kFourNeeds, "walltime_is = \"wall_clock\"\n");
    CHECK(clock.run("fcfs").code == 0);
    has(clock.played().text("summary.json"), "\"outlived_walltime\": 2");
  }

  TEST_CASE("the book plans for the slowest type that a job may use") {
    PlayedSpeeds played(four_speeds(), kFourNeeds);
    const auto starts = played.spans_of(R"(
      local wanted = {
        [10] = { [3] = 120 }, [20] = { [3] = 120, [4] = 360 },
        [100] = { [3] = 100, [4] = 340 }, [300] = { [4] = 300 },
      }
      local function schedule(queue, cluster)
        local book = cluster:book()
        book:update(queue)
        local at = wanted[cluster:now()]
        for job in queue:all() do
          if at then assert(book:of(job) == at[job.id], "job " .. job.id) end
        end
        for job in book:due() do cluster:start(job) end
      end
      return { schedule = schedule })");
    CHECK(starts == "0-400 0-100 100-300 300-340");
  }

  TEST_CASE("reservations move forward when a job starts on a faster type") {
    // Job 3 is promised the V100 from 100 to 500, as on a T4, and needs it until 200.
    PlayedSpeeds played({{0, 1, 100}, {0, 1, 1000}, {1, 1, 100}, {2, 1, 100}},
                        "1,1,1,a,V100\n2,1,1,b,T4\n3,1,1,a,\n4,1,1,a,V100\n");
    CHECK(played.spans("conservative") == "0-100 0-2000 100-200 200-300");
  }

  TEST_CASE("a backfilled job is planned at the rate of the device it would get") {
    // Job 1 holds the T4 until 100; job 2 needs both types' hosts at once and waits.
    // Job 3 would end at 90 on the V100, by the start of job 2, and not on a T4.
    PlayedScenario played(
        {{0, 1, 25, 25}, {1, 2, 10, 10}, {2, 1, 88, 88}, {3, 1, 90, 99}}, two_types(),
        "job_id,cpu,gpus,class,chunks\n1,1,1,a,1\n2,1,1,b,2\n3,1,1,a,1\n"
        "4,1,1,a,1\n");
    (void)played.folder().file("speeds.csv", kRates);
    const auto said = played.run("easy");
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(played.spans() == "0-100 100-120 2-90 120-480");
  }

  TEST_CASE("a machine that kills does so at the planned duration") {
    const std::vector<TraceRow> rows{{0, 1, 100, 50}, {0, 1, 100, 50}};
    const std::string needs = "1,1,1,a,T4\n2,1,1,a,V100\n";
    PlayedSpeeds played(rows, needs, "overrun = \"kill\"\n");
    CHECK(played.spans("fcfs") == "0-200 0-50");
    played.check_verified();
    PlayedSpeeds by_clock(rows, needs,
                          "overrun = \"kill\"\nwalltime_is = \"wall_clock\"\n");
    CHECK(by_clock.spans("fcfs") == "0-50 0-50");
    by_clock.check_verified();
  }

  TEST_CASE("a walltime by the clock is planned as it is written") {
    PlayedSpeeds played(four_speeds(), kFourNeeds, "walltime_is = \"wall_clock\"\n");
    // Job 1 runs 400 s of the 120 that it is planned for.
    CHECK(played.spans("easy") == "0-400 0-100 100-300 300-340");
  }

  TEST_CASE("a suspended job resumes on another type with the work it has done") {
    // On the V100 it does 20 s of work by 20, is off until 30, frozen until 35, and
    // does the other 80 on the T4 at a quarter of the speed.
    PlayedSpeeds played({{0, 1, 100, 120}, {20, 1, 500, 500}},
                        "1,1,1,a,\n2,1,1,a,V100\n",
                        "preemption = true\nmigration_cost = 5\n");
    const auto spans = played.spans_of(R"(
      local function schedule(queue, cluster)
        local now = cluster:now()
        for job in cluster:running() do
          if now == 20 and job.id == 1 then
            assert(job.walltime_left == 100)
            cluster:suspend(job)
          end
        end
        for job in queue:all() do
          local host = 1
          if job.state == "suspended" then
            host = 0
            assert(job.walltime_left == 100 and cluster.hosts:rate(job, 0) == 0.25)
            if now < 30 then host = nil cluster:wake_at(30) end
          end
          if host then cluster:start(job, cluster.hosts:place(job, host)) end
        end
        for job in cluster:running() do
          if job.id == 1 and now == 30 then assert(job.expected_end == 35 + 400) end
        end
      end
      return { schedule = schedule })");
    CHECK(spans == "0-355 20-520");
    CHECK(played.cell("1", "devices") == "0:0");
    const auto both = berth_says({"verify", played.played().scenario(), "--schedule",
                                  played.played().out() + "/jobs.csv"});
    CHECK_MESSAGE(both.code == 0, (both.out + both.err));
  }

  TEST_CASE("a rate of 0 keeps a class from a type, and one above 1 is faster") {
    PlayedSpeeds played({{0, 1, 100}, {0, 1, 100}, {0, 1, 100}},
                        "1,1,1,fast,\n2,1,1,fast,T4\n3,1,,fast,\n", {},
                        "class,type,rate\nfast,T4,0\nfast,V100,4\nslow,T4,0.1\n");
    const auto said = played.run("fcfs");
    CHECK_MESSAGE(said.code == 0, said.err);
    has(said.err,
        "1 job does not fit the empty machine, so it is rejected, for want of: "
        "type 1");
    has(said.err, "machine.speeds: no job is of class slow, which has rates");
    CHECK(played.cell("1", "finish_time") == "25");
    CHECK(played.cell("2", "final_state") == "REJECTED");
    CHECK(played.cell("3", "finish_time") == "100");
  }

  TEST_CASE("a class is the queue of the trace where the needs say none") {
    PlayedScenario played({}, two_types(), "job_id,cpu,gpus\n1,1,1\n2,1,1\n");
    // The queue is the fourth number from behind.
    (void)played.folder().file("jobs.swf",
                               "1 0 -1 100 1 -1 -1 1 100 -1 1 1 -1 -1 7 -1 -1 -1\n"
                               "2 0 -1 100 1 -1 -1 1 100 -1 1 1 -1 -1 8 -1 -1 -1\n");
    (void)played.folder().file("speeds.csv", "class,type,rate\n7,T4,0.5\n");
    CHECK(played.run("fcfs").code == 0);
    CHECK(played.spans() == "0-200 0-100");
  }

  TEST_CASE("what is wrong with rates is told by line, class and type") {
    has(refused_rates("a,A100,1\n"),
        "speeds.csv:2:3: type: class a: no host has devices of type 'A100' (did you "
        "mean 'V100'?); there are T4, V100");
    has(refused_rates("a,V10,1\n"), "(did you mean 'V100'?)");
    has(refused_rates("a,T4,-1\n"),
        "speeds.csv:2:6: rate: class a on T4: -1 is not from 0 to 1000");
    has(refused_rates("a,T4,1001\n"), "class a on T4: 1001 is not from 0 to 1000");
    has(refused_rates("a,T4,nan\n"), "speeds.csv:2:6: rate: ");
    has(refused_rates(",T4,1\n"), "speeds.csv:2:1: class: of which class is the rate?");
    has(refused_rates("a,T4,1\na,V100,1\na,T4,2\n"),
        "speeds.csv:4:1: class: class a has a rate on T4 already");
    has(refused_rates("a,T4,1e-300\n"),
        "machine.speeds: class a has a rate of 1e-300, at which job 1 would take "
        "longer "
        "than 10^11 s; a rate of 0 keeps a class from a type");
    has(refused_rates("a,T4\n"), "speeds.csv:2:");
  }

  TEST_CASE("jobs of the fastest type for each go faster than by hosts alone") {
    const std::string scenario = source_root() + "/scenarios/types.toml";
    const ScratchFolder folder;
    const auto mean_of = [&](const std::string& policy) {
      const auto out = (folder.path() / policy).string();
      const auto said = berth_says(
          {"run", scenario, "--policy", policy, "--audit", "full", "--out", out});
      CHECK_MESSAGE(said.code == 0, said.err);
      auto jobs = columns_of(text_of_file(std::filesystem::path(out) / "jobs.csv"));
      double sum = 0;
      for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
        sum +=
            std::stod(jobs["finish_time"][i]) - std::stod(jobs["submission_time"][i]);
      }
      return sum / static_cast<double>(jobs["job_id"].size());
    };
    CHECK(mean_of("gpu_fastest") < 0.8 * mean_of("fcfs"));
  }
}
