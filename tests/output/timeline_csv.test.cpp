#include "engine/output/timeline_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/random_stream.hpp"
#include "tests/output/run_of_four.hpp"

namespace berth {

namespace {

const std::string kHeader =
    "from,to,queue_mean,queue_max,idle_mean,idle_max,used_mean,used_max\n";

std::string timeline(const std::vector<Job>& jobs, std::int32_t processors) {
  StringSink sink;
  TimelineCsv csv(sink);
  test::watch(csv, jobs, test::a_machine(processors), test::fcfs);
  return sink.text();
}

}  // namespace

TEST_SUITE("output/timeline_csv") {
  TEST_CASE("bins are one second wide and the last ends with the run") {
    // Job 2 waits from 1 to 2; one processor of three is left over.
    std::vector<Job> jobs{test::a_job(1, 0, 2, 2), test::a_job(2, 1, 3, 1)};
    jobs[1].length = kSecond / 2;
    CHECK(timeline(jobs, 3) == kHeader +
                                   "0,1,0,0,1,1,2,2\n"
                                   "1,2,1,1,1,1,2,2\n"
                                   "2,2.5,0,0,0,0,3,3\n");
  }

  TEST_CASE("a bin has the mean and the maximum of what changes in it") {
    std::vector<Job> jobs{test::a_job(1, 0, 1, 1), test::a_job(2, 0, 1, 1)};
    jobs[0].length = kSecond / 4;
    CHECK(timeline(jobs, 4) == kHeader + "0,1,0,0,2.75,3,1.25,2\n");
  }

  TEST_CASE("suspended jobs stand in the queue") {
    StringSink sink;
    TimelineCsv csv(sink);
    test::watch_suspended(csv);
    CHECK(sink.text().find("\n9,10,0,0,0,0,4,4\n10,11,1,1,4,4,0,0\n") !=
          std::string::npos);
    CHECK(sink.text().find("\n29,30,1,1,4,4,0,0\n30,31,0,0,0,0,4,4\n") !=
          std::string::npos);
  }

  TEST_CASE("a run that lasts no time has no rows") {
    CHECK(timeline({test::a_job(1, 5, 1, 0)}, 1) == kHeader);
    CHECK(timeline({}, 1) == kHeader);
  }

  TEST_CASE("a long run has at most 4,096 bins") {
    const auto text =
        timeline({test::a_job(1, 0, 1, 1), test::a_job(2, 9'000, 1, 100)}, 1);
    // 9,100 s in bins of 4 s.
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 2275);
    CHECK(text.rfind(kHeader + "0,4,0,0,0.75,1,0.25,1\n", 0) == 0);
    CHECK(text.find("\n9096,9100,0,0,0,0,1,1\n") != std::string::npos);
  }
}

TEST_SUITE("output/timeline_bins") {
  TEST_CASE("merging bins keeps integrals and maxima") {
    auto engine = random_stream(3, "test");
    TimelineBins bins;
    Time now = seconds(100);
    Int128 expected = 0;
    std::int64_t highest = 0;
    bins.advance(now, {});
    for (int i = 0; i < 3000; ++i) {
      const auto span = static_cast<Duration>(uniform(engine) * 2e8) + 1;
      const auto level = static_cast<std::int64_t>(uniform(engine) * 1000);
      now += span;
      expected += Int128{level} * span;
      highest = std::max(highest, level);
      bins.advance(now, {level, 0, 0});
      REQUIRE(bins.bins().size() <= TimelineBins::kMostBins);
    }
    Int128 integral = 0;
    std::int64_t maximum = 0;
    for (const auto& bin : bins.bins()) {
      integral += bin.integral[0];
      maximum = std::max(maximum, bin.maximum[0]);
    }
    CHECK((integral == expected));
    CHECK(maximum == highest);
    CHECK(bins.bins().size() > TimelineBins::kMostBins / 2);
    CHECK(bins.from(0) == seconds(100));
    CHECK(bins.to(bins.bins().size() - 1) == now);
  }

  TEST_CASE("how a span was cut up does not matter") {
    TimelineBins once;
    TimelineBins often;
    once.advance(0, {});
    often.advance(0, {});
    const Time end = seconds(10'000);
    once.advance(end, {7, 1, 2});
    for (Time at = 0; at < end; at += 1'234'567) often.advance(at, {7, 1, 2});
    often.advance(end, {7, 1, 2});
    REQUIRE(once.bins().size() == often.bins().size());
    CHECK(once.bins().size() == 2500);  // bins of 4 s
    for (std::size_t i = 0; i < once.bins().size(); ++i) {
      REQUIRE((once.bins()[i].integral == often.bins()[i].integral));
      REQUIRE(once.bins()[i].maximum == often.bins()[i].maximum);
    }
  }

  TEST_CASE("exactly 4,096 seconds still fit bins of one second") {
    TimelineBins bins;
    bins.advance(0, {});
    bins.advance(seconds(4096), {1, 1, 1});
    CHECK(bins.bins().size() == 4096);
    bins.advance(seconds(4096) + 1, {1, 1, 1});
    CHECK(bins.bins().size() == 2049);
  }
}

}  // namespace berth
