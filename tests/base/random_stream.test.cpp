#include "engine/base/random_stream.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>

using namespace berth;

namespace {

constexpr int kBins = 256;

// How far the counts are from even, in standard deviations of chi-square.
double unevenness(const std::array<int, kBins>& counts, int draws) {
  const double expected = static_cast<double>(draws) / kBins;
  double chi = 0;
  for (const int count : counts) {
    chi += (count - expected) * (count - expected) / expected;
  }
  return (chi - (kBins - 1)) / std::sqrt(2.0 * (kBins - 1));
}

}  // namespace

// The numbers come from a separate program written from the published algorithms
// (splitmix64, FNV-1a, mt19937-64, taus88): a change of any of them is noticed.
TEST_SUITE("base/random_stream") {
  TEST_CASE("a stream begins with the same numbers on every platform") {
    auto sizes = random_stream(7, "workload.size");
    CHECK(sizes() == 18'186'687'449'935'584'642U);
    CHECK(sizes() == 14'680'858'332'018'893'945U);
    CHECK(sizes() == 4'930'077'457'366'157'566U);
    auto policy = random_stream(0, "policy");
    CHECK(policy() == 15'504'254'598'936'657'107U);
    CHECK(policy() == 564'444'311'377'604'221U);
  }

  TEST_CASE("the draws of a job are the same on every platform") {
    struct {
      std::int64_t job;
      std::array<std::uint32_t, 3> draws;
    } const cases[] = {
        {1, {235'886'127U, 1'780'273'518U, 616'769'034U}},
        {2, {1'249'865'702U, 374'209'630U, 3'678'497'257U}},
        {-1, {2'782'173'763U, 3'229'521'123U, 2'500'018'063U}},
    };
    for (const auto& [job, draws] : cases) {
      auto engine = job_stream(7, "cpu_use", job);
      for (const auto draw : draws) CHECK(engine() == draw);
    }
  }

  TEST_CASE("uniform numbers are the same on every platform") {
    auto sizes = random_stream(7, "workload.size");
    CHECK(uniform(sizes) == 0.9859023021767509);
    auto use = job_stream(7, "cpu_use", 1);
    CHECK(uniform(use) == 0.054921518374250966);
  }

  TEST_CASE("another name, seed or job gives another stream") {
    const auto first = [](std::uint64_t seed, std::string_view name) {
      return random_stream(seed, name)();
    };
    CHECK(first(7, "a") != first(8, "a"));
    CHECK(first(7, "a") != first(7, "b"));
    CHECK(first(7, "ab") != first(7, "ba"));
    CHECK(job_stream(7, "a", 1)() != job_stream(7, "a", 2)());
    CHECK(job_stream(7, "a", 1)() != job_stream(7, "b", 1)());
    CHECK(job_stream(7, "a", 1)() != job_stream(8, "a", 1)());
  }

  TEST_CASE("the draws of a job do not depend on those of others") {
    auto alone = job_stream(3, "loss", 20);
    auto other = job_stream(3, "loss", 19);
    (void)other();
    auto behind = job_stream(3, "loss", 20);
    CHECK(alone() == behind());
  }

  TEST_CASE("uniform numbers lie on [0, 1) and fill it evenly") {
    constexpr int draws = 1 << 18;
    auto engine = random_stream(1, "test.uniform");
    std::array<int, kBins> counts{};
    for (int i = 0; i < draws; ++i) {
      const double u = uniform(engine);
      REQUIRE(0.0 <= u);
      REQUIRE(u < 1.0);
      ++counts.at(static_cast<std::size_t>(u * kBins));
    }
    CHECK(std::abs(unevenness(counts, draws)) < 4);
  }

  TEST_CASE("the first and second draws of successive jobs are even and unrelated") {
    constexpr int jobs = 1 << 18;
    std::array<int, kBins> first{};
    std::array<int, kBins> second{};
    std::array<int, kBins> both{};  // 16 by 16
    for (int job = 0; job < jobs; ++job) {
      auto engine = job_stream(1, "test.uniform", job);
      const double a = uniform(engine);
      const double b = uniform(engine);
      ++first.at(static_cast<std::size_t>(a * kBins));
      ++second.at(static_cast<std::size_t>(b * kBins));
      ++both.at(static_cast<std::size_t>(a * 16) * 16 +
                static_cast<std::size_t>(b * 16));
    }
    CHECK(std::abs(unevenness(first, jobs)) < 4);
    CHECK(std::abs(unevenness(second, jobs)) < 4);
    CHECK(std::abs(unevenness(both, jobs)) < 4);
  }
}
