#include "engine/base/spilling_array.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <vector>

#include "engine/base/random_stream.hpp"
#include "engine/base/spilling_view.hpp"
#include "tests/support/environment.hpp"

using namespace berth;

namespace {

// Does not divide a block.
struct Odd {
  friend bool operator==(const Odd&, const Odd&) = default;
  std::uint32_t a = 1;
  std::uint32_t b = 2;
  std::uint32_t c = 3;
};

Odd odd(std::uint32_t i) { return {i, ~i, i * 2'654'435'761U}; }

// Of this process: the files it maps, its program among them.
std::int64_t file_pages_in_memory() {
  std::int64_t all = 0;
  std::int64_t resident = 0;
  std::int64_t of_files = 0;
  std::ifstream("/proc/self/statm") >> all >> resident >> of_files;
  return of_files;
}

constexpr std::uint32_t kMany = 300'000;  // more than three blocks

template <class Array>
bool holds_odds(const Array& array, std::uint32_t count) {
  std::uint32_t i = 0;
  for (const auto& value : array) {
    if (value != odd(i++)) return false;
  }
  return i == count;
}

SpillingArray<Odd> odds(std::uint32_t count) {
  SpillingArray<Odd> array;
  for (std::uint32_t i = 0; i < count; ++i) array.push_back(odd(i));
  return array;
}

}  // namespace

TEST_SUITE("base/spilling_array") {
  TEST_CASE("an array of the limit lies in memory, one entry more in a file") {
    const test::Variable few("BERTH_JOBS_IN_MEMORY", "10");
    auto array = odds(10);
    CHECK(array.file() == nullptr);
    array.push_back(odd(10));
    CHECK(array.file() != nullptr);
    CHECK(holds_odds(array, 11));
  }

  TEST_CASE("in a file it holds what it holds in memory") {
    const auto in_memory = odds(kMany);
    CHECK(in_memory.file() == nullptr);
    const test::Variable few("BERTH_JOBS_IN_MEMORY", "1000");
    const auto array = odds(kMany);
    REQUIRE(array.file() != nullptr);
    CHECK(holds_odds(array, kMany));
    array.drop_pages();
    CHECK(array == in_memory);
    CHECK(array.front() == odd(0));
    CHECK(array.back() == odd(kMany - 1));
    CHECK(array[kMany / 2] == odd(kMany / 2));
  }

  TEST_CASE("after any changes it holds what a vector holds") {
    for (const auto* kept : {"0", "1", "100", "1000000"}) {
      CAPTURE(kept);
      const test::Variable few("BERTH_JOBS_IN_MEMORY", kept);
      auto engine = random_stream(1, "test.spilling_array");
      SpillingArray<Odd> array;
      std::vector<Odd> model;
      for (std::uint32_t step = 0; step < 3'000; ++step) {
        const auto count = static_cast<std::uint32_t>(engine() % 400);
        switch (engine() % 6) {
          case 0:
            array.resize(count, odd(step));
            model.resize(count, odd(step));
            break;
          case 1: array.reserve(count); break;
          case 2: array.drop_pages(); break;
          case 3:
            if (model.empty()) break;
            array.push_back(array[engine() % model.size()]);
            model.push_back(array.back());
            break;
          default: array.push_back(odd(step)); model.push_back(odd(step));
        }
        REQUIRE(std::equal(array.begin(), array.end(), model.begin(), model.end()));
      }
      CHECK(array.empty() == model.empty());
    }
  }

  TEST_CASE("a copy is independent, in a file or not; a move leaves nothing") {
    for (const auto* kept : {"10", "1000000"}) {
      CAPTURE(kept);
      const test::Variable few("BERTH_JOBS_IN_MEMORY", kept);
      auto array = odds(50);
      auto copy = array;
      array[7] = odd(0);
      CHECK(holds_odds(copy, 50));
      copy = array;
      CHECK(copy == array);
      const auto moved = std::move(copy);
      CHECK(moved == array);
      CHECK(copy.empty());  // NOLINT(bugprone-use-after-move): what is left is nothing
    }
  }

  TEST_CASE("a pass keeps few pages in memory, even one that looks back") {
    const test::Variable few("BERTH_JOBS_IN_MEMORY", "1000");
    const SpillingArray<std::int64_t> array(2'000'000, 3);
    array.drop_pages();
    const auto before = file_pages_in_memory();
    CHECK(std::is_sorted(array.begin(), array.end()));
    const auto after = file_pages_in_memory();
    CHECK(after - before < static_cast<std::int64_t>(4 * SpillFile::kBlock / 4096));
  }

  TEST_CASE("values change in a pass") {
    const test::Variable few("BERTH_JOBS_IN_MEMORY", "1000");
    SpillingArray<std::int64_t> array(kMany, 3);
    for (auto& value : array) value *= 5;
    CHECK(std::accumulate(array.begin(), array.end(), std::int64_t{0}) ==
          std::int64_t{15} * kMany);
  }

  TEST_CASE("a view shows an array in a file, part of it, or a vector") {
    const test::Variable few("BERTH_JOBS_IN_MEMORY", "1000");
    const auto array = odds(kMany);
    const SpillingView<Odd> view(array);
    CHECK(view.size() == kMany);
    view.drop_pages();
    CHECK(holds_odds(view, kMany));
    CHECK(view.part(5, 3).front() == odd(5));
    CHECK(view.part(5, 3).back() == odd(7));
    const std::vector<Odd> plain{odd(0), odd(1)};
    CHECK(holds_odds(SpillingView<Odd>(plain), 2));
    CHECK(SpillingView<Odd>().empty());
  }
}
