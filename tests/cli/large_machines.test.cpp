// The largest machines and the longest runs that are read: processors times ticks are
// far beyond 64 bits, and every sum is that of exact integers.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/base/interval_set.hpp"
#include "engine/base/json.hpp"
#include "engine/base/places.hpp"
#include "engine/base/time.hpp"
#include "engine/output/number_text.hpp"
#include "study/policies/policy_library.hpp"
#include "tests/support/played.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Large {
  std::string name;
  std::string scenario;  // the machine
  std::int64_t processors;
  std::vector<TraceRow> jobs;
  std::string needs = {};     // a file of needs; empty: none
  std::string workload = {};  // further keys of the workload
};

// As wide as said for long, half of it, and one processor for the longest time that is
// read, with odd numbers so that no digit is round.
std::vector<TraceRow> jobs_of(std::int64_t widest) {
  return {{0, widest, 33'333'333'333, 33'333'333'333, 1},
          {0, widest / 2, 19'999'999'999, 20'000'000'001, 2},
          {1, 1, 99'999'999'999, 99'999'999'999, 3},
          {10'000'000'007, widest / 5 * 4, 12'345'678'901, 12'345'678'901, 1}};
}

constexpr std::int64_t kMost = 10'000'000;

std::string with_sharing(std::int64_t processors, const std::string& sharing) {
  return fmt::format("[machine]\nprocessors = {}\nsharing = \"{}\"\n", processors,
                     sharing);
}

// The largest star and the largest fat tree that there are.
std::vector<Large> networks() {
  constexpr std::int64_t kStar = 150'000 * 64;
  constexpr std::int64_t kFatTree = 64 * 64 * 64 / 4 * 64;
  const std::string slots = "[machine]\nsharing = \"slots\"\n[machine.network]\n";
  return {
      {"star", slots + "topology = \"star\"\nservers = 150000\nslots = 64\n", kStar,
       jobs_of(kStar), "", "bandwidth = 1\n"},
      {"fat_tree",
       slots + "topology = \"fat_tree\"\nk = 64\nslots = 64\nlink_rate = 1000000\n",
       kFatTree, jobs_of(kFatTree), "", "bandwidth = 1\n"},
  };
}

// Every policy runs on these.  Some policies for tiers and hosts shared by fractions
// look at every processor or host at every decision: there fewer of them have to do,
// times 10^17 ticks still more than 64 bits hold.
std::vector<Large> machines() {
  constexpr std::int64_t kTiers = 10'000;
  constexpr std::int64_t kShared = 1'000;
  std::vector<Large> all{
      {"plain", "[machine]\nprocessors = 10000000\n", kMost, jobs_of(kMost)},
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
      {"two_tier", with_sharing(kTiers, "two_tier"), kTiers, jobs_of(100)},
      {"fractional", with_sharing(kShared, "fractional"), kShared, jobs_of(20)},
  };
  for (auto& network : networks()) all.push_back(std::move(network));
  return all;
}

// Of 10^7 processors or hosts with jobs of 1000: a job of 10^7 processes takes seconds
// a run, since each of them is drawn, placed and written.
std::vector<Large> largest_shared() {
  return {
      {"two_tier", with_sharing(kMost, "two_tier"), kMost, jobs_of(1'000)},
      {"fractional", with_sharing(kMost, "fractional"), kMost, jobs_of(1'000)},
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

// What jobs.csv or stretches.csv says of a job at one place: it held its processors
// there.
struct Held {
  std::size_t job;  // number, from 0
  Time from;
  Time to;
  // Slots, hosts or processors; a host is there as often as tasks sit on it.
  std::vector<Interval> places;
};

std::vector<Interval> places_of(const std::string& text) {
  std::vector<Interval> parts;
  REQUIRE(read_places(text, PlaceForm::kNumbers, std::nullopt, parts).empty());
  return parts;
}

// How many numbers there are in at least one of them.
std::int64_t count_once(std::vector<Interval> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::int64_t count = 0;
  std::int64_t next = 0;  // all before it are counted
  for (const auto& part : parts) {
    const auto first = std::max<std::int64_t>(next, part.first);
    count += std::max<std::int64_t>(0, part.last + 1 - first);
    next = std::max<std::int64_t>(next, part.last + 1);
  }
  return count;
}

// Where stretches.csv tells of no job, jobs.csv says it all.
std::vector<Held> held_in(const std::string& out) {
  auto stretches = columns_of(text_of_file(out + "/stretches.csv"));
  const bool is_told = !stretches["job_id"].empty();
  auto rows = is_told ? stretches : columns_of(text_of_file(out + "/jobs.csv"));
  const auto& from = rows[is_told ? "from" : "starting_time"];
  const auto& to = rows[is_told ? "to" : "finish_time"];
  const auto& places = rows[is_told ? "resources" : "allocated_resources"];
  std::vector<Held> held;
  for (std::size_t i = 0; i < rows["job_id"].size(); ++i) {
    const bool is_away = is_told ? rows["kind"][i] == "suspended" : from[i].empty();
    if (is_away) continue;
    held.push_back({std::stoul(rows["job_id"][i]) - 1, ticks_of(from[i]),
                    ticks_of(to[i]), places_of(places[i])});
  }
  return held;
}

// Processors with at least one job, times ticks: jobs may share hosts and processors,
// so this is not the sum over the jobs.
Int128 used_in(const std::vector<Held>& held) {
  std::set<Time> cuts;
  for (const auto& each : held) cuts.insert({each.from, each.to});
  Int128 used = 0;
  for (auto cut = cuts.begin(); cut != cuts.end() && std::next(cut) != cuts.end();
       ++cut) {
    std::vector<Interval> together;
    for (const auto& each : held) {
      if (each.from > *cut || each.to <= *cut) continue;
      together.insert(together.end(), each.places.begin(), each.places.end());
    }
    used += Int128{count_once(std::move(together))} * (*std::next(cut) - *cut);
  }
  return used;
}

void check_users(const Large& machine, const std::vector<Held>& held,
                 const std::string& out) {
  std::map<std::string, Int128> held_by;
  for (const auto& each : held) {
    const auto& row = machine.jobs[each.job];
    held_by[fmt::format("{}", row.user)] += Int128{row.size} * (each.to - each.from);
  }
  auto users = columns_of(text_of_file(out + "/users.csv"));
  REQUIRE(users["user"].size() == held_by.size());
  for (std::size_t i = 0; i < users["user"].size(); ++i) {
    CHECK(users["processor_seconds"][i] ==
          ratio_text(total_seconds(held_by.at(users["user"][i]))));
  }
}

// What the results say against sums of exact integers over the rows of jobs.csv and
// stretches.csv.
void check_sums(const Large& machine, const std::string& out) {
  auto jobs = columns_of(text_of_file(out + "/jobs.csv"));
  REQUIRE(jobs["job_id"].size() == machine.jobs.size());
  const auto held = held_in(out);
  check_users(machine, held, out);
  Int128 waits = 0;
  std::int64_t finished = 0;
  Time last = 0;
  for (std::size_t i = 0; i < machine.jobs.size(); ++i) {
    const auto& row = machine.jobs[std::stoul(jobs["job_id"][i]) - 1];
    if (jobs["starting_time"][i].empty()) continue;  // it was rejected
    ++finished;
    waits += ticks_of(jobs["starting_time"][i]) - seconds(row.submit);
    last = std::max(last, ticks_of(jobs["finish_time"][i]));
  }
  REQUIRE(finished > 0);
  const auto summary = text_of_file(out + "/summary.json");
  const auto says = [&](const std::string& metric, double value) {
    const auto part = fmt::format("\"{}\": {{\n", metric);
    const auto at = summary.find(part);
    REQUIRE(at != std::string::npos);
    const auto number = summary.find("\"value\": ", at);
    CHECK_MESSAGE(std::stod(summary.substr(number + 9)) == value, metric);
  };
  const auto offered = Int128{machine.processors} * (last - machine.jobs[0].submit);
  says("utilisation",
       static_cast<double>(used_in(held)) / static_cast<double>(offered));
  says("mean_wait", total_seconds(waits) / static_cast<double>(finished));
}

// Writes the scenario and its files; where it is.
std::string written(const ScratchFolder& folder, const Large& machine) {
  (void)folder.file("jobs.swf", swf_text(machine.jobs));
  auto text =
      machine.scenario + "[workload]\ntrace = \"jobs.swf\"\n" + machine.workload;
  if (!machine.needs.empty()) {
    (void)folder.file("needs.csv", machine.needs);
    text += "needs = \"needs.csv\"\n";
  }
  return folder.file("case.toml", text);
}

// Work units of one decision, the guard of the time that the case takes: an exact
// search over 10^7 hosts, say, ends there, with exit 5.
constexpr auto kWork = "300000000";

// Audits of each run: both, or in an instrumented build one of them in turn.
constexpr int kAudits = kIsOptimised ? 2 : 1;

// How many runs came to their end.
int run_and_check(const Large& machine, const std::vector<std::string>& policies) {
  CAPTURE(machine.name);
  const ScratchFolder folder;
  const auto scenario = written(folder, machine);
  int ran = 0;
  int turn = 0;
  for (const auto& policy : policies) {
    CAPTURE(policy);
    for (int i = 0; i < kAudits; ++i) {
      const char* audit = turn++ % 2 == 0 ? "full" : "light";
      const auto out = (folder.path() / audit).string();
      const auto said = berth_says({"run", scenario, "--policy", policy, "--audit",
                                    audit, "--time-limit", "0", "--work-limit", kWork,
                                    "--force", "--out", out});
      // A policy may be for another kind of machine, which is exit 4.
      CHECK_MESSAGE((said.code == 0 || said.code == 4), said.err);
      if (said.code != 0) continue;
      ++ran;
      check_sums(machine, out);
    }
  }
  MESSAGE(machine.name << ": " << ran << " runs");
  return ran;
}

// Each passes 10^11 s in steps of 10^9 s, not of its own seconds.
std::vector<std::string> all_policies() {
  auto names = study::PolicyLibrary::standard().names();
  for (auto& name : names) {
    if (name == "dfrs") name += ":period=1e9";
  }
  return names;
}

}  // namespace

TEST_SUITE("cli/large_machines") {
  TEST_CASE("10^7 processors, fewer where they are shared, for 10^11 s: every policy") {
    for (const auto& machine : machines()) {
      CHECK(run_and_check(machine, all_policies()) > 10 * kAudits);
    }
  }

  TEST_CASE("10^7 processors in two tiers, and hosts shared by fractions") {
    const auto all = largest_shared();
    CHECK(run_and_check(all[0], {"easy", "keasy", "measy"}) == 3 * kAudits);
    CHECK(run_and_check(all[1], {"easy", "gang", "mcb"}) == 3 * kAudits);
  }

  TEST_CASE("what a run of 10^7 processors for 10^11 s wrote is verified to the tick") {
    for (const auto& machine : machines()) {
      CAPTURE(machine.name);
      const ScratchFolder folder;
      const auto scenario = written(folder, machine);
      const auto out = folder.path() / "out";
      REQUIRE(berth_says({"run", scenario, "--policy", "sjf", "--out", out.string()})
                  .code == 0);
      const auto said =
          berth_says({"verify", scenario, "--schedule", (out / "jobs.csv").string()});
      CHECK_MESSAGE(said.code == 0, (said.out + said.err));
      CHECK(said.out.find("every rule holds") != std::string::npos);
    }
  }

  // One KiB more than half of a host beside half of it; the other pair fills the host.
  TEST_CASE("a host of 4 TiB takes what fits to the KiB, under every policy") {
    const ScratchFolder folder;
    (void)folder.file(
        "jobs.swf",
        swf_text({{0, 1, 100}, {0, 1, 100}, {1000, 1, 100}, {1000, 1, 100}}));
    (void)folder.file("needs.csv",
                      "job_id,cpu,memory\n1,0.1,0.5\n2,0.1,0.5000000003\n3,0.1,0.5\n"
                      "4,0.1,0.5\n");
    const auto scenario = folder.file(
        "case.toml", with_sharing(1, "fractional") +
                         "[machine.fractional]\nmemory = 4096\n[workload]\ntrace = "
                         "\"jobs.swf\"\nneeds = \"needs.csv\"\n");
    int ran = 0;
    for (const auto& policy : all_policies()) {
      CAPTURE(policy);
      const auto out = folder.path() / "out";
      const auto said = berth_says({"run", scenario, "--policy", policy, "--audit",
                                    "full", "--force", "--out", out.string()});
      CHECK_MESSAGE((said.code == 0 || said.code == 4), said.err);
      if (said.code != 0) continue;
      ++ran;
      auto jobs = columns_of(text_of_file((out / "jobs.csv").string()));
      std::map<std::string, Time> starts;
      for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
        const auto& start = jobs["starting_time"][i];
        // One policy turns jobs away that would have to wait.
        const bool is_rejected = jobs["final_state"][i] == "REJECTED";
        REQUIRE((is_rejected || !start.empty()));
        if (!is_rejected) starts[jobs["job_id"][i]] = ticks_of(start);
      }
      CHECK((!starts.contains("2") || starts["1"] != starts["2"]));
      CHECK(starts.at("3") == starts.at("4"));
    }
    // Those that expect ends of jobs are for other machines once a job has to wait.
    CHECK(ran >= 20);
  }
}
