// Plans and reservations on devices: the shadow, what is admitted, and the book.

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "engine/audit/auditor.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/machines/devices/device_places.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Start and devices of each job, as "8 0:1".
class DeviceStarts final : public sim::Observer {
 public:
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord>();
  }
  void note(const sim::Record& record) override {
    const auto& start = std::get<sim::StartRecord>(record);
    const Placement& placement = *start.placement;
    of[start.who.job->id] = std::to_string(start.at / kSecond) + " " +
                            placement.form_if<DevicePlaces>()->devices_text();
  }
  void finish(Time) override {}
  std::map<std::int64_t, std::string> of;
};

struct PlannedRun {
  std::map<std::int64_t, std::string> starts;
  std::map<std::string, std::int64_t> checked;
};

// Under the whole audit.
PlannedRun run_of(const std::string& name, const sim::Machine& machine,
                  const DeviceJobs& jobs) {
  const ModelSpec spec{machine, jobs.jobs, jobs.attributes, 0};
  const auto policy = lua_policy(name);
  sim::Simulation simulation(machine, {}, jobs.jobs, *policy,
                             model_of(machine).make(spec));
  audit::Auditor auditor({machine, {}, jobs.jobs, policy->traits()},
                         model_of(machine).law(spec), audit::Thoroughness::kFull);
  DeviceStarts starts;
  simulation.audience().observe(starts);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  return {starts.of, auditor.checked()};
}

// The starts of jobs 5 to 8.
std::string last_four(const std::string& policy) {
  const auto machine = with_devices({{"a", 1, 16, 4}});
  const DeviceJobs jobs(
      {a_job(1, 0, 1, 12), a_job(2, 0, 1, 8), a_job(3, 0, 1, 20), a_job(4, 0, 1, 30),
       a_job(5, 1, 1, 5), a_job(6, 2, 1, 50), a_job(7, 2, 1, 50), a_job(8, 3, 1, 5)},
      {{1, 0, 600},
       {1, 0, 600},
       {1, 0, 600},
       {1, 0, 600},
       {1, 1},
       {1, 0, 300},
       {1, 0, 300},
       {1, 0, 300}});
  const auto run = run_of(policy, machine, jobs);
  std::string text;
  for (std::int64_t id = 5; id <= 8; ++id) text += run.starts.at(id) + ", ";
  return text;
}

// Chunks of shares and of several whole devices on two hosts.
PlannedRun run_of_chunks(const std::string& policy) {
  const auto machine = with_devices({{"a", 2, 16, 4}});
  const DeviceJobs jobs(
      {a_job(1, 0, 1, 10), a_job(2, 0, 2, 12), a_job(3, 1, 3, 5), a_job(4, 1, 2, 5),
       a_job(5, 2, 1, 5)},
      {{0, 0, 500}, {0, 2, 0, 2}, {0, 2, 0, 3}, {0, 0, 500, 2}, {0, 3}});
  return run_of(policy, machine, jobs);
}

}  // namespace

TEST_SUITE("machines/devices/device_plans") {
  TEST_CASE("idle parts on several devices are no plan for a whole one") {
    CHECK(last_four("fcfs") == "8 0:1, 8 0:0*300, 8 0:2*300, 8 0:3*300, ");
    CHECK(last_four("first_fit") == "20 0:2, 2 0:0*300, 2 0:1*300, 3 0:2*300, ");
    CHECK(last_four("easy") == "8 0:1, 2 0:0*300, 8 0:2*300, 3 0:1*300, ");
    CHECK(last_four("conservative") == "8 0:1, 2 0:0*300, 2 0:2*300, 3 0:1*300, ");
  }

  TEST_CASE("chunks are planned whole, each on its host") {
    const auto fcfs = run_of_chunks("fcfs").starts;
    CHECK(fcfs.at(1) == "0 0:0*500");
    CHECK(fcfs.at(2) == "0 0:1-2 1:0-1");
    CHECK(fcfs.at(3) == "12 0:0-1 0:2-3 1:0-1");
    CHECK(fcfs.at(4) == "12 1:2*500 1:2*500");
    CHECK(fcfs.at(5) == "17 0:0-2");
    for (const auto* policy : {"easy", "conservative"}) {
      CAPTURE(policy);
      auto wanted = fcfs;
      wanted.at(4) = "1 0:0*500 0:3*500";
      CHECK(run_of_chunks(policy).starts == wanted);
    }
  }

  TEST_CASE("what was promised is kept, whatever the machine and the jobs") {
    auto engine = random_stream(5, "test.device_plans");
    for (std::uint64_t round = 0; round < rounds(12); ++round) {
      const auto rule = static_cast<DeviceRule>(round % 3);
      const auto machine = with_devices(
          {{"t", 2, 4, 2, "T4"}, {"a", 1, 6, 3, "A100", "250,500,1000"}, {"p", 1, 4}},
          1000, rule);
      std::vector<Job> list;
      std::vector<DeviceNeedOf> needs;
      for (std::int64_t id = 1; id <= 80; ++id) {
        DeviceNeedOf need;
        need.chunks = static_cast<std::int32_t>(1 + engine() % 2);
        need.cores = static_cast<double>(engine() % 3);
        const auto kind = engine() % 3;
        if (kind == 0) need.gpus = static_cast<std::int32_t>(1 + engine() % 2);
        if (kind == 1) need.share = static_cast<std::int64_t>(100 + engine() % 800);
        if (engine() % 5 == 0) need.types = engine() % 2 == 0 ? "A100" : "T4";
        const auto length = static_cast<std::int64_t>(1 + engine() % 30);
        list.push_back(a_job(id, id / 2, need.chunks, length,
                             std::max<std::int64_t>(1, length + 3 - engine() % 6)));
        needs.push_back(need);
      }
      const DeviceJobs jobs(list, needs);
      for (const auto* policy : {"easy", "conservative", "first_fit", "sjf"}) {
        CAPTURE(round);
        CAPTURE(policy);
        const auto run = run_of(policy, machine, jobs);
        CHECK(run.starts.size() > 60);
        CHECK(run.checked.at("D1") == std::ssize(run.starts));
      }
    }
  }
}
