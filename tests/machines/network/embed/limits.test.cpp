// Every embedding and the book end where their budget does, at the same place each
// time.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/reserve/reservation_book.hpp"
#include "tests/support/limited.hpp"
#include "tests/support/networks.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("machines/network/embed/limits") {
  TEST_CASE("a limit of work ends every embedding on a large tree, at the same unit") {
    // 16,000 servers of 4 slots, and links that no cluster of 3,000 VMs can use: all of
    // the tree is searched, again and again until the limit.
    const Network network(a_fat_tree(40, 4), Hose::kSubtree);
    const ClusterRequest request{3'000, 600 * kMbit, 600 * kMbit};
    for (const auto& record : embeddings()) {
      CAPTURE(std::string(record.name));
      const auto run = [&](Budget& own) {
        const auto embedding = record.make({});
        for (int i = 0; i < 1'000; ++i) (void)embedding->find(network, request, own);
      };
      const auto once = ended_at(50'000, run);
      REQUIRE(once);
      CHECK(ended_at(50'000, run) == once);
    }
  }

  TEST_CASE("a limit of work ends a book of many jobs, at the same unit") {
    std::vector<Request> members;
    for (std::uint32_t job = 0; job < 100'000; ++job) {
      members.push_back({JobId{job}, std::int32_t(1 + job * 7 % 64),
                         seconds(std::int64_t(200 + job % 3001))});
    }
    const auto updates = [&](Budget& own) {
      ReservationBook book(Calendar(0, 64, nullptr, nullptr, own), {}, own);
      (void)book.update(members, 0, Compress::kEarlyEnds);
    };
    const auto rebuilds = [&](Budget& own) {
      ReservationBook book(Calendar(0, 64, nullptr, nullptr, own), {}, own);
      book.rebuild(members, 0);
    };
    const auto updated = ended_at(1'000'000, updates);
    REQUIRE(updated);
    CHECK(ended_at(1'000'000, updates) == updated);
    const auto rebuilt = ended_at(1'000'000, rebuilds);
    REQUIRE(rebuilt);
    CHECK(ended_at(1'000'000, rebuilds) == rebuilt);
  }
}
