// What happened, times what follows: the exit status is that of the first thing that
// went wrong, whatever is asked for besides.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "cli/cli.hpp"
#include "cli/steps.hpp"
#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"

using namespace berth;
namespace fs = std::filesystem;

namespace {

constexpr auto kTrace =
    "; MaxProcs: 2\n"
    "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "2 1 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "3 2 -1 80 1 -1 -1 1 80 -1 1 1 1 1 1 -1 -1 -1\n";

// How a policy ends, and a word of the message that tells it.
struct Ending {
  int code;
  const char* word;
  const char* script;
};

// The liar promises what EASY promises and starts whatever fits: job 3 delays job 2.
constexpr Ending kEndings[] = {
    {0, "",
     "return { schedule = function(queue, cluster)\n"
     "  for job in queue:startable() do cluster:start(job) end end }\n"},
    {1, "head promise broken",
     "return { promises = 'easy', schedule = function(queue, cluster)\n"
     "  for job in queue:fitting() do cluster:start(job) end end }\n"},
    {4, "it broke", "return { schedule = function() error('it broke') end }\n"},
    {5, "limit", "return { schedule = function() while true do end end }\n"},
    {6, "memory limit",
     "return { schedule = function()\n"
     "  local all = {} for i = 1, 1e9 do all[i] = { i } end end }\n"},
};

struct Said {
  int code;
  std::string out;
  std::string err;
};

class Study {
 public:
  Study() : trace_(scratch_.file("t.swf", kTrace)) {}

  // Runs the ending beside FCFS, with the options of a run.
  Said run(const Ending& ending, const std::vector<std::string>& more) {
    std::vector<std::string> args{"run",  "--trace",  trace_,        "--policy",
                                  "fcfs", "--policy", policy(ending)};
    args.insert(args.end(), more.begin(), more.end());
    if (ending.code == 5) args.insert(args.end(), {"--work-limit", "100000"});
    if (ending.code == 6) args.insert(args.end(), {"--memory-limit", "4"});
    return says(args);
  }

  // Is interrupted at the question of this number, from 1; 0: never.
  Said says(const std::vector<std::string>& args, int interrupted_at = 0) {
    std::ostringstream out;
    std::ostringstream err;
    int asked = 0;
    cli::Console console{out, err, [&] {
                           ++asked;
                           return interrupted_at > 0 && asked >= interrupted_at;
                         }};
    const int code = cli::run(args, console);
    return {code, out.str(), err.str()};
  }

  [[nodiscard]] std::string policy(const Ending& ending) const {
    return scratch_.file("bad.lua", ending.script);
  }
  // A scenario of two points.
  [[nodiscard]] std::string sweep(const Ending& ending) const {
    return scratch_.file("s.toml",
                         fmt::format("[workload]\ntrace = \"t.swf\"\n[run]\npolicies = "
                                     "[\"fcfs\", \"{}\"]\n[sweep]\nrun.tau = [5, 10]\n",
                                     policy(ending)));
  }
  // A folder that has not been there before.
  [[nodiscard]] std::string out() {
    return (scratch_.path() / fmt::format("out{}", ++outs_)).string();
  }
  [[nodiscard]] std::string file(const std::string& name, std::string_view text) const {
    return scratch_.file(name, text);
  }
  [[nodiscard]] const std::string& trace() const { return trace_; }

 private:
  test::ScratchFolder scratch_;
  std::string trace_;
  int outs_ = 0;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One message about what happened, and none about a folder.
void check(const Said& said, const Ending& ending) {
  CAPTURE(ending.code);
  CAPTURE(said.err);
  CHECK(said.code == ending.code);
  CHECK(has(said.err, ending.word));
  CHECK_FALSE(has(said.err, "no folder"));
  CHECK_FALSE(has(said.err, "holds no results"));
}

using Options = std::vector<std::string>;

const Options kPrinted[] = {
    {},
    {"--json"},
    {"--json=runs"},
    {"--table", "csv"},
    {"--table", "json"},
    {"--table", "latex"},
    {"--table", "markdown"},
    {"--all-metrics"},
    {"--metric", "mean_wait"},
};

}  // namespace

TEST_SUITE("cli/exit_status") {
  TEST_CASE(
      "E 11: how a run ended is its exit status, whatever is printed or written") {
    Study study;
    for (const auto& ending : kEndings) {
      for (const auto& printed : kPrinted) {
        CAPTURE(fmt::format("{}", fmt::join(printed, " ")));
        check(study.run(ending, printed), ending);
      }
      for (const Options& written :
           {Options{}, {"--log"}, {"--report"}, {"--report", "--json"}}) {
        auto more = written;
        more.insert(more.end(), {"--out", study.out()});
        check(study.run(ending, more), ending);
        CHECK(fs::exists(fs::path(more.back()) / "fcfs/jobs.csv"));
        const bool has_report = !written.empty() && written.front() == "--report";
        CHECK(fs::exists(fs::path(more.back()) / "report.html") == has_report);
      }
    }
  }

  TEST_CASE("E 11: a policy alone that fails ends the run, with or without --report") {
    Study study;
    for (const auto& ending : kEndings) {
      if (ending.code == 0) continue;
      const auto out = study.out();
      Options args{
          "run", "--trace",  study.trace(),  "--policy", study.policy(ending), "--out",
          out,   "--report", "--work-limit", "100000",   "--memory-limit",     "4"};
      if (ending.code == 6) args.erase(args.end() - 4, args.end() - 2);
      check(study.says(args), ending);
      CHECK_FALSE(fs::exists(out));
    }
  }

  TEST_CASE("E 11: how a sweep ended is its exit status, and that of its merge") {
    Study study;
    for (const auto& ending : kEndings) {
      const auto out = study.out();
      Options args{"sweep", study.sweep(ending), "--out", out, "--memory-limit", "4"};
      if (ending.code != 6) args.insert(args.end(), {"--work-limit", "100000"});
      check(study.says(args), ending);
      for (const auto& printed : kPrinted) {
        auto more = args;
        more.insert(more.end(), printed.begin(), printed.end());
        check(study.says(more), ending);
      }
      auto reported = args;
      reported.emplace_back("--report");
      check(study.says(reported), ending);
      CHECK(fs::exists(fs::path(out) / "report.html"));
      check(study.says({"merge", out}), ending);
      check(study.says({"merge", out, "--mark-missing", "--json"}), ending);
      check(study.says({"merge", out, "--mark-missing", "--out", study.out()}), ending);
      auto part = args;
      part[3] = study.out();
      part.insert(part.end(), {"--shard", "1/2"});
      check(study.says(part), ending);
    }
  }

  TEST_CASE("E 11: claims and watch end as their runs did") {
    Study study;
    for (const auto& ending : kEndings) {
      // Their limits of time are those of long runs.
      if (ending.code == 5) continue;
      static_cast<void>(study.sweep(ending));
      const auto claims =
          study.file("claims.lua",
                     "claim { '1', says = 'x', sweep = 's.toml', of = 'bad', against = "
                     "'fcfs', metric = 'mean_wait', rule = 'always' }");
      const auto folder = fs::path(claims).parent_path().string();
      check(study.says({"claims", folder}), ending);
      check(study.says({"claims", folder, "--json", "--out", study.out()}), ending);
      // Once interrupted after its first run it says how that ended.
      const auto watched = study.says(
          {"watch", "--trace", study.trace(), "--policy", study.policy(ending)}, 50);
      CAPTURE(watched.out);
      CHECK((watched.code == ending.code || watched.code == 130));
    }
  }

  TEST_CASE("E 11: output that cannot be written is 8, unless something came before") {
    Study study;
    const auto& good = kEndings[0];
    const std::string nowhere = "/proc/nowhere/out";
    CHECK(study.run(good, {"--out", nowhere, "--report"}).code == 8);
    CHECK(study.says({"sweep", study.sweep(good), "--out", nowhere}).code == 8);
    for (const auto& ending : kEndings) {
      const auto out = study.out();
      Options args{"sweep", study.sweep(ending), "--out", out, "--memory-limit", "4"};
      if (ending.code != 6) args.insert(args.end(), {"--work-limit", "100000"});
      REQUIRE(study.says(args).code == ending.code);
      const auto merged =
          study.says({"merge", out, "--mark-missing", "--out", nowhere, "--json"});
      CHECK(merged.code == (ending.code == 0 ? 8 : ending.code));
      CHECK(has(merged.err, "/proc/nowhere"));
    }
  }

  TEST_CASE("E 11: an interruption is 130, and nothing follows it") {
    Study study;
    const auto& good = kEndings[0];
    for (const Options& more : {Options{}, {"--report"}, {"--json"}, {"--log"}}) {
      Options args{"run",   "--trace",  study.trace(), "--policy", study.policy(good),
                   "--out", study.out()};
      args.insert(args.end(), more.begin(), more.end());
      const auto said = study.says(args, 1);
      CHECK(said.code == 130);
      CHECK(said.out.empty());
      CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
      CHECK_FALSE(fs::exists(args[6]));
    }
    const auto sweep = study.sweep(good);
    CHECK(study.says({"sweep", sweep, "--out", study.out(), "--report"}, 1).code ==
          130);
  }

  TEST_CASE("no step hides the first that went wrong, and each is taken") {
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err};
    const auto fail = [](ErrorCode code, const char* text) {
      return [=] { throw Error(code, text); };
    };
    int taken = 0;
    const auto code = [&](int before) {
      return cli::Steps(before, console)
          .then([&] { ++taken; })
          .then(fail(ErrorCode::kOutput, "no room"))
          .then(fail(ErrorCode::kInput, "no folder"))
          .then([&] { ++taken; })
          .code();
    };
    for (const int before : {1, 2, 3, 4, 5, 6, 7, 8, 70}) CHECK(code(before) == before);
    CHECK(code(0) == 8);
    CHECK(taken == 20);
    CHECK(code(130) == 130);
    CHECK(taken == 20);
    CHECK(err.str().substr(0, 18) == "no room\nno folder\n");
  }
}
