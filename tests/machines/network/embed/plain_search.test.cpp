// The searches with their indexes, against the frame as it is defined.

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "engine/base/random_stream.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/plain_frame.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::array<std::string_view, 6> kFrames{
    "adaba",   "best_fit",          "first_fit",
    "oktopus", "best_fit_anywhere", "oktopus_counting"};

std::int64_t draw(RandomEngine& engine, std::int64_t least, std::int64_t most) {
  return boost::random::uniform_int_distribution<std::int64_t>(least, most)(engine);
}

}  // namespace

TEST_SUITE("machines/network/embed/plain_search") {
  TEST_CASE("10,000 random states: every search finds what the plain one finds") {
    auto engine = random_stream(8, "test.plain_search");
    std::int64_t found = 0;
    for (std::int32_t i = 0; i < 200; ++i) {
      const auto k = static_cast<std::int32_t>(2 + 2 * (i % 4));
      const auto topology =
          a_fat_tree(k, static_cast<std::int32_t>(draw(engine, 1, 8)));
      Network network(topology, i % 5 == 0 ? Hose::kPerPath : Hose::kSubtree);
      std::vector<std::pair<ClusterRequest, Placement>> held;
      for (int step = 0; step < 50; ++step) {
        const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 1, 24)),
                                     draw(engine, 0, 300) * kMbit, 300 * kMbit};
        const auto name = kFrames[static_cast<std::size_t>(draw(engine, 0, 5))];
        CAPTURE(name);
        CAPTURE(request.vms);
        const auto plain = plain_frame(name).find(network, request);
        const auto indexed = an_embedding(name)->find(network, request, budget);
        REQUIRE(plain.has_value() == indexed.has_value());
        if (!plain) {
          if (held.empty()) continue;
          network.give(held.front().first, held.front().second);
          held.erase(held.begin());
          continue;
        }
        REQUIRE(plain->top == indexed->top);
        REQUIRE(plain->vms == indexed->vms);
        held.emplace_back(request, network.placement(request, *plain));
        network.take(request, held.back().second);
        ++found;
      }
    }
    CHECK(found > 4000);
  }
}
