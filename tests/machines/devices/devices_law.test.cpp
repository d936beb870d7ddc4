#include "engine/machines/devices/devices_law.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "engine/audit/auditor.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/machines/devices/devices.hpp"
#include "study/runs/policy_run.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/devices.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// One host of 4 cores with 2 devices, one of 8 cores with 2 of another type and slices,
// one for another partition, and one without devices.
sim::Machine four_hosts(DeviceRule rule = DeviceRule::kBest) {
  return with_devices({{"t4", 1, 4, 2, "T4"},
                       {"a100", 1, 8, 2, "A100", "250,500,1000"},
                       {"other", 1, 8, 2, "T4", "", 7},
                       {"plain", 1, 4}},
                      1000, rule);
}

// The rule that a placement breaks on that machine; empty: none.  The jobs before the
// last are placed first.
std::string_view broken(const std::vector<DeviceNeedOf>& needs,
                        const std::vector<std::string>& places) {
  const DeviceJobs jobs(needs);
  const auto machine = four_hosts();
  const auto law =
      model_of(machine).law(ModelSpec{machine, jobs.jobs, jobs.attributes, 0});
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const auto chunks = device_places_from(places[i]);
    REQUIRE(chunks);
    const auto placement = placement_of(*chunks);
    const auto fault = law->start(JobId{i}, &placement, false);
    CHECK((fault.has_value() != law->is_placed(JobId{i})));
    if (fault) return fault->rule.code;
  }
  return {};
}

Job random_job(std::int64_t id, std::int32_t chunks, RandomEngine& engine) {
  const auto length = static_cast<std::int64_t>(1 + engine() % 20);
  return a_job(id, id / 2, chunks, length, length + std::int64_t(engine() % 9));
}

DeviceNeedOf random_need(RandomEngine& engine) {
  DeviceNeedOf need;
  need.chunks = static_cast<std::int32_t>(1 + engine() % 3);
  need.cores = static_cast<double>(engine() % 3);
  const auto kind = engine() % 4;
  if (kind == 0) need.gpus = static_cast<std::int32_t>(1 + engine() % 2);
  if (kind > 1) need.share = static_cast<std::int64_t>(1 + engine() % 999);
  if (engine() % 4 == 0) need.types = engine() % 2 == 0 ? "A100" : "T4|V100";
  return need;
}

}  // namespace

TEST_SUITE("machines/devices/devices_law") {
  TEST_CASE("D1: no device has more parts taken than it has") {
    CHECK(broken({{0, 0, 600}, {0, 0, 400}}, {"0:0*600", "0:0*400"}).empty());
    CHECK(broken({{0, 0, 600}, {0, 0, 401}}, {"0:0*600", "0:0*401"}) == "D1");
    CHECK(broken({{0, 0, 600, 2}}, {"0:0*600 0:0*600"}) == "D1");
  }

  TEST_CASE("D2: whole devices are one job's, as many as it asks for, and there") {
    CHECK(broken({{0, 2}}, {"0:0-1"}).empty());
    CHECK(broken({{0, 1}}, {"0:0-1"}) == "D2");
    CHECK(broken({{0, 2}}, {"0:1"}) == "D2");
    CHECK(broken({{0, 1}}, {"0:2"}) == "D2");
    CHECK(broken({{0, 1}}, {"0"}) == "D2");
    CHECK(broken({{0, 0, 100}, {0, 1}}, {"0:0*100", "0:0"}) == "D2");
    CHECK(broken({{0, 1}, {0, 0, 100}}, {"0:0", "0:0*100"}) == "D1");
    CHECK(broken({{0, 1}, {0, 1}}, {"0:1", "0:1"}) == "D2");
  }

  TEST_CASE("D3: a share has the parts that the machine makes of it") {
    CHECK(broken({{0, 0, 300}}, {"1:0*500"}).empty());
    CHECK(broken({{0, 0, 300}}, {"1:0*300"}) == "D3");
    CHECK(broken({{0, 0, 300}}, {"0:0*301"}) == "D3");
    CHECK(broken({{0, 0, 300}}, {"0:0-1"}) == "D3");
    CHECK(broken({{0, 0, 300}}, {"0:5*300"}) == "D3");
  }

  TEST_CASE("D4: types and partitions are those of the hosts") {
    CHECK(broken({{0, 1, 0, 1, "A100|V100"}}, {"1:0"}).empty());
    CHECK(broken({{0, 1, 0, 1, "A100|V100"}}, {"0:0"}) == "D4");
    CHECK(broken({{0, 1}}, {"2:0"}) == "D4");
    CHECK(broken({{1}}, {"2"}) == "D4");
    CHECK(broken({{1, 0, 0, 1, "A100"}}, {"0"}).empty());  // it binds devices alone
    CHECK(broken({{0, 1}}, {"3:0"}) == "D4");
    CHECK(broken({{1}}, {"4"}) == "D4");
  }

  TEST_CASE("D5: no kind is overdrawn, and every chunk is there") {
    CHECK(broken({{4}}, {"0"}).empty());
    CHECK(broken({{4.5}}, {"0"}) == "D5");
    CHECK(broken({{2, 0, 0, 2}, {1}}, {"0 0", "0"}) == "D5");
    CHECK(broken({{1, 0, 0, 2}}, {"0"}) == "D5");
    CHECK(broken({{1}}, {"0 1"}) == "D5");
  }

  TEST_CASE("C7: a job without hosts and devices has no placement") {
    const DeviceJobs jobs(std::vector<DeviceNeedOf>{{1}});
    const auto machine = four_hosts();
    const auto law =
        model_of(machine).law(ModelSpec{machine, jobs.jobs, jobs.attributes, 0});
    const Placement hosts = IntervalSet(0, 0);
    CHECK(law->start(JobId{0}, &hosts, false)->rule.code == "C7");
    CHECK(law->start(JobId{0}, nullptr, false)->rule.code == "C7");
  }

  TEST_CASE("model and law agree about random jobs, under every rule") {
    auto engine = random_stream(3, "test.devices");
    for (const auto rule :
         {DeviceRule::kBest, DeviceRule::kFirst, DeviceRule::kWorst}) {
      std::vector<DeviceNeedOf> needs;
      std::vector<Job> list;
      for (std::int64_t id = 1; id <= 300; ++id) {
        needs.push_back(random_need(engine));
        list.push_back(random_job(id, needs.back().chunks, engine));
      }
      const DeviceJobs jobs(list, needs);
      const auto machine = four_hosts(rule);
      const ModelSpec spec{machine, jobs.jobs, jobs.attributes, 0};
      ScriptedPolicy policy([](sim::Simulation& simulation) { fcfs(simulation); });
      sim::Simulation simulation(machine, {}, jobs.jobs, policy,
                                 model_of(machine).make(spec));
      audit::Auditor auditor({machine, {}, jobs.jobs, policy.traits()},
                             model_of(machine).law(spec), audit::Thoroughness::kFull);
      Remembering watched;
      simulation.audience().observe(watched);
      simulation.audience().observe(auditor);
      (void)simulation.advance(kNever);
      simulation.finish();
      CHECK(watched.left.empty());
      CHECK(watched.spans.size() > 200);
      CHECK(watched.rejected.size() + watched.spans.size() == 300);
      CHECK(auditor.checked().at("D1") > 200);
    }
  }

  TEST_CASE("D7: what the machine keeps as fragmented is what is idle and of no use") {
    // 300 parts are left on device 0 and a whole device: of the target the share of 700
    // (by one of two jobs) cannot use the 300.
    const DeviceJobs jobs({{1, 0, 700}, {1, 0, 100}});
    const auto machine = with_devices({{"a", 1, 8, 2}});
    const auto law =
        model_of(machine).law(ModelSpec{machine, jobs.jobs, jobs.attributes, 0});
    const auto placement = placement_of(*device_places_from("0:0*700"));
    CHECK_FALSE(law->start(JobId{0}, &placement, false));
    const auto note = [&](std::int64_t sum) {
      const FragmentationFact fact(sum, 2);
      return law->note(
          {0, {}, sim::MachineRecord::Bracket::kAlone, &fact, std::string_view()});
    };
    CHECK_FALSE(note(300));
    const auto wrong = note(301);
    REQUIRE(wrong);
    CHECK(wrong->rule.code == "D7");
    CHECK(
        wrong->what ==
        "the machine counts 150.5 idle parts that its target cannot use, and there are "
        "150");
  }

  TEST_CASE("D7 is checked where a policy reads it, whatever the target") {
    auto engine = random_stream(5, "test.devices");
    for (const auto* target : {"", "trace", "arrived"}) {
      CAPTURE(target);
      std::vector<DeviceNeedOf> needs;
      std::vector<Job> list;
      for (std::int64_t id = 1; id <= 300; ++id) {
        needs.push_back(random_need(engine));
        list.push_back(random_job(id, needs.back().chunks, engine));
      }
      const DeviceJobs jobs(list, needs);
      auto machine = four_hosts();
      auto settings = devices_of(machine);
      settings.target = target;
      machine.model_settings = settings;
      const ModelSpec spec{machine, jobs.jobs, jobs.attributes, 0};
      ScriptedPolicy policy([](sim::Simulation& simulation) {
        const auto* devices = capability<Devices>(simulation.world().hosts());
        CHECK(devices->fragmentation_now() >= 0);
        fcfs(simulation);
      });
      sim::Simulation simulation(machine, {}, jobs.jobs, policy,
                                 model_of(machine).make(spec));
      audit::Auditor auditor({machine, {}, jobs.jobs, policy.traits()},
                             model_of(machine).law(spec), audit::Thoroughness::kFull);
      simulation.audience().observe(auditor);
      (void)simulation.advance(kNever);
      simulation.finish();
      CHECK(auditor.checked().at("D7") >= 2);
    }
  }

  TEST_CASE("D7 judges what metrics tell as fragmented, whatever the policy asks") {
    // What a measure keeps, and what it should not.
    class Kept final : public MachineMeasure {
     public:
      Kept(std::unique_ptr<MachineMeasure> right, std::int64_t wrong)
          : right_(std::move(right)), wrong_(wrong) {}
      sim::Observer& observer() override { return right_->observer(); }
      std::vector<Metric> values() const override { return right_->values(); }
      std::unique_ptr<const MachineFact> kept() const override {
        const auto kept = right_->kept();
        const auto& right = dynamic_cast<const FragmentationFact&>(*kept);
        return std::make_unique<const FragmentationFact>(right.sum() + wrong_, 1);
      }

     private:
      std::unique_ptr<MachineMeasure> right_;
      std::int64_t wrong_;
    };
    auto engine = random_stream(6, "test.devices");
    std::vector<DeviceNeedOf> needs;
    std::vector<Job> list;
    for (std::int64_t id = 1; id <= 300; ++id) {
      needs.push_back(random_need(engine));
      list.push_back(random_job(id, needs.back().chunks, engine));
    }
    const DeviceJobs jobs(list, needs);
    study::Point point{four_hosts(), {}, {}, jobs.jobs, jobs.attributes};
    for (const std::int64_t wrong : {0, 1}) {
      Kept measure(study::measure_of(point), wrong);
      ScriptedPolicy policy([](sim::Simulation& simulation) { fcfs(simulation); });
      const auto result = study::run_policy(point, policy, study::Audit::kOn,
                                            {{}, &measure}, study::Watch());
      if (wrong == 0) {
        CHECK_FALSE(result.audit_failure);
        CHECK(result.checked.at("D7") >= 3);
      } else {
        REQUIRE(result.audit_failure);
        CHECK(result.audit_failure->violation().rule.code == "D7");
      }
    }
  }

  TEST_CASE("the law knows what fits once jobs have left, as the model does") {
    auto engine = random_stream(4, "test.devices");
    std::vector<DeviceNeedOf> needs;
    for (int i = 0; i < 200; ++i) needs.push_back(random_need(engine));
    const DeviceJobs jobs(needs);
    const auto machine = four_hosts();
    const ModelSpec spec{machine, jobs.jobs, jobs.attributes, 0};
    const auto model = model_of(machine).make(spec);
    const auto law = model_of(machine).law(spec);
    std::vector<JobId> running;
    Affected affected;
    std::int64_t fitted = 0;
    for (std::uint32_t i = 0; i < needs.size(); ++i) {
      const JobId job{i};
      const auto demand = jobs.jobs[i].demand();
      CHECK(law->fit()->never_fits(job) == model->arrive(job, demand).has_value());
      const bool fits = model->fits(job, demand);
      CHECK(law->fit()->fits_without(job, {}) == fits);
      if (fits) {
        ++fitted;
        model->allocate(job, demand, affected);
        CHECK_FALSE(law->start(job, &model->placement(job), false));
        running.push_back(job);
      } else if (!running.empty()) {
        const auto gone = running[engine() % running.size()];
        const bool later = law->fit()->fits_without(job, {&gone, 1});
        model->leave(gone, affected);
        law->leave(gone);
        std::erase(running, gone);
        CHECK(model->fits(job, demand) == later);
      }
      CHECK(law->used() == machine.processors - model->idle());
    }
    CHECK(fitted > 50);
  }
}
