#include "engine/base/job_map.hpp"

#include <doctest/doctest.h>

#include <map>

#include "engine/base/random_stream.hpp"

using namespace berth;

TEST_SUITE("base/job_map") {
  TEST_CASE("an empty map has no job") {
    const JobMap<int> map;
    CHECK(map.size() == 0);
    CHECK(map.find(JobId{0}) == nullptr);
    CHECK_FALSE(map.contains(JobId{7}));
  }

  TEST_CASE("inserting a job twice or taking an absent one is a defect") {
    JobMap<int> map;
    map.insert(JobId{3}, 30);
    CHECK_THROWS_AS(map.insert(JobId{3}, 31), Error);
    CHECK_THROWS_AS((void)map.take(JobId{4}), Error);
    CHECK_THROWS_AS((void)map.at(JobId{4}), Error);
    CHECK(map.take(JobId{3}) == 30);
    CHECK(map.size() == 0);
  }

  TEST_CASE("after any insertions and removals it holds what an ordered map holds") {
    auto engine = random_stream(1, "test.job_map");
    JobMap<std::uint64_t> map;
    std::map<std::uint32_t, std::uint64_t> model;
    for (int step = 0; step < 50'000; ++step) {
      // Numbers from a window that slides, as those of running jobs do.
      const auto number = static_cast<std::uint32_t>(step / 4 + engine() % 300);
      const JobId job{number};
      const auto at = model.find(number);
      REQUIRE(map.contains(job) == (at != model.end()));
      if (at == model.end()) {
        map.insert(job, engine());
        model[number] = map.at(job);
      } else {
        REQUIRE(map.take(job) == at->second);
        model.erase(at);
      }
      REQUIRE(map.size() == model.size());
      if (step % 500 != 0) continue;
      for (const auto& [each, value] : model) REQUIRE(map.at(JobId{each}) == value);
    }
    CHECK(model.size() > 50);
  }
}
