// How much of the links of a network is reserved, over time.

#include <doctest/doctest.h>

#include "engine/machines/network/slots_settings.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/output/loads_csv.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

sim::Machine machine_of(const SlotsSettings& settings) {
  auto machine = default_machine("slots", 1);
  machine.model_settings = settings;
  machine.processors = make_topology(settings)->processors();
  return machine;
}

// loads.csv of the run.
std::string loads_of(const std::vector<Job>& jobs, const SlotsSettings& settings) {
  const auto machine = machine_of(settings);
  ScriptedPolicy policy(fcfs);
  sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  const auto measured = make_measure(berth::spec_of(machine, jobs), {});
  const auto* loads = dynamic_cast<const MachineLoads*>(measured.get());
  REQUIRE(loads != nullptr);
  StringSink sink;
  LoadsCsv csv(sink, *loads);
  simulation.audience().observe(measured->observer());
  simulation.audience().observe(csv);
  (void)simulation.advance(kNever);
  simulation.finish();
  return sink.text();
}

Summary measure(const std::vector<Job>& jobs, const SlotsSettings& settings) {
  const auto machine = machine_of(settings);
  ScriptedPolicy policy(fcfs);
  sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  const auto measured = make_measure(berth::spec_of(machine, jobs), {});
  RunMetrics metrics(jobs, {}, {}, measured.get());
  simulation.audience().observe(metrics);
  simulation.audience().observe(measured->observer());
  (void)simulation.advance(kNever);
  simulation.finish();
  auto summary = metrics.summary();
  add_measured(machine, measured.get(), summary);
  return summary;
}

SlotsSettings a_network(NetworkShape shape, double bandwidth) {
  SlotsSettings settings;
  settings.topology = shape;
  settings.k = 4;
  settings.servers = 2;
  settings.slots = 4;
  settings.link_rate = 100;
  settings.rule = BandwidthRule::kGiven;
  settings.bandwidth = bandwidth;
  return settings;
}

double value(const Summary& summary, std::string_view name) {
  const auto* metric = summary.find(name);
  REQUIRE(metric != nullptr);
  REQUIRE(metric->value.has_value());
  return *metric->value;
}

}  // namespace

TEST_SUITE("machines/network/network_measure") {
  TEST_CASE("a star has one layer of links, reserved while a job is on both servers") {
    // Job 1, 4 VMs and 1, reserves 50 on both links of 100 until 10; job 2 nothing.
    const auto found = measure({a_job(1, 0, 5, 10), a_job(2, 0, 4, 10)},
                               a_network(NetworkShape::kStar, 50));
    CHECK(value(found, "mean_reserved_server") == doctest::Approx(0.25));
    CHECK_FALSE(found.find("mean_reserved_edge")->value.has_value());
    CHECK_FALSE(found.find("mean_reserved_core")->value.has_value());
  }

  TEST_CASE("each layer of a fat tree by itself") {
    // 20 VMs of 10 Mb/s below a core switch: servers 0 to 4, four each: 40 Mb/s on the
    // links of five servers; 80, 80 and 40 above edge switches 0, 1 and 2; 40 on both
    // links to the core.  16 links of 100 Mb/s a layer.
    const auto found =
        measure({a_job(1, 0, 20, 10)}, a_network(NetworkShape::kFatTree, 10));
    CHECK(value(found, "mean_reserved_server") == doctest::Approx(200.0 / 1600));
    CHECK(value(found, "mean_reserved_edge") == doctest::Approx(200.0 / 1600));
    CHECK(value(found, "mean_reserved_core") == doctest::Approx(80.0 / 1600));
    CHECK(value(found, "max_reserved_link") == doctest::Approx(0.8));
  }

  TEST_CASE("the link that is reserved most over time") {
    // Job 1, 4 VMs and 1, reserves 10 on the links of servers 0 and 1 until 10; job 2,
    // 4, 4 and 1 VMs, 40, 40 and 10 from then until 40.
    auto settings = a_network(NetworkShape::kStar, 10);
    settings.servers = 3;
    const auto found = measure({a_job(1, 0, 5, 10), a_job(2, 0, 9, 30)}, settings);
    CHECK(value(found, "mean_reserved_server") == doctest::Approx(2900.0 / 12000));
    CHECK(value(found, "max_reserved_link") == doctest::Approx(1300.0 / 4000));
  }

  TEST_CASE("loads tell slots and links of each server, equal neighbours as one span") {
    // Job 1, 4 VMs and 1, until 10; job 2 on server 0 alone until 20, which needs no
    // link.
    CHECK(loads_of({a_job(1, 0, 5, 10), a_job(2, 0, 4, 10)},
                   a_network(NetworkShape::kStar, 50)) ==
          "from,to,group,row,share\n"
          "0,20,slots,server 0,1\n"
          "0,10,slots,server 1,0.25\n"
          "0,10,links of servers,server 0,0.5\n"
          "0,10,links of servers,server 1,0.5\n");
  }

  TEST_CASE("a part that is never in use has a row of 0") {
    CHECK(loads_of({a_job(1, 0, 4, 2)}, a_network(NetworkShape::kStar, 0)) ==
          "from,to,group,row,share\n"
          "0,2,slots,server 0,1\n"
          "0,2,slots,server 1,0\n"
          "0,2,links of servers,server 0,0\n"
          "0,2,links of servers,server 1,0\n");
  }

  TEST_CASE("jobs without bandwidth reserve nothing") {
    const auto found =
        measure({a_job(1, 0, 20, 10)}, a_network(NetworkShape::kFatTree, 0));
    CHECK(value(found, "mean_reserved_server") == 0);
    CHECK(value(found, "mean_reserved_core") == 0);
    CHECK(value(found, "max_reserved_link") == 0);
  }
}
