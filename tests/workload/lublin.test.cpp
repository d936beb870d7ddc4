// The model against figures of the authors' program: 400,000 jobs, one seed here.
//
// Tolerances, from the spread between seeds: shares 0.004 absolute; sizes 1.5 % for
// 400,000 jobs, 2.5 % for the 60,000 of the batch stream; mean run times 2 % (whole)
// and 4 % (typed, variation above 4); interarrival mean and load 3 %; their variation 5
// %; quantiles 3 %, 6 % for the typed tail; correlation 0.015 absolute.

#include "engine/workload/lublin.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/workload/transform.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/moments.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

constexpr std::int64_t kJobs = 400'000;

bool is_power_of_two(const Job& job) {
  return std::has_single_bit(static_cast<std::uint32_t>(job.size));
}

struct Figures {
  Sample sizes, lengths, gaps;
  double serial = 0;
  double powers = 0;
  double parallel_powers = 0;
};

Figures figures_of(std::span<const Job> jobs) {
  Figures figures;
  Time before = 0;
  double serial = 0;
  double powers = 0;
  for (const Job& job : jobs) {
    figures.sizes.add(job.size);
    figures.lengths.add(to_seconds(job.length));
    figures.gaps.add(to_seconds(job.submit - before));
    before = job.submit;
    serial += job.size == 1 ? 1 : 0;
    powers += is_power_of_two(job) ? 1 : 0;
  }
  const auto all = static_cast<double>(jobs.size());
  figures.serial = serial / all;
  figures.powers = powers / all;
  figures.parallel_powers = (powers - serial) / (all - serial);
  return figures;
}

std::vector<Job> of_type(const Workload& workload, std::int32_t type) {
  std::vector<Job> jobs;
  for (const Job& job : workload.jobs) {
    if (job.queue_class == type) jobs.push_back(job);
  }
  return jobs;
}

double share_of_size(std::span<const Job> jobs, std::int32_t size) {
  const auto count = std::count_if(jobs.begin(), jobs.end(),
                                   [&](const Job& job) { return job.size == size; });
  return static_cast<double>(count) / static_cast<double>(jobs.size());
}

void check_near(double value, double wanted, double relative) {
  CHECK(value == doctest::Approx(wanted).epsilon(relative));
}

void check_within(double value, double wanted, double absolute) {
  CHECK(std::abs(value - wanted) <= absolute);
}

}  // namespace

TEST_SUITE("workload/lublin") {
  TEST_CASE("one stream has the published sizes, run times and arrivals") {
    struct Case {
      std::int32_t processors;
      double size, size_variation, powers, parallel_powers;
      double length, length_variation, median, p90, p99;
      double correlation, load;
    };
    for (const Case& each :
         {Case{128, 12.1, 1.76, .869, .827, 4358, 1.95, 108, 14620, 34000, .170, .715},
          Case{256, 22.2, 1.96, .860, .815, 4886, 1.77, 144, 15531, 34612, .254, .86},
          Case{320, 27.0, 1.92, .858, .812, 5111, 1.72, 166, 15851, 35107, .271,
               .89}}) {
      CAPTURE(each.processors);
      const Workload workload = lublin_workload(
          {.processors = each.processors, .jobs = kJobs}, 2, unlimited());
      const Figures got = figures_of(workload.jobs);
      check_near(got.sizes.mean(), each.size, 0.015);
      check_near(got.sizes.variation(), each.size_variation, 0.015);
      check_within(got.serial, .244, 0.004);
      check_within(got.powers, each.powers, 0.004);
      check_within(got.parallel_powers, each.parallel_powers, 0.004);
      check_near(got.lengths.mean(), each.length, 0.02);
      check_near(got.lengths.variation(), each.length_variation, 0.02);
      check_near(got.lengths.quantile(0.5), each.median, 0.03);
      check_near(got.lengths.quantile(0.9), each.p90, 0.02);
      check_near(got.lengths.quantile(0.99), each.p99, 0.02);
      check_near(got.gaps.mean(), 915, 0.03);
      check_near(got.gaps.variation(), 7.2, 0.05);
      check_within(correlation(got.sizes, got.lengths), each.correlation, 0.015);
      check_near(offered_load(workload, each.processors, unlimited()).value(),
                 each.load, 0.03);
    }
  }

  TEST_CASE("sizes on 128 processors have the published shares") {
    const Workload workload =
        lublin_workload({.processors = 128, .jobs = kJobs}, 2, unlimited());
    struct Case {
      std::int32_t size;
      double share;
    };
    for (const Case& each : {Case{1, .245},
                             {2, .116},
                             {3, .020},
                             {4, .148},
                             {8, .142},
                             {16, .138},
                             {32, .033},
                             {64, .033},
                             {128, .016}}) {
      CAPTURE(each.size);
      check_within(share_of_size(workload.jobs, each.size), each.share, 0.003);
    }
  }

  TEST_CASE("two merged streams have the published figures, together and apart") {
    const Workload workload = lublin_workload(
        {.variant = LublinVariant::kTyped, .processors = 128, .jobs = kJobs}, 2,
        unlimited());
    const Figures all = figures_of(workload.jobs);
    check_near(all.sizes.mean(), 8.91, 0.015);
    check_near(all.sizes.variation(), 1.38, 0.015);
    check_within(all.serial, .175, 0.004);
    check_within(all.powers, .864, 0.004);
    check_near(all.lengths.mean(), 1635, 0.04);
    check_near(all.lengths.variation(), 4.22, 0.04);
    check_near(all.lengths.quantile(0.9), 899, 0.1);
    check_near(all.gaps.mean(), 522, 0.03);
    check_within(correlation(all.sizes, all.lengths), .146, 0.015);
    check_near(offered_load(workload, 128, unlimited()).value(), .40, 0.03);

    const std::vector<Job> interactive = of_type(workload, 0);
    const std::vector<Job> batch = of_type(workload, 1);
    CHECK(interactive.size() + batch.size() == workload.jobs.size());
    check_within(static_cast<double>(batch.size()) / kJobs, .150, 0.006);

    const Figures short_jobs = figures_of(interactive);
    check_near(short_jobs.sizes.mean(), 8.03, 0.015);
    check_near(short_jobs.sizes.variation(), 1.14, 0.015);
    check_within(short_jobs.serial, .154, 0.004);
    check_near(short_jobs.lengths.mean(), 242, 0.08);
    check_near(short_jobs.lengths.quantile(0.5), 13, 0.08);
    check_near(short_jobs.gaps.mean(), 614, 0.03);

    const Figures long_jobs = figures_of(batch);
    check_near(long_jobs.sizes.mean(), 13.9, 0.025);
    check_near(long_jobs.sizes.variation(), 1.62, 0.025);
    check_within(long_jobs.serial, .294, 0.006);
    check_within(long_jobs.powers, .969, 0.004);
    check_near(long_jobs.lengths.mean(), 9525, 0.025);
    check_near(long_jobs.lengths.variation(), 1.49, 0.025);
    check_near(long_jobs.lengths.quantile(0.99), 54273, 0.04);
    check_near(long_jobs.gaps.mean(), 3477, 0.04);
  }

  TEST_CASE("a single stream is of its type alone") {
    const auto types = [](LublinVariant variant) {
      std::set<std::int32_t> found;
      for (const Job& job :
           lublin_workload({.variant = variant, .jobs = 50}, 1, unlimited()).jobs) {
        found.insert(job.queue_class);
      }
      return found;
    };
    CHECK(types(LublinVariant::kInteractive) == std::set<std::int32_t>{0});
    CHECK(types(LublinVariant::kBatch) == std::set<std::int32_t>{1});
    CHECK(types(LublinVariant::kTyped) == std::set<std::int32_t>{0, 1});
    CHECK(types(LublinVariant::kWhole) == std::set<std::int32_t>{kUnknown});
  }

  TEST_CASE("jobs are numbered in order of submit and nothing else is known of them") {
    const Workload workload = lublin_workload(
        {.variant = LublinVariant::kTyped, .jobs = 5000}, 4, unlimited());
    CHECK(workload.jobs.size() == 5000);
    CHECK(workload.name == "lublin");
    CHECK(workload.processors == 128);
    CHECK(workload.without_walltime() == 5000);
    CHECK(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first));
    for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
      const Job& job = workload.jobs[i];
      CHECK(job.id == static_cast<std::int64_t>(i) + 1);
      CHECK(job.length >= kSecond);
      CHECK(job.length % kSecond == 0);
      CHECK(job.length <= seconds(162'754));  // e^12
      CHECK(job.walltime == job.length);
      CHECK(job.user == kUnknown);
    }
    CHECK(lublin_workload({.jobs = 0}, 4, unlimited()).jobs.empty());
  }

  TEST_CASE("no job is wider than the machine, whose largest power of two is in use") {
    for (const std::int32_t processors : {1, 2, 3, 5, 7, 100, 1000, 100'000}) {
      CAPTURE(processors);
      const Workload workload = lublin_workload(
          {.variant = LublinVariant::kTyped, .processors = processors, .jobs = 20'000},
          9, unlimited());
      for (const Job& job : workload.jobs) {
        CHECK((job.size >= 1 && job.size <= processors));
      }
      const auto largest = static_cast<std::int32_t>(
          std::bit_floor(static_cast<std::uint32_t>(processors)));
      CHECK(share_of_size(workload.jobs, largest) > 0);
    }
  }

  TEST_CASE("the published sizes move with the machine") {
    const LublinParameters same = lublin_parameters(LublinType::kBatch, 128);
    CHECK(same.umed == 5);
    CHECK(same.uhi == 7);
    const LublinParameters whole = lublin_parameters(LublinType::kWhole, 256);
    CHECK(whole.umed == 5.5);
    CHECK(whole.uhi == 8);
    CHECK(lublin_parameters(LublinType::kInteractive, 32).uhi == 3.5);
    CHECK(lublin_parameters(LublinType::kWhole, 320).umed == doctest::Approx(5.82193));
  }

  TEST_CASE("sizes can be given, but only in order and on the machine") {
    const LublinSettings narrow{
        .processors = 128, .jobs = 5000, .umed = 1.0, .uhi = 2.0};
    for (const Job& job : lublin_workload(narrow, 1, unlimited()).jobs)
      CHECK(job.size <= 4);
    for (const LublinSettings& wrong : {LublinSettings{.umed = 8.0},
                                        {.uhi = 7.5},
                                        {.umed = 0.5},
                                        {.umed = std::nan("")}}) {
      CHECK(error_of([&] {
              (void)lublin_workload(wrong, 1, unlimited());
            }).rfind("lublin: ", 0) == 0);
    }
  }

  TEST_CASE("a seed gives the same jobs again, and a longer run begins with them") {
    const LublinSettings settings{.variant = LublinVariant::kTyped, .jobs = 1000};
    LublinSettings longer = settings;
    longer.jobs = 1500;
    const Workload first = lublin_workload(settings, 6, unlimited());
    const Workload again = lublin_workload(longer, 6, unlimited());
    const Workload other = lublin_workload(settings, 7, unlimited());
    int equal = 0;
    for (std::size_t i = 0; i < first.jobs.size(); ++i) {
      CHECK(first.jobs[i].submit == again.jobs[i].submit);
      CHECK(first.jobs[i].size == again.jobs[i].size);
      CHECK(first.jobs[i].length == again.jobs[i].length);
      equal += first.jobs[i].submit == other.jobs[i].submit;
    }
    CHECK(equal < 10);
  }

  TEST_CASE("arrivals do not depend on the machine") {
    const Workload wide =
        lublin_workload({.processors = 1024, .jobs = 1000}, 6, unlimited());
    const Workload narrow =
        lublin_workload({.processors = 16, .jobs = 1000}, 6, unlimited());
    for (std::size_t i = 0; i < wide.jobs.size(); ++i) {
      CHECK(wide.jobs[i].submit == narrow.jobs[i].submit);
    }
  }
}
