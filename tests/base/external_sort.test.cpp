#include "engine/base/external_sort.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/random_stream.hpp"
#include "tests/support/environment.hpp"

using namespace berth;

namespace {

struct Entry {
  friend bool operator==(const Entry&, const Entry&) = default;
  std::uint32_t key = 0;
  std::uint32_t place = 0;
};

bool by_key(const Entry& a, const Entry& b) { return a.key < b.key; }

// Many ties.
std::vector<Entry> entries(std::size_t count) {
  auto engine = random_stream(3, "test.external_sort");
  std::vector<Entry> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    all.push_back({static_cast<std::uint32_t>(engine() % 50), i});
  }
  return all;
}

}  // namespace

TEST_SUITE("base/external_sort") {
  TEST_CASE("merged sorted runs equal one stable sort") {
    for (const std::size_t count : {0U, 1U, 2U, 99U, 100U, 101U, 200U, 5'000U}) {
      for (const auto* kept : {"0", "1", "7", "100", "1000000"}) {
        CAPTURE(count);
        CAPTURE(kept);
        const test::Variable few("BERTH_JOBS_IN_MEMORY", kept);
        auto expected = entries(count);
        SpillingArray<Entry> array{std::span<const Entry>(expected)};
        std::stable_sort(expected.begin(), expected.end(), by_key);
        const auto sort = [](Entry* first, Entry* last) {
          std::stable_sort(first, last, by_key);
        };
        external_sort(array, sort, by_key);
        CHECK(std::equal(array.begin(), array.end(), expected.begin(), expected.end()));
      }
    }
  }
}
