#include "engine/machines/fractional/pack/generator.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/base/error.hpp"
#include "tests/machines/fractional/pack/instances.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

namespace {

struct Moments {
  double sum = 0;
  double squares = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double deviation() const {
    return std::sqrt(squares / count - mean() * mean());
  }
};

double density(double x) {
  constexpr double kRootOfTwoPi = 2.5066282746310002;
  return std::exp(-x * x / 2) / kRootOfTwoPi;
}
double cumulative(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

// Of a normal distribution cut to (0, 1).
struct Truncated {
  Truncated(double centre, double variation) {
    const double sd = centre * variation;
    const double a = -centre / sd;
    const double b = (1 - centre) / sd;
    const double inside = cumulative(b) - cumulative(a);
    const double shift = (density(a) - density(b)) / inside;
    mean = centre + sd * shift;
    deviation =
        sd * std::sqrt(1 + (a * density(a) - b * density(b)) / inside - shift * shift);
  }
  double mean = 0;
  double deviation = 0;
};

}  // namespace

TEST_SUITE("machines/fractional/pack/generator") {
  TEST_CASE("needs have the moments of the truncated normal distribution") {
    for (const double variation : {0.25, 0.75}) {
      CAPTURE(variation);
      InstanceSettings settings{.hosts = 4, .jobs = 10, .slack = 0.3};
      settings.cv_cpu = settings.cv_memory = variation;
      settings.memory_total = MemoryTotal::kDrawn;
      Moments cpu;
      Moments memory;
      for (int instance = 0; instance < 10'000; ++instance) {
        const auto problem = random_instance(settings, budget, 7, instance);
        for (int task = 0; task < 10; ++task) {
          cpu.add(problem.items.cpu(task));
          memory.add(problem.items.memory(task));
        }
      }
      // 100,000 draws: a standard error of the mean below 0.0011.
      const Truncated expected_cpu(0.5, variation);
      CHECK(std::abs(cpu.mean() - expected_cpu.mean) < 0.004);
      CHECK(std::abs(cpu.deviation() - expected_cpu.deviation) < 0.004);
      const Truncated expected_memory(0.28, variation);
      CHECK(std::abs(memory.mean() - expected_memory.mean) < 0.004);
      CHECK(std::abs(memory.deviation() - expected_memory.deviation) < 0.004);
    }
  }

  TEST_CASE("slack is the total amount of free memory") {
    for (const int jobs : {6, 12, 100}) {
      for (const double slack : {0.1, 0.5, 0.9}) {
        InstanceSettings settings{.hosts = 4, .jobs = jobs, .slack = slack};
        for (int instance = 0; instance < 100; ++instance) {
          const auto items = random_instance(settings, budget, 1, instance).items;
          CHECK(items.tasks() == jobs);
          CHECK(std::abs(items.total_memory() - 4 * (1 - slack)) < 1e-9);
        }
      }
    }
  }

  TEST_CASE("a memory need above a host is cut to a host") {
    InstanceSettings settings{.hosts = 4, .jobs = 6, .slack = 0.1};
    settings.cv_memory = 0.75;
    bool is_cut = false;
    for (int instance = 0; instance < 500; ++instance) {
      const auto items = random_instance(settings, budget, 1, instance).items;
      for (const double memory : items.memories()) {
        CHECK(memory > 0);
        CHECK(memory <= 1);
        is_cut = is_cut || memory == 1;
      }
    }
    CHECK(is_cut);
  }

  TEST_CASE(
      "parallel jobs: as many tasks as asked for, sizes of the log-uniform model") {
    InstanceSettings settings{.hosts = 64, .jobs = 250, .slack = 0.3};
    settings.parallel = true;
    int serial = 0;
    int powers = 0;
    int jobs = 0;
    for (int instance = 0; instance < 500; ++instance) {
      const auto items = random_instance(settings, budget, 1, instance).items;
      CHECK(items.tasks() == 250);
      CHECK(items.total_memory() == doctest::Approx(64 * 0.7).epsilon(1e-9));
      // The last job is cut.
      for (int job = 0; job + 1 < items.jobs(); ++job) {
        const int size = items.needs(job).tasks;
        CHECK(size >= 1);
        CHECK(size <= 64);
        ++jobs;
        serial += size == 1 ? 1 : 0;
        powers += (size & (size - 1)) == 0 ? 1 : 0;
      }
    }
    // 0.244 serial, and no power of two is 1: exponents start at 0.8.
    CHECK(std::abs(static_cast<double>(serial) / jobs - 0.244) < 0.02);
    // 0.82 by their kind, and some of the others by rounding.
    CHECK(static_cast<double>(powers) / jobs > 0.82);
  }

  TEST_CASE("an instance is a function of seed and number") {
    const InstanceSettings settings;
    const auto one = random_instance(settings, budget, 1, 5).items;
    CHECK(one.cpu(3) == random_instance(settings, budget, 1, 5).items.cpu(3));
    CHECK(one.cpu(3) != random_instance(settings, budget, 1, 6).items.cpu(3));
    CHECK(one.cpu(3) != random_instance(settings, budget, 2, 5).items.cpu(3));
  }

  TEST_CASE("a mean memory of a whole host is refused") {
    const InstanceSettings settings{.hosts = 8, .jobs = 4, .slack = 0.2};
    CHECK_THROWS_WITH_AS((void)random_instance(settings, budget, 1, 1),
                         doctest::Contains("more jobs or more slack"), berth::Error);
  }
}
