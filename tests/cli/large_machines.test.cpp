// The largest machines and the longest runs that are read: processors times ticks are
// far beyond 64 bits, and every sum is that of exact integers.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "engine/base/json.hpp"
#include "engine/base/time.hpp"
#include "engine/output/number_text.hpp"
#include "study/policies/policy_library.hpp"
#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Large {
  std::string name;
  std::string scenario;  // the machine
  std::int64_t processors;
  std::vector<TraceRow> jobs;
  std::string needs;  // empty: none
};

// As wide as said for long, half of it, and one processor for the longest time that is
// read, with odd numbers so that no digit is round.
std::vector<TraceRow> jobs_of(std::int64_t widest) {
  return {{0, widest, 33'333'333'333, 33'333'333'333, 1},
          {0, widest / 2, 19'999'999'999, 20'000'000'001, 2},
          {1, 1, 99'999'999'999, 99'999'999'999, 3},
          {10'000'000'007, widest / 5 * 4, 12'345'678'901, 12'345'678'901, 1}};
}

// Policies for tiers keep every processor: there 10^4 of them have to do, which times
// 10^17 ticks are still above 2^64.
std::vector<Large> machines() {
  constexpr std::int64_t kMost = 10'000'000;
  constexpr std::int64_t kKept = 10'000;
  return {
      {"plain", "[machine]\nprocessors = 10000000\n", kMost, jobs_of(kMost), ""},
      {"pool",
       "[machine]\nprocessors = 10000000\nmemory = 4294967296\n[machine.resources]\n"
       "licence = 4503599627370496\n",
       kMost, jobs_of(kMost),
       "job_id,memory,licence\n1,4294967296,4503599627370496\n2,99.9,7\n"
       "3,0.1,1\n4,4294967295.3,4503599627370495\n"},
      {"hosts",
       "[machine.hosts.a]\ncount = 1000\nprocessors = 10000\nmemory = 4294967\n"
       "resources = { gpu = 4503599627370 }\n",
       kMost, jobs_of(kMost),
       "job_id,processors,memory,gpu\n1,10000,4294967,4503599627370\n"
       "2,10000,99.9,7\n3,1,0.1,1\n4,10000,4294966.7,4503599627370\n"},
      {"two_tier", "[machine]\nprocessors = 10000\nsharing = \"two_tier\"\n", kKept,
       jobs_of(100), ""},
  };
}

// Digit by digit: the times are beyond what a double holds.
Time ticks_of(const std::string& text) {
  const auto point = text.find('.');
  const Time whole = seconds(std::stoll(text.substr(0, point)));
  if (point == std::string::npos) return whole;
  auto digits = text.substr(point + 1);
  digits.resize(6, '0');
  return whole + std::stoll(digits);
}

// What the results say against sums of exact integers over the rows of jobs.csv.
void check_sums(const Large& machine, const std::string& out) {
  auto jobs = columns_of(text_of_file(out + "/jobs.csv"));
  REQUIRE(jobs["job_id"].size() == machine.jobs.size());
  std::map<std::string, Int128> held_by;
  Int128 held = 0;
  Int128 waits = 0;
  std::int64_t finished = 0;
  Time first = kNever;
  Time last = 0;
  for (std::size_t i = 0; i < machine.jobs.size(); ++i) {
    const auto& row = machine.jobs[std::stoul(jobs["job_id"][i]) - 1];
    if (jobs["starting_time"][i].empty()) continue;  // it was rejected
    ++finished;
    const Time start = ticks_of(jobs["starting_time"][i]);
    const Time end = ticks_of(jobs["finish_time"][i]);
    const auto held_for = end - start - ticks_of(jobs["suspended_time"][i]);
    const auto own = Int128{row.size} * held_for;
    held_by[fmt::format("{}", row.user)] += own;
    held += own;
    waits += start - seconds(row.submit);
    first = std::min(first, seconds(row.submit));
    last = std::max(last, end);
  }
  auto users = columns_of(text_of_file(out + "/users.csv"));
  REQUIRE(users["user"].size() == held_by.size());
  for (std::size_t i = 0; i < users["user"].size(); ++i) {
    CHECK(users["processor_seconds"][i] ==
          ratio_text(total_seconds(held_by.at(users["user"][i]))));
  }
  const auto summary = text_of_file(out + "/summary.json");
  const auto offered = Int128{machine.processors} * (last - first);
  const auto says = [&](const std::string& metric, double value) {
    const auto part = fmt::format("\"{}\": {{\n", metric);
    const auto at = summary.find(part);
    REQUIRE(at != std::string::npos);
    const auto number = summary.find("\"value\": ", at);
    CHECK_MESSAGE(std::stod(summary.substr(number + 9)) == value, metric);
  };
  says("utilisation", static_cast<double>(held) / static_cast<double>(offered));
  says("mean_wait", total_seconds(waits) / static_cast<double>(finished));
}

}  // namespace

TEST_SUITE("cli/large_machines") {
  TEST_CASE(
      "10^7 processors for 10^11 s, 10^4 with two tiers: every policy, both audits") {
    std::map<std::string, int> ran;
    for (const auto& machine : machines()) {
      CAPTURE(machine.name);
      const ScratchFolder folder;
      (void)folder.file("jobs.swf", swf_text(machine.jobs));
      auto text = machine.scenario + "[workload]\ntrace = \"jobs.swf\"\n";
      if (!machine.needs.empty()) {
        (void)folder.file("needs.csv", machine.needs);
        text += "needs = \"needs.csv\"\n";
      }
      const auto scenario = folder.file("case.toml", text);
      for (const auto& policy : study::PolicyLibrary::standard().names()) {
        CAPTURE(policy);
        for (const char* audit : {"light", "full"}) {
          const auto out = (folder.path() / (policy + audit)).string();
          const auto said = berth_says({"run", scenario, "--policy", policy, "--audit",
                                        audit, "--time-limit", "0", "--out", out});
          // A policy may be for another kind of machine, which is exit 4.
          CHECK_MESSAGE((said.code == 0 || said.code == 4), said.err);
          if (said.code != 0) continue;
          ++ran[machine.name];
          check_sums(machine, out);
        }
      }
    }
    for (const auto& [name, runs] : ran) MESSAGE(name << ": " << runs << " runs");
    CHECK(ran.size() == machines().size());
  }
}
