#include "engine/machines/devices/device_room.hpp"

#include <doctest/doctest.h>

#include "tests/support/devices.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct RoomOf {
  RoomOf(const sim::Machine& machine, const std::vector<DeviceNeedOf>& needs)
      : jobs(needs),
        hosts(std::make_shared<const DeviceHosts>(machine, devices_of(machine), 0)),
        needs_of(*hosts, jobs.jobs, jobs.attributes.get()),
        room(hosts) {}

  // Takes what the rule gives this job, and says which devices that is.
  std::string take(std::uint32_t job, DeviceRule rule = DeviceRule::kBest) {
    const auto& need = needs_of.of(JobId{job});
    std::vector<HostChunks> onto;
    if (!room.spread(need, needs_of.chunks(JobId{job}), onto)) return "nowhere";
    const auto chunks = room.place(need, onto, pick_by(rule));
    CHECK(room.has(need, chunks));
    room.take(need, chunks);
    return chunks.devices_text();
  }
  [[nodiscard]] std::int64_t on(std::int32_t host, std::uint32_t job) const {
    return room.room(needs_of.of(JobId{job}), host);
  }
  [[nodiscard]] bool fits(std::uint32_t job) const {
    return room.fits(needs_of.of(JobId{job}), needs_of.chunks(JobId{job}));
  }

  DeviceJobs jobs;
  std::shared_ptr<const DeviceHosts> hosts;
  DeviceNeeds needs_of;
  DeviceRoom room;
};

}  // namespace

TEST_SUITE("machines/devices/device_room") {
  TEST_CASE("room is counted device by device, and idle parts never add up") {
    RoomOf scene(with_devices({{"a", 1, 8, 2}}), {{0, 0, 700},
                                                  {0, 0, 300},
                                                  {0, 0, 600},
                                                  {0, 0, 800},
                                                  {0, 1},
                                                  {0, 0, 300},
                                                  {4, 0, 300},
                                                  {0, 0, 300, 1, "V100"},
                                                  {1}});
    CHECK(scene.take(0) == "0:0*700");
    CHECK(scene.take(1, DeviceRule::kWorst) == "0:1*300");
    CHECK(scene.on(0, 2) == 1);
    CHECK(scene.on(0, 3) == 0);  // 300 and 700 are idle
    CHECK(scene.on(0, 4) == 0);
    CHECK(scene.on(0, 5) == 3);
    CHECK(scene.on(0, 6) == 2);  // for want of cores
    CHECK(scene.on(0, 7) == 0);  // of another type
    CHECK(scene.on(0, 8) == 8);
  }

  TEST_CASE("chunks with several whole devices are whole on one host") {
    const RoomOf scene(with_devices({{"a", 2, 8, 3}}), {{0, 2, 0, 3}, {0, 2, 0, 2}});
    CHECK_FALSE(scene.fits(0));  // 1 + 1, and pooled there would be three
    CHECK(scene.fits(1));
  }

  TEST_CASE("a share takes the least slice that suffices") {
    const std::vector<std::int64_t> taken{1, 2, 3, 4, 7, 7, 7};
    const std::vector<std::int64_t> idle{7, 3, 2, 1, 1, 1, 1};
    const std::vector<std::int64_t> beside{4, 2, 1, 1, 0};
    std::vector<DeviceNeedOf> needs;
    for (std::int64_t share = 1; share < 7; ++share) needs.push_back({0, 0, share});
    needs.push_back({0, 1});
    RoomOf scene(with_devices({{"a", 1, 8, 1, "MIG", "1,2,3,4,7"}}, 7), needs);
    for (std::uint32_t i = 0; i < 7; ++i) {
      CAPTURE(i);
      CHECK(scene.room.ask(scene.needs_of.of(JobId{i}), 0) == taken[i]);
      CHECK(scene.on(0, i) == idle[i]);
    }
    CHECK(scene.take(2) == "0:0*3");
    for (std::uint32_t i = 0; i < 5; ++i) {
      CAPTURE(i);
      CHECK(scene.on(0, i) == beside[i]);
    }
  }

  TEST_CASE("the rule of the machine names the device of a share") {
    const std::vector<DeviceNeedOf> needs{{0, 0, 400}, {0, 0, 700}, {0, 0, 300}};
    const auto third = [&](DeviceRule rule) {
      RoomOf scene(with_devices({{"a", 1, 8, 3}}), needs);
      CHECK(scene.take(0, DeviceRule::kFirst) == "0:0*400");
      CHECK(scene.take(1, DeviceRule::kBest) == "0:1*700");
      return scene.take(2, rule);
    };
    CHECK(third(DeviceRule::kBest) == "0:1*300");
    CHECK(third(DeviceRule::kFirst) == "0:0*300");
    CHECK(third(DeviceRule::kWorst) == "0:2*300");
  }

  TEST_CASE("whole devices are the lowest idle ones, chunk by chunk") {
    RoomOf scene(with_devices({{"a", 2, 8, 5}}), {{0, 0, 460}, {0, 2, 0, 3}, {1}});
    CHECK(scene.take(0) == "0:0*460");
    CHECK(scene.take(1) == "0:1-2 0:3-4 1:0-1");
    CHECK(scene.take(2) == "0");
    CHECK_FALSE(scene.fits(1));
  }

  TEST_CASE("what was taken comes back") {
    RoomOf scene(with_devices({{"a", 2, 4, 2}}), {{1, 0, 600, 3}, {2, 2}});
    const auto& need = scene.needs_of.of(JobId{0});
    std::vector<HostChunks> onto;
    REQUIRE(scene.room.spread(need, 3, onto));
    const auto chunks = scene.room.place(need, onto, pick_by(DeviceRule::kBest));
    CHECK(chunks.devices_text() == "0:0*600 0:1*600 1:0*600");
    scene.room.take(need, chunks);
    CHECK_FALSE(scene.room.has(need, chunks));
    CHECK(scene.room.sums().free(scene.hosts->gpu()) == 4000 - 1800);
    CHECK_FALSE(scene.fits(1));
    scene.room.give(need, chunks);
    CHECK(scene.room.sums().free(scene.hosts->gpu()) == 4000);
    CHECK(scene.fits(1));
  }

  TEST_CASE("equal needs are one entry, whatever the chunks") {
    const RoomOf scene(with_devices({{"a", 2, 4, 2}}),
                       {{1, 0, 600}, {1, 0, 600, 2}, {1, 0, 601}});
    CHECK(scene.needs_of.number(JobId{0}) == scene.needs_of.number(JobId{1}));
    CHECK(scene.needs_of.number(JobId{0}) != scene.needs_of.number(JobId{2}));
    CHECK(scene.needs_of.size() == 2);
  }
}
