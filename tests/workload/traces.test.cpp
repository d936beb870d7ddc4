// The real traces, counted as data/traces/README.md counts them.

#include <doctest/doctest.h>

#include <string>

#include "engine/workload/transform.hpp"
#include "engine/workload/warnings.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/moments.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::optional<Workload> trace(const std::string& file, const SwfOptions& options = {}) {
  const auto path = shared_data("traces/" + file);
  if (!path) return std::nullopt;
  return parse_file(*path, options);
}

std::int64_t zero_lengths(const Workload& workload) {
  return std::count_if(workload.jobs.begin(), workload.jobs.end(),
                       [](const Job& job) { return job.length == 0; });
}

Sample sizes(const Workload& workload) {
  Sample sizes;
  for (const Job& job : workload.jobs) sizes.add(job.size);
  return sizes;
}

Sample lengths(const Workload& workload) {
  Sample lengths;
  for (const Job& job : workload.jobs) lengths.add(to_seconds(job.length));
  return lengths;
}

// The README of the traces counts the processors that jobs got, not those they asked
// for.
double load_by_allocation(Workload workload, std::int32_t processors) {
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const std::int32_t allocated = workload.recorded[i].allocated;
    if (allocated > 0) workload.jobs[i].size = allocated;
  }
  return offered_load(workload, processors, unlimited()).value();
}

}  // namespace

TEST_SUITE("workload/traces") {
  TEST_CASE("KTH-SP2 has 28,475 jobs and one without processors") {
    const auto kth =
        trace("KTH-SP2-1996-2.1-cln.swf.gz", {.name = "", .keep_lines = true});
    if (!kth) return;
    CHECK(kth->jobs.size() == 28'475);
    CHECK(kth->jobs_read == 28'476);
    CHECK(kth->processors == 100);
    CHECK(kth->unix_start == 843'480'031);
    CHECK(kth->jobs.front().id == 15);
    CHECK(kth->jobs.front().submit == seconds(599'850));
    CHECK(kth->jobs.back().submit == seconds(29'363'618));
    CHECK(kth->outliving_walltime() == 475);
    CHECK(kth->without_walltime() == 0);
    CHECK(zero_lengths(*kth) == 8);
    CHECK(kth->repairs.empty());
    CHECK(kth->left_out.size() == 1);
    CHECK(kth->left_out.at("no_processor_count").count == 1);
    CHECK(std::none_of(kth->jobs.begin(), kth->jobs.end(),
                       [](const Job& job) { return job.id == 27'313; }));
    CHECK(!too_wide(*kth, 100, unlimited()));
    CHECK(lengths(*kth).mean() == doctest::Approx(8871.9).epsilon(0.0005));
    CHECK(load_by_allocation(*kth, 100) == doctest::Approx(0.701).epsilon(0.001));
    CHECK(offered_load(*kth, 100, unlimited()).value() ==
          doctest::Approx(0.699238).epsilon(1e-6));
  }

  TEST_CASE("the first thousand jobs of KTH-SP2 run 72.45 minutes on average") {
    auto kth = trace("KTH-SP2-1996-2.1-cln.swf.gz");
    if (!kth) return;
    keep_first(*kth, 1000);
    CHECK(lengths(*kth).mean() / 60 == doctest::Approx(72.45).epsilon(0.0001));
  }

  TEST_CASE("KTH-SP2 recorded waits of 15,296 seconds on average") {
    const auto kth = trace("KTH-SP2-1996-2.1-cln.swf.gz");
    if (!kth) return;
    Sample waits;
    for (const Recorded& record : kth->recorded) waits.add(to_seconds(record.wait));
    CHECK(waits.mean() == doctest::Approx(15'296).epsilon(0.0005));
  }

  TEST_CASE(
      "NASA-iPSC has no walltimes and takes sizes from the allocated processors") {
    const auto nasa = trace("NASA-iPSC-1993-3.1-cln.swf.gz");
    if (!nasa) return;
    CHECK(nasa->jobs.size() == 18'239);
    CHECK(nasa->processors == 128);
    CHECK(nasa->without_walltime() == 18'239);
    CHECK(nasa->outliving_walltime() == 0);
    CHECK(nasa->repairs.at("no_walltime").count == 18'239);
    CHECK(nasa->repairs.at("size_from_allocated").count == 18'239);
    CHECK(nasa->repairs.size() == 2);
    CHECK(nasa->left_out.empty());
    CHECK(zero_lengths(*nasa) == 173);
    CHECK(sizes(*nasa).mean() == doctest::Approx(16.99).epsilon(0.0005));
    CHECK(offered_load(*nasa, 128, unlimited()).value() ==
          doctest::Approx(0.466).epsilon(0.002));
  }

  TEST_CASE("LANL-CM5 has 122,057 jobs and three without processors") {
    const auto lanl = trace("LANL-CM5-1994-4.1-cln.swf.gz");
    if (!lanl) return;
    CHECK(lanl->jobs.size() == 122'057);
    CHECK(lanl->processors == 1024);
    CHECK(lanl->left_out.at("no_processor_count").count == 3);
    CHECK(lanl->left_out.size() == 1);
    CHECK(lanl->without_walltime() == 11'287);
    CHECK(lanl->outliving_walltime() == 40'180);
    CHECK(std::count_if(lanl->recorded.begin(), lanl->recorded.end(),
                        [](const Recorded& r) { return r.used_memory_kib > 0; }) ==
          105'620);
    CHECK(std::count_if(lanl->jobs.begin(), lanl->jobs.end(),
                        [](const Job& job) { return job.memory_kib > 0; }) == 110'770);
    CHECK(load_by_allocation(*lanl, 1024) == doctest::Approx(0.744).epsilon(0.001));
  }

  TEST_CASE("MetaCentrum has 17,898 jobs and two without a run time") {
    const auto meta = trace("MetaCentrum-CERIT-wagap-2013-alea18.swf.gz");
    if (!meta) return;
    CHECK(meta->jobs.size() == 17'898);
    CHECK(meta->processors == 1752);
    CHECK(meta->left_out.at("no_run_time").count == 2);
    CHECK(meta->left_out.size() == 1);
    CHECK(meta->repairs.empty());
    CHECK(meta->outliving_walltime() == 702);
    const auto in_partition = [&](std::int32_t partition) {
      return std::count_if(meta->jobs.begin(), meta->jobs.end(),
                           [&](const Job& job) { return job.partition == partition; });
    };
    CHECK(in_partition(1) + in_partition(2) + in_partition(3) == 17'898);
    CHECK(in_partition(3) == 31);
    CHECK(offered_load(*meta, 1752, unlimited()).value() ==
          doctest::Approx(0.716).epsilon(0.001));
  }
}
