// cluster.packing and cluster:share in a run.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"
#include "tests/support/fractions.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Jobs 1 (2 tasks) and 2 (4 tasks), each task with half a host's CPU and a quarter of
// its memory of 1 GiB; three hosts.
Played on_hosts(const std::string& text) {
  auto jobs = two_jobs();
  for (auto& job : jobs) job = with_memory(job, 0.25);
  jobs[1].size = 3;
  return play(text, jobs, a_fractional_machine(3, 0.5));
}

constexpr const char* kLocals =
    "local packing, jobs = cluster.packing, {} for each in queue:all() do "
    "jobs[#jobs + 1] = each end\n";

Played decide(const std::string& body) { return on_hosts(once(kLocals + body)); }

struct Wrong {
  const char* call;
  const char* says;
};

constexpr Wrong kWrong[]{
    {"packing:mcb({ job, job })", "job 1 stands in the list twice"},
    {"packing:mcb(7)", "a list of jobs expected"},
    {"packing.mcb(jobs)", "call it with a colon: cluster.packing:mcb(...)"},
    {"packing:admit(queue, 7)", "a function of packing and jobs expected"},
    {"packing:admit(job)", "a view or a list of jobs expected"},
    {"packing:admit(queue, function() return 7 end)", "pack must return a packing"},
    {"packing:admit(queue, nil, { least = 1 })", "there is no option 'least'"},
    {"packing:apply(job)", "a packing expected, got a job"},
    {"packing:apply(nil)", "a packing expected"},
    {"local p = packing:mcb(jobs) packing:apply(p) packing:apply(p)",
     "this packing was applied already"},
    {"packing:apply(packing:mcb({ job })) packing:apply(packing:mcb({ jobs[2] }))",
     "job 1 runs and has no place in the packing"},
    {"cluster:share(job, 0.5)", "share: job 1 is waiting"},
    {"cluster:start(job) cluster:share(job, 2)", "a yield of 2 is not from 0 to 1"},
    {"cluster:start(job) cluster:share(job)", "a yield expected"},
    {"cluster:reserve(job)", "this machine shares hosts by fractions"},
    {"cluster:backfill(queue)", "this machine shares hosts by fractions"},
    {"cluster:book():place(job)", "this machine shares hosts by fractions"},
    {"packing:search(jobs, function() cluster:start(job) end)",
     "start: not allowed in an order's key or a function passed in"},
    {"packing:search(jobs, function(draft) packing:mcb(jobs) end)",
     "a fill or a key may only use its own draft"},
    {"packing:mcb(jobs, { key = function() return 0/0 end })",
     "a key must be a finite number"},
    {"packing:search(jobs, function(draft) draft:put(99, 0) end)",
     "there is no task 99"},
};

}  // namespace

TEST_SUITE("machines/fractional/calls") {
  TEST_CASE("wrong calls name the call and what is wrong") {
    for (const auto& wrong : kWrong) {
      CAPTURE(wrong.call);
      const auto said = decide(wrong.call);
      CAPTURE(said.error);
      CHECK(said.fails_with(wrong.says));
      CHECK(said.fails_with("test.lua"));
      CHECK(said.code == ErrorCode::kPolicy);
    }
  }

  TEST_CASE("jobs, hosts and packings say what they are") {
    const auto said = decide(R"(
      print(job.cpu, job.memory, job.yield, job.virtual_time, job.expected_end)
      print(packing:memory(), packing:bound(jobs), cluster:has("packing"))
      local p = packing:mcb(jobs)
      print(p.yield, p.moved, p.migrations, p:yield_of(job))
      local shown = 0
      for each in p:jobs() do shown = shown + each.size end
      print(shown, cluster:idle())
      packing:apply(p)
      print(job.state, job.yield, cluster:idle(), queue:length())
    )");
    CHECK(said.error == "");
    CHECK(said.printed ==
          "0.5\t0.25\tnil\t0.0\tnil\n1.0\t1.0\ttrue\n1.0\t0.0\t0\t1.0\n5\t3\n"
          "running\t1.0\t0\t0\n");
  }

  TEST_CASE("moved memory is in GiB, and a budget is, too") {
    const auto said = decide(R"(
      cluster:start(job)
      local p = packing:search(jobs, function(draft)
        for task in draft:tasks() do draft:put(task, task <= 2 and 2 or (task - 3) % 2) end
      end)
      print(p.yield, p.moved)
      print(packing:adapt(jobs, { budget = 0 }).moved)
      cluster:because("to make room")
      print(packing:apply(p))
      print(p:host_of(job, 1) == p:host_of(job, 2))
    )");
    CHECK(said.error == "");
    CHECK(said.printed == "1.0\t0.25\n0.0\ntrue\ntrue\n");
  }

  TEST_CASE("a repacking that leaves jobs out suspends them if asked for") {
    const auto said = decide(R"(
      cluster:start(job)
      print(packing:apply(packing:mcb({ jobs[2] }), { pause = true }))
      print(job.state, jobs[2].state, queue:length())
      print(cluster:share(jobs[2], 0.5), jobs[2].yield)
      print(packing:apply(packing:mcb({ job, jobs[2] })), job.state)
    )");
    CHECK(said.error == "");
    CHECK(said.printed == "true\nsuspended\trunning\t1\ntrue\t0.5\ntrue\trunning\n");
  }

  TEST_CASE("admission takes the running jobs and the longest prefix that packs") {
    const std::string body = R"(
      local tried = {}
      local function at_most(most)
        return function(packing, jobs)
          tried[#tried + 1] = #jobs
          if #jobs <= most then return packing:mcb(jobs) end
        end
      end
      local function size(p)
        local n = 0
        if not p then return p end
        for _ in p:jobs() do n = n + 1 end
        return n
      end
      for most = 0, 6 do print(size(packing:admit(queue, at_most(most)))) end
      print(size(packing:admit(queue, at_most(9), { depth = 3 })))
      print(size(packing:admit({ job }, at_most(9))))
      cluster:start(job)
      print(size(packing:admit(queue, at_most(0))), size(packing:admit(queue, at_most(1))))
      print(size(packing:admit(queue, at_most(3))), tried[#tried])
    )";
    std::vector<Job> jobs;
    for (int id = 1; id <= 5; ++id) jobs.push_back(a_job(id, 0, 1, 10));
    const auto said = play(once(kLocals + body), jobs, a_fractional_machine(3, 0.5));
    CHECK(said.error == "");
    CHECK(said.printed == "0\n1\n2\n3\n4\n5\n5\n3\n1\nnil\t1\n3\t4\n");
  }

  TEST_CASE("a handle of an earlier decision raises") {
    const auto said = on_hosts(R"(
      local kept
      return { schedule = function(queue, cluster)
        if kept then cluster.packing:apply(kept) end
        kept = cluster.packing:mcb(queue)
        cluster:start_all(queue)
      end })");
    CHECK(said.fails_with("this packing belongs to an earlier decision"));
  }
}
