// F40: a run is a sweep of its policies.  What is finished when it ends, for whatever
// reason, is kept, and the same command goes on.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/cli.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;
namespace fs = std::filesystem;

using Options = std::vector<std::string>;

namespace {

constexpr auto kRun =
    "seed = 7\n[machine]\nprocessors = 32\n[workload]\nmodel = \"lublin\"\n"
    "jobs = 200\nload = 0.8\nestimates = \"factor\"\n"
    "[run]\npolicies = [\"easy\", \"fcfs\", \"conservative\"]\n";
constexpr auto kPacking =
    "study = \"packing\"\nseed = 3\n[packing]\nhosts = 3\njobs = 7\nslack = 0.2\n"
    "cv_memory = 0.75\ninstances = 20\n"
    "[run]\npolicies = [\"greedy\", \"mcb\", \"cosine\"]\n";

struct Said {
  int code;
  std::string out;
  std::string err;
};

// `stops`: whether the user has asked the program to stop.
Said says(const std::vector<std::string>& args, std::function<bool()> stops = nullptr) {
  std::ostringstream out;
  std::ostringstream err;
  cli::Console console{out, err, std::move(stops)};
  const int code = cli::run(args, console);
  return {code, out.str(), err.str()};
}

// All files but timing.json, which is about this process.
std::map<std::string, std::string> results(const fs::path& folder) {
  std::map<std::string, std::string> all;
  if (!fs::exists(folder)) return all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_result =
        entry.is_regular_file() && entry.path().filename() != "timing.json";
    if (is_result) {
      all[fs::relative(entry.path(), folder).string()] =
          test::text_of_file(entry.path());
    }
  }
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool is_clean(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (has(name, "partial") || has(name, "lock") || has(name, "replaced"))
      return false;
  }
  return true;
}

class Interrupted {
 public:
  explicit Interrupted(const char* scenario)
      : scenario_(scratch_.file("s.toml", scenario)) {}

  // With one worker the policies run in order: it stops when this file is there.
  [[nodiscard]] Said run(const std::string& name, const std::string& file = "",
                         const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"run", scenario_, "--out", out(name), "-j", "1"};
    args.insert(args.end(), more.begin(), more.end());
    if (file.empty()) return says(args);
    return says(args, [&] { return fs::exists(fs::path(out(name)) / file); });
  }
  [[nodiscard]] std::string out(const std::string& name) const {
    return (scratch_.path() / name).string();
  }
  [[nodiscard]] const test::ScratchFolder& scratch() const { return scratch_; }

 private:
  test::ScratchFolder scratch_;
  std::string scenario_;
};

}  // namespace

TEST_SUITE("study/interrupted_run") {
  TEST_CASE("F40: what is finished is kept, and the same command runs the rest") {
    const Interrupted study(kRun);
    const auto whole = study.run("whole");
    REQUIRE(whole.code == 0);
    const auto stopped = study.run("o", "easy/manifest.json", {"--report"});
    CHECK(stopped.code == 130);
    CHECK(stopped.out.empty());
    CHECK(stopped.err ==
          fmt::format("interrupted: 1 of 3 policies is kept in {}: easy; the same "
                      "command runs the rest\n",
                      study.out("o")));
    CHECK(is_clean(study.scratch().path()));
    CHECK(fs::exists(study.out("o") + "/easy/jobs.csv"));
    CHECK_FALSE(fs::exists(study.out("o") + "/fcfs"));
    CHECK_FALSE(fs::exists(study.out("o") + "/comparison.csv"));
    const auto timing = test::text_of_file(study.out("o") + "/easy/timing.json");

    const auto again = study.run("o", "fcfs/manifest.json");
    CHECK(again.code == 130);
    CHECK(has(again.err, "2 of 3 policies are kept in"));
    const auto rest = study.run("o");
    CHECK(rest.code == 0);
    CHECK(rest.out == whole.out);
    CHECK(results(study.out("o")) == results(study.out("whole")));
    // It did not run again.
    CHECK(test::text_of_file(study.out("o") + "/easy/timing.json") == timing);
    CHECK(is_clean(study.scratch().path()));
  }

  TEST_CASE("F40: a run that is finished is shown again, and keeps its bytes") {
    const Interrupted study(kRun);
    for (const Options& more : std::vector<Options>{
             {}, {"--policy", "easy"}, {"--json"}, {"--table", "csv"}}) {
      const auto name = fmt::format("o{}", fmt::join(more, ""));
      const auto first = study.run(name, "", more);
      REQUIRE(first.code == 0);
      const auto timing = test::text_of_file(study.out(name) + "/timing.json");
      const auto before = results(study.out(name));
      const auto second = study.run(name, "", more);
      CHECK(second.code == 0);
      CHECK(second.out == first.out);
      CHECK(results(study.out(name)) == before);
      CHECK(test::text_of_file(study.out(name) + "/timing.json") == timing);
    }
  }

  TEST_CASE("F40: a log that is asked for later is made, another run is refused") {
    const Interrupted study(kRun);
    REQUIRE(study.run("o").code == 0);
    REQUIRE(study.run("o", "", {"--log"}).code == 0);
    CHECK(fs::exists(study.out("o") + "/easy/log.jsonl"));
    for (const Options& more : std::vector<Options>{{"--seed", "8"},
                                                    {"--policy", "easy"},
                                                    {"--no-audit"},
                                                    {"--set", "run.tau=5"}}) {
      const auto said = study.run("o", "", more);
      CHECK(said.code == 2);
      CHECK(has(said.err, "already exists and holds another run"));
    }
    CHECK(study.run("o", "", {"--policy", "easy", "--force"}).code == 0);
    CHECK(fs::exists(study.out("o") + "/jobs.csv"));
    CHECK_FALSE(fs::exists(study.out("o") + "/fcfs"));
  }

  TEST_CASE("F40: where one policy fails the others are kept, and it is tried again") {
    const Interrupted study(kRun);
    const auto bad = [&](const char* body) {
      return study.scratch().file(
          "mine.lua",
          fmt::format("return {{ schedule = function(queue, cluster)\n{} end }}\n",
                      body));
    };
    const std::vector<std::pair<int, const char*>> kEnds{
        {4, "error('no')"},
        {5, "while true do end"},
        {6, "local t = {} for i = 1, 1e9 do t[i] = { i } end"}};
    for (const auto& [code, body] : kEnds) {
      const auto name = fmt::format("o{}", code);
      Options more{"--policy",
                   "easy",
                   "--policy",
                   bad(body),
                   "--policy",
                   "fcfs",
                   "--memory-limit",
                   "8",
                   "--report",
                   "--work-limit",
                   code == 5 ? "1000000" : "0"};
      const auto said = study.run(name, "", more);
      CAPTURE(said.err);
      CHECK(said.code == code);
      CHECK(has(said.err, "2 of 3 policies are kept in"));
      CHECK(is_clean(study.scratch().path()));
      CHECK(fs::exists(study.out(name) + "/fcfs/jobs.csv"));
      const auto timing = test::text_of_file(study.out(name) + "/fcfs/timing.json");
      // Mended.
      static_cast<void>(bad("for job in queue:startable() do cluster:start(job) end"));
      CHECK(study.run(name, "", more).code == 0);
      CHECK(test::text_of_file(study.out(name) + "/fcfs/timing.json") == timing);
      CHECK(fs::exists(study.out(name) + "/mine/jobs.csv"));
    }
  }

  TEST_CASE("F40: a policy alone that is stopped leaves nothing") {
    const Interrupted study(kRun);
    const auto args = [&](const char* name) {
      return Options{"run",   study.out("s.toml"), "--policy", "easy",
                     "--out", study.out(name)};
    };
    int asked = 0;
    const auto said = says(args("o"), [&] { return ++asked > 3; });
    CHECK(said.code == 130);
    CHECK(said.err == "interrupted: nothing is kept\n");
    CHECK_FALSE(fs::exists(study.out("o")));
    REQUIRE(says(args("o")).code == 0);
    REQUIRE(says(args("whole")).code == 0);
    CHECK(results(study.out("o")) == results(study.out("whole")));
  }

  TEST_CASE("F40: results that were changed or cut off are made again") {
    const Interrupted study(kRun);
    REQUIRE(study.run("o").code == 0);
    const auto before = results(study.out("o"));
    fs::remove(study.out("o") + "/easy/jobs.csv");
    static_cast<void>(study.scratch().file("o/fcfs/summary.json", "{}"));
    fs::remove_all(study.out("o") + "/conservative");
    CHECK(study.run("o").code == 0);
    CHECK(results(study.out("o")) == before);
  }

  TEST_CASE("F40: packers that have finished are kept, and compared with the rest") {
    const Interrupted study(kPacking);
    const auto whole = study.run("whole");
    REQUIRE(whole.code == 0);
    // The user asks once before each packer and each instance: amid the second packer.
    int asked = 0;
    const auto stopped =
        says({"run", study.out("s.toml"), "--out", study.out("o"), "-j", "1"},
             [&] { return ++asked > 30; });
    CAPTURE(stopped.err);
    CHECK(stopped.code == 130);
    CHECK(has(stopped.err, "1 of 3 policies is kept in"));
    CHECK(fs::exists(study.out("o") + "/greedy/packings.csv"));
    CHECK(is_clean(study.scratch().path()));
    const auto timing = test::text_of_file(study.out("o") + "/greedy/timing.json");
    const auto rest = study.run("o");
    CHECK(rest.code == 0);
    CHECK(rest.out == whole.out);
    CHECK(results(study.out("o")) == results(study.out("whole")));
    CHECK(test::text_of_file(study.out("o") + "/greedy/timing.json") == timing);
  }

  TEST_CASE("explaining ends when the user asks, between jobs") {
    const Interrupted study(kRun);
    const std::vector<std::string> args{"explain", study.out("s.toml"), "--policy",
                                        "easy"};
    CHECK(says(args).code == 0);
    int asked = 0;
    const auto stopped = says(args, [&] { return ++asked > 5; });
    CHECK(stopped.code == 130);
    CHECK(stopped.out == "");
    CHECK(asked == 6);
  }
}
