#include "engine/expect/expected_end_times.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Poured {
  std::int64_t arrival;
  std::int64_t size;
  std::int64_t length;
};

std::vector<std::int64_t> ends_of(const std::vector<Poured>& jobs,
                                  std::int64_t capacity,
                                  Overshoot overshoot = Overshoot::kLiteral) {
  VirtualShare share(capacity, overshoot);
  std::vector<std::int64_t> ends;
  for (const auto& job : jobs) {
    ends.push_back(share.pour(job.arrival, job.size, job.length));
  }
  return ends;
}

// The loop of the paper, second by second.
std::vector<std::int64_t> literal_loop(const std::vector<Poured>& jobs,
                                       std::int64_t capacity, Overshoot overshoot) {
  std::vector<std::int64_t> left;
  std::vector<std::int64_t> ends;
  for (const auto& job : jobs) {
    auto work = job.size * job.length;
    auto t = job.arrival;
    while (work > 0) {
      if (left.size() <= static_cast<std::size_t>(t)) left.resize(t + 1, capacity);
      auto taken = std::min(left[t], job.size);
      if (overshoot == Overshoot::kExact) taken = std::min(taken, work);
      left[t] -= taken;
      work -= taken;
      ++t;
    }
    ends.push_back(t);
  }
  return ends;
}

using Ends = std::vector<std::int64_t>;

Job of_user(std::int64_t id, std::int64_t submit, std::int32_t size,
            std::int64_t length, std::int32_t user) {
  auto job = a_job(id, submit, size, length);
  job.user = user;
  return job;
}

}  // namespace

TEST_SUITE("expect/expected_end_times") {
  TEST_CASE("ends are those of the worked examples") {
    CHECK(ends_of({{0, 2, 4}, {1, 2, 1}}, 3) == Ends{4, 3});
    const std::vector<Poured> four{{0, 2, 4}, {1, 2, 1}, {2, 3, 3}, {3, 1, 2}};
    CHECK(ends_of(four, 3) == Ends{4, 3, 7, 9});
    CHECK(ends_of(four, 3, Overshoot::kExact) == Ends{4, 3, 7, 8});
    CHECK(ends_of({{0, 8, 3}, {2, 1, 5}, {10, 2, 2}}, 4) == Ends{6, 11, 12});
    CHECK(ends_of({{0, 6, 2}}, 3) == Ends{4});
    CHECK(ends_of({{0, 3, 3}, {0, 3, 2}, {4, 4, 1}}, 4) == Ends{3, 4, 5});
    CHECK(ends_of({{7, 3, 0}, {7, 0, 4}}, 4) == Ends{7, 7});
  }

  TEST_CASE("both forms are those of the loop second by second") {
    std::mt19937 random(5);
    const auto draw = [&](std::uint32_t below) {
      return static_cast<std::int64_t>(random() % below);
    };
    for (int round = 0; round < 2000; ++round) {
      const auto capacity = 1 + draw(12);
      std::vector<Poured> jobs;
      std::int64_t arrival = draw(5);
      const auto gap = 1 + draw(30);
      for (int i = 0; i < 30; ++i) {
        arrival += draw(static_cast<std::uint32_t>(gap));
        jobs.push_back({arrival, draw(16), draw(40)});
      }
      for (const auto overshoot : {Overshoot::kLiteral, Overshoot::kExact}) {
        CHECK(ends_of(jobs, capacity, overshoot) ==
              literal_loop(jobs, capacity, overshoot));
      }
    }
  }

  TEST_CASE("the latest end over processors and memory is that of the worked example") {
    const std::vector jobs{a_job(1, 0, 2, 4), a_job(2, 0, 2, 4)};
    const ShareSizes processors{{kUnknown, 4}};
    const ShareSizes memory{{kUnknown, 8}};
    const std::vector<std::int64_t> needs{6, 6};
    CHECK(expected_end_times(jobs, processors, Overshoot::kLiteral) ==
          std::vector<Time>{seconds(4), seconds(4)});
    CHECK(expected_end_times(jobs, needs, memory, Overshoot::kLiteral) ==
          std::vector<Time>{seconds(4), seconds(7)});
  }

  TEST_CASE("work beyond what the clock holds ends never") {
    const std::vector jobs{a_job(1, 0, 1, 1'000'000), a_job(2, 0, 1, 1'000'000)};
    const std::vector<std::int64_t> needs(2, std::int64_t{1} << 60);
    CHECK(expected_end_times(jobs, needs, {{kUnknown, 1}}, Overshoot::kExact) ==
          std::vector<Time>{kNever, kNever});
  }

  TEST_CASE("work beyond 64 bits ends when it is done") {
    constexpr std::int64_t kMost = std::int64_t{1} << 52;
    constexpr std::int64_t kLong = 99'999'999'999;
    const std::vector<Poured> jobs{{0, kMost, kLong}, {1, kMost / 2, 3}, {2, kMost, 1}};
    for (const auto overshoot : {Overshoot::kLiteral, Overshoot::kExact}) {
      CHECK(ends_of(jobs, kMost, overshoot) ==
            std::vector{kLong, kLong + 3, kLong + 2});
      CHECK(ends_of({{0, kMost, kLong}}, kMost / 2, overshoot) ==
            std::vector{2 * kLong});
    }
    CHECK(ends_of({{0, kMost, kLong}}, kMost - 1, Overshoot::kExact) ==
          std::vector{kLong + 1});
  }

  TEST_CASE("no job ends before its arrival and length") {
    std::mt19937 random(8);
    std::vector<Poured> jobs;
    for (std::int64_t i = 0; i < 500; ++i) {
      jobs.push_back({i, 1 + static_cast<std::int64_t>(random() % 20),
                      1 + static_cast<std::int64_t>(random() % 50)});
    }
    const auto ends = ends_of(jobs, 30);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      CHECK(ends[i] >= jobs[i].arrival + jobs[i].length);
    }
  }

  TEST_CASE("equal parts of a job, submitted together, end where the whole would") {
    const auto end_of = [](std::int64_t capacity, int parts, const Poured& part) {
      std::vector<Poured> jobs{{0, 2, 9}, {1, 1, 4}};
      for (int i = 0; i < parts; ++i) jobs.push_back(part);
      return ends_of(jobs, capacity, Overshoot::kExact).back();
    };
    // In length where two parts have no room at a time; in width where the share is
    // never short of the parts, or one processor: else a part that began earlier leaves
    // the last alone.
    for (const std::int64_t capacity : {1, 3, 4}) {
      CHECK(end_of(capacity, 4, {3, 4, 4}) == end_of(capacity, 1, {3, 4, 16}));
    }
    for (const std::int64_t capacity : {1, 7}) {
      CHECK(end_of(capacity, 4, {3, 1, 16}) == end_of(capacity, 1, {3, 4, 16}));
    }
    CHECK(end_of(4, 4, {3, 1, 16}) == 25);
    CHECK(end_of(4, 1, {3, 4, 16}) == 23);
  }

  TEST_CASE("each user is alone; fractions of a second are rounded for the user") {
    std::vector<Job> jobs{of_user(1, 0, 2, 4, 1), of_user(2, 0, 2, 4, 2),
                          of_user(3, 1, 2, 1, 1), of_user(4, 1, 2, 1, 2)};
    const auto sizes = share_sizes(jobs, 6, {}, {});
    CHECK(sizes == std::map<std::int32_t, std::int64_t>{{1, 3}, {2, 3}});
    const auto ends = expected_end_times(jobs, sizes, Overshoot::kLiteral);
    CHECK(ends == std::vector{seconds(4), seconds(4), seconds(3), seconds(3)});
    jobs[0].submit += 999'999;  // begins in second 0 all the same
    jobs[0].length -= 999'999;  // and takes 4 seconds
    CHECK(expected_end_times(jobs, sizes, Overshoot::kLiteral) == ends);
  }

  TEST_CASE("jobs of one second are poured by their numbers") {
    std::vector<Job> jobs{of_user(9, 0, 1, 5, 1), of_user(2, 0, 1, 5, 1)};
    jobs[1].submit += 1;  // later, but in the same second
    const std::map<std::int32_t, std::int64_t> sizes{{1, 1}};
    CHECK(expected_end_times(jobs, sizes, Overshoot::kLiteral) ==
          std::vector{seconds(10), seconds(5)});
  }

  TEST_CASE("the machine is divided equally, by weights, or a number is given") {
    const std::vector<Job> jobs{of_user(1, 0, 1, 1, 1), of_user(2, 0, 1, 1, 2),
                                of_user(3, 0, 1, 1, -1)};
    using Sizes = std::map<std::int32_t, std::int64_t>;
    const std::map<std::int32_t, double> weights{{2, 3.0}, {8, 50.0}};
    ExpectationSettings settings;
    CHECK(share_sizes(jobs, 100, weights, settings) ==
          Sizes{{-1, 33}, {1, 33}, {2, 33}});
    settings.share = CapShare::kWeights;
    CHECK(share_sizes(jobs, 100, weights, settings) ==
          Sizes{{-1, 20}, {1, 20}, {2, 60}});
    CHECK(share_sizes(jobs, 2, weights, settings) == Sizes{{-1, 1}, {1, 1}, {2, 1}});
    settings.processors = 8;
    CHECK(share_sizes(jobs, 2, weights, settings) == Sizes{{-1, 8}, {1, 8}, {2, 8}});
  }
}
