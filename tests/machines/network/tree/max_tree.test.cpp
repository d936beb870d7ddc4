#include "engine/machines/network/tree/max_tree.hpp"

#include <doctest/doctest.h>

#include "engine/base/random_stream.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

std::size_t plain_next(const std::vector<std::int32_t>& values, std::size_t from,
                       std::int32_t least) {
  while (from < values.size() && values[from] < least) ++from;
  return from;
}

}  // namespace

TEST_SUITE("machines/network/tree/max_tree") {
  TEST_CASE(
      "the next value that is large enough is the one that a plain search finds") {
    auto engine = random_stream(2, "test.max_tree");
    const auto draw = [&](std::size_t below) {
      return static_cast<std::size_t>(uniform(engine) * static_cast<double>(below));
    };
    for (std::size_t size = 1; size <= 40; ++size) {
      MaxTree tree(size);
      std::vector<std::int32_t> values(size, 0);
      for (int step = 0; step < 200; ++step) {
        const auto at = draw(size);
        values[at] = static_cast<std::int32_t>(draw(9));
        tree.set(at, values[at]);
        const auto from = draw(size + 1);
        const auto least = static_cast<std::int32_t>(draw(10));
        REQUIRE(tree.at(at) == values[at]);
        REQUIRE(tree.next(from, least) == plain_next(values, from, least));
      }
    }
  }
}
