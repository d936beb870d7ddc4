#include "engine/metrics/job_class.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"

using namespace berth;

namespace {

Job job(std::int32_t size, std::int64_t walltime, std::int32_t user = 1) {
  Job made;
  made.size = size;
  made.walltime = seconds(walltime);
  made.length = seconds(walltime / 2);
  made.user = user;
  return made;
}

std::string reason(std::string_view name, std::string_view condition) {
  const auto made = JobClass::parse(name, condition);
  return made ? "" : made.reason();
}

}  // namespace

TEST_SUITE("metrics/job_class") {
  TEST_CASE("all conditions of a class must hold") {
    const auto one = JobClass::parse("short_wide", "walltime <= 1h and size >= 64");
    REQUIRE(one);
    CHECK(one.value().has(job(64, 3600)));
    CHECK_FALSE(one.value().has(job(63, 3600)));
    CHECK_FALSE(one.value().has(job(64, 3601)));
    CHECK(one.value().condition() == "walltime <= 1h and size >= 64");
  }

  TEST_CASE("each comparison is what it says") {
    const auto holds = [](std::string_view condition) {
      return JobClass::parse("c", condition).value().has(job(8, 60, 3));
    };
    CHECK(holds("size == 8"));
    CHECK(holds("size != 7"));
    CHECK(holds("area == 240"));
    CHECK(holds("user<4"));
    CHECK(holds("user > 2"));
    CHECK(holds("walltime >= 60"));
    CHECK_FALSE(holds("walltime < 1m"));
    CHECK(holds("queue == -1"));
  }

  TEST_CASE("what is no condition is refused with the reason") {
    CHECK(reason("c", "sise > 3") ==
          "'sise' is no field of a job (did you mean 'size'?): size, walltime, length, "
          "area, user, group, queue, executable, partition");
    CHECK(reason("c", "size 3") ==
          "'size 3' is no condition such as \"walltime <= 1h\"");
    CHECK(reason("c", "size > many") == "'many' is no number");
    CHECK(reason("c", "size > 10m") == "'10m' is no number");
    CHECK(reason("c", "size > 3 and ") != "");
    CHECK(reason("a@b", "size > 3") != "");
    CHECK(reason("", "size > 3") != "");
  }

  TEST_CASE("a field makes a class of each of its values, unknown ones none") {
    JobClasses classes;
    classes.add(JobClass::parse("wide", "size > 4").value());
    CHECK(classes.split_by("user"));
    CHECK_FALSE(classes.split_by("walltime"));
    std::vector<Job> jobs;
    for (const auto user : {7, 3, kUnknown, 7}) jobs.push_back(job(1, 60, user));
    const auto all = classes.of(jobs);
    REQUIRE(all.size() == 3);
    CHECK(all[0].name() == "wide");
    CHECK(all[1].name() == "user=3");
    CHECK(all[2].name() == "user=7");
    CHECK(all[2].has(jobs[0]));
    CHECK_FALSE(all[2].has(jobs[1]));
    CHECK(classes.knows("user=9"));
    CHECK(classes.knows("wide"));
    CHECK_FALSE(classes.knows("size=9"));
    CHECK_FALSE(classes.knows("narrow"));
  }

  TEST_CASE("a class of the same name replaces the one before") {
    JobClasses classes;
    classes.add(JobClass::parse("wide", "size > 4").value());
    classes.add(JobClass::parse("wide", "size > 8").value());
    REQUIRE(classes.named().size() == 1);
    CHECK(classes.named()[0].condition() == "size > 8");
  }

  TEST_CASE("more than a thousand classes are refused") {
    JobClasses classes;
    CHECK(classes.split_by("user"));
    std::vector<Job> jobs;
    for (std::int32_t user = 0; user < 1001; ++user) jobs.push_back(job(1, 60, user));
    CHECK_THROWS_AS((void)classes.of(jobs), Error);
  }
}
