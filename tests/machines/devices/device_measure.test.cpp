#include "engine/machines/devices/device_measure.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "engine/audit/auditor.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/devices.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// FCFS over these jobs; the metrics of the machine by name.
std::map<std::string, double> measured(const sim::Machine& machine,
                                       const DeviceJobs& jobs) {
  const ModelSpec spec{machine, jobs.jobs, jobs.attributes, 0};
  const auto measure = make_measure(spec, {});
  ScriptedPolicy policy([](sim::Simulation& simulation) { fcfs(simulation); });
  sim::Simulation simulation(machine, {}, jobs.jobs, policy,
                             model_of(machine).make(spec));
  audit::Auditor auditor({machine, {}, jobs.jobs, policy.traits()},
                         model_of(machine).law(spec), audit::Thoroughness::kFull);
  simulation.audience().observe(measure->observer());
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  std::map<std::string, double> values;
  for (const auto& metric : measure->values()) {
    if (metric.value) values[std::string(metric.name)] = *metric.value;
  }
  return values;
}

}  // namespace

TEST_SUITE("machines/devices/device_measure") {
  TEST_CASE("parts are held, asked for and rounded up over time") {
    // Of 2000 parts: 0-10 a share of 500 for 400, and a whole device; 10-20 the other
    // whole one, which waited.
    const DeviceJobs jobs({a_job(1, 0, 1, 10), a_job(2, 0, 1, 10), a_job(3, 0, 1, 10)},
                          {{1, 0, 400}, {1, 1}, {1, 2}});
    const auto values =
        measured(with_devices({{"a", 1, 8, 2, "A100", "500,1000"}}), jobs);
    CHECK(values.at("gpu_allocation") == doctest::Approx(100.0 * 3500 / 4000));
    CHECK(values.at("gpu_allocation_of_demand") ==
          doctest::Approx(100.0 * 3500 / (3400 + 2000)));
    CHECK(values.at("gpu_rounding") == doctest::Approx(100.0 * 100 / 3500));
    CHECK(values.at("gpu_devices_in_use") == doctest::Approx(2));
    CHECK(values.at("gpu_devices_shared") == doctest::Approx(0));
  }

  TEST_CASE("devices with several jobs are shared, and what no job could use is told") {
    // 0-10: 600 and 300 on device 0; of the target the share of 600 and the whole
    // device cannot use the 100 parts there, and the share of 300 neither.
    const DeviceJobs jobs({a_job(1, 0, 1, 10), a_job(2, 0, 1, 10), a_job(3, 10, 1, 10)},
                          {{1, 0, 600}, {1, 0, 300}, {1, 1}});
    const auto values = measured(with_devices({{"a", 1, 8, 2}}), jobs);
    CHECK(values.at("gpu_devices_shared") == doctest::Approx(0.5));
    CHECK(values.at("gpu_devices_in_use") == doctest::Approx(1));
    CHECK(values.at("gpu_fragmentation") == doctest::Approx(100.0 * 100 / 4000));
    CHECK(values.at("gpu_fragmentation_ratio") ==
          doctest::Approx(100.0 * 100 / (1100 + 1000)));
  }

  TEST_CASE("parts of a host whose cores are taken are stranded") {
    // For 10 of 20 s all cores are taken beside an idle device.
    const DeviceJobs jobs({a_job(1, 0, 1, 10), a_job(2, 10, 1, 10)},
                          {{8, 1}, {4, 0, 500}});
    const auto values = measured(with_devices({{"a", 1, 8, 2}}), jobs);
    CHECK(values.at("gpu_stranded_cpu") == doctest::Approx(100.0 * 1000 / 4000));
  }

  TEST_CASE("what jobs hold is told by type") {
    // Of two T4 one is held all the time, of one V100 all of it for 10 of 20 s.
    const DeviceJobs jobs({a_job(1, 0, 1, 20), a_job(2, 0, 1, 10)},
                          {{1, 1, 0, 1, "T4"}, {1, 1, 0, 1, "V100"}});
    const auto values =
        measured(with_devices({{"a", 1, 8, 2, "T4"}, {"b", 1, 8, 1, "V100"}}), jobs);
    CHECK(values.at("gpu_allocation_of.T4") == doctest::Approx(50));
    CHECK(values.at("gpu_allocation_of.V100") == doctest::Approx(50));
    CHECK(values.at("gpu_allocation") == doctest::Approx(50));
  }

  TEST_CASE("the target may be the jobs that have arrived") {
    // 0-10: 600 of device 0 are held.  The share of 600 has arrived, which cannot use
    // the 400 there.  10-20: a share of 300 has arrived, too, and sits there; of the
    // two one cannot use the 100 that are left, and neither the other.
    const DeviceJobs jobs({a_job(1, 0, 1, 20), a_job(2, 10, 1, 10)},
                          {{1, 0, 600}, {1, 0, 300}});
    auto machine = with_devices({{"a", 1, 8, 1}});
    CHECK(measured(machine, jobs).at("gpu_fragmentation") ==
          doctest::Approx(100.0 * (200 * 10 + 100 * 10) / 20000));
    auto settings = devices_of(machine);
    settings.target = "arrived";
    machine.model_settings = settings;
    CHECK(measured(machine, jobs).at("gpu_fragmentation") ==
          doctest::Approx(100.0 * (400 * 10 + 100 * 10) / 20000));
  }
}
