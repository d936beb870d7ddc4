#include "engine/workload/swf_writer.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/jobs/label.hpp"
#include "engine/workload/lublin.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::string written(const Workload& workload, const SwfHeading& heading = {}) {
  std::string text;
  write_swf(
      workload, heading, [&](std::string_view piece) { text += piece; }, unlimited());
  return text;
}

bool same_job(const Job& a, const Job& b) {
  return a.id == b.id && a.submit == b.submit && a.length == b.length &&
         a.walltime == b.walltime && a.walltime_given == b.walltime_given &&
         a.size == b.size && a.memory_kib == b.memory_kib && a.user == b.user &&
         a.group == b.group && a.executable == b.executable &&
         a.queue_class == b.queue_class && a.partition == b.partition;
}

void check_same(const Workload& a, const Workload& b) {
  CHECK(
      std::equal(a.jobs.begin(), a.jobs.end(), b.jobs.begin(), b.jobs.end(), same_job));
  CHECK(a.recorded == b.recorded);
  CHECK(a.processors == b.processors);
  CHECK(a.unix_start == b.unix_start);
}

class Draws {
 public:
  explicit Draws(unsigned seed) : engine_(seed) {}

  Workload workload() {
    Workload workload;
    if (engine_() % 2) workload.processors = number();
    if (engine_() % 2) workload.unix_start = number();
    for (int i = 0; i < 40; ++i) {
      workload.jobs.push_back(job(i));
      workload.recorded.push_back({time(), number(), real(), number(), status()});
    }
    put_in_order(workload, unlimited());
    return workload;
  }

 private:
  Job job(std::int64_t id) {
    Job job;
    job.id = id * 1'000'003 % 4099;
    job.submit = time();
    job.length = time();
    job.walltime_given = engine_() % 3 > 0;
    job.walltime = job.walltime_given ? time() + 1 : job.length;
    job.size = number();
    job.memory_kib = engine_() % 2 ? number() : kUnknown;
    job.user = label();
    job.queue_class = engine_() % 2 ? label() : kUnknown;
    job.partition = label();
    return job;
  }

  // Of every magnitude up to 2^53.
  std::int32_t label() {
    return label_code(
        static_cast<std::int64_t>((engine_() >> 11U) >> (engine_() % 53)));
  }
  // A line of status 2, 3 or 4 is no job.
  std::int32_t status() { return 5 + number() / 2; }
  // Of every magnitude, up to some 3,000 years.
  Duration time() {
    return static_cast<Duration>((engine_() >> 8U) >> (engine_() % 56));
  }
  std::int32_t number() {
    return static_cast<std::int32_t>((engine_() >> 33U) >> (engine_() % 31)) | 1;
  }
  double real() { return static_cast<double>(engine_()) / 1e9; }

  std::mt19937_64 engine_;
};

}  // namespace

TEST_SUITE("workload/swf_writer") {
  TEST_CASE("the text has a header, then one line for each job") {
    Workload workload;
    workload.processors = 64;
    workload.unix_start = 843480031;
    Job job;
    job.id = 7;
    job.submit = 1'500'000;
    job.length = seconds(60);
    job.walltime = seconds(120);
    job.size = 8;
    job.user = 3;
    workload.jobs.push_back(job);
    job.id = 8;
    job.walltime_given = false;
    workload.jobs.push_back(job);
    CHECK(written(workload, {"a cluster", {"made up", "two\nlines"}}) ==
          "; Version: 2.2\n"
          "; Computer: a cluster\n"
          "; MaxJobs: 2\n"
          "; MaxRecords: 2\n"
          "; MaxProcs: 64\n"
          "; UnixStartTime: 843480031\n"
          "; Note: made up\n"
          "; Note: two\\x0alines\n"
          "7 1.5 -1 60 -1 -1 -1 8 120 -1 -1 3 -1 -1 -1 -1 -1 -1\n"
          "8 1.5 -1 60 -1 -1 -1 8 -1 -1 -1 3 -1 -1 -1 -1 -1 -1\n");
  }

  TEST_CASE("a written workload is read back unchanged") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
      CAPTURE(seed);
      const Workload workload = Draws(seed).workload();
      const Workload read = parse(written(workload));
      check_same(workload, read);
      CHECK(read.left_out.empty());
      CHECK(written(read) == written(workload));
    }
  }

  TEST_CASE("a workload without records is read with unknown records") {
    Workload workload = Draws(1).workload();
    workload.recorded.clear();
    const Workload read = parse(written(workload));
    CHECK(read.recorded == std::vector<Recorded>(workload.jobs.size()));
  }

  TEST_CASE("long texts come in pieces that join to the same") {
    const Workload workload = lublin_workload({.jobs = 10'000}, 3, unlimited());
    std::string joined;
    int pieces = 0;
    write_swf(
        workload, {},
        [&](std::string_view piece) {
          joined += piece;
          ++pieces;
        },
        unlimited());
    CHECK(pieces > 5);
    Workload read = parse(joined);
    CHECK(std::equal(workload.jobs.begin(), workload.jobs.end(), read.jobs.begin(),
                     read.jobs.end(), same_job));
  }

  TEST_CASE("a real trace is written and read back unchanged") {
    for (const std::string file :
         {"KTH-SP2-1996-2.1-cln.swf.gz", "LANL-CM5-1994-4.1-cln.swf.gz"}) {
      const auto path = shared_data("traces/" + file);
      if (!path) return;
      const Workload workload = parse_file(*path);
      check_same(workload, parse(written(workload)));
    }
  }
}
