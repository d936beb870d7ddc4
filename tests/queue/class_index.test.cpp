#include "engine/queue/class_index.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

struct Row {
  std::vector<std::int32_t> sizes;
  std::vector<Duration> planned;
  [[nodiscard]] SlotColumns columns() const { return {sizes, planned}; }
};

Staircase two_steps(std::int64_t free, Duration reach, std::int64_t beyond) {
  Staircase stairs(free);
  stairs.limit_beyond(reach, beyond);
  return stairs;
}

// In quarters of a second, finer than the index tells apart.
Duration length(std::uint64_t quarters) {
  return static_cast<Duration>(quarters) * kSecond / 4;
}

bool holds(const Row& row, std::size_t block, const Staircase& stairs) {
  const auto end = std::min(row.sizes.size(), (block + 1) * ClassIndex::kBlock);
  for (auto slot = block * ClassIndex::kBlock; slot < end; ++slot) {
    const bool is_live = row.sizes[slot] != ClassIndex::kHole;
    if (is_live && stairs.covers(row.sizes[slot], row.planned[slot])) return true;
  }
  return false;
}

// No block that holds such a job is passed over; how many are false positives.
int check_all_blocks(const ClassIndex& index, const Row& row, const Staircase& stairs) {
  const ClassIndex::Query query(index, stairs);
  int false_positives = 0;
  std::size_t from = 0;
  while (from < index.blocks()) {
    const auto reported = index.next(from, query);
    for (auto passed = from; passed < reported; ++passed) {
      REQUIRE_FALSE(holds(row, passed, stairs));
    }
    if (reported < index.blocks() && !holds(row, reported, stairs)) ++false_positives;
    from = reported + 1;
  }
  return false_positives;
}

}  // namespace

TEST_SUITE("queue/class_index") {
  TEST_CASE("an index over no jobs reports no block") {
    ClassIndex index;
    CHECK(index.blocks() == 0);
    CHECK(index.smallest() == ClassIndex::kHole);
    CHECK(index.next(0, ClassIndex::Query(index, Staircase(8))) == 0);
  }

  TEST_CASE("with classes a block whose short jobs are wide is passed over") {
    Row row{
        {8, 1},
        {seconds(10), seconds(1000)}};  // the wide one is short, the narrow one long
    const auto stairs = two_steps(4, seconds(100), 0);
    ClassIndex flat;
    flat.rebuild(row.columns(), 0);
    CHECK(flat.next(0, ClassIndex::Query(flat, stairs)) == 0);  // a false positive
    ClassIndex deep;
    deep.rebuild(row.columns(), 8);
    CHECK(deep.next(0, ClassIndex::Query(deep, stairs)) == 1);
  }

  TEST_CASE("a size beyond the classes counts in the last one") {
    ClassIndex index;
    index.rebuild({}, 4);
    index.add(0, 100, seconds(7));
    CHECK(index.smallest() == 100);
    CHECK(index.next(0, ClassIndex::Query(index, two_steps(100, seconds(7), 0))) == 0);
    CHECK(index.next(0, ClassIndex::Query(index, two_steps(99, seconds(7), 0))) == 1);
    CHECK(index.next(0, ClassIndex::Query(index, two_steps(100, seconds(6), 0))) == 1);
  }

  TEST_CASE("after any additions and removals no block that matters is passed over") {
    auto engine = random_stream(2, "test.class_index");
    for (const std::int32_t largest : {0, 2, 64, 1024}) {
      CAPTURE(largest);
      ClassIndex index;
      Row row;
      index.rebuild(row.columns(), largest);
      for (int step = 0; step < 4000; ++step) {
        const bool adds = row.sizes.empty() || engine() % 3 != 0;
        if (adds) {
          row.sizes.push_back(1 << (engine() % 11));
          row.planned.push_back(length(1 + engine() % 1000));
          index.add(row.sizes.size() - 1, row.sizes.back(), row.planned.back());
        } else {
          const auto slot = engine() % row.sizes.size();
          if (row.sizes[slot] == ClassIndex::kHole) continue;
          const auto size = std::exchange(row.sizes[slot], ClassIndex::kHole);
          index.remove(slot, row.columns(), size, row.planned[slot]);
        }
        if (step % 50 != 0) continue;
        const auto free = static_cast<std::int64_t>(engine() % 600);
        (void)check_all_blocks(index, row,
                               two_steps(free, length(engine() % 900), free / 4));
        CHECK(index.smallest() ==
              *std::min_element(row.sizes.begin(), row.sizes.end()));
      }
    }
  }

  TEST_CASE("reported in vain is rare, for sizes are powers of two as often as not") {
    auto engine = random_stream(4, "test.class_index");
    Row row;
    for (int i = 0; i < 100'000; ++i) {
      row.sizes.push_back(1 << (engine() % 11));
      row.planned.push_back(4 * length(1 + engine() % 10'000));
    }
    ClassIndex index;
    index.rebuild(row.columns(), 1024);
    // 8 of 11 sizes above 4; about one job in 10,000 is as short as this.
    CHECK(check_all_blocks(index, row, two_steps(4, seconds(1), 0)) == 0);
  }
}
