#include "engine/workload/tenants.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/support/unlimited.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

struct Moments {
  double size = 0;
  double length = 0;  // s
  double load = 0;
  std::set<std::int32_t> sizes;
};

Moments of(TenantSizes sizes) {
  constexpr std::int32_t kProcessors = 432;
  const auto made =
      tenants_workload({.sizes = sizes}, kProcessors, 40'000, 1, test::unlimited())
          .jobs;
  Moments sums;
  double work = 0;
  for (const auto& job : made) {
    sums.size += job.size;
    sums.length += to_seconds(job.length);
    work += job.size * to_seconds(job.length);
    sums.sizes.insert(job.size);
  }
  const auto count = static_cast<double>(made.size());
  sums.size /= count;
  sums.length /= count;
  sums.load = work / (kProcessors * to_seconds(made[made.size() - 1].submit));
  return sums;
}

}  // namespace

TEST_SUITE("workload/tenants") {
  TEST_CASE("means are those asked for, at a load of one half") {
    const auto made = of(TenantSizes::kGeometric);
    CHECK(made.size == doctest::Approx(8).epsilon(0.02));
    CHECK(made.length == doctest::Approx(1000).epsilon(0.02));
    CHECK(made.load == doctest::Approx(0.5).epsilon(0.05));
    CHECK(*made.sizes.begin() == 1);
  }

  TEST_CASE("each law of the sizes has its mean and its values") {
    CHECK(of(TenantSizes::kExponential).size == doctest::Approx(8.5).epsilon(0.02));
    const auto uniform = of(TenantSizes::kUniform);
    CHECK(uniform.size == doctest::Approx(8).epsilon(0.02));
    CHECK(*uniform.sizes.rbegin() == 15);
    CHECK(uniform.sizes.size() == 15);
    CHECK(of(TenantSizes::kPowersOfTwo).sizes ==
          std::set<std::int32_t>{1, 2, 4, 8, 16, 32});
    CHECK(of(TenantSizes::kConstant).sizes == std::set<std::int32_t>{8});
  }

  TEST_CASE("equal seeds give equal jobs, and other sizes leave the arrivals alone") {
    const auto jobs = [](TenantSizes sizes, std::uint64_t seed) {
      return tenants_workload({.sizes = sizes}, 100, 50, seed, test::unlimited()).jobs;
    };
    const auto first = jobs(TenantSizes::kGeometric, 1);
    const auto again = jobs(TenantSizes::kGeometric, 1);
    const auto other = jobs(TenantSizes::kConstant, 1);
    for (std::size_t i = 0; i < 50; ++i) {
      CHECK(first[i].size == again[i].size);
      CHECK(first[i].submit == other[i].submit);
      CHECK(first[i].length == other[i].length);
    }
    CHECK(jobs(TenantSizes::kGeometric, 2)[1].submit != first[1].submit);
  }
}
