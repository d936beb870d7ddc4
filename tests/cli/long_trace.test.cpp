#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "engine/base/random_stream.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/environment.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

using test::berth_says;
using test::Said;

// Jobs of a few users, in no order of time or number, some without a size.
std::string disorderly_trace(std::uint32_t jobs) {
  auto engine = random_stream(5, "test.long_trace");
  std::vector<std::string> lines;
  for (std::uint32_t id = 1; id <= jobs; ++id) {
    const auto length = 1 + engine() % 400;
    const auto size = id % 41 == 0 ? -1 : 1 + static_cast<int>(engine() % 10);
    lines.push_back(fmt::format("{} {} -1 {} {} -1 -1 {} {} -1 1 {} 1 1 1 1 -1 -1\n",
                                id, (engine() % 4) + id * 300, length, size, size,
                                length + engine() % 900, engine() % 7));
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::swap(lines[i], lines[engine() % (i + 1)]);
  }
  std::string text = "; MaxProcs: 9\n";
  for (const auto& line : lines) text += line;
  return text;
}

// Every file below the folder but timing.json, by name.
std::map<std::string, std::string> results(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "timing.json") continue;
    all[fs::relative(entry.path(), folder).string()] = test::text_of_file(entry.path());
  }
  return all;
}

// What a scenario prints and writes with this many jobs in memory.
struct Results {
  Said said;
  std::map<std::string, std::string> files;
};

Results run(const std::string& scenario, const char* in_memory) {
  const test::Variable kept("BERTH_JOBS_IN_MEMORY", in_memory);
  const test::ScratchFolder scratch;
  const auto out = scratch.path() / "out";
  const auto said = berth_says({"run", scenario, "--out", out.string()});
  CAPTURE(said.err);
  REQUIRE(said.code == 0);
  auto found = results(out);
  return {{said.code, {}, said.err}, std::move(found)};
}

// Few enough that every array of a run is a file and is sorted in many runs.
void check_files_change_nothing(const std::string& scenario) {
  const auto in_memory = run(scenario, "1000000");
  CHECK(in_memory.files.size() > 4);
  for (const auto* kept : {"0", "100"}) {
    CAPTURE(kept);
    const auto in_files = run(scenario, kept);
    CHECK(in_files.said.err == in_memory.said.err);
    REQUIRE(in_files.files.size() == in_memory.files.size());
    for (const auto& file : in_memory.files) {
      const auto& name = file.first;
      const auto& text = file.second;
      CAPTURE(name);
      CHECK(in_files.files.at(name) == text);
    }
  }
}

}  // namespace

TEST_SUITE("cli/long_trace") {
  TEST_CASE(
      "a trace in a file gives the bytes of one in memory, whatever is done to it") {
    const test::ScratchFolder scratch;
    static_cast<void>(scratch.file("t.swf", disorderly_trace(900)));
    check_files_change_nothing(scratch.file(
        "s.toml",
        fmt::format(
            "[workload]\ntrace = \"{}\"\nfrom = 3000\nto = 200000\nfirst = 500\n"
            "repeat = 3\nestimates = \"factor\"\nload = 0.85\n"
            "[run]\npolicies = [\"fcfs\", \"easy\", \"conservative\"]\n"
            "weight = \"area\"\nmeasure = \"steady\"\n",
            (scratch.path() / "t.swf").string())));
  }

  TEST_CASE("so does one whose jobs lose time") {
    const test::ScratchFolder scratch;
    check_files_change_nothing(
        scratch.file("s.toml",
                     "seed = 7\n[machine]\nprocessors = 32\nsharing = \"two_tier\"\n"
                     "[workload]\nmodel = \"lublin\"\njobs = 300\nload = 0.7\n"
                     "estimates = \"tsafrir\"\n"
                     "[run]\npolicies = [\"easy\", \"keasy\", \"measy\"]\n"));
  }

  TEST_CASE("so does a sweep that compares jobs in batches") {
    const test::ScratchFolder scratch;
    check_files_change_nothing(
        scratch.file("s.toml",
                     "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\n"
                     "jobs = 400\n[run]\npolicies = [\"fcfs\", \"easy\"]\nbatches = 5\n"
                     "[sweep]\nworkload.load = [0.5, 0.9]\nseed = [1, 2]\n"));
  }

  TEST_CASE("what a trace holds is the same, as is what is written of it") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", disorderly_trace(900));
    const auto in_memory = berth_says({"trace", trace});
    CHECK(in_memory.code == 0);
    const test::Variable kept("BERTH_JOBS_IN_MEMORY", "50");
    CHECK(berth_says({"trace", trace}) == in_memory);
  }

  TEST_CASE("a number used twice is found in a file, too, and named alike") {
    const test::ScratchFolder scratch;
    auto text = disorderly_trace(300);
    text += "17 9000000 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n";
    text += "4 9000001 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n";
    const auto trace = scratch.file("t.swf", text);
    const auto in_memory = berth_says({"trace", trace});
    CHECK(in_memory.code == 3);
    CHECK(in_memory.err.find(":302:1: job number 17 was already used") !=
          std::string::npos);
    const test::Variable kept("BERTH_JOBS_IN_MEMORY", "50");
    CHECK(berth_says({"trace", trace}) == in_memory);
  }

  TEST_CASE("without a folder for the file the run says so and leaves nothing") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", disorderly_trace(300));
    const auto out = scratch.path() / "out";
    const test::Variable kept("BERTH_JOBS_IN_MEMORY", "50");
    const test::Variable folder("TMPDIR", (scratch.path() / "missing").string());
    const auto said = berth_says(
        {"run", "--trace", trace, "--policy", "easy", "--out", out.string()});
    CHECK(said.code == 8);
    CHECK(said.err.find("TMPDIR to a writable folder") != std::string::npos);
    CHECK_FALSE(fs::exists(out / "summary.json"));
  }
}
