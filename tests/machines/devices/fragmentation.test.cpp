#include "engine/machines/devices/fragmentation.hpp"

#include <doctest/doctest.h>

#include "tests/support/devices.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Two hosts of 8 cores with 2 devices: on host 0 4 cores are idle and (1000, 400)
// parts, on host 1 one core and (300, 300).
struct TwoHosts {
  TwoHosts()
      : jobs({{4, 0, 600}, {4, 0, 700}, {3, 0, 700}, {1, 0, 200}}),
        hosts(std::make_shared<const DeviceHosts>(machine, devices_of(machine), 0)),
        needs(*hosts, jobs.jobs, jobs.attributes.get()),
        room(hosts) {
    take(0, "0:1*600");
    take(1, "1:0*700");
    take(2, "1:1*700");
  }
  void take(std::uint32_t job, std::string_view where) {
    const auto chunks = device_places_from(where);
    REQUIRE(chunks);
    REQUIRE(room.has(needs.of(JobId{job}), *chunks));
    room.take(needs.of(JobId{job}), *chunks);
  }
  [[nodiscard]] std::vector<TargetNeed> target(const std::string& text) const {
    DeviceSettings settings;
    settings.target = "target.csv";
    settings.target_text = text;
    return target_from_file(*hosts, settings);
  }

  sim::Machine machine = with_devices({{"a", 2, 8, 2}});
  DeviceJobs jobs;
  std::shared_ptr<const DeviceHosts> hosts;
  DeviceNeeds needs;
  DeviceRoom room;
};

constexpr const char* kFour = "cpu,gpus,share\n1,1,500\n2,1,\n2,1,200\n1,0,\n";

}  // namespace

TEST_SUITE("machines/devices/fragmentation") {
  TEST_CASE("idle parts that a chunk of the target could not use, by hand") {
    const TwoHosts scene;
    const Fragmentation of(scene.hosts, scene.target(kFour), 100);
    CHECK(of.needs() == 4);
    CHECK(of.of(scene.room, 0) == 550);
    CHECK(of.of(scene.room, 1) == 600);
    CHECK(of.mean(of.sum(scene.room, 0) + of.sum(scene.room, 1)) == 1150);
  }

  TEST_CASE("a chunk more raises it on one device and lowers it on another") {
    const TwoHosts scene;
    const Fragmentation of(scene.hosts, scene.target(kFour), 100);
    const auto& need = scene.needs.of(JobId{3});
    CHECK(of.with(scene.room, 0, need, 0) == 700);
    CHECK(of.with(scene.room, 0, need, 1) == 400);
    CHECK(of.with(scene.room, 1, need, 0) == 400);
    CHECK(of.with(scene.room, 1, need, 1) == 400);
    CHECK_FALSE(of.with(scene.room, 1, scene.needs.of(JobId{0}), 0));
  }

  TEST_CASE("the most frequent needs count until enough jobs are in") {
    const TwoHosts scene;
    const auto target = scene.target(
        "cpu,gpus,share,types,jobs\n1,1,500,,10\n2,1,,,80\n1,1,500,T4|V100,9\n3,0,,,1\n"
        "1,1,500,,10\n");
    CHECK(Fragmentation(scene.hosts, target, 100).needs() == 4);
    CHECK(Fragmentation(scene.hosts, target, 95).needs() == 3);
    CHECK(Fragmentation(scene.hosts, target, 90).needs() == 2);
    CHECK(Fragmentation(scene.hosts, target, 50).needs() == 1);
  }

  TEST_CASE("without a need of devices all idle parts are fragments") {
    const TwoHosts scene;
    CHECK(Fragmentation(scene.hosts, {}, 95).of(scene.room, 0) == 1400);
    const auto target = scene.target("cpu,gpus\n1,0\n");
    CHECK(Fragmentation(scene.hosts, target, 95).of(scene.room, 0) == 1400);
  }

  TEST_CASE("what is kept for a host is counted anew when it has changed") {
    TwoHosts scene;
    const Fragmentation of(scene.hosts, scene.target(kFour), 100);
    FragmentationNow kept(2);
    CHECK(kept.sum(of, scene.room, 0, 0) == 2200);
    scene.take(3, "0:1*200");
    CHECK(kept.sum(of, scene.room, 0, 0) == 2200);  // it was told of no change
    CHECK(kept.sum(of, scene.room, 0, 1) == 1600);
  }
}
