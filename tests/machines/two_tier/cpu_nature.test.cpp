#include "engine/machines/two_tier/cpu_nature.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Job n has the number n; one job may have values given.
class Numbered final : public JobAttributes {
 public:
  Numbered(std::int64_t job, CpuGiven given)
      : use_(job, std::move(given.use)), declared_(job, std::move(given.declared)) {}
  [[nodiscard]] std::int64_t number(JobId job) const override {
    return static_cast<std::int64_t>(index(job));
  }
  [[nodiscard]] const Column* column(std::string_view name) const override {
    if (name == "cpu_use") return &use_;
    return name == "cpu_declared" ? &declared_ : nullptr;
  }

 private:
  struct Values final : Column {
    Values(std::int64_t of_job, std::vector<double> given)
        : job(of_job), values(std::move(given)) {}
    std::int64_t job;
    std::vector<double> values;
    [[nodiscard]] std::span<const double> of(JobId asked) const override {
      const bool is_given = std::cmp_equal(index(asked), job);
      return is_given ? std::span<const double>(values) : std::span<const double>();
    }
  };
  Values use_;
  Values declared_;
};

struct Asked {
  std::int32_t processors;
  std::int64_t job;
};

CpuNature nature(const TwoTierSettings& settings, const Asked& asked,
                 std::uint64_t seed = 0, CpuGiven given = {}) {
  const CpuNatures natures(settings, seed,
                           std::make_shared<Numbered>(asked.job, std::move(given)));
  return natures.of(JobId{static_cast<std::uint32_t>(asked.job)},
                    Demand(asked.processors));
}

std::string refusal(const CpuGiven& given, std::int32_t processors) {
  try {
    (void)nature({}, {processors, 7}, 0, given);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kInput ? error.what() : "another code";
  }
  return "";
}

struct Moments {
  double mean;
  double deviation;
  double least;
  double most;
};

Moments efficiencies(std::int32_t processors) {
  const TwoTierSettings settings;
  std::vector<double> drawn;
  for (std::int64_t job = 0; job < 20'000; ++job) {
    drawn.push_back(nature(settings, {processors, job}, 3).efficiency.front());
  }
  double sum = 0;
  double squares = 0;
  for (const double value : drawn) sum += value;
  const double mean = sum / 20'000;
  for (const double value : drawn) squares += (value - mean) * (value - mean);
  const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
  return {mean, std::sqrt(squares / 20'000), *least, *most};
}

}  // namespace

TEST_SUITE("machines/two_tier/cpu_nature") {
  TEST_CASE("what is drawn depends on seed and job number alone") {
    const TwoTierSettings settings;
    const auto once = nature(settings, {5, 12});
    CHECK(nature(settings, {5, 12}).use == once.use);
    CHECK(nature(settings, {5, 12}).loss == once.loss);
    CHECK(nature(settings, {5, 13}).use != once.use);
    CHECK(nature(settings, {5, 12}, 1).use != once.use);
  }

  TEST_CASE("one process uses all of its processor, several use 0.4 to 1 each") {
    const TwoTierSettings settings;
    CHECK(nature(settings, {1, 4}).use == std::vector{1.0});
    double sum = 0;
    for (std::int64_t job = 0; job < 500; ++job) {
      for (const double use : nature(settings, {40, job}).use) {
        REQUIRE(use >= 0.4);
        REQUIRE(use <= 1.0);
        sum += use;
      }
    }
    CHECK(sum / 20'000 == doctest::Approx(0.7).epsilon(0.01));
  }

  TEST_CASE("losses are 0.005 to 0.04, efficiencies of one process 0.80 to 0.92") {
    const auto single = efficiencies(1);
    CHECK(single.least >= 0.80);
    CHECK(single.most <= 0.92);
    CHECK(single.mean == doctest::Approx(0.86).epsilon(0.005));
    const TwoTierSettings settings;
    for (std::int64_t job = 0; job < 1000; ++job) {
      const double loss = nature(settings, {2, job}).loss;
      REQUIRE(loss >= 0.005);
      REQUIRE(loss <= 0.04);
    }
  }

  TEST_CASE("efficiencies of several processes are normal between 0.198 and 0.766") {
    const auto several = efficiencies(8);
    CHECK(several.least >= 0.198);
    CHECK(several.most <= 0.766);
    CHECK(several.mean == doctest::Approx(0.482).epsilon(0.01));
    // Cut at three deviations a normal law keeps 0.9866 of its deviation.
    CHECK(several.deviation == doctest::Approx(0.0947 * 0.9866).epsilon(0.03));
  }

  TEST_CASE("processes come by declared use, or as drawn where no use is declared") {
    TwoTierSettings settings;
    auto known = nature(settings, {30, 5}).use;
    CHECK(std::is_sorted(known.rbegin(), known.rend()));
    settings.cpu_usage_known = false;
    const auto unknown = nature(settings, {30, 5});
    CHECK_FALSE(std::is_sorted(unknown.use.rbegin(), unknown.use.rend()));
    CHECK(unknown.declared.empty());
    auto sorted = unknown.use;
    std::sort(sorted.rbegin(), sorted.rend());
    CHECK(sorted == known);
  }

  TEST_CASE("what is declared decides the order, and keeps its true use") {
    const auto given =
        nature({}, {3, 1}, 0, {.use = {0.9, 0.5, 0.7}, .declared = {0.4, 0.8, 0.4}});
    CHECK(given.use == std::vector{0.5, 0.9, 0.7});
    CHECK(given.declared == std::vector{0.8, 0.4, 0.4});
  }

  TEST_CASE("one number for all, one draw for a job, one draw for each process") {
    TwoTierSettings settings;
    settings.cpu_use = 0.6;
    CHECK(nature(settings, {1, 1}).use == std::vector{0.6});
    settings.cpu_use.reset();
    settings.usage_scope = DrawScope::kJob;
    const auto uses = nature(settings, {9, 1}).use;
    CHECK(std::count(uses.begin(), uses.end(), uses.front()) == 9);
    settings.eff_scope = DrawScope::kProcess;
    const auto drawn = nature(settings, {9, 1});
    CHECK(drawn.efficiency.size() == 9);
    CHECK(drawn.efficiency_of(3) == drawn.efficiency[3]);
  }

  TEST_CASE("a use outside (0, 1] and a wrong number of uses are named") {
    CHECK(refusal({.use = {0.5, 0.0}}, 2) ==
          "cpu_use of job 7: 0 is not above 0 and at most 1");
    CHECK(refusal({.use = {1.5}}, 1) ==
          "cpu_use of job 7: 1.5 is not above 0 and at most 1");
    CHECK(refusal({.use = {0.5}, .declared = {-1}}, 1) ==
          "cpu_use of job 7: -1 is not above 0 and at most 1");
    CHECK(refusal({.use = {0.5}}, 2) == "cpu_use of job 7: 1 values for 2 processes");
  }
}
