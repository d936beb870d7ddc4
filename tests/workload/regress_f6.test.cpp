// F6, F7: two jobs of 6e10 s ended in a failed assertion; 199 of 1e11 s made times
// saturate, and the audit blamed the policy: the run stops them now, not the reader
// (tests/policies/clock_end.test.cpp).  Headers that held no number were passed
// over, so that another header, or none, gave the size of the machine.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::string job(int id, const char* length, const char* walltime) {
  return fmt::format("{} 0 -1 {} 8 -1 -1 8 {} -1 1 1 1 1 1 1 -1 -1\n", id, length,
                     walltime);
}

std::string jobs(int count, const char* length, const char* walltime) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += job(i, length, walltime);
  return text;
}

std::string error_in(const std::string& text) {
  return error_of([&] { (void)parse(text); });
}

}  // namespace

TEST_SUITE("workload/regress_f6") {
  TEST_CASE("jobs are read whatever their times add up to") {
    CHECK(parse(jobs(2, "60000000000", "60000000000")).jobs.size() == 2);
    CHECK(parse(jobs(199, "99999999999", "99999999999")).jobs.size() == 199);
    CHECK(parse(jobs(199, "1", "99999999999")).jobs.size() == 199);
  }

  TEST_CASE("a header that is used and holds no number is an error with its place") {
    constexpr auto kNoNumber =
        "not a whole number; write one, or -1 where it is not known";
    struct Case {
      const char* header;
      std::string error;
    };
    for (const auto& each :
         {Case{"; MaxProcs: many\n; MaxNodes: 16\n",
               std::string("x.swf:1:13: MaxProcs: many is ") + kNoNumber},
          {"; MaxProcs: 64\n; MaxNodes: 1,024\n", ""},
          {"; MaxProcs:\n", std::string("x.swf:1:12: MaxProcs:  is ") + kNoNumber},
          {"; MaxNodes: 4.5\n",
           std::string("x.swf:1:13: MaxNodes: 4.5 is ") + kNoNumber},
          {"; MaxProcs: 0\n; MaxNodes: 16\n",
           "x.swf:1:13: MaxProcs: 0 is out of range"},
          {"; MaxProcs: -7\n", "x.swf:1:13: MaxProcs: -7 is out of range"},
          {"; UnixStartTime: Mon Jan 1\n",
           std::string("x.swf:1:18: UnixStartTime: Mon Jan 1 is ") + kNoNumber}}) {
      CAPTURE(each.header);
      CHECK(error_in(each.header + jobs(1, "5", "5")) == each.error);
    }
  }

  TEST_CASE("an unknown start of the trace is none") {
    CHECK_FALSE(parse("; UnixStartTime: -1\n" + jobs(1, "5", "5")).unix_start);
    CHECK(parse("; UnixStartTime: 0\n" + jobs(1, "5", "5")).unix_start == 0);
  }
}
