#include "engine/workload/trace_lines.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

TEST_SUITE("workload/trace_lines") {
  TEST_CASE("every job has the line that it was given, whatever the order") {
    auto random = random_stream(1, "lines");
    std::vector<std::int64_t> given;
    TraceLines lines;
    for (int i = 0; i < 2'000; ++i) {
      const bool jumps = given.empty() || random() % 4 == 0;
      given.push_back(jumps ? static_cast<std::int64_t>(random() % 500)
                            : given.back() + 1);
      lines.push_back(given.back());
    }
    REQUIRE(lines.size() == given.size());
    for (std::size_t i = 0; i < given.size(); ++i) REQUIRE(lines[i] == given[i]);
  }

  TEST_CASE("the first lines are kept, and more may follow") {
    TraceLines lines{7, 8, 9, 3, 4};
    lines.keep_first(9);
    CHECK(lines == TraceLines{7, 8, 9, 3, 4});
    lines.keep_first(4);
    CHECK(lines == TraceLines{7, 8, 9, 3});
    lines.keep_first(2);
    CHECK(lines == TraceLines{7, 8});
    lines.push_back(9);
    CHECK(lines == TraceLines{7, 8, 9});
    lines.clear();
    CHECK(lines.empty());
  }

  TEST_CASE("a job that is not there has no line") {
    CHECK_THROWS_AS((void)TraceLines()[0], Error);
    CHECK_THROWS_AS((void)(TraceLines{4, 5})[2], Error);
  }
}
