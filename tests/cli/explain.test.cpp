// `berth explain`: the page about it, and what it refuses.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/machines/reason_list.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string page() {
  std::ostringstream text;
  text << std::ifstream(source_root() + "/docs/explain.md").rdbuf();
  return text.str();
}

// The current folder, while it lives.
class Inside {
 public:
  explicit Inside(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~Inside() { fs::current_path(before_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  fs::path before_;
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// A command of the page, and what stands below it.
struct Step {
  std::string command;
  std::string printed;
};

struct Page {
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<Step> steps;
};

Page read_page() {
  std::istringstream in(page());
  Page made;
  std::string mark;
  std::string kind;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("```", 0) == 0) {
      inside = !inside;
      kind = inside ? line.substr(3) : "";
      if (inside && !mark.empty()) made.files.emplace_back(mark, "");
      continue;
    }
    if (!inside) {
      const bool is_file = line.rfind("<!-- file: ", 0) == 0;
      if (!line.empty()) mark = is_file ? line.substr(11, line.size() - 15) : "";
    } else if (!mark.empty()) {
      made.files.back().second += line + "\n";
    } else if (kind == "console") {
      if (line.rfind("$ berth ", 0) == 0) {
        made.steps.push_back({line.substr(8), ""});
      } else {
        made.steps.back().printed += line + "\n";
      }
    }
  }
  return made;
}

// Seven jobs on ten processors, run into r/.
class SevenJobs {
 public:
  SevenJobs() : inside_(scratch.path()) {
    for (const auto& [name, text] : read_page().files) (void)scratch.file(name, text);
    const auto ran = says("run --trace seven.swf --policy easy --policy fcfs --out r");
    REQUIRE(ran.code == 0);
  }
  [[nodiscard]] static Said says(const std::string& line) {
    return berth_says(words_of(line));
  }
  ScratchFolder scratch;

 private:
  Inside inside_;
};

}  // namespace

TEST_SUITE("cli/explain") {
  TEST_CASE("the sessions of the page print what they show") {
    const auto shown = read_page();
    const ScratchFolder scratch;
    for (const auto& [name, text] : shown.files) (void)scratch.file(name, text);
    const Inside inside(scratch.path());
    CHECK(shown.steps.size() >= 6);
    for (const auto& step : shown.steps) {
      CAPTURE(step.command);
      const auto said = SevenJobs::says(step.command);
      CHECK(said.code == 0);
      const bool is_shown = step.command.rfind("run ", 0) != 0;
      if (is_shown) CHECK(said.out == step.printed);
      std::istringstream lines(said.out);
      for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
    }
  }

  TEST_CASE("every reason stands in the page with Slurm's word and its meaning") {
    const auto text = page();
    for (const auto& why : all_reasons()) {
      const auto& record = why.record();
      const auto slurm = record.slurm.empty() ? "-" : std::string(record.slurm);
      CHECK(has(text,
                fmt::format("| `{}` | {} | {} |", record.name, slurm, record.help)));
    }
  }

  TEST_CASE("a folder explains itself when the policy has changed since") {
    const ScratchFolder scratch;
    const Inside inside(scratch.path());
    for (const auto& [name, text] : read_page().files) (void)scratch.file(name, text);
    (void)scratch.file("mine.lua",
                       "return { schedule = function(queue, cluster) "
                       "cluster:start_all(queue) end }\n");
    REQUIRE(SevenJobs::says("run --trace seven.swf --policy ./mine.lua --out r").code ==
            0);
    const auto before = SevenJobs::says("explain r 4");
    CHECK(before.code == 0);
    (void)scratch.file("mine.lua", "return { schedule = function() end }\n");
    CHECK(SevenJobs::says("explain r 4") == before);
    (void)scratch.file("r/policy/mine.lua", "return { schedule = function() end }\n");
    const auto refused = SevenJobs::says("explain r 4");
    CHECK(refused.code == 3);
    CHECK(has(refused.err, "mine.lua: its SHA-256 is "));
    CHECK(has(refused.err, "in the manifest "));
    const auto forced = SevenJobs::says("explain r 4 --anyway");
    CHECK(forced.code == 0);
    CHECK(has(forced.err, "not the same run: mine.lua"));
    CHECK(has(forced.out, "never started"));
    // Such a folder is still ours to replace.
    CHECK(SevenJobs::says("run --trace seven.swf --policy fcfs --out r --force").code ==
          0);
  }

  TEST_CASE("a trace that is another one, or gone, is said with its name") {
    const SevenJobs jobs;
    std::ofstream("seven.swf", std::ios::app) << "; a comment\n";
    const auto other = SevenJobs::says("explain r/easy 4");
    CHECK(other.code == 3);
    CHECK(has(other.err, "seven.swf: its SHA-256 is "));
    fs::remove("seven.swf");
    const auto gone = SevenJobs::says("explain r/easy 4");
    CHECK(gone.code == 3);
    CHECK(has(gone.err, "seven.swf: there is no such file; looked in "));
    CHECK(has(gone.err, "--inputs DIR"));
  }

  TEST_CASE("a row of jobs.csv that is another one is named") {
    const SevenJobs jobs;
    std::ostringstream text;
    text << std::ifstream("r/easy/jobs.csv").rdbuf();
    auto changed = text.str();
    const auto row = changed.find("\n4,");
    const auto field = changed.find(",10,", row);
    REQUIRE(field != std::string::npos);
    changed.replace(field, 4, ",11,");
    std::ofstream("r/easy/jobs.csv") << changed;
    const auto said = SevenJobs::says("explain r/easy 4");
    CHECK(said.code == 1);
    CHECK(has(said.err, "r/easy/jobs.csv: job 4 started at 11, and made again at 10"));
  }

  TEST_CASE("a scenario is explained with another trace") {
    const SevenJobs jobs;
    (void)jobs.scratch.file("easy.toml", "run.policies = [\"easy\"]\n");
    const std::string line = "explain easy.toml --trace seven.swf 4";
    const auto json = SevenJobs::says(line + " --json");
    CHECK(json.code == 0);
    CHECK(json.out ==
          SevenJobs::says("explain --trace seven.swf --policy easy 4 --json").out);
    // What it proposes runs.
    const auto proposed = line + " --try size=1";
    CHECK(has(SevenJobs::says(line).out, "berth " + proposed));
    CHECK(SevenJobs::says(proposed).code == 0);
  }

  TEST_CASE("what cannot be explained is refused with what to do") {
    const SevenJobs jobs;
    (void)jobs.scratch.file("easy.toml", "run.policies = [\"easy\"]\n");
    struct Case {
      const char* line;
      int code;
      const char* says;
    };
    for (const auto& each : {
             Case{"explain", 2, "name a run"},
             Case{"explain r 4", 2,
                  "holds several runs; name one of its folders: easy, fcfs"},
             Case{"explain . 4", 2, "holds no run of berth"},
             Case{"explain r/easy 99", 2, "job 99 is not in this run; the nearest: 7"},
             Case{"explain r/easy four", 2, "'four' is no job"},
             Case{"explain r/easy 4 --try walltime=-3", 2, "--try walltime"},
             Case{"explain r/easy 4 --try walltime=0", 2, "must be above 0"},
             Case{"explain r/easy 4 --try size=0", 2, "--try size"},
             Case{"explain r/easy 4 --try colour=red", 2, "none of walltime=SECONDS"},
             Case{"explain r/easy --try size=2", 2, "are of one job: name it"},
             Case{"explain r/easy 4 --sample 3", 2, "--sample is for a run without"},
             Case{"explain r --between easy", 2, "takes two policies"},
             Case{"explain --trace seven.swf 4", 2, "--policy easy"},
             Case{"explain r/easy --trace seven.swf 4", 2, "says what was run"},
             Case{"explain easy.toml --trace none.swf 4", 3, "none.swf: there is no"},
             Case{"explain --trace seven.swf four --policy easy", 2, "is no job"},
         }) {
      CAPTURE(each.line);
      const auto said = SevenJobs::says(each.line);
      CHECK(said.code == each.code);
      CAPTURE(said.err);
      CHECK(has(said.err, each.says));
    }
  }

  TEST_CASE("a job that never waited, and one that the machine rejects, are said so") {
    const SevenJobs jobs;
    CHECK(has(SevenJobs::says("explain r/easy 1").out, "never waited"));
    (void)jobs.scratch.file(
        "wide.swf",
        "; MaxProcs: 4\n1 0 -1 6 9 -1 -1 9 6 -1 1 1 1 -1 -1 -1 -1 -1\n"
        "2 0 -1 6 2 -1 -1 2 6 -1 1 1 1 -1 -1 -1 -1 -1\n");
    const auto said = SevenJobs::says("explain --trace wide.swf --policy easy 1");
    CHECK(said.code == 0);
    CHECK(has(said.out, "rejected: the machine can never run it"));
  }

  TEST_CASE("waits.csv has a row a job and reason, and its seconds add up") {
    const SevenJobs jobs;
    REQUIRE(SevenJobs::says("explain r/easy --out w").code == 0);
    std::ifstream in("w/waits.csv");
    std::string line;
    std::getline(in, line);
    CHECK(line == "job_id,reason,passes,seconds,first,last,blocker");
    double sum = 0;
    while (std::getline(in, line)) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      sum += std::stod(cells.at(3));
    }
    CHECK(sum == 41);
  }

  TEST_CASE("a report of one's own stands for that of the program") {
    const SevenJobs jobs;
    const std::string line = "explain r/easy --tools mine";
    CHECK(SevenJobs::says(line).code == 3);
    (void)jobs.scratch.file("mine/lib/words.lua", "return { head = 'by reason' }\n");
    (void)jobs.scratch.file(
        "mine/explain.lua",
        "local words = require 'words'\n"
        "return { all = function(run)\n"
        "  local by = run.waits:by('reason')\n"
        "  return { page = out.page { out.table { title = words.head, columns = {\n"
        "    { 'reason', of = by:key() },\n"
        "    { 'seconds', as = 'seconds', of = by:sum('seconds') } } } } }\n"
        "end }\n");
    const auto said = SevenJobs::says(line);
    CHECK(said.code == 0);
    CHECK(said.out.starts_with("by reason\nreason "));
    const auto json = SevenJobs::says(line + " --json");
    CHECK(has(json.out, "\"title\": \"by reason\""));
    const auto filed = SevenJobs::says(line + " --out w");
    CHECK(filed.code == 4);
    CHECK(has(filed.err, "expected waits.csv among its files"));
    (void)jobs.scratch.file("mine/explain.lua",
                            "return { all = function(run)\n"
                            "  return { page = out.page { run.finished } }\nend }\n");
    const auto wrong = SevenJobs::says(line);
    CHECK(wrong.code == 4);
    CHECK(has(wrong.err,
              "mine/explain.lua:2: a run that is explained has no 'finished'"));
    (void)jobs.scratch.file("mine/explain.lua", "return {}\n");
    CHECK(has(SevenJobs::says(line).err, "expected to return { all = "));
    CHECK(SevenJobs::says(line + " 4").code == 2);
  }

  TEST_CASE("a report of one's own compares two policies, job by job") {
    const SevenJobs jobs;
    const std::string line = "explain r --between easy fcfs --tools mine";
    (void)jobs.scratch.file(
        "mine/explain.lua",
        "return { between = function(run, facts)\n"
        "  local other = run.others[facts.other]\n"
        "  local sooner = run.jobs:where(run.jobs.wait:lt(other.jobs.wait))\n"
        "  return out.page { out.text('%s %d %g', other.policy, sooner.id[1],\n"
        "                             (other.jobs.wait - run.jobs.wait):sum()) }\n"
        "end }\n");
    CHECK(SevenJobs::says(line).out == "fcfs 7 10\n");
    CHECK(has(SevenJobs::says(line + " --json").out, "\"text\": \"fcfs 7 10\""));
    CHECK(SevenJobs::says(line + " 7").code == 2);
    (void)jobs.scratch.file("mine/explain.lua",
                            "return { between = function(run)\n"
                            "  return run.others.sjf\nend }\n");
    const auto wrong = SevenJobs::says(line);
    CHECK(wrong.code == 4);
    CHECK(has(wrong.err, "run.others has no 'sjf'"));
    (void)jobs.scratch.file("mine/explain.lua", "return { all = print }\n");
    CHECK(has(SevenJobs::says(line).err, "expected to return { between = "));
  }

  TEST_CASE("over KTH under EASY the reasons add up to the whole wait") {
    const auto trace = shared_data("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    if (!trace) return;
    const ScratchFolder scratch;
    const auto out = (scratch.path() / "w").string();
    const auto said = berth_says(
        {"explain", "--trace", trace->string(), "--policy", "easy", "--out", out});
    CHECK(said.code == 0);
    CHECK(has(said.out, "195,291,356 s in all"));
    CHECK(has(said.out, "173,820,597"));
    CHECK(has(said.out, "21,470,759"));
  }

  TEST_CASE("what parts two policies is told as JSON and as Markdown, too") {
    const SevenJobs jobs;
    auto said = SevenJobs::says("explain r --between easy fcfs --json");
    CHECK(said.code == 0);
    CHECK(has(said.out, "\"policies\": ["));
    CHECK(has(said.out, "\"differ_from\": 3"));
    CHECK(has(said.out, "\"held_by\": \"fcfs\""));
    CHECK(has(said.out, "\"mostly\": \"order\""));
    said = SevenJobs::says("explain r --between easy fcfs 7 --json");
    CHECK(has(said.out, "\"policy\": \"fcfs\""));
    said = SevenJobs::says("explain r --between easy fcfs --markdown");
    CHECK(has(said.out, "* easy starts job 7 "));
    CHECK(has(said.out, "| job"));
    said = SevenJobs::says("explain r --between easy fcfs 7 --markdown");
    CHECK(has(said.out, "| easy"));
  }
}
