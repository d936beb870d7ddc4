// Schedules on a network, worked out by hand and by two programs written apart from
// each other; each is audited, promises included.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

#include "engine/audit/auditor.hpp"
#include "engine/machines/network/slots.hpp"
#include "engine/output/log_jsonl.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct NetworkJob {
  std::int64_t submit;
  std::int32_t size;
  double bandwidth;
  std::int64_t length;
};

struct Played {
  std::string spans;  // "0-9 9-13 ..."
  std::int64_t suspensions = 0;
  std::map<std::string, std::int64_t> checked;
};

sim::Machine a_star_machine(std::int32_t servers, std::int32_t slots) {
  auto machine = default_machine("slots", 1);
  SlotsSettings settings;
  settings.topology = NetworkShape::kStar;
  settings.servers = servers;
  settings.slots = slots;
  settings.link_rate = 100;
  machine.model_settings = settings;
  machine.processors = servers * slots;
  machine.migration_cost = seconds(2);
  return machine;
}

Played play(const std::vector<NetworkJob>& asked, const sim::Machine& machine,
            sim::Policy& policy, sim::Observer* more = nullptr) {
  std::vector<Job> jobs;
  std::map<std::int64_t, std::vector<double>> bandwidths;
  for (const auto& each : asked) {
    const auto id = static_cast<std::int64_t>(jobs.size()) + 1;
    jobs.push_back(a_job(id, each.submit, each.size, each.length));
    bandwidths[id] = {each.bandwidth};
  }
  const auto columns = std::make_shared<JobColumns>(jobs);
  columns->add("bandwidth", bandwidths);
  const ModelSpec spec{machine, jobs, columns, 1};
  const auto& model = model_of(machine);
  sim::Simulation simulation(machine, {}, jobs, policy, model.make(spec));
  Remembering watched;
  audit::Auditor auditor({machine, {}, jobs, policy.traits()}, model.law(spec));
  simulation.audience().observe(watched);
  simulation.audience().observe(auditor);
  if (more != nullptr) simulation.audience().observe(*more);
  (void)simulation.advance(kNever);
  simulation.finish();
  Played played;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const auto at = watched.spans.find(jobs[i].id);
    played.spans += i > 0 ? " " : "";
    played.spans += at == watched.spans.end()
                        ? "-"
                        : fmt::format("{}-{}", at->second.start, at->second.end);
    played.suspensions += simulation.world().jobs()[JobId{i}].account.suspensions;
  }
  played.checked = auditor.checked();
  return played;
}

Played play(const std::string& policy, const std::vector<NetworkJob>& jobs,
            const sim::Machine& machine) {
  return play(jobs, machine, *lua_policy(policy));
}

// The lines about refusals of the log.
std::string refusals(const std::vector<NetworkJob>& jobs, const sim::Machine& machine,
                     sim::Policy& policy) {
  StringSink sink;
  LogJsonl log(sink);
  (void)play(jobs, machine, policy, &log);
  std::istringstream lines(sink.text());
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"refusal\"") != std::string::npos) found += line + "\n";
  }
  return found;
}

const std::vector<NetworkJob> kFive{
    {0, 4, 50, 10}, {1, 8, 20, 5}, {2, 2, 10, 20}, {3, 2, 30, 9}, {3, 2, 30, 4}};
const std::vector<NetworkJob> kSeven{
    {0, 3, 30, 9}, {2, 5, 30, 4}, {4, 3, 60, 4}, {6, 3, 50, 5}, {8, 3, 60, 3}};

}  // namespace

TEST_SUITE("machines/network/embed/schedules") {
  TEST_CASE("two servers of four slots: five schedules") {
    const auto star = a_star_machine(2, 4);
    CHECK(play("fcfs", kFive, star).spans == "0-10 10-15 15-35 15-24 15-19");
    CHECK(play("sjf", kFive, star).spans == "0-10 10-15 15-35 15-24 3-7");
    CHECK(play("sbf", kFive, star).spans == "0-10 22-27 2-22 27-36 27-31");
    const auto bgmbf = play("bgmbf", kFive, star);
    CHECK(bgmbf.spans == "0-10 10-15 2-29 3-19 15-19");
    CHECK(bgmbf.suspensions == 2);
    const auto shortest = play("bgmbfsdf", kFive, star);
    CHECK(shortest.spans == "0-10 10-15 2-29 7-23 3-7");
    CHECK(shortest.suspensions == 2);
  }

  TEST_CASE("three servers of two slots: six schedules") {
    const auto star = a_star_machine(3, 2);
    CHECK(play("fcfs", kSeven, star).spans == "0-9 9-13 13-17 17-22 22-25");
    CHECK(play("sjf", kSeven, star).spans == "0-9 11-15 15-19 19-24 8-11");
    CHECK(play("sbf", kSeven, star).spans == "0-9 9-13 18-22 13-18 22-25");
    CHECK(play("easy", kSeven, star).spans == "0-9 9-13 4-8 13-18 18-21");
    const auto bgmbf = play("bgmbf", kSeven, star);
    CHECK(bgmbf.spans == "0-9 9-13 4-8 8-19 19-22");
    CHECK(bgmbf.suspensions == 1);
    const auto shortest = play("bgmbfsdf", kSeven, star);
    CHECK(shortest.spans == "0-9 9-13 4-8 13-18 8-22");
    CHECK(shortest.suspensions == 1);
  }

  TEST_CASE("bgmbf on exclusive processors with preemption is AMBF") {
    auto machine = a_machine(6);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    const auto ambf = play("bgmbf", kSeven, machine);
    CHECK(ambf.spans == "0-9 9-13 4-8 8-19 13-16");
    CHECK(ambf.suspensions == 1);
    CHECK(ambf.checked.at("R3") > 0);
  }

  TEST_CASE(
      "read literally, jobs older than the first make way, and nothing is promised") {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    const std::vector<NetworkJob> jobs{
        {0, 3, 0, 10}, {1, 3, 0, 4}, {2, 1, 0, 100}, {11, 4, 0, 1}};
    CHECK(play("bgmbf", jobs, machine).spans == "0-10 10-14 2-102 102-103");
    const auto literal = lua_policy(
        "bgmbf", {{"preempt_only_younger", "false"}, {"promote_backfilled", "false"}});
    CHECK(literal->traits().promise == sim::Promise::kNone);
    CHECK(play(jobs, machine, *literal).spans == "0-10 10-14 2-105 14-15");
    CHECK(lua_policy("bgmbf")->traits().promise == sim::Promise::kTopFirst);
    for (const auto* name : {"preempt_only_younger", "promote_backfilled"}) {
      CHECK(lua_policy("bgmbf", {{name, "false"}})->traits().promise ==
            sim::Promise::kNone);
    }
  }

  TEST_CASE("the audit checks slots, links and the promise to the oldest") {
    const auto checked = play("bgmbf", kFive, a_star_machine(2, 4)).checked;
    CHECK(checked.at("C4") == 7);  // five starts, two resumes
    CHECK(checked.at("C6") == 7);
    CHECK(checked.at("R3") > 0);
    CHECK(play("easy", kFive, a_star_machine(2, 4)).checked.count("R1") == 0);
  }

  TEST_CASE("the audit finds a job that was passed over and not let in again") {
    // As bgmbf, but it never makes way.
    const auto policy = policy_of(
        "return { promises = 'top_first', schedule = function(queue, cluster)"
        " cluster:start_all(queue)"
        " for job in queue:fitting() do cluster:start(job) end end }");
    CHECK_THROWS_WITH_AS((void)play(kFive, a_star_machine(2, 4), *policy),
                         doctest::Contains("(R3, "), audit::AuditFailure);
  }

  TEST_CASE("a job that never embeds is rejected as it arrives, and so is a wide one") {
    const auto star = a_star_machine(2, 4);
    // 5 VMs at 101: the second server takes one, whose link carries 100.
    const auto played =
        play("fcfs", {{0, 5, 101, 4}, {1, 9, 0, 4}, {2, 4, 101, 4}}, star);
    CHECK(played.spans == "- - 2-6");
  }

  TEST_CASE(
      "the log says how far the search for the oldest came, and which link binds") {
    // fcfs itself has no pass where nothing fits.
    const auto fcfs = policy_of(
        "return { schedule = function(queue, cluster) cluster:start_all(queue) end }");
    // Job 1 leaves four slots, on one server, and its link carries all of them.
    CHECK(refusals({{0, 4, 50, 10}, {1, 8, 20, 5}}, a_star_machine(2, 4), *fcfs) ==
          "{\"at\":1,\"record\":\"refusal\",\"job\":2,\"vms\":4,\"level\":1,"
          "\"switch\":\"edge 0\"}\n");
    // Job 1 has 4 VMs and 1, and reserves all of both links.
    CHECK(refusals({{0, 5, 100, 50}, {1, 6, 16, 5}}, a_star_machine(3, 4), *fcfs) ==
          "{\"at\":1,\"record\":\"refusal\",\"job\":2,\"vms\":4,\"level\":1,"
          "\"switch\":\"edge 0\",\"link\":[\"server 1\",\"edge 0\"],\"needed\":16,"
          "\"left\":0}\n");
    // A job that fits and is not started: no reason.
    const auto idle = policy_of(
        "return { schedule = function(queue, cluster)"
        " if cluster:now() > 0 then cluster:start_all(queue) end end }");
    CHECK(refusals({{0, 1, 0, 9}, {1, 1, 0, 9}}, a_star_machine(2, 4), *idle) ==
          "{\"at\":0,\"record\":\"refusal\",\"job\":1}\n");
  }

  TEST_CASE("machines without a network tell no refusals") {
    CHECK(refusals(kFive, a_machine(8), *lua_policy("fcfs")).empty());
  }

  TEST_CASE("instead_of raises for a wrong list, and nothing has changed then") {
    const auto error_of = [](const std::string& list) {
      const auto policy = policy_of(
          "local first return { schedule = function(queue, cluster)"
          " for job in queue:fitting() do cluster:start(job) first = first or job end"
          " local top = queue:head()"
          " if top then local ok, why = pcall(cluster.start, cluster, top,"
          " { instead_of = " +
          list +
          " })"
          " assert(not ok and first.state == 'running' and top.state == 'waiting')"
          " error(why, 0) end end }");
      try {
        (void)play(kFive, a_star_machine(2, 4), *policy);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("no error");
    };
    CHECK(error_of("{ top }").find("cannot make way for itself") != std::string::npos);
    CHECK(error_of("{ first, first }").find("named twice") != std::string::npos);
    CHECK(error_of("{ first, 7 }").find("a list of jobs expected") !=
          std::string::npos);
    CHECK(error_of("7").find("a list of jobs expected") != std::string::npos);
    CHECK(error_of("{ first, queue:head() }").find("cannot make way") !=
          std::string::npos);
  }

  TEST_CASE("instead_of needs a machine that preempts") {
    const auto policy = policy_of(
        "return { schedule = function(queue, cluster)"
        " for job in queue:all() do cluster:start(job, { instead_of = {} }) end end }");
    CHECK_THROWS_WITH_AS((void)play(kFive, a_machine(8), *policy),
                         doctest::Contains("allows no preemption"), Error);
  }

  TEST_CASE("a start that fails suspends nothing") {
    const auto policy = policy_of(
        "return { schedule = function(queue, cluster)"
        " for job in queue:fitting() do cluster:start(job) end"
        " local top = queue:head()"
        " if top and top.size == 8 and cluster:now() < 10 then"
        "   for job in cluster:running() do"
        "     if job.size == 2 then"
        "       local done, why = cluster:start(top, { instead_of = { job } })"
        "       assert(done == nil and why == 'no_embedding' and job.state == "
        "'running')"
        "     end"
        "   end"
        " end end }");
    CHECK(play(kFive, a_star_machine(2, 4), *policy).suspensions == 0);
  }
}
