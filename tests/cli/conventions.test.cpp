// What every command line of this program keeps to.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "study/scenario/workload_models.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/environment.hpp"

namespace berth {

namespace {

namespace fs = std::filesystem;
using test::berth_says;
using Args = std::vector<std::string>;

constexpr std::string_view kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1\n"
    "2 1 -1 50 4 -1 -1 4 50 -1 1 2 1 1 1 1 -1 -1\n";

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_SUITE("cli/conventions") {
  TEST_CASE("behind -- no word is an option, in every command") {
    for (const auto& command : cli::commands()) {
      // watch waits for the file that is not there.
      if (std::string_view(command.name) == "watch") continue;
      CAPTURE(command.name);
      const auto said = berth_says({command.name, "--", "--none.swf"});
      CHECK(said.code != 0);
      CHECK_FALSE(has(said.err, "there is no option"));
      CHECK_FALSE(has(said.err, "'--'"));
    }
    CHECK(berth_says({"--", "policies"}).out == berth_says({"policies"}).out);
    CHECK(has(berth_says({"--", "--version"}).err, "there is no command"));
  }

  TEST_CASE("an operand behind -- counts as one before it") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto out = (scratch.path() / "o").string();
    CHECK(
        berth_says({"run", "--trace", trace, "--policy", "easy", "--out", out}).code ==
        0);
    const auto plain = berth_says({"explain", out, "2"});
    CHECK(plain.code == 0);
    CHECK(has(plain.out, "job 2"));
    CHECK(berth_says({"explain", out, "--", "2"}) == plain);
    CHECK(berth_says({"explain", "--", out, "2"}) == plain);
    CHECK(berth_says({"trace", "--", trace}) == berth_says({"trace", trace}));
  }

  TEST_CASE("the value of an option may be any word that is not empty") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto out = (scratch.path() / "--").string();
    CHECK(berth_says({"run", "--policy", "fcfs", "--out", out, "--trace=" + trace})
              .code == 0);
    CHECK(fs::exists(fs::path(out) / "jobs.csv"));
    for (const auto& args :
         {Args{"run", "--trace", ""}, Args{"run", "--out="}, Args{"run", "--out=", "x"},
          Args{"generate", "lublin", "-o", ""}, Args{"run", ""}}) {
      CAPTURE(args.back());
      const auto said = berth_says(args);
      CHECK(said.code == 2);
      CHECK(has(said.err, "is empty"));
    }
  }

  TEST_CASE("nothing on the command line is ignored") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto policy = scratch.file(
        "x.lua", "return { schedule = function(q, c) c:start_all(q) end }\n");
    const auto out = (scratch.path() / "o").string();
    REQUIRE(
        berth_says({"run", "--trace", trace, "--policy", "easy", "--out", out}).code ==
        0);
    const Args run{"run", "--trace", trace, "--policy", "easy"};
    std::vector<Args> refused{{"help", "run", "more"},
                              {"run", "a.toml", "b.toml"},
                              {"policies", "easy", "--parameters"},
                              {"explain", out, "--seed", "3"},
                              {"explain", out, "--policy", "fcfs"},
                              {"explain", out, "2", "--out", "w"},
                              {"explain", out, "--passes"},
                              {"explain", out, "--json", "--markdown"},
                              {"explain", out, "--force"},
                              {"report", out, "--processors", "4"},
                              {"test", policy, "--tap", "--coverage"},
                              {"test", policy, "--force"},
                              {"generate", "lublin", "--jobs", "5", "--force"},
                              {"expectations", "--trace", trace, "--force"}};
    for (const auto& more :
         {Args{"--json", "--table", "csv"}, Args{"--all-metrics", "--metric", "load"},
          Args{"--no-audit", "--audit", "full"}, Args{"--color", "always", "--json"},
          Args{"--out", "a", "--out", "b"}, Args{"--seed", "1", "--vary", "seed=1,2"},
          Args{"--set", "seed=1", "--seed", "2"},
          Args{"--out", "x", "--shard", "1/2", "--report"}}) {
      auto args = run;
      args.insert(args.end(), more.begin(), more.end());
      refused.push_back(std::move(args));
    }
    for (const auto& args : refused) {
      CAPTURE(args.front());
      CAPTURE(args.back());
      CHECK(berth_says(args).code == 2);
    }
  }

  TEST_CASE("--vary is a [sweep] of the command line") {
    const test::ScratchFolder scratch;
    const auto file = scratch.file("s.toml",
                                   "[machine]\nprocessors = 16\n[workload]\nmodel = "
                                   "\"lublin\"\njobs = 40\n[run]\npolicies = "
                                   "[\"fcfs\", \"easy\"]\n");
    const auto same = scratch.file("t.toml", text_of(file) +
                                                 "[sweep]\n\"workload.load\" = [0.6, "
                                                 "0.9]\nseed = [1, 2]\n");
    const auto varied = berth_says({"run", file, "--vary", "seed=1,2", "--vary",
                                    "workload.load=0.6,0.9", "--table", "csv"});
    CHECK(varied.code == 0);
    const auto of_file = berth_says({"sweep", same, "--table", "csv"});
    CHECK(varied.out == of_file.out);
    CHECK(varied.err == of_file.err);
    const auto less = berth_says({"sweep", same, "--vary", "seed=3,4,5", "--dry-run"});
    CHECK(has(less.out, "6 points x 2 policies"));
    const auto says = [&](const char* axis) {
      return berth_says({"run", file, "--vary", axis}).err;
    };
    CHECK(has(says("machine.processors=16,x"), "--vary machine.processors: "));
    CHECK(has(says("machine.processors=16,16"), "twice"));
    CHECK(has(says("machine.processors=16,"), "empty"));
    CHECK(has(says("machine.procesors=1,2"), "machine.processors"));
    CHECK(has(says("run.policies=fcfs,easy"), "--policy"));
    const auto list = berth_says({"run", file, "--set", "machine.processors=16, 32"});
    CHECK(list.code == 2);
    CHECK(has(list.err, "--vary machine.processors=16,32"));
  }

  TEST_CASE("a command that takes one run names a point of a sweep, or is refused") {
    const test::ScratchFolder scratch;
    const auto sweep = scratch.file(
        "s.toml",
        "[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\njobs = 40\n"
        "[run]\npolicies = [\"easy\"]\n[sweep]\n\"workload.load\" = [0.6, 0.9]\n"
        "seed = [1, 2]\n");
    const auto packing = scratch.file("p.toml", "study = \"packing\"\n");
    const auto out = (scratch.path() / "o").string();
    const Args point{"--set", "workload.load=0.9", "--seed", "2"};
    const auto with = [&](Args args, const Args& more) {
      args.insert(args.end(), more.begin(), more.end());
      return berth_says(args);
    };
    REQUIRE(with({"run", sweep, "--out", out}, point).code == 0);
    const auto jobs = out + "/jobs.csv";
    for (const auto& args : {Args{"verify", sweep, "--schedule", jobs},
                             Args{"expectations", sweep, "--schedule", jobs},
                             Args{"explain", sweep, "3"}, Args{"debug", sweep}}) {
      CAPTURE(args.front());
      const auto whole = berth_says(args);
      CHECK(whole.code == 2);
      CHECK(has(whole.err, "such as --set workload.load=0.6 --seed 1\n"));
      const auto chosen = with(args, point);
      CHECK(chosen.code == 0);
      CHECK(chosen.err.find("sweep") == std::string::npos);
      auto of_packers = args;
      of_packers[1] = packing;
      const auto packed = berth_says(of_packers);
      CHECK(packed.code == 2);
      CHECK(has(packed.err, "a packing study has no queue: there is nothing to "));
    }
    // It is the point that is judged.
    const auto other = Args{"--set", "workload.load=0.9", "--seed", "1"};
    CHECK(with({"verify", sweep, "--schedule", jobs}, other).code == 1);
  }

  TEST_CASE("expectations of a model's jobs are judged by a schedule") {
    const test::ScratchFolder scratch;
    const auto file = scratch.file("s.toml",
                                   "[machine]\nprocessors = 16\n[workload]\nmodel = "
                                   "\"lublin\"\njobs = 40\n[run]\npolicies = "
                                   "[\"fcfs\"]\nexpectations = true\n");
    const auto out = (scratch.path() / "o").string();
    REQUIRE(berth_says({"run", file, "--out", out}).code == 0);
    const auto of_model = berth_says({"expectations", file});
    CHECK(of_model.code == 3);
    CHECK(has(of_model.err,
              "s.toml: jobs of a model have no recorded wait; give "
              "--schedule jobs.csv"));
    const auto again = (scratch.path() / "e").string();
    const auto judged = berth_says(
        {"expectations", file, "--schedule", out + "/jobs.csv", "--out", again});
    CHECK(judged.code == 0);
    CHECK(has(judged.out, "40 of 40 jobs judged"));
    // As the run itself judged them.
    CHECK(text_of(fs::path(again) / "expectations.csv") ==
          text_of(fs::path(out) / "expectations.csv"));
  }

  TEST_CASE("F47: a trace is found where the run read it, and in BERTH_TRACES") {
    const test::ScratchFolder scratch;
    const test::ScratchFolder elsewhere;
    const auto trace = scratch.file("logs/t.swf", kTrace);
    const auto out = (elsewhere.path() / "deep/o").string();
    REQUIRE(
        berth_says({"run", "--trace", trace, "--policy", "easy", "--out", out}).code ==
        0);
    CHECK(berth_says({"explain", out, "2"}).code == 0);

    const auto moved = scratch.path() / "moved";
    fs::create_directory(moved);
    fs::rename(trace, moved / "t.swf");
    const auto lost = berth_says({"explain", out, "2"});
    CHECK(lost.code == 3);
    CHECK(has(lost.err, "BERTH_TRACES"));
    CHECK(has(lost.err, "--inputs"));
    CHECK(has(lost.err, (scratch.path() / "logs").string()));

    const auto file = scratch.file("s.toml",
                                   "[workload]\ntrace = \"t.swf\"\n[run]\npolicies = "
                                   "[\"easy\"]\n");
    const auto absent = berth_says({"run", file});
    CHECK(absent.code == 3);
    CHECK(has(absent.err, scratch.path().string()));

    const test::Variable traces("BERTH_TRACES",
                                "/none::" + moved.string() + ":/nowhere");
    CHECK(berth_says({"explain", out, "2"}).code == 0);
    CHECK(berth_says({"run", file}).code == 0);
    CHECK(berth_says({"trace", "t.swf"}).code == 0);
    CHECK(berth_says({"run", "--trace", "t.swf", "--policy", "fcfs"}).code == 0);
    CHECK(berth_says({"sweep", file, "--vary", "machine.processors=4,5"}).code == 0);
    CHECK(berth_says({"check", file}).code == 0);
  }

  TEST_CASE("help and suggestions name what there is") {
    const auto help = berth_says({"generate", "--help"}).out;
    for (const auto& model : study::workload_models()) {
      CAPTURE(model.name);
      CHECK(has(help, model.name));
    }
    CHECK(has(berth_says({"api", "gpu"}).err, "`need` and `hosts`"));
  }

  TEST_CASE("a page of a sweep without jobs names that as the cause") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto out = (scratch.path() / "o").string();
    const auto page = (scratch.path() / "page.html").string();
    REQUIRE(berth_says({"run", "--trace", trace, "--policy", "easy", "--policy", "fcfs",
                        "--vary", "machine.processors=4,5", "--out", out})
                .code == 0);
    REQUIRE(berth_says({"report", out, "-o", page}).code == 0);
    const auto text = text_of(page);
    const auto at = text.find("<h3>Not shown</h3>");
    REQUIRE(at != std::string::npos);
    const auto absent = text.substr(at, text.find("</ul>", at) - at);
    CHECK(has(absent, "Users needs jobs.csv, which a sweep writes with --keep-jobs"));
    CHECK_FALSE(has(absent, "needs a trace whose header"));
  }

  TEST_CASE("F46: a policy is tried in a scenario") {
    const test::ScratchFolder scratch;
    const auto policy = scratch.file(
        "p.lua",
        "return { schedule = function(queue, cluster)\n"
        "  for job in queue:all() do\n"
        "    local place = cluster.hosts:choose(job, function(host)\n"
        "      return cluster.hosts:idle(host, \"gpu\")\n"
        "    end)\n"
        "    if not (place and cluster:start(job, place)) then return end\n"
        "  end\n"
        "end }\n");
    const auto file = scratch.file("s.toml",
                                   "[machine.hosts.gpu]\ncount = 2\nprocessors = 8\n"
                                   "resources = { gpu = 2 }\n[workload]\nmodel = "
                                   "\"lublin\"\njobs = 500\n[run]\npolicies = "
                                   "[\"./none.lua\"]\n");
    const auto good = berth_says({"check", policy, "--scenario", file});
    CHECK(good.code == 0);
    CHECK(has(good.out, "a trial of 200 jobs on 16 processors"));
    CHECK(berth_says({"check", policy}).code == 0);  // on a machine with devices
    const auto odd = scratch.file("odd.lua",
                                  "return { schedule = function(_, cluster)\n"
                                  "  cluster.hosts:count()\n"
                                  "  cluster.tiers:candidates()\n"
                                  "end }\n");
    const auto bare = berth_says({"check", odd});
    CHECK(bare.code == 4);
    CHECK(has(bare.out, "--scenario"));
    CHECK(berth_says({"check", file, "--scenario", file}).code == 2);
    const auto study = scratch.file("k.toml", "study = \"packing\"\n");
    CHECK(berth_says({"check", policy, "--scenario", study}).code == 4);
  }
}

TEST_CASE("--profile counts the calls of each policy on stderr, for one run") {
  const test::ScratchFolder scratch;
  const auto file = scratch.file("s.toml",
                                 "[machine]\nprocessors = 32\n[workload]\nmodel = "
                                 "\"lublin\"\njobs = 60\n");
  const auto of_two = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", file, "--policy", "fcfs", "--policy", "sjf"});
    return berth_says(more);
  };
  const auto plain = of_two({});
  const auto timed = of_two({"--profile"});
  CHECK(timed.code == 0);
  CHECK(timed.out == plain.out);
  CHECK(has(timed.err, "\nfcfs: "));
  CHECK(has(timed.err, "\nsjf: "));
  CHECK(has(timed.err, "cluster:start_all"));
  CHECK(has(timed.err, "order, the script itself"));
  CHECK(has(timed.err, "slowest"));
  const auto out = (scratch.path() / "out").string();
  REQUIRE(of_two({"--out", out}).code == 0);
  CHECK(has(of_two({"--out", out, "--profile"}).err, "profile: sjf was not run"));
  const auto of_sweep = of_two({"--profile", "--vary", "workload.load=0.5,0.6"});
  CHECK(of_sweep.code == 2);
  CHECK(has(of_sweep.err, "choose the point to profile"));
}

}  // namespace berth
