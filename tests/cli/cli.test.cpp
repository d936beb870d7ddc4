#include "cli/cli.hpp"

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "study/policies/policy_template.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

using test::berth_says;

// Four processors.  Job 2 wants all of them and waits for job 1; job 3 may pass it.
constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
    "2 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n"
    "3 1 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 1 -1 -1\n";

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
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

}  // namespace

TEST_SUITE("cli/cli") {
  TEST_CASE("without a command the help goes to standard error and the status is 2") {
    const auto said = berth_says({});
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(has(said.err, "berth run --trace"));
  }

  TEST_CASE("help and version are data") {
    CHECK(berth_says({"--version"}).out == "berth 0.1.0\n");
    for (const auto* command :
         {"run", "sweep", "merge", "playground", "verify", "policies", "new", "init",
          "check", "shadow", "trace", "generate", "api", "completions"}) {
      CAPTURE(command);
      const auto said = berth_says({command, "--help"});
      CHECK(said.code == 0);
      CHECK(said.err.empty());
      CHECK(has(said.out, command));
      CHECK(has(berth_says({"--help"}).out, command));
      CHECK(has(said.out, "Usage: berth " + std::string(command)));
    }
  }

  TEST_CASE("a word that is misspelt gets the nearest one and status 2") {
    const std::pair<std::vector<std::string>, const char*> kCases[] = {
        {{"rnu"}, "berth: there is no command 'rnu' (did you mean 'run'?)"},
        {{"--versoin"},
         "berth: there is no option '--versoin' (did you mean "
         "'--version'?)"},
        {{"run", "--polciy", "easy"},
         "berth run: there is no option '--polciy' (did you mean '--policy'?)"},
        {{"--json", "policies"},
         "berth policies: the command comes first; '--json' stands before it"},
        {{"run", "a.toml", "b.toml"}, "berth run: unexpected argument 'b.toml'"},
        {{"run"},
         "berth run: name a scenario, or a trace: berth run SCENARIO.toml, or "
         "berth run --trace FILE.swf --policy easy"},
        {{"api", "strat"}, ""},
        {{"new", "polcy", "x"},
         "berth new: say what to make: berth new policy NAME, or berth new metric "
         "NAME"},
        {{"new", "policy", "easy"},
         "berth new: 'easy' is a built-in policy: choose another name, for tables "
         "would "
         "show two policies under one"},
        {{"init"},
         "berth init: say what to start from: berth init gpu (a cluster with GPUs, "
         "whole or shared)"},
        {{"init", "gpv"},
         "there is no 'gpv' to start from (did you mean 'gpu'?); there is gpu"},
        {{"completions"}, "berth completions: name the shell: berth completions bash"},
        {{"check"},
         "berth check: name a file: berth check mine.lua, run.toml or "
         "trace.swf.gz"},
    };
    for (const auto& [args, this_line] : kCases) {
      const auto& line = this_line;  // a binding cannot be captured
      CAPTURE(line);
      const auto said = berth_says(args);
      CHECK(said.code == 2);
      CHECK(said.out.empty());
      if (*line != '\0') CHECK(first_line(said.err) == line);
    }
  }

  TEST_CASE("a trace runs under policies by name and by file") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto mine =
        scratch.file("mine.lua",
                     "return { schedule = function(queue, cluster)\n"
                     "  for job in queue:fitting() do cluster:start(job) end\n"
                     "end }\n");
    const auto said = berth_says({"run", "--trace", trace, "--policy", "fcfs",
                                  "--policy", "easy", "--policy", mine});
    CHECK(said.code == 0);
    CHECK(has(said.out, "fcfs"));
    CHECK(has(said.out, "easy"));
    CHECK(has(said.out, "mine"));
    CHECK(said.err.empty());
  }

  TEST_CASE(
      "help of a command comes by its name, too, and no wider than the terminal") {
    CHECK(berth_says({"help"}).out == berth_says({"--help"}).out);
    CHECK(berth_says({"help", "run"}).out == berth_says({"run", "--help"}).out);
    const auto wrong = berth_says({"help", "rnu"});
    CHECK(wrong.code == 2);
    CHECK(has(wrong.err, "there is no command 'rnu' (did you mean 'run'?)"));
    CHECK(berth_says({"-V"}).out == berth_says({"--version"}).out);
    for (const auto* command : {"run", "sweep", "claims", "trace", "verify"}) {
      std::istringstream lines(berth_says({command, "--help"}).out);
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(line.size() <= 80);
      }
    }
  }

  TEST_CASE("messages name the option that was typed") {
    const auto says = [](std::initializer_list<std::string> args) {
      return berth_says(args).err;
    };
    CHECK(has(says({"run", "--trace", "t.swf", "--processors", "ten"}),
              "--processors: 'ten' is not a whole number"));
    CHECK_FALSE(has(says({"run", "--trace", "t.swf", "--processors", "ten"}), "--set"));
    CHECK(has(says({"generate", "lublin", "--jobs", "1e4x"}), "--jobs: '1e4x' is not"));
    CHECK(has(says({"generate", "lubin"}), "(did you mean 'lublin'?)\n"));
    CHECK(has(says({"run", "--trace", "t.swf", "--policy", "easy", "--set",
                    "run.policies=[\"fcfs\"]"}),
              "--policy and --set run.policies both name the policies"));
    CHECK(has(says({"run", "--trace", "t.swf", "--set", "workload.laod=1"}),
              "(did you mean 'workload.load'?)"));
    CHECK(has(says({"run", "--trace", "t.swf", "--set", "workload.load_factor=1.2"}),
              "write load_scale = 1.2 for 20 % more load"));
    CHECK(berth_says({"generate", "lublin", "--jobs", "1e1"}).code == 0);
  }

  TEST_CASE("--json is an array of summaries with the audit in it") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto said = berth_says(
        {"run", "--trace", trace, "--policy", "fcfs", "--policy", "easy", "--json"});
    const auto json = nlohmann::json::parse(said.out);
    REQUIRE(json.size() == 2);
    // FCFS starts at 0, 10, 20, EASY lets job 3 start at 1: mean waits 29/3 and 10/3.
    CHECK(json[0]["metrics"]["mean_wait"]["value"].get<double>() ==
          doctest::Approx(29.0 / 3));
    CHECK(json[1]["metrics"]["mean_wait"]["value"].get<double>() ==
          doctest::Approx(10.0 / 3));
    CHECK(json[1]["policy"] == "easy");
    CHECK(json[1]["jobs"]["finished"] == 3);
    CHECK(json[1]["audit"]["checked"].get<int>() > 0);
    const auto bare =
        nlohmann::json::parse(berth_says({"run", "--trace", trace, "--policy", "fcfs",
                                          "--json", "--no-audit"})
                                  .out);
    CHECK(bare[0]["audit"].is_null());
  }

  TEST_CASE("the audit looks at the processors themselves when it is asked to") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto rules_of = [&](const std::string& how) {
      const auto said = berth_says(
          {"run", "--trace", trace, "--policy", "fcfs", "--json", "--audit", how});
      return nlohmann::json::parse(said.out)[0]["audit"]["rules"].dump();
    };
    CHECK(has(rules_of("light"), "C1"));
    CHECK_FALSE(has(rules_of("light"), "C7"));
    CHECK(has(rules_of("full"), "C1"));
    CHECK(has(rules_of("full"), "C7"));
    CHECK(berth_says({"run", "--trace", trace, "--audit", "much"}).code == 2);
  }

  TEST_CASE("exit codes are those of the design") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto policy = [&](const std::string& name, const std::string& body) {
      return scratch.file(
          name + ".lua",
          "return { schedule = function(queue, cluster) " + body + " end }");
    };
    const auto raises = policy("raises", "error('no')");
    const auto spins = policy("spins", "while true do end");
    const auto grows = policy("grows", "local t = {} while true do t[#t + 1] = {} end");
    const auto broken = scratch.file("broken.lua", "return {");
    const auto lies = scratch.file(
        "lies.lua",
        "return { promises = 'easy', schedule = function(queue, cluster)\n"
        "  for job in queue:by('short'):fitting() do cluster:start(job) end\n"
        "end, orders = { short = function(job) return job.walltime end } }");
    const auto idle = policy("idle", "");
    const auto starving = scratch.file("starving.swf",
                                       "; MaxProcs: 4\n"
                                       "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
                                       "2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n"
                                       "3 2 -1 50 1 -1 -1 1 50 -1 1 1 1 1 1 1 -1 -1\n");
    const std::pair<std::vector<std::string>, int> kCases[] = {
        {{"--trace", trace, "--policy", "esay"}, 2},
        {{"--trace", trace}, 2},
        {{"--trace", trace, "--policy", "easy", "--policy", "easy"}, 2},
        {{"--trace", trace, "--policy", "easy", "--time-limit", "-1"}, 2},
        {{"--trace", trace, "--policy", "easy", "--processors", "0"}, 2},
        {{"--trace", trace, "--policy", "easy", "--log"}, 2},
        {{"--trace", trace, "--policy", "easy", "--table", "html"}, 2},
        {{"--trace", scratch.path() / "none.swf", "--policy", "easy"}, 3},
        {{"--trace", scratch.path(), "--policy", "easy"}, 3},
        {{"--trace", trace, "--policy", scratch.path() / "none.lua"}, 3},
        {{"--trace", scratch.file("empty.swf", ""), "--policy", "easy"}, 3},
        {{trace, "--policy", "easy"}, 3},
        {{"--trace", trace, "--policy", broken}, 4},
        {{"--trace", trace, "--policy", raises}, 4},
        {{"--trace", trace, "--policy", idle}, 4},
        {{"--trace", trace, "--policy", "sjf:blok=false"}, 2},
        {{"--trace", trace, "--policy", spins, "--work-limit", "100000"}, 5},
        {{"--trace", trace, "--policy", grows, "--memory-limit", "8"}, 6},
        {{"--trace", starving, "--policy", lies}, 1},
        {{"--trace", trace, "--policy", "easy", "--out", "/proc/nowhere/out"}, 8},
        // The gravest of several counts.
        {{"--trace", trace, "--policy", "easy", "--policy", raises, "--policy", spins,
          "--work-limit", "100000"},
         5},
    };
    for (const auto& [options, code] : kCases) {
      auto args = options;
      args.insert(args.begin(), "run");
      const auto said = berth_says(args);
      CAPTURE(said.err);
      CHECK(said.code == code);
      CHECK_FALSE(said.err.empty());
    }
  }

  TEST_CASE("a run that starts no job says why") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto idle =
        scratch.file("idle.lua", "return { schedule = function(queue, cluster) end }");
    CHECK(has(berth_says({"run", "--trace", trace, "--policy", idle}).err,
              "idle: it never started a job: 3 of 3 jobs fit the machine and waited to "
              "the end\n"));

    // All wider than the machine.
    const auto wide = scratch.file("wide.swf",
                                   "; MaxProcs: 4\n"
                                   "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n");
    std::vector<std::string> args{"run",  "--trace",      wide, "--policy",
                                  "easy", "--processors", "2"};
    const auto rejected = berth_says(args);
    CHECK(rejected.code == 0);
    CHECK(rejected.err.find("warning: every job is rejected: none of the 1 jobs fits a "
                            "machine of 2 processors\n") == 0);
    args.emplace_back("--strict");
    CHECK(berth_says(args).code == 3);

    // All rejected by the policy.
    const auto refusing = scratch.file(
        "refusing.lua",
        "return { on_submit = function(job, cluster) cluster:reject(job) end,\n"
        "  schedule = function() end }");
    args = {"run", "--trace", trace, "--policy", refusing};
    const auto refused = berth_says(args);
    CHECK(refused.code == 0);
    CHECK(refused.err.find("warning: refusing: every job was rejected, 3 of 3 by the "
                           "policy\n") == 0);
    args.emplace_back("--strict");
    CHECK(berth_says(args).code == 3);
  }

  TEST_CASE("a policy that fails leaves the others and their results alone") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto broken = scratch.file("broken.lua", "return {");
    const auto out = scratch.path() / "out";
    const auto said =
        berth_says({"run", "--trace", trace, "--policy", "easy", "--policy", broken,
                    "--policy", "fcfs", "--out", out});
    CHECK(said.code == 4);
    CHECK(has(said.err, "broken.lua:1:"));
    CHECK(fs::exists(out / "easy/jobs.csv"));
    CHECK(fs::exists(out / "fcfs/jobs.csv"));
    CHECK_FALSE(fs::exists(out / "broken"));
    CHECK(fs::exists(out / "comparison.csv"));
  }

  TEST_CASE("one policy has its files in the folder itself, and none if it fails") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto out = scratch.path() / "out";
    const auto talks =
        scratch.file("talks.lua",
                     "return { schedule = function(queue, cluster) print('pass')\n"
                     "  for job in queue:startable() do cluster:start(job) end end }");
    const auto said =
        berth_says({"run", "--trace", trace, "--policy", talks, "--out", out, "--log"});
    CHECK(said.code == 0);
    CHECK(has(said.err, "talks: t=0 pass\ntalks: t=1 pass\n"));
    std::vector<std::string> names;
    for (const auto& [name, text] : results(out)) names.push_back(name);
    CHECK(names == std::vector<std::string>{"jobs.csv", "log.jsonl", "manifest.json",
                                            "policy.log", "policy/talks.lua",
                                            "run.json", "summary.json", "timeline.csv",
                                            "users.csv"});
    CHECK(fs::exists(out / "timing.json"));
    CHECK(has(test::text_of_file(out / "policy.log"), "t=1 pass\n"));

    const auto raises =
        scratch.file("raises.lua", "return { schedule = function() error('no') end }");
    const auto other = scratch.path() / "other";
    CHECK(berth_says({"run", "--trace", trace, "--policy", raises, "--out", other})
              .code == 4);
    CHECK_FALSE(fs::exists(other));
  }

  TEST_CASE(
      "an --out of another run is refused before anything runs, --force replaces it") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto out = scratch.path() / "out";
    const std::vector<std::string> args = {"run",  "--trace", trace, "--policy",
                                           "fcfs", "--out",   out};
    CHECK(berth_says(args).code == 0);
    const auto before = results(out);
    CHECK(berth_says(args).code == 0);  // the same run, which is finished
    CHECK(results(out) == before);
    auto other = args;
    other.insert(other.end(), {"--seed", "2"});
    CHECK(berth_says(other).code == 2);
    CHECK(results(out) == before);
    auto forced = args;
    forced.emplace_back("--force");
    CHECK(berth_says(forced).code == 0);
    CHECK(results(out) == before);
  }

  TEST_CASE("the same run gives the same bytes, at any number of workers") {
    const test::ScratchFolder scratch;
    const auto scenario = scratch.file("s.toml",
                                       "seed = 3\n[machine]\nprocessors = 32\n"
                                       "[workload]\nmodel = \"lublin\"\njobs = 300\n"
                                       "load = 0.9\nestimates = \"factor\"\n"
                                       "[run]\npolicies = [\"fcfs\", \"easy\", "
                                       "\"conservative\", \"sjf:block=false\"]\n");
    const auto run = [&](const std::string& name, const char* workers) {
      const auto out = scratch.path() / name;
      const auto said =
          berth_says({"run", scenario, "--out", out, "--log", "-j", workers});
      CHECK(said.code == 0);
      return std::pair(results(out), said.out);
    };
    const auto one = run("one", "1");
    CHECK(one.first.size() == 4 * 7 + 2);
    CHECK(run("again", "1") == one);
    CHECK(run("four", "4") == one);
    for (const auto& [this_name, text] : one.first) {
      const auto& name = this_name;  // a binding cannot be captured
      CAPTURE(name);
      CHECK_FALSE(has(text, scratch.path().string()));
    }
  }

  TEST_CASE("a manifest's scenario gives the same results again") {
    const test::ScratchFolder scratch;
    const auto first = scratch.path() / "first";
    const auto scenario = scratch.file(
        "s.toml",
        "seed = 3\n[machine]\nprocessors = 32\n[workload]\nmodel = \"lublin\"\n"
        "jobs = 200\nload = 0.9\n[run]\npolicies = [\"sjf:block=false\"]\n");
    REQUIRE(berth_says({"run", scenario, "--out", first}).code == 0);
    const auto manifest =
        nlohmann::json::parse(test::text_of_file(first / "manifest.json"));
    const auto text = manifest["scenario"].get<std::string>();
    const auto again = scratch.file("s2.toml", text);
    const auto second = scratch.path() / "second";
    const auto said = berth_says({"run", again, "--out", second});
    CAPTURE(said.err);
    REQUIRE(said.code == 0);
    CHECK(results(second)["jobs.csv"] == results(first)["jobs.csv"]);
  }

  TEST_CASE("a scenario is overridden by options, and its mistakes have their place") {
    const test::ScratchFolder scratch;
    const auto scenario = scratch.file(
        "s.toml",
        "[machine]\nprocessors = 8\n[workload]\nmodel = \"lublin\"\njobs = 50\n"
        "[run]\npolicies = [\"esay\"]\n");
    const auto wrong = berth_says({"run", scenario});
    CHECK(wrong.code == 3);
    CHECK(first_line(wrong.err).find(
              "s.toml:7:13: run.policies: there is no built-in policy 'esay' (did you "
              "mean 'easy'?)") != std::string::npos);
    const auto json = nlohmann::json::parse(
        berth_says({"run", scenario, "--policy", "sjf", "--set",
                    "policies.sjf.block=false", "--set", "workload.jobs=60", "--json"})
            .out);
    CHECK(json[0]["policy"] == "sjf(block=false)");
    CHECK(json[0]["jobs"]["submitted"] == 60);
  }

  TEST_CASE("a job wider than the machine is a warning, under --strict an error") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const std::vector<std::string> args = {
        "run", "--trace", trace, "--policy", "fcfs", "--json", "--processors", "3"};
    const auto said = berth_says(args);
    CHECK(said.code == 0);
    CHECK(has(said.err, "t.swf:3: job 2 needs 4 processors, the machine has 3"));
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json[0]["jobs"]["rejected"] == 1);
    // Results name the trace by its base name.
    CHECK_FALSE(has(said.out, scratch.path().string()));
    auto strict = args;
    strict.emplace_back("--strict");
    CHECK(berth_says(strict).code == 3);
  }

  TEST_CASE(
      "verify finds nothing in a schedule of our own and what is spoiled in others") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file("t.swf", kTrace);
    const auto out = scratch.path() / "out";
    REQUIRE(
        berth_says({"run", "--trace", trace, "--policy", "easy", "--out", out}).code ==
        0);
    const auto good = berth_says({"verify", "--trace", trace, "--schedule",
                                  out / "jobs.csv", "--promise", "easy"});
    CAPTURE(good.out);
    CHECK(good.code == 0);
    CHECK(has(good.out, "every rule holds"));

    // Job 2 could start at 10; job 3 in its way until 15 breaks the promise.
    const auto late = scratch.file(
        "late.csv", "job_id,starting_time,finish_time\n1,0,10\n2,15,25\n3,10,15\n");
    CHECK(berth_says({"verify", "--trace", trace, "--schedule", late}).code == 0);
    CHECK(berth_says(
              {"verify", "--trace", trace, "--schedule", late, "--promise", "easy"})
              .code == 1);
    const auto crowded = scratch.file(
        "crowded.csv", "job_id,starting_time,finish_time\n1,0,10\n2,9,19\n3,1,6\n");
    const auto bad = berth_says({"verify", "--trace", trace, "--schedule", crowded});
    CHECK(bad.code == 1);
    CHECK(has(bad.out, "capacity"));
    const auto twice =
        scratch.file("twice.csv", "job_id,starting_time,finish_time\n1,0,10\n1,9,19\n");
    CHECK(berth_says({"verify", "--trace", trace, "--schedule", twice}).code == 3);
  }

  TEST_CASE("generate writes a workload that reads back as it was, packed or not") {
    const test::ScratchFolder scratch;
    const auto plain = scratch.path() / "w.swf";
    const auto packed = scratch.path() / "w.swf.gz";
    const auto generate = [](const fs::path& to) {
      return berth_says({"generate", "lublin", "--jobs", "50", "--processors", "16",
                         "--seed", "4", "--load", "0.7", "-o", to});
    };
    CHECK(generate(plain).code == 0);
    CHECK(generate(packed).code == 0);
    CHECK(generate(plain).code == 2);
    const auto direct =
        berth_says({"generate", "lublin", "--jobs", "50", "--processors", "16",
                    "--seed", "4", "--load", "0.7"});
    CHECK(direct.out == test::text_of_file(plain));
    CHECK(test::text_of_file(packed).substr(0, 2) == "\x1f\x8b");
    const auto about = [](const fs::path& file) {
      const auto text = berth_says({"trace", file}).out;
      return text.substr(text.find('\n'));  // without its name
    };
    CHECK(has(about(plain), "50 read, 0 left out, 50 kept"));
    CHECK(has(about(plain), "load         0.7000 of 16 processors"));
    CHECK(about(packed) == about(plain));
    CHECK(berth_says({"generate", "lublni"}).code == 2);
    CHECK(has(berth_says({"generate", "lublni"}).err, "did you mean 'lublin'?"));
  }

  TEST_CASE("trace lists what was left out, class by class and line by line") {
    const test::ScratchFolder scratch;
    const auto trace = scratch.file(
        "t.swf", std::string(kTrace) + "4 2 -1 5 -1 -1 -1 -1 5 -1 1 1 1 1 1 1 -1 -1\n");
    const auto said = berth_says({"trace", trace});
    CHECK(said.code == 0);
    CHECK(has(said.out, "4 read, 1 left out, 3 kept"));
    CHECK(has(said.out, "no_processor_count"));
    CHECK(berth_says({"trace", trace, "--list", "no_processor_count"}).out ==
          trace + ":5: no_processor_count\n");
    CHECK(berth_says({"trace", trace, "--list", "no_procesor_count"}).code == 2);
    CHECK(berth_says({"trace", trace, "--strict"}).code == 3);
  }

  TEST_CASE("check tells files that work from files that do not") {
    const test::ScratchFolder scratch;
    const auto good = scratch.file("good.lua",
                                   "return { schedule = function(queue, cluster)\n"
                                   "for job in queue:startable() do cluster:start(job) "
                                   "end end }");
    CHECK(berth_says({"check", good}).code == 0);
    const auto late =
        scratch.file("late.lua",
                     "return { schedule = function(queue, cluster)\n"
                     "  if queue:length() > 3 then queue:had() end\n"
                     "  for job in queue:startable() do cluster:start(job) "
                     "end end }");
    const auto found = berth_says({"check", late});
    CHECK(found.code == 4);
    CHECK(has(found.err, "late.lua:2:"));
    CHECK(berth_says({"check", scratch.file("t.swf", kTrace)}).code == 0);
    CHECK(berth_says({"check", scratch.file("b.swf", "1 2 3\n")}).code == 3);
    CHECK(berth_says({"check", scratch.file("s.toml", "sed = 1\n")}).code == 3);
    CHECK(berth_says({"check", scratch.file("x.doc", "")}).code == 2);
  }

  TEST_CASE("check runs the cases beside a policy and names the start that is wrong") {
    const test::ScratchFolder scratch;
    study::write_new_files(study::policy_files(scratch.path(), "mine"));
    const auto policy = (scratch.path() / "mine.lua").string();
    const auto good = berth_says({"check", policy});
    CHECK(good.code == 0);
    CHECK(has(good.err + good.out, "mine.test.lua: 3 of 3 cases come out as wanted"));
    const auto cases = scratch.file("mine.test.lua",
                                    "return { { \"one job\", processors = 2, jobs = { "
                                    "{ 3, 1, 5 } }, starts = { 4 } } }");
    for (const auto& file : {policy, cases}) {
      const auto wrong = berth_says({"check", file});
      CHECK(wrong.code == 4);
      CHECK(has(wrong.err, "mine.test.lua: one job: job 1 starts at 3, expected 4"));
    }
    static_cast<void>(scratch.file("mine.test.lua", "return 5"));
    CHECK(has(berth_says({"check", policy}).err, "must return a list of cases"));
  }

  TEST_CASE("policies lists the built-in ones, api its members") {
    const auto policies = berth_says({"policies"});
    CHECK(policies.code == 0);
    for (const auto* name :
         {"fcfs", "sjf", "first_fit", "best_fit", "easy", "conservative"}) {
      CAPTURE(name);
      CHECK(has("\n" + policies.out, "\n" + std::string(name) + " "));
    }
    CHECK(has(policies.out, "Mu'alem and Feitelson 2001"));
    CHECK(has(policies.out, "least_reserved"));
    CHECK(has(policies.out,
              "\nfirst_fit      First fit: jobs that do not fit are passed over.\n"));
    CHECK(has(berth_says({"policies", "--parameters"}).out, "block=true"));
    CHECK(has(berth_says({"api", "start"}).out, "start"));
    CHECK(has(berth_says({"api", "--meta"}).out, "---@meta"));
    CHECK(has(berth_says({"run", "--help-keys"}).out, "overrun_grace"));
    CHECK(has(berth_says({"run", "--help-metrics"}).out, "mean_wait"));
  }

  TEST_CASE("a user who asks to stop gets status 130 and no results") {
    const test::ScratchFolder scratch;
    const auto out_folder = scratch.path() / "out";
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err, [] { return true; }};
    const std::vector<std::string> args = {"run",
                                           "--set",
                                           "workload.model=lublin",
                                           "--set",
                                           "machine.processors=8",
                                           "--policy",
                                           "fcfs",
                                           "--out",
                                           out_folder};
    const auto scenario = scratch.file(
        "s.toml", "[machine]\nprocessors = 8\n[workload]\nmodel = \"lublin\"\n");
    auto with_scenario = args;
    with_scenario.insert(with_scenario.begin() + 1, scenario);
    CHECK(cli::run(with_scenario, console) == 130);
    CHECK(out.str().empty());
    CHECK_FALSE(fs::exists(out_folder));
  }
}
