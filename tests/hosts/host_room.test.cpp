// What fits on hosts with several kinds, against counting it host by host.

#include "engine/hosts/host_room.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

struct Site {
  Resources resources;
  std::vector<ResourceKind> kinds;
};

Site a_site() {
  Site site;
  site.resources.hosts = {{"thin", 5, 4, 8}, {"gpu", 2, 8, 16, {{"gpu", 2}}, 1}};
  site.resources.wide = {{"licence", 3}};
  site.kinds = kinds_of(1, site.resources);
  return site;
}

}  // namespace

TEST_SUITE("hosts/host_room") {
  TEST_CASE("the kinds of a machine in their order, with what it has of each") {
    const auto site = a_site();
    REQUIRE(site.kinds.size() == 4);
    CHECK(site.kinds[0].name == "processors");
    CHECK(site.kinds[0].capacity == 36);
    CHECK(site.kinds[1].name == "memory");
    CHECK(site.kinds[1].capacity == 72);
    CHECK(site.kinds[2].name == "gpu");
    CHECK(site.kinds[2].capacity == 4);
    CHECK(site.kinds[2].is_on_hosts);
    CHECK(site.kinds[3].name == "licence");
    CHECK_FALSE(site.kinds[3].is_on_hosts);
  }

  TEST_CASE("a job of a partition goes where it may, and lacks are named") {
    const auto site = a_site();
    HostRoom room(site.kinds, site.resources);
    const std::vector<std::int64_t> gpu{1, 1, 1, 0};
    CHECK(room.fits({gpu.data(), 4, 1}));
    CHECK_FALSE(room.fits({gpu.data(), 4, 2}));
    CHECK_FALSE(room.fits({gpu.data(), 5, 1}));
    CHECK(room.lacks({gpu.data(), 5, 1}) == 2);
    const std::vector<std::int64_t> licences{1, 0, 0, 4};
    CHECK(room.lacks({licences.data(), 1, -1}) == 3);
    std::vector<HostChunks> onto;
    REQUIRE(room.spread({gpu.data(), 3, 1}, onto));
    CHECK(onto == std::vector<HostChunks>{{5, 2}, {6, 1}});
  }

  TEST_CASE("random starts and ends: as counted host by host") {
    std::mt19937 draw(7);
    const auto below = [&](int n) {
      return static_cast<std::int64_t>(draw() % static_cast<unsigned>(n));
    };
    const auto site = a_site();
    HostRoom room(site.kinds, site.resources);
    struct Held {
      std::vector<std::int64_t> amounts;
      std::int32_t chunks;
      std::vector<HostChunks> onto;
    };
    std::vector<Held> all;
    std::int64_t fitted = 0;
    for (int step = 0; step < 20'000; ++step) {
      if (!all.empty() && below(2) == 0) {
        const auto at = static_cast<std::size_t>(below(static_cast<int>(all.size())));
        room.give({all[at].amounts.data(), all[at].chunks, 1}, all[at].onto);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
      }
      Held job{{1 + below(4), below(9), below(4) / 3, below(3) / 2},
               static_cast<std::int32_t>(1 + below(6)),
               {}};
      const Need need{job.amounts.data(), job.chunks, 1};
      std::int64_t chunks = 0;
      for (std::int32_t host = 0; host < 7; ++host) {
        auto here = std::numeric_limits<std::int64_t>::max();
        for (std::size_t kind = 0; kind < 3; ++kind) {
          if (need[kind] > 0)
            here = std::min(here, room.free_on(host, kind) / need[kind]);
        }
        CHECK(room.room(need, host) == here);
        chunks += here;
      }
      const bool fits = chunks >= job.chunks && need[3] <= room.free(3);
      REQUIRE(room.fits(need) == fits);
      REQUIRE(room.shapes().has_room(need) == (chunks >= job.chunks));
      if (!fits) continue;
      ++fitted;
      REQUIRE(room.spread(need, job.onto));
      std::int64_t placed = 0;
      for (const auto& at : job.onto) placed += at.chunks;
      CHECK(placed == job.chunks);
      room.take(need, job.onto);
      CHECK_FALSE(room.is_overdrawn());
      all.push_back(std::move(job));
    }
    CHECK(fitted > 5'000);
  }

  TEST_CASE("many changes between two questions: laid out as host by host") {
    std::mt19937 draw(11);
    const auto below = [&](int n) { return static_cast<int>(draw() % unsigned(n)); };
    constexpr int kHosts = 200;
    Resources resources;
    resources.hosts = {{"host", kHosts, 4, 8}};
    HostRoom room(kinds_of(1, resources), resources);
    // A chunk of one processor and two of memory each, on hosts drawn anew in each
    // round: as few as are refreshed one by one, or as many as need all nodes.
    const std::vector<std::int64_t> small{1, 2};
    const Need one{small.data(), 1, -1};
    std::vector<HostChunks> taken;
    for (int round = 0; round < 2'000; ++round) {
      for (int changes = below(2) == 0 ? below(8) : below(120); changes > 0;
           --changes) {
        if (!taken.empty() && below(5) < 2) {
          const auto at = taken.begin() + below(static_cast<int>(taken.size()));
          room.give(one, {&*at, 1});
          taken.erase(at);
        } else if (const HostChunks at{below(kHosts), 1}; room.room(one, at.host) > 0) {
          room.take(one, {&at, 1});
          taken.push_back(at);
        }
      }
      const std::vector<std::int64_t> wanted{1 + below(4), below(9)};
      const Need need{wanted.data(), 1 + below(150), -1};
      std::vector<HostChunks> expected;
      std::int64_t left = need.chunks;
      for (std::int32_t host = 0; host < kHosts && left > 0; ++host) {
        const auto here = std::min(left, room.room(need, host));
        if (here > 0) expected.push_back({host, static_cast<std::int32_t>(here)});
        left -= here;
      }
      std::vector<HostChunks> onto;
      REQUIRE(room.fits(need) == (left == 0));
      if (round > 1'000) REQUIRE(room.shapes().has_room(need) == (left == 0));
      REQUIRE(room.spread(need, onto) == (left == 0));
      if (left == 0) REQUIRE(onto == expected);
    }
    CHECK(taken.size() > 200);
  }
}
