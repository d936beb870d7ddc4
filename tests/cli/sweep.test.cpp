#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

using test::berth_says;
using test::Said;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Two loads, two seeds, two policies.
class Sweep {
 public:
  Sweep()
      : file(scratch.file("s.toml",
                          "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\n"
                          "jobs = 30\n[run]\npolicies = [\"fcfs\", \"easy\"]\n[sweep]\n"
                          "workload.load = [0.5, 0.9]\nseed = [1, 2]\n")),
        out((scratch.path() / "out").string()) {}

  [[nodiscard]] Said run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", file});
    return berth_says(more);
  }

  test::ScratchFolder scratch;
  std::string file;
  std::string out;
};

std::size_t open_files() {
  const fs::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files))) - 1;
}

// What `work` returns in a process of its own that may have so many files open.
template <class Work>
int status_with_files(rlim_t files, const Work& work) {
  const auto child = ::fork();
  if (child == 0) {
    const rlimit limit{files, files};
    ::_exit(::setrlimit(RLIMIT_NOFILE, &limit) == 0 ? work() : 99);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_SUITE("cli/sweep") {
  TEST_CASE("under a low limit of open files fewer workers run, or none begins") {
    const Sweep sweep;
    const auto limited = [&](rlim_t files) {
      return status_with_files(files, [&] {
        return sweep.run({"--out", sweep.out, "--keep-jobs", "--log", "-j", "16"}).code;
      });
    };
    CHECK(limited(open_files() + 7) == 8);
    CHECK_FALSE(fs::exists(sweep.out));
    CHECK(limited(open_files() + 21) == 0);
    CHECK(
        sweep.run({"--dry-run", "--out", sweep.out}).out.find("; 4 points finished") !=
        std::string::npos);
    // With one worker, a run as well.
    const auto run = (sweep.scratch.path() / "run").string();
    CHECK(status_with_files(open_files() + 21, [&] {
            return berth_says({"run", sweep.file, "--set", "workload.load=0.5",
                               "--seed", "1", "--out", run, "--log", "-j", "16"})
                .code;
          }) == 0);
    CHECK(fs::exists(fs::path(run) / "easy/log.jsonl"));
  }

  TEST_CASE("a dry run prints the points and their number, and runs nothing") {
    const Sweep sweep;
    CHECK(sweep.run({"--dry-run"}).out ==
          "0001  workload.load=0.5, seed=1\n0002  workload.load=0.5, seed=2\n"
          "0003  workload.load=0.9, seed=1\n0004  workload.load=0.9, seed=2\n"
          "4 points x 2 policies = 8 runs\n");
    CHECK(sweep.run({"--dry-run", "--out", sweep.out}).code == 0);
    CHECK_FALSE(fs::exists(sweep.out));
  }

  TEST_CASE("both counts are printed, and the table is the same when it is resumed") {
    const Sweep sweep;
    const auto first = sweep.run({"--out", sweep.out});
    CHECK(first.code == 0);
    CHECK(has(first.err, "4 points: 0 finished before, 4 run now"));
    CHECK(fs::exists(fs::path(sweep.out) / "comparison.csv"));
    const auto second = sweep.run({"--out", sweep.out});
    CHECK(has(second.err, "4 points: 4 finished before, 0 run now"));
    CHECK(second.out == first.out);
    CHECK(has(sweep.run({"--dry-run", "--out", sweep.out}).out,
              "8 runs; 4 points finished"));
  }

  TEST_CASE("the same table comes in five formats") {
    const Sweep sweep;
    CHECK(has(sweep.run({}).out, "mean_wait (s, lower is better; against fcfs)\n"));
    CHECK(has(sweep.run({"--table", "markdown"}).out, "| workload.load | policy |"));
    CHECK(has(sweep.run({"--table", "latex"}).out, "\\begin{tabular}{llrrrrrrr}"));
    CHECK(has(sweep.run({"--table", "csv"}).out, "workload.load,metric,unit,better"));
    const auto json = nlohmann::json::parse(sweep.run({"--table", "json"}).out);
    CHECK(json["replications"] == 2);
    CHECK(json["metrics"][0]["cell"]["workload.load"] == "0.5");
    CHECK(nlohmann::json::parse(sweep.run({"--json=runs"}).out).size() == 8);
    CHECK(nlohmann::json::parse(sweep.run({"--json"}).out) == json);
    CHECK(sweep.run({"--json=points"}).code == 2);
  }

  TEST_CASE("the rows of the table are those that are asked for") {
    const Sweep sweep;
    const auto two = sweep.run({"--metric", "p99_wait,makespan"});
    CHECK(has(two.out, "p99_wait (s"));
    CHECK(has(two.out, "makespan (s"));
    CHECK_FALSE(has(two.out, "mean_wait (s"));
    const auto wrong = sweep.run({"--metric", "mean_wiat"});
    CHECK(wrong.code == 2);
    CHECK(has(wrong.err,
              "--metric: there is no metric 'mean_wiat' (did you mean "
              "'mean_wait'?)"));
    const auto first = sweep.run({"--set", "run.primary=max_wait"});
    CHECK(has(first.out, "max_wait (s, lower is better; against"));
    CHECK(has(first.out, "exploratory, p not corrected"));
    CHECK(first.out.find("max_wait (s") < first.out.find("mean_wait (s"));
  }

  TEST_CASE("a table is no wider than 80 columns, and has no colour unless asked") {
    const Sweep sweep;
    const auto plain = sweep.run({}).out;
    CHECK_FALSE(has(plain, "\x1b["));
    std::istringstream lines(plain);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    const auto run = [&](const char* colour) {
      return sweep.run({"--set", "workload.load=3", "--set", "workload.jobs=90",
                        "--seed", "1", "--color", colour});
    };
    CHECK(has(run("always").out, "\x1b[32m"));
    CHECK_FALSE(has(run("auto").out, "\x1b["));
    CHECK(run("green").code == 2);
  }

  TEST_CASE("what the command line sets varies no longer") {
    const Sweep sweep;
    CHECK(has(sweep.run({"--dry-run", "--seed", "7"}).out, "2 points x 2 policies"));
    const auto one = sweep.run({"--seed", "7", "--set", "workload.load=0.7"});
    CHECK(has(one.out, "metric "));  // an ordinary run
  }

  TEST_CASE("jobs.csv is kept on request, and a sweep without it is run again") {
    const Sweep sweep;
    const auto jobs =
        fs::path(sweep.out) / "points/0001-workload.load=0.5,seed=1/easy/jobs.csv";
    static_cast<void>(sweep.run({"--out", sweep.out}));
    CHECK_FALSE(fs::exists(jobs));
    CHECK(has(sweep.run({"--out", sweep.out, "--keep-jobs"}).err, "4 run now"));
    CHECK(fs::exists(jobs));
    CHECK(has(sweep.run({"--out", sweep.out}).err, "4 finished before"));
  }

  TEST_CASE("parts are merged into the table of the whole") {
    const Sweep sweep;
    const auto whole = sweep.run({});
    const auto one = sweep.run({"--out", sweep.out, "--shard", "1/2"});
    CHECK(one.out.empty());
    CHECK(has(one.err, "part 1 of 2; when all are done: berth merge"));
    const auto early = berth_says({"merge", sweep.out});
    CHECK(early.code == 3);
    CHECK(has(early.err, "2 of the 4 points"));
    const auto marked = berth_says({"merge", sweep.out, "--mark-missing"});
    CHECK(marked.code == 0);
    CHECK(has(marked.out, "incomplete"));
    CHECK(has(marked.out, "have a result: no intervals"));
    CHECK_FALSE(has(marked.out, "gave the same"));
    CHECK(has(marked.err, "missing: 0002-"));
    static_cast<void>(sweep.run({"--out", sweep.out, "--shard", "2/2"}));
    CHECK(berth_says({"merge", sweep.out}).out == whole.out);
  }

  TEST_CASE("options that say nothing or too much have status 2") {
    const Sweep sweep;
    CHECK(sweep.run({"--shard", "1/2"}).code == 2);
    CHECK(sweep.run({"--keep-jobs"}).code == 2);
    for (const auto* shard : {"0/2", "3/2", "2", "a/b", "1/0"}) {
      CAPTURE(shard);
      CHECK(sweep.run({"--out", sweep.out, "--shard", shard}).code == 2);
    }
    CHECK(sweep.run({"--table", "html"}).code == 2);
    CHECK(berth_says({"merge"}).code == 2);
    CHECK(berth_says({"merge", sweep.out}).code == 2);
    CHECK(berth_says({"sweep", sweep.file, "--emit", "pbs", "--out", "x"}).code == 2);
    CHECK(berth_says({"sweep", sweep.file, "--emit", "slurm"}).code == 2);
  }

  TEST_CASE("a script for Slurm repeats what was asked for") {
    const Sweep sweep;
    const auto said = berth_says({"sweep", sweep.file, "--emit", "slurm", "--out",
                                  sweep.out, "--policy", "fcfs", "--no-audit"});
    CHECK(said.code == 0);
    CHECK(has(said.out, "\npoints=4\n"));
    CHECK(has(said.out, "run -j 1 --shard \"$SLURM_ARRAY_TASK_ID/$parts\" "));
    CHECK(has(said.out, fmt::format("--policy=fcfs --out={} --no-audit -- {}'\n",
                                    sweep.out, sweep.file)));
  }

  TEST_CASE("batch means give the one run of a point its interval") {
    const Sweep sweep;
    const auto said = sweep.run({"--seed", "1", "--set", "run.batches=5"});
    CHECK(said.code == 0);
    CHECK(has(said.out, "intervals over batch means"));
  }

  TEST_CASE("a finished point with batches of the old kind runs again, and says so") {
    const Sweep sweep;
    const std::vector<std::string> args{"--seed",        "1",     "--set",
                                        "run.batches=5", "--out", sweep.out};
    REQUIRE(sweep.run(args).code == 0);
    CHECK_FALSE(has(sweep.run(args).err, "ran again"));
    for (const auto& point : fs::directory_iterator(fs::path(sweep.out) / "points")) {
      const auto file = point.path() / "point.json";
      auto text = test::text_of_file(file);
      text.replace(text.find("\"format\": 3"), 11, "\"format\": 2");
      std::ofstream(file) << text;
    }
    const auto again = sweep.run(args);
    CHECK(again.code == 0);
    CHECK(has(again.err,
              "its batches were those of an earlier version, so it ran again"));
    CHECK_FALSE(has(sweep.run(args).err, "ran again"));
  }
}
