#include "engine/base/job_pages.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "engine/base/random_stream.hpp"

namespace berth {

TEST_SUITE("base/job_pages") {
  TEST_CASE("open gives a default value, also in a reused slot") {
    JobPages<int> values;
    values.open(JobId{7}) = 3;
    values.open(JobId{2}) = 4;
    CHECK(values.size() == 2);
    CHECK(values[JobId{7}] == 3);
    values.close(JobId{7});
    CHECK(values.size() == 1);
    CHECK_FALSE(values.has(JobId{7}));
    CHECK(values.open(JobId{9}) == 0);
    CHECK(values[JobId{2}] == 4);
  }

  TEST_CASE("reopen may give the value of an earlier job") {
    JobPages<std::vector<int>> values;
    values.open(JobId{7}).assign(100, 1);
    const auto* memory = values[JobId{7}].data();
    values.close(JobId{7});
    CHECK(values.reopen(JobId{7}).data() == memory);
    values.close(JobId{7});
    CHECK(values.open(JobId{7}).empty());
    CHECK_THROWS_AS(values.reopen(JobId{7}), Error);
  }

  TEST_CASE("a job that was not opened has no value") {
    JobPages<int> values;
    CHECK_FALSE(values.has(JobId{0}));
    CHECK_THROWS_AS((void)values[JobId{0}], Error);
    CHECK_THROWS_AS(values.close(JobId{0}), Error);
    values.open(JobId{0});
    CHECK_THROWS_AS(values.open(JobId{0}), Error);
  }

  TEST_CASE("a reused page shows nothing of earlier jobs") {
    JobPages<int> values;
    for (std::uint32_t i = 0; i < 64; ++i) values.open(JobId{i}) = 5;
    for (std::uint32_t i = 0; i < 64; ++i) values.close(JobId{i});
    CHECK(values.open(JobId{1000}) == 0);
    CHECK_FALSE(values.has(JobId{1001}));
    CHECK_FALSE(values.has(JobId{40}));
  }

  TEST_CASE("values keep their address while others are opened and closed") {
    JobPages<std::uint32_t> values;
    std::map<std::uint32_t, std::uint32_t*> in;
    auto random = random_stream(1, "pages");
    for (std::uint32_t step = 0; step < 20'000; ++step) {
      const auto id = step / 50 + static_cast<std::uint32_t>(random() % 200);
      if (const auto at = in.find(id); at != in.end()) {
        REQUIRE(&values[JobId{id}] == at->second);
        REQUIRE(*at->second == id);
        values.close(JobId{id});
        in.erase(at);
      } else {
        REQUIRE_FALSE(values.has(JobId{id}));
        in[id] = &values.open(JobId{id});
        *in[id] = id;
      }
    }
  }
}

}  // namespace berth
