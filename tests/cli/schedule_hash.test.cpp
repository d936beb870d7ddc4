// schedule_hash of summary.json: the values of docs/model.md, those of a real trace,
// and the same as a reader of jobs.csv computes.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"

namespace {

using berth::test::berth_says;
using Hashes = std::map<std::string, std::string>;

// Of each policy, as `berth run --json=runs` prints it.
Hashes hashes_of(std::vector<std::string> arguments,
                 const std::vector<std::string>& policies) {
  arguments.insert(arguments.begin(), "run");
  arguments.emplace_back("--json=runs");
  for (const auto& policy : policies) {
    arguments.emplace_back("--policy");
    arguments.push_back(policy);
  }
  const auto said = berth_says(arguments);
  CAPTURE(said.err);
  REQUIRE(said.code == 0);
  Hashes found;
  for (const auto& run : nlohmann::json::parse(said.out)) {
    found[run["policy"]] = run["schedule_hash"];
  }
  return found;
}

// A job that starts at once, runs for `length` and has no user.
std::string line(int id, int submit, const std::string& length) {
  return fmt::format("{} {} -1 {} 1 -1 -1 1 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n", id,
                     submit, length);
}

std::uint64_t mixed(std::uint64_t x) {  // SplitMix64
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// From the columns of jobs.csv alone.
std::string hash_of_rows(const std::string& csv) {
  std::istringstream rows(csv);
  std::string row;
  std::getline(rows, row);
  std::uint64_t sum = 0;
  while (std::getline(rows, row)) {
    std::istringstream cells(row);
    std::vector<std::string> of(11);
    for (auto& cell : of) std::getline(cells, cell, ',');
    if (!of[7].starts_with("COMPLETED")) continue;
    const auto start = *berth::ticks_from_seconds(std::stod(of[8]));
    const auto end = *berth::ticks_from_seconds(std::stod(of[10]));
    sum += mixed(mixed(mixed(std::stoull(of[0])) + static_cast<std::uint64_t>(start)) +
                 static_cast<std::uint64_t>(end));
  }
  return fmt::format("{:016x}", sum);
}

}  // namespace

TEST_SUITE("cli/schedule_hash") {
  TEST_CASE("of no job, of one and of two it is what the documentation says") {
    const berth::test::ScratchFolder folder;
    const auto of = [&](const std::string& lines) {
      const auto trace = folder.file("t.swf", "; MaxProcs: 4\n" + lines);
      return hashes_of({"--trace", trace, "--processors", "4"}, {"fcfs"})["fcfs"];
    };
    const std::string too_wide = "3 0 -1 5 9 -1 -1 9 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    const auto one = line(1, 0, "10");
    CHECK(of(too_wide) == "0000000000000000");
    CHECK(of(one + too_wide) == "597c96a8a682afb4");
    CHECK(of(one + line(2, 5, "2.5")) == "051abb87eafa7bea");
  }

  TEST_CASE("it can be computed from jobs.csv, of killed and suspended jobs, too") {
    const berth::test::ScratchFolder folder;
    const auto scenario = folder.file(
        "s.toml",
        "seed = 3\n[machine]\nprocessors = 16\nsharing = \"two_tier\"\noverrun = "
        "\"kill\"\n[workload]\nmodel = \"lublin\"\njobs = 300\nload = 0.9\n[run]\n"
        "policies = [\"fcfs\", \"easy\", \"measy\"]\n");
    const auto out = folder.path() / "out";
    REQUIRE(berth_says({"run", scenario, "--out", out.string()}).code == 0);
    std::map<std::string, int> different;
    for (const auto* policy : {"fcfs", "easy", "measy"}) {
      const auto summary = nlohmann::json::parse(
          berth::test::text_of_file(out / policy / "summary.json"));
      const std::string hash = summary["schedule_hash"];
      CHECK(hash == hash_of_rows(berth::test::text_of_file(out / policy / "jobs.csv")));
      ++different[hash];
    }
    CHECK(different.size() == 3);
  }

  TEST_CASE("each run of a sweep has it, whatever the number of threads") {
    const berth::test::ScratchFolder folder;
    const auto scenario = folder.file(
        "s.toml",
        "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\njobs = 100\nload "
        "= "
        "0.9\n[run]\npolicies = [\"fcfs\", \"easy\"]\n[sweep]\nseed = [1, 2]\n");
    const auto hashes = [&](const char* name, const char* threads) {
      const auto out = folder.path() / name;
      const auto said =
          berth_says({"sweep", scenario, "--out", out.string(), "-j", threads});
      CAPTURE(said.err);
      REQUIRE(said.code == 0);
      std::map<std::string, std::string> found;
      for (const auto& each : std::filesystem::recursive_directory_iterator(out)) {
        if (each.path().filename() != "summary.json") continue;
        const auto text = berth::test::text_of_file(each.path());
        found[each.path().lexically_relative(out).string()] =
            nlohmann::json::parse(text)["schedule_hash"];
      }
      return found;
    };
    const auto by_one = hashes("one", "1");
    CHECK(by_one.size() == 4);
    CHECK(by_one == hashes("two", "2"));
    for (const auto& [file, hash] : by_one) CHECK(hash != "0000000000000000");
  }

  TEST_CASE("of KTH it is the same for four policies as in other implementations") {
    const auto trace = berth::test::shared_data("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    if (!trace) return;
    const auto found = hashes_of({"--trace", trace->string()},
                                 {"easy", "fcfs", "sjf", "conservative"});
    CHECK(found == Hashes{{"easy", "29f51f37374d5bdf"},
                          {"fcfs", "1cc0d826417438ac"},
                          {"sjf", "b6b5630188fc13b2"},
                          {"conservative", "70e7130b09ab6a21"}});
  }
}
