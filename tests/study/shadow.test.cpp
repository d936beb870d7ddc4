#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/error.hpp"
#include "study/shadow/recording_log.hpp"
#include "study/shadow/slurm_source.hpp"
#include "study/slurm/slurm_words.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/study/slurm_looks.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

std::string names_outside(const Snapshot& at) {
  std::vector<std::string> parts;
  for (const auto& each : at.outside) parts.push_back(each.name);
  std::sort(parts.begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, " "));
}

std::optional<ClusterState> sample(const std::string& squeue,
                                   const std::string& sinfo) {
  ClusterState state;
  for (const auto& name : {squeue, sinfo}) {
    const auto path = test::shared_data("slurm/" + name);
    if (!path) return std::nullopt;
    std::ifstream file(*path);
    std::ostringstream text;
    text << file.rdbuf();
    name == squeue ? add_squeue(text.str(), state) : add_sinfo(text.str(), state);
  }
  return state;
}

std::string refusal(const std::string& squeue) {
  try {
    ClusterState state;
    add_squeue(squeue, state);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_SUITE("study/shadow") {
  TEST_CASE("lists of nodes and of tasks name each of them") {
    CHECK(expand_nodes("n[1-3,07],m2") ==
          std::vector<std::string>{"n1", "n2", "n3", "n07", "m2"});
    CHECK(expand_nodes("r[1-2]n[08-09]") ==
          std::vector<std::string>{"r1n08", "r1n09", "r2n08", "r2n09"});
    CHECK(expand_nodes("n[1-").empty());
    CHECK(expand_nodes("n[1-99999999]").empty());
    CHECK(expand_indices("3-5%2") == std::vector<std::int64_t>{3, 4, 5});
    CHECK(expand_indices("1,10-20:5") == std::vector<std::int64_t>{1, 10, 15, 20});
    CHECK(expand_indices("5-3").empty());
    CHECK(expand_indices("x").empty());
  }

  TEST_CASE("the resources of a node add up by kind, whatever their type") {
    CHECK(kinds_of_node("gpu:a100:4(S:0-1),gpu:h100:2,fpga:1,craynetwork") ==
          Amounts{{"gpu", 6}, {"fpga", 1}, {"craynetwork", 1}});
    CHECK(kinds_of_node("").empty());
  }

  TEST_CASE("22.05 and later releases say the same in two forms") {
    ClusterState old;
    ClusterState later;
    add_squeue(
        R"({"meta":{"Slurm":{"release":"22.05.8"}},"jobs":[{"job_id":7,)"
        R"("job_state":"RUNNING","cpus":2,"partition":"p","user_name":"ann",)"
        R"("time_limit":5,"submit_time":10,"start_time":20,"end_time":320,)"
        R"("node_count":1,"array_job_id":0,"array_task_id":null,)"
        R"("memory_per_cpu":100,"nodes":"n1","job_resources":{"allocated_nodes":[)"
        R"({"nodename":"n1","sockets":{"0":{"cores":{"0":"allocated",)"
        R"("1":"allocated"}}},"memory_allocated":200}]}}]})",
        old);
    add_squeue(
        R"({"meta":{"slurm":{"release":"22.05.8"}},"jobs":[{"job_id":7,)"
        R"("job_state":["RUNNING"],"cpus":{"set":true,"infinite":false,"number":2},)"
        R"("partition":"p","user_name":"ann",)"
        R"("time_limit":{"set":true,"infinite":false,"number":5},)"
        R"("submit_time":{"set":true,"infinite":false,"number":10},)"
        R"("start_time":{"set":true,"infinite":false,"number":20},)"
        R"("end_time":{"set":true,"infinite":false,"number":320},)"
        R"("node_count":{"set":true,"infinite":false,"number":1},)"
        R"("array_job_id":{"set":true,"infinite":false,"number":0},)"
        R"("array_task_id":{"set":false,"infinite":false,"number":0},)"
        R"("memory_per_cpu":{"set":true,"infinite":false,"number":100},)"
        R"("nodes":"n1","job_resources":{"nodes":{"count":1,"list":"n1","allocation":[)"
        R"({"name":"n1","cpus":{"count":2,"used":0},"memory":{"allocated":200}}]}}}]})",
        later);
    add_sinfo(R"({"nodes":[{"name":"n1","cpus":2,"real_memory":500,"alloc_cpus":2,)"
              R"("alloc_memory":200,"gres":"gpu:1","state":"allocated",)"
              R"("state_flags":["DRAIN"],"partitions":["p","q"]}]})",
              old);
    add_sinfo(R"({"sinfo":[{"node":{"state":["ALLOCATED","DRAIN"]},"nodes":{"nodes":)"
              R"(["n1"]},"cpus":{"allocated":2,"maximum":2},"memory":{"allocated":200,)"
              R"("maximum":500},"gres":{"total":"gpu:1"},"partition":{"name":"p"}},)"
              R"({"node":{"state":["ALLOCATED","DRAIN"]},"nodes":{"nodes":["n1"]},)"
              R"("cpus":{"allocated":2,"maximum":2},"memory":{"allocated":200,)"
              R"("maximum":500},"gres":{"total":"gpu:1"},"partition":{"name":"q"}}]})",
              later);
    StringSink first;
    StringSink second;
    for (auto* sink : {&first, &second}) {
      const auto& state = sink == &first ? old : later;
      write_squeue(state, *sink);
      write_sinfo(state, *sink);
    }
    CHECK(first.text() == second.text());
    CHECK(old.jobs.front().minutes == 5);
    CHECK(old.jobs.front().shares.front().processors == 2);
    CHECK(away_words(old.nodes.front()) == "drained");
    SUBCASE("what is written reads as the same state, and has no names of jobs") {
      ClusterState again;
      StringSink squeue;
      StringSink sinfo;
      write_squeue(old, squeue);
      write_sinfo(old, sinfo);
      add_squeue(squeue.text(), again);
      add_sinfo(sinfo.text(), again);
      StringSink third;
      write_squeue(again, third);
      write_sinfo(again, third);
      CHECK(third.text() == first.text());
      CHECK(squeue.text().find("\"name\"") == std::string::npos);
    }
  }

  TEST_CASE("a limit that is null is none") {
    ClusterState state;
    add_squeue(
        R"({"jobs":[{"job_id":1,"time_limit":null},)"
        R"({"job_id":2,"time_limit":{"set":false,"infinite":true,"number":0}}]})",
        state);
    CHECK_FALSE(state.jobs[0].minutes);
    CHECK_FALSE(state.jobs[1].minutes);
  }

  TEST_CASE("what is no answer of squeue is refused with its place") {
    CHECK(refusal("{\"jobs\":[{\"job_id\":1},\n{\"cpus\":2}]}") ==
          "squeue:2:1: a job without 'job_id': is this the output of squeue --json?");
    CHECK(refusal(R"({"jobs":[{"job_id":1,"cpus":-4}]})")
              .find("'-4' is no number that 'cpus' can have") != std::string::npos);
    CHECK(refusal(R"({"jobs":[{"job_id")").find("broken off") != std::string::npos);
    CHECK(refusal(R"({"jobs":[],"errors":[{"description":"Unable to contact"}]})") ==
          "squeue: Slurm reports: Unable to contact");
    // No jobs and no answer are two things.
    CHECK(refusal(R"({"jobs":[]})") == "none");
    CHECK(refusal(R"({"nodes":[],"time":5})") ==
          "squeue: there are no jobs in it; squeue --json prints \"jobs\"");
    CHECK(refusal("[]").find("the top of the JSON is no object") != std::string::npos);
    CHECK(refusal(R"({"jobs":[{"job_id":1,"x":)" + std::string(100, '['))
              .find("nested deeper than 64 levels") != std::string::npos);
  }

  // n1 is full, n2 has one processor left, n3 is full, n4 is empty.  The parts of job 8
  // take three processors, one of n2 and both of n4; then nothing is idle.
  TEST_CASE("a sample of Slurm 22.05: easy starts the parts of one job") {
    const auto state = sample("squeue-1.json", "sinfo-1.json");
    if (!state) return;
    Shadowed shadow{"easy"};
    const auto look = shadow.session.take(*state);
    CHECK(look.snapshot->version == "22.05.8");
    CHECK(look.snapshot->at == 1795590934);
    CHECK(look.snapshot->running() == 5);
    CHECK(look.snapshot->processors == 8);
    CHECK(starts(look) == "8+ on n2 (1), n4");
    CHECK(kept(look) == "10 no_room, 12 no_room, 17 no_room");
    CHECK(names_outside(*look.snapshot) == "11 13 14 15 16 1_3 1_4 1_5 2_1 2_2 2_3");
  }

  // Job 6 alone runs, on one processor of n3 until 1795590992.  Job 10 wants two nodes
  // whole, n3 and n4 from then on; one processor of n2 is left beside it.
  TEST_CASE("a sample of Slurm 22.05: easy fills what a reservation leaves") {
    const auto state = sample("squeue-2.json", "sinfo-1.json");
    if (!state) return;
    Shadowed shadow{"easy", "fcfs"};
    const auto look = shadow.session.take(*state);
    CHECK(starts(look) == "8+ on n1, n2 (1); 12 on n2 (1)");
    CHECK(kept(look) == "10 no_room, 17 would_delay, 1_3 would_delay, 1_4 would_delay");
    CHECK(starts(look, 1) == "8+ on n1, n2 (1)");
    CHECK(kept(look, 1) == "10 no_room, 12 order, 17 order, 1_3 order, 1_4 order");
    // An array of which two may run has five tasks, two of which have ended.
    CHECK(names_outside(*look.snapshot) == "11 13 14 1_5 2_1 2_2 2_3 4");
  }

  // Without n4 the two nodes are n1 and n2, when job 8 ends; job 17, which has no
  // limit, may have the rest of n3, since job 10 needs none of it.
  TEST_CASE("a sample of Slurm 22.05: a drained node takes no job") {
    const auto state = sample("squeue-2.json", "sinfo-drain.json");
    if (!state) return;
    Shadowed shadow{"easy"};
    const auto look = shadow.session.take(*state);
    CHECK(look.snapshot->hosts == std::vector<std::string>{"n1", "n2", "n3"});
    CHECK(look.snapshot->away.front().name == "n4");
    CHECK(starts(look) == "8+ on n1, n2 (1); 12 on n2 (1); 17 on n3 (1)");
    CHECK(kept(look) == "10 no_room, 1_3 no_room, 1_4 no_room");
  }

  TEST_CASE("a node that is drained has room for what still runs on it alone") {
    ClusterState state;
    add_sinfo(
        R"({"nodes":[{"name":"a","cpus":4,"state":"mixed","state_flags":["DRAIN"],)"
        R"("partitions":["p"]},{"name":"b","cpus":4,"state":"idle",)"
        R"("partitions":["p"]}]})",
        state);
    add_squeue(fmt::format(R"({{"time":100,"jobs":[{},{}]}})",
                           job(1, "RUNNING", 3, 5, 50, 0, 10, on("a", 3)),
                           job(2, "PENDING", 5, 10, 0, 0, 10)),
               state);
    Shadowed shadow{"easy"};
    const auto look = shadow.session.take(state);
    CHECK(look.snapshot->processors == 7);
    CHECK(starts(look).empty());  // four are idle
  }

  // Node c has left since squeue was asked or is of no partition; job 2 has begun on
  // node b since sinfo was, where job 1 had left no room for it.
  TEST_CASE("squeue and sinfo need not tell of one moment") {
    ClusterState state;
    add_sinfo(R"({"nodes":[{"name":"a","cpus":4,"state":"idle","partitions":["p"]},)"
              R"({"name":"b","cpus":4,"alloc_cpus":3,"state":"mixed",)"
              R"("partitions":["p"]}]})",
              state);
    const auto* const shares =
        R"("nodes":"b,c","job_resources":{"allocated_nodes":[)"
        R"({"nodename":"b","cpus":3},{"nodename":"c","cpus":4}]})";
    add_squeue(fmt::format(R"({{"time":100,"jobs":[{},{},{},{}]}})",
                           job(1, "RUNNING", 7, 5, 50, 0, 10, shares),
                           job(2, "RUNNING", 2, 10, 99, 0, 10, on("b", 2)),
                           job(3, "RUNNING", 4, 10, 60, 0, 10, on("c", 4)),
                           job(4, "PENDING", 4, 20, 0, 0, 10)),
               state);
    Shadowed shadow{"easy"};
    const auto look = shadow.session.take(state);
    CHECK(look.snapshot->processors == 4 + 5);
    CHECK(look.snapshot->running() == 2);
    CHECK(starts(look) == "4 on a");
  }

  TEST_CASE("memory counts where the nodes say that it is taken") {
    const auto look_with = [](int taken) {
      ClusterState state;
      add_sinfo(fmt::format(R"({{"nodes":[{{"name":"a","cpus":4,"real_memory":1000,)"
                            R"("alloc_cpus":1,"alloc_memory":{},"state":"mixed",)"
                            R"("partitions":["p"]}}]}})",
                            taken),
                state);
      const auto share = fmt::format(
          R"("nodes":"a","job_resources":{{"allocated_nodes":[{{"nodename":"a","cpus":1,)"
          R"("memory_allocated":{}}}]}})",
          taken);
      add_squeue(
          fmt::format(R"({{"time":100,"jobs":[{},{}]}})",
                      job(1, "RUNNING", 1, 5, 50, 0, 10, share),
                      job(2, "PENDING", 2, 10, 0, 0, 10, R"("memory_per_cpu":200)")),
          state);
      Shadowed shadow{"easy"};
      return starts(shadow.session.take(state));
    };
    CHECK(look_with(0) == "2 on a (2)");
    CHECK(look_with(600) == "2 on a (2)");
    CHECK(look_with(601) == "");  // 399 MiB are left, 400 are asked for
  }

  TEST_CASE("whole nodes are the unit where a cluster gives no less") {
    auto state = look_at(100, {job(1, "RUNNING", 4, 5, 50, 0, 10, on("a", 4)),
                               job(2, "PENDING", 1, 10, 0, 0, 10, R"("node_count":2)"),
                               job(3, "PENDING", 1, 20, 0, 0, 5, R"("node_count":1)")});
    const auto scenario = with_policies({"first_fit"});
    const auto library = PolicyLibrary::standard();
    const LoadingOptions loading;
    ShadowSession session({"p", ShadowUnit::kNodes}, scenario, library, loading);
    const auto look = session.take(state);
    CHECK(look.snapshot->processors == 2);
    CHECK(starts(look) == "3 on b");
  }

  TEST_CASE("a partition is named where there are several") {
    ClusterState state;
    add_sinfo(R"({"nodes":[{"name":"a","cpus":1,"partitions":["p"]},)"
              R"({"name":"b","cpus":1,"partitions":["q","p"]}]})",
              state);
    CHECK(partition_of(state, "q") == "q");
    CHECK_THROWS_WITH_AS((void)partition_of(state, ""),
                         "the nodes are in 2 partitions: name one by --partition: p, q",
                         Error);
    CHECK_THROWS_WITH_AS((void)partition_of(state, "r"),
                         "there is no partition r; there is p, q", Error);
  }

  // Job 1 has four of eight processors until second 130; job 2 wants all, and job 3,
  // which would end at 160, would delay it.  Slurm starts 3 at second 110 all the same,
  // and 2 at 130, when both others have ended.
  TEST_CASE("policies are asked at the seconds at which Slurm started jobs") {
    Shadowed shadow{"easy", "fcfs"};
    const auto first = look_at(
        100, {job(1, "RUNNING", 4, 5, 10, 0, 2, on("a", 4)),
              job(2, "PENDING", 8, 20, 0, 0, 10), job(3, "PENDING", 2, 30, 0, 0, 1)});
    const auto one = shadow.session.take(first);
    CHECK(starts(one, 0).empty());
    CHECK(kept(one, 0) == "2 no_room, 3 would_delay");
    const auto second =
        look_at(140, {job(1, "COMPLETED", 4, 5, 10, 125, 2, on("a", 4)),
                      job(2, "RUNNING", 8, 20, 130, 0, 10,
                          R"("nodes":"a,b","job_resources":{"allocated_nodes":[)"
                          R"({"nodename":"a","cpus":4},{"nodename":"b","cpus":4}]})"),
                      job(3, "COMPLETED", 2, 30, 110, 129, 1, on("b", 2)),
                      job(4, "CANCELLED", 1, 35, 115, 115, 1)});
    const auto two = shadow.session.take(second);
    CHECK(starts(two, 0).empty());
    const auto agreement = shadow.session.agreement();
    CHECK(agreement.looks == 2);
    CHECK(agreement.starts == 2);
    // Job 3 at 110 is Slurm's alone; job 2 at 130 is everybody's.
    CHECK(agreement.counts[0].same == 1);
    CHECK(agreement.counts[0].slurm_first == 1);
    CHECK(agreement.counts[0].policy_first == 0);
    CHECK(agreement.counts[1].same == 1);
    CHECK(agreement.jobs[0].job == "3");
    CHECK(agreement.jobs[0].slurm == 110);
    CHECK(agreement.jobs[1].policies[0] == 130);
  }

  TEST_CASE("a task that has got a number is the task that waited") {
    Shadowed shadow{"easy"};
    const auto array = [](const std::string& tasks) {
      return R"("array_job_id":9,"array_task_id":null,"array_max_tasks":1,)"
             R"("array_task_string":")" +
             tasks + "\"";
    };
    const auto one = shadow.session.take(
        look_at(100, {job(9, "PENDING", 4, 20, 0, 0, 10, array("1-3%1"))}));
    CHECK(starts(one) == "9_1 on a");
    CHECK(names_outside(*one.snapshot) == "9_2 9_3");
    const auto two = shadow.session.take(
        look_at(140, {job(10, "RUNNING", 4, 20, 100, 0, 10,
                          on("a", 4) + R"(,"array_job_id":9,"array_task_id":1)"),
                      job(9, "PENDING", 4, 20, 0, 0, 10, array("2-3%1"))}));
    CHECK(starts(two).empty());
    CHECK(names_outside(*two.snapshot) == "9_2 9_3");
    const auto agreement = shadow.session.agreement();
    REQUIRE(agreement.jobs.size() == 1);
    CHECK(agreement.jobs[0].job == "9_1");
    CHECK(agreement.counts[0].same == 1);
  }

  TEST_CASE("looks come in the order of time") {
    Shadowed shadow{"easy"};
    (void)shadow.session.take(look_at(100, {}));
    CHECK_THROWS_WITH_AS((void)shadow.session.take(look_at(99, {})),
                         "look 2 is of an earlier time than the one before it", Error);
  }

  TEST_CASE("policies that order by users or keys decide as the others do") {
    Shadowed shadow{"fairshare_easy", "ibb", "multifactor", "conservative", "sjf"};
    const auto look = shadow.session.take(look_at(
        100, {job(1, "RUNNING", 4, 5, 10, 0, 60, on("a", 4)),
              job(4, "PENDING", 3, 20, 0, 0, 10), job(3, "PENDING", 2, 30, 0, 0, 1)}));
    // User 1 runs already: job 3 of user 0 comes before job 4 of user 1.
    CHECK(starts(look, 0) == "3 on b (2)");
    CHECK(starts(look, 3) == "4 on b (3)");
    CHECK(starts(look, 4) == "3 on b (2)");
    for (const auto& decision : look.decisions) CHECK(decision.starts.size() == 1);
    // Nothing at all is a state, too.
    CHECK(starts(shadow.session.take(look_at(200, {}))).empty());
  }

  // Job 1 was of user 1, who would else be served first, as job 4 was submitted first.
  TEST_CASE("jobs that have ended count as use of the machine by their users") {
    Shadowed shadow{"fairshare_easy"};
    const auto four = job(4, "PENDING", 8, 20, 0, 0, 10);
    const auto three = job(3, "PENDING", 8, 30, 0, 0, 10);
    CHECK(starts(shadow.session.take(look_at(95, {four, three}))) == "4 on a, b");
    const auto ended = job(1, "COMPLETED", 4, 5, 10, 90, 60, on("a", 4));
    const auto look = shadow.session.take(look_at(100, {ended, four, three}));
    CHECK(starts(look) == "3 on a, b");
    CHECK(look.snapshot->running() == 0);
    CHECK(look.snapshot->waiting() == 2);
    // Slurm lists it no longer: it is remembered.
    CHECK(starts(shadow.session.take(look_at(200, {four, three}))) == "3 on a, b");
  }

  TEST_CASE("a job that is listed no longer has ended by the look that misses it") {
    Shadowed shadow{"fairshare_easy"};
    const auto one = job(1, "RUNNING", 4, 5, 10, 0, 60, on("a", 4));
    const auto two = job(2, "RUNNING", 4, 5, 90, 0, 60, on("b", 4));
    (void)shadow.session.take(look_at(100, {one, two}));
    const auto look = shadow.session.take(look_at(
        110, {job(4, "PENDING", 8, 20, 0, 0, 10), job(5, "PENDING", 8, 30, 0, 0, 10)}));
    // 400 processor seconds of user 1 are more than 80 of user 2.
    CHECK(starts(look) == "5 on a, b");
  }

  TEST_CASE("hooks have seen the jobs that ended before the look") {
    const test::ScratchFolder scratch;
    const auto file =
        scratch.file("ends.lua",
                     "local ends = 0\n"
                     "return { on_end = function() ends = ends + 1 end,\n"
                     "  schedule = function(queue, cluster)\n"
                     "    if ends == 2 then cluster:start_all(queue) end\n"
                     "  end }\n");
    Shadowed shadow{file.c_str()};
    const auto waits = job(4, "PENDING", 1, 20, 0, 0, 10);
    const auto one = job(1, "COMPLETED", 4, 5, 10, 90, 60, on("a", 4));
    const auto two = job(2, "FAILED", 4, 5, 30, 94, 60, on("a", 4));
    CHECK(starts(shadow.session.take(look_at(91, {one, waits}))).empty());
    // Both had node a, and not at one time: the one of which Slurm says so has no
    // place.
    CHECK(starts(shadow.session.take(look_at(95, {one, two, waits}))).empty());
    const auto three = job(3, "FAILED", 4, 5, 90, 94, 60, on("a", 4));
    CHECK(starts(shadow.session.take(look_at(96, {one, two, three, waits}))) ==
          "4 on a (1)");
  }

  // Job 1 ran from 110 to 150 and is listed in the third look, job 2 was still running
  // then, and job 3 was listed in the second look alone, when it had ended.
  TEST_CASE("a recording is a log of the jobs that began and ended in it") {
    const test::ScratchFolder scratch;
    SlurmRecorder recorder(scratch.path() / "week");
    recorder.keep(look_at(100, {job(1, "PENDING", 4, 20, 0, 0, 10)}));
    recorder.keep(look_at(130, {job(1, "RUNNING", 4, 20, 110, 0, 10, on("a", 4)),
                                job(3, "COMPLETED", 2, 105, 112, 120, 1, on("b", 2))}));
    recorder.keep(look_at(160, {job(1, "FAILED", 4, 20, 110, 150, 10, on("a", 4)),
                                job(2, "RUNNING", 1, 140, 141, 0, 10, on("b", 1))}));
    Budget budget;
    LogOptions options;
    options.name = "week";
    const auto log = read_recording_as_log(scratch.path() / "week", options, budget);
    const auto& jobs = log.workload.jobs;
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].id == 1);
    CHECK(jobs[0].submit == 0);
    CHECK(jobs[0].length == seconds(40));
    CHECK(jobs[0].walltime == seconds(600));
    CHECK(log.workload.recorded[0].wait == seconds(90));
    CHECK(jobs[1].id == 3);
    CHECK(jobs[1].submit == seconds(85));
    CHECK(jobs[1].size == 2);
    CHECK(log.workload.recorded[1].wait == seconds(7));
    CHECK(jobs[1].length == seconds(8));
  }

  TEST_CASE("a recording gives the looks that were kept") {
    const test::ScratchFolder scratch;
    const auto folder = scratch.path() / "week";
    SlurmRecorder recorder(folder);
    const auto first = look_at(100, {job(1, "PENDING", 4, 20, 0, 0, 10)});
    const auto second =
        look_at(130, {job(1, "RUNNING", 4, 20, 110, 0, 10, on("a", 4))});
    recorder.keep(first);
    recorder.keep(second);
    SlurmRecording recording(folder);
    Shadowed live{"easy"};
    Shadowed again{"easy"};
    for (const auto& state : {first, second}) {
      const auto kept_state = recording.next();
      REQUIRE(kept_state);
      CHECK(look_text(live.session.take(state)) ==
            look_text(again.session.take(*kept_state)));
    }
    CHECK_FALSE(recording.next());
    CHECK(agreement_text(live.session.agreement()) ==
          agreement_text(again.session.agreement()));
    CHECK_THROWS_AS(SlurmRecorder{folder}, Error);
    CHECK_THROWS_AS(SlurmRecording{scratch.path()}, Error);
  }
}
