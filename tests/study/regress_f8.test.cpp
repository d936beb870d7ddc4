// F8, F11, F12, F18, F19, F20 and --force: what is read is bounded before it is parsed,
// what is written into is locked, and what is removed is our own.

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <sstream>

#include "cli/cli.hpp"
#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/output/json_reading.hpp"
#include "study/claims/conversion.hpp"
#include "study/common/file_source.hpp"
#include "study/results/folder_lock.hpp"
#include "study/results/own_files.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth;
using namespace berth::study;
namespace fs = std::filesystem;

namespace {

constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"
    "2 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n";

using test::berth_says;
using test::Said;

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string times(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// A sweep of two points with its results in `out`.
struct Swept {
  Swept() {
    static_cast<void>(folder.file("t.swf", kTrace));
    scenario = folder.file("s.toml",
                           "workload.trace = \"t.swf\"\nrun.policies = [\"fcfs\"]\n"
                           "[sweep]\nseed = [1, 2]\n");
    out = folder.path() / "out";
    CHECK(sweep().code == 0);
  }

  [[nodiscard]] Said sweep(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"sweep", scenario, "--out", out.string()};
    args.insert(args.end(), more.begin(), more.end());
    return berth_says(args);
  }

  [[nodiscard]] fs::path point(const std::string& file) const {
    return out / "points/0001-seed=1" / file;
  }

  test::ScratchFolder folder;
  std::string scenario;
  fs::path out;
};

}  // namespace

TEST_SUITE("study/regress_f8") {
  TEST_CASE("deep keys, lists and tables are refused before they are parsed") {
    const auto deep = "a" + times(40'000, ".a") + " = 1\n";
    CHECK(error_of([&] { (void)read_scenario("x.toml", "seed = 1\n" + deep); }) ==
          "x.toml:2:32: more than 16 levels of tables, lists or parts of a key");
    CHECK(has(error_of([&] { (void)converted_claims("x.toml", deep); }),
              "x.toml:1:32: more"));
    for (const auto* open : {"[", "{a=", "[{a=\"\"\"x\"\"\"\",b="}) {
      CAPTURE(open);
      const auto text = "a = " + times(40'000, open);
      CHECK(has(error_of([&] { (void)read_scenario("x.toml", text); }),
                "more than 16 levels"));
    }
    CHECK(has(error_of([&] {
                (void)read_scenario("x.toml", "[" + times(20, "a.") + "a]\n");
              }),
              "more than 16 levels"));
  }

  TEST_CASE("dots and brackets in strings and comments are not depth") {
    const auto dots = times(100, ".[{");
    const auto text = fmt::format(
        "title = \"{0}\\\"{0}\" # {0}\nseed = 1\n[workload]\ntrace = '''{0}\n{0}''''\n",
        dots);
    CHECK(read_scenario("x.toml", text).seed == 1);
  }

  TEST_CASE("a string that does not end is an error of the text") {
    for (const auto* text : {"title = \"x\\", "title = \"\"\"x\\", "title = '''x",
                             "title = \"\"\"", "title = \""}) {
      CAPTURE(text);
      CHECK(has(error_of([&] { (void)read_scenario("x.toml", text); }), "x.toml:1:"));
    }
  }

  TEST_CASE("JSON nests at most 32 levels") {
    CHECK(JsonReader("x", times(32, "[") + times(32, "]")).elements().size() == 1);
    for (const int depth : {34, 200'000}) {
      for (const auto& text : {times(depth, "[") + times(depth, "]"),
                               times(depth, "{\"a\":") + "1" + times(depth, "}")}) {
        CHECK(error_of([&] { JsonReader("x", text); }) ==
              "x: nested deeper than 32 levels");
      }
    }
  }

  TEST_CASE("numbers of JSON are whole and in the range of what keeps them") {
    const auto read = [](const std::string& number, std::int64_t least = 0) {
      return JsonReader("x", "{\"n\":" + number + "}").whole<std::int32_t>("n", least);
    };
    CHECK(read("2147483647") == 2147483647);
    for (const auto* text :
         {"2147483648", "-1", "1.5", "1e3", "\"1\"", "null", "18446744073709551615"}) {
      CAPTURE(text);
      CHECK(has(error_of([&] { (void)read(text); }), "x: n: "));
    }
    CHECK(read("-1", -1) == -1);
  }

  TEST_CASE(
      "a point whose manifest nests too deep is run again, and missing to merge") {
    const Swept swept;
    static_cast<void>(swept.folder.file(
        fs::relative(swept.point("fcfs/manifest.json"), swept.folder.path()).string(),
        "{\"a\":" + times(200'000, "[") + times(200'000, "]") + "}"));
    const auto merged = berth_says({"merge", swept.out.string()});
    CHECK(merged.code == 3);
    CHECK(has(merged.err, "0001-seed=1 fcfs"));
    CHECK(has(swept.sweep().err, "1 finished before, 1 run now"));
  }

  TEST_CASE("a point whose point.json was changed is run again") {
    const Swept swept;
    auto text = test::text_of_file(swept.point("point.json"));
    const auto at = text.find("\"n\": 0");
    REQUIRE(at != std::string::npos);
    text.replace(at, 6, "\"n\": -1");
    static_cast<void>(swept.folder.file("out/points/0001-seed=1/point.json", text));
    CHECK(has(berth_says({"merge", swept.out.string()}).err, "0001-seed=1"));
    CHECK(has(swept.sweep().err, "1 finished before, 1 run now"));
    CHECK(has(swept.sweep().err, "2 finished before, 0 run now"));
  }

  TEST_CASE("merge refuses a grid larger than a sweep may have") {
    const Swept swept;
    auto axes = std::string("\"sweep\": [");
    for (int i = 0; i < 5; ++i) {
      axes += fmt::format("{}{{\"key\":\"k{}\",\"values\":[\"0\"{}]}}",
                          i > 0 ? "," : "", i, times(999, ",\"0\""));
    }
    static_cast<void>(swept.folder.file("out/sweep.json", "{" + axes + "]}"));
    const auto said = berth_says({"merge", swept.out.string()});
    CHECK(said.code == 3);
    CHECK(has(said.err, "sweep.json cannot be read: more than 100000 points"));
    static_cast<void>(swept.folder.file("out/sweep.json",
                                        "{\"sweep\":[{\"key\":\"k\",\"values\":[]}]}"));
    CHECK(has(berth_says({"merge", swept.out.string()}).err, "k has no value"));
  }

  TEST_CASE("inputs are regular files") {
    const test::ScratchFolder folder;
    const auto fifo = (folder.path() / "t.swf").string();
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    constexpr auto kRefused =
        "is no regular file; give a file, or - for standard input";
    CHECK(has(error_of([&] { const FileSource source(fifo); }), kRefused));
    CHECK(has(error_of([&] { const FileSource source("/dev/zero"); }), kRefused));
    CHECK(has(error_of([&] { const FileSource source(folder.path().string()); }),
              "is a folder; give a file"));
    for (const auto& args : std::vector<std::vector<std::string>>{
             {"run", "--trace", fifo, "--policy", "easy"},
             {"trace", fifo},
             {"verify", "--trace", fifo, "--schedule", fifo}}) {
      const auto said = berth_says(args);
      CHECK(said.code == 3);
      CHECK(has(said.err, kRefused));
    }
    fs::rename(fifo, folder.path() / "s.toml");
    CHECK(berth_says({"run", (folder.path() / "s.toml").string()}).code == 3);
  }

  TEST_CASE("the wish to stop ends reading") {
    const test::ScratchFolder folder;
    const auto trace = folder.file("t.swf", kTrace);
    request_interrupt();
    CHECK(berth_says({"trace", trace}).code == 130);
    CHECK(berth_says({"run", "--trace", trace, "--policy", "easy"}).code == 130);
    clear_interrupt();
    CHECK(berth_says({"trace", trace}).code == 0);
  }

  TEST_CASE("the wish to stop ends a policy without a time limit") {
    const test::ScratchFolder folder;
    const auto trace = folder.file("t.swf", kTrace);
    const auto policy = folder.file(
        "p.lua", "return { schedule = function() while true do end end }\n");
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err};
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = [](int) { request_interrupt(); };
    REQUIRE(::sigaction(SIGALRM, &action, &before) == 0);
    ::alarm(1);
    const std::vector<std::string> args{"run",  "--trace",      trace, "--policy",
                                        policy, "--time-limit", "0",   "--no-audit"};
    CHECK(cli::run(args, console) == 130);
    ::sigaction(SIGALRM, &before, nullptr);
    clear_interrupt();
  }

  TEST_CASE("a second process in a folder is told of the first") {
    const Swept swept;
    {
      const FolderLock first(swept.out / ".lock", swept.out, Hold::kAlone);
      for (const auto& more :
           std::vector<std::vector<std::string>>{{}, {"--force"}, {"--shard", "1/2"}}) {
        const auto said = swept.sweep(more);
        CHECK(said.code == 2);
        CHECK(has(said.err, fmt::format("out: process {} on ", ::getpid())));
        CHECK(
            has(said.err, " writes into it; wait for its end, or give another --out"));
      }
    }
    CHECK(swept.sweep().code == 0);
    CHECK_FALSE(fs::exists(swept.out / ".lock"));
  }

  TEST_CASE("a second run into a folder without results is told of the first") {
    const Swept swept;
    const auto out = swept.folder.path() / "run";
    fs::create_directory(out);
    const FolderLock first(out / ".lock", out, Hold::kAlone);
    const auto said = berth_says({"run", "--trace", swept.folder.path() / "t.swf",
                                  "--policy", "easy", "--out", out.string()});
    CHECK(said.code == 2);
    CHECK(has(said.err, "writes into it"));
    CHECK_FALSE(fs::exists(out / "run.json"));
  }

  TEST_CASE("parts of one division work side by side, others do not") {
    const Swept swept;
    const auto lock = [&](const std::string& name, Hold hold) {
      return std::make_unique<FolderLock>(swept.out / name, swept.out, hold);
    };
    {
      const auto shared = lock(".lock", Hold::kWithOthers);
      const auto part = lock(".lock-1-of-2", Hold::kAlone);
      CHECK(swept.sweep({"--shard", "2/2"}).code == 0);
      CHECK(swept.sweep({"--shard", "1/2"}).code == 2);
      CHECK(swept.sweep({"--shard", "1/3"}).code == 2);
      CHECK(swept.sweep().code == 2);
    }
    CHECK(swept.sweep({"--shard", "1/3"}).code == 0);
  }

  TEST_CASE("a lock that a killed process left locks nothing") {
    const Swept swept;
    static_cast<void>(swept.folder.file("out/.lock", "process 1 on nowhere"));
    CHECK(swept.sweep().code == 0);
  }

  TEST_CASE("--force removes what berth wrote and nothing else") {
    const Swept swept;
    CHECK(swept.sweep({"--force", "--set", "run.tau=5"}).code == 0);
    // A canary in each folder: nothing is removed while it is there.
    for (const auto* place :
         {"out/mine.txt", "out/points/mine.txt", "out/points/0002-seed=2/mine.txt",
          "out/points/0002-seed=2/fcfs/mine.txt", "out/points/stranger/jobs.csv"}) {
      CAPTURE(place);
      const auto canary = swept.folder.file(place, "alive");
      const auto said = swept.sweep({"--force"});
      CHECK(said.code == 2);
      CHECK(has(said.err, "berth did not write it, so nothing is replaced"));
      CHECK(test::text_of_file(canary) == "alive");
      CHECK(fs::exists(swept.point("point.json")));
      fs::remove(canary);
      if (fs::path(place).parent_path().filename() == "stranger") {
        fs::remove(fs::path(canary).parent_path());
      }
    }
    CHECK(swept.sweep({"--force"}).code == 0);
  }

  TEST_CASE(
      "--force replaces a run by a sweep, a sweep by a run, and nothing by either") {
    const Swept swept;
    const auto run = [&](const std::string& out, const std::string& more) {
      return berth_says({"run", "--trace", (swept.folder.path() / "t.swf").string(),
                         "--policy", "easy", "--policy", more, "--force", "--out",
                         (swept.folder.path() / out).string()})
          .code;
    };
    CHECK(run("out", "fcfs") == 0);
    CHECK(fs::exists(swept.out / "easy/jobs.csv"));
    CHECK_FALSE(fs::exists(swept.out / "points"));
    CHECK(swept.sweep({"--force"}).code == 0);
    CHECK_FALSE(fs::exists(swept.out / "easy"));
    CHECK(fs::exists(swept.point("point.json")));
    CHECK(run("new", "fcfs") == 0);
    fs::remove_all(swept.out);
    CHECK(swept.sweep({"--force"}).code == 0);
    for (const auto& entry : fs::directory_iterator(swept.folder.path())) {
      CAPTURE(entry.path());
      CHECK(entry.path().filename().string().find("partial") == std::string::npos);
      CHECK(entry.path().filename().string().front() != '.');
    }
  }

  TEST_CASE("--force leaves a stranger's folder with a manifest.json alone") {
    const test::ScratchFolder folder;
    const auto trace = folder.file("t.swf", kTrace);
    const auto run = [&] {
      return berth_says({"run", "--trace", trace, "--policy", "easy", "--force",
                         "--out", (folder.path() / "web").string()});
    };
    const auto page = folder.file("web/manifest.json", "{\"name\": \"my page\"}");
    CHECK(run().code == 2);
    static_cast<void>(folder.file("web/comparison.csv", "a,b\n"));
    CHECK(run().code == 2);
    CHECK(test::text_of_file(page) == "{\"name\": \"my page\"}");
    fs::remove(page);
    fs::create_directory(folder.path() / "web/empty");
    CHECK(run().code == 2);
    CHECK(fs::exists(folder.path() / "web/comparison.csv"));
  }

  TEST_CASE("a link is no folder of ours") {
    const Swept swept;
    const auto away = swept.folder.path() / "away";
    fs::create_directory(away);
    static_cast<void>(swept.folder.file("away/jobs.csv", "mine"));
    fs::create_directory_symlink(away, swept.out / "points/0003-seed=3");
    CHECK(swept.sweep({"--force"}).code == 2);
    CHECK(test::text_of_file(away / "jobs.csv") == "mine");
  }
}
