// berth convert: the tables that logs must give, and the way there and back.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/table_reader.hpp"
#include "engine/base/time.hpp"
#include "engine/workload/line_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth::test;

namespace {

struct ConvertCase {
  std::string file;
  std::vector<std::string> options;
  std::string expected;
};

// The lines of cases.tsv: file, options, expected.
std::vector<ConvertCase> convert_cases(const std::filesystem::path& list) {
  std::vector<ConvertCase> cases;
  std::istringstream lines(text_of_file(list));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto first = line.find('\t');
    const auto second = line.find('\t', first + 1);
    ConvertCase made{line.substr(0, first), {}, line.substr(second + 1)};
    std::istringstream words(line.substr(first + 1, second - first - 1));
    std::string word;
    while (words >> word) {
      made.options.push_back(
          word.ends_with(".toml") ? (list.parent_path() / word).string() : word);
    }
    cases.push_back(std::move(made));
  }
  return cases;
}

constexpr auto kLog =
    "JobID|User|State|Submit|Start|End|Timelimit|AllocCPUS|ReqTRES\n"
    "3|ann|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:05|2026-01-01T00:01:05|00:02:"
    "00"
    "|4|cpu=4,mem=400M,gres/gpu=1\n"
    "4_1|bob|FAILED|2026-01-01T00:00:10|2026-01-01T00:00:10|2026-01-01T00:00:40|"
    "UNLIMITED|2|cpu=2,mem=1M\n";

constexpr auto kTable =
    "job_id,submit,size,length,walltime,memory,user,group,executable,queue,partition,"
    "status,wait,nodes,source_id,gpu\n"
    "3,0,4,60,120,102400,1,,,,,1,5,,3,1\n"
    "4,10,2,30,,512,2,,,,,0,0,,4_1,0\n";

constexpr std::int64_t kServers = 128;

// submit, size, walltime, start and end of each job, by number.
using TimesOfJobs = std::map<std::int64_t, std::array<berth::Time, 5>>;

// What the jobs of a table get where they start in their order on kServers.
TimesOfJobs served_in_order(const std::string& path) {
  berth::test::FileSource file(path);
  berth::TableReader table(
      path, berth::lines_of(file, path, unlimited()),
      {{"job_id"}, {"submit"}, {"size"}, {"length"}, {"walltime"}});
  std::multimap<berth::Time, std::int64_t> ends;
  TimesOfJobs jobs;
  std::int64_t idle = kServers;
  berth::Time now = 0;
  while (table.next()) {
    const auto size = table.whole(2);
    const auto length = table.time(3);
    now = std::max(now, table.time(1));
    while (!ends.empty() && (ends.begin()->first <= now || idle < size)) {
      now = std::max(now, ends.begin()->first);
      idle += ends.begin()->second;
      ends.erase(ends.begin());
    }
    REQUIRE(idle >= size);
    const auto walltime = table.text(4).empty() ? length : table.time(4);
    jobs[table.whole(0)] = {table.time(1), size, walltime, now, now + length};
    if (length == 0) continue;
    idle -= size;
    ends.emplace(now + length, size);
  }
  return jobs;
}

TimesOfJobs jobs_of_result(const std::string& path) {
  berth::test::FileSource file(path);
  berth::TableReader table(path, berth::lines_of(file, path, unlimited()),
                           {{"job_id"},
                            {"submission_time"},
                            {"requested_number_of_resources"},
                            {"requested_time"},
                            {"starting_time"},
                            {"finish_time"}});
  TimesOfJobs jobs;
  while (table.next()) {
    jobs[table.whole(0)] = {table.time(1), table.whole(2), table.time(3), table.time(4),
                            table.time(5)};
  }
  return jobs;
}

}  // namespace

TEST_SUITE("cli/convert") {
  TEST_CASE("each sample gives the table that it must give, and the legend") {
    const auto list = shared_data("formats/cases.tsv");
    if (!list) return;
    const auto folder = list->parent_path();
    const auto cases = convert_cases(*list);
    CHECK(cases.size() == 24);
    for (const auto& each : cases) {
      CAPTURE(each.file);
      CAPTURE(each.expected);
      const ScratchFolder scratch;
      const auto out = scratch.path() / "out.csv";
      const auto names = scratch.path() / "names.csv";
      std::vector<std::string> args{"convert", (folder / each.file).string(),
                                    out.string(), "--legend", names.string()};
      args.insert(args.end(), each.options.begin(), each.options.end());
      const auto said = berth_says(args);
      CHECK_MESSAGE(said.code == 0, said.err);
      CHECK(text_of_file(out) == text_of_file(folder / "expected" / each.expected));
      const auto legend =
          folder / "expected" /
          (each.expected.substr(0, each.expected.size() - 4) + ".names.csv");
      if (!exists(legend)) continue;
      CHECK(text_of_file(names) == text_of_file(legend));
    }
  }

  TEST_CASE("a log becomes a table, and the table the same table again") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto table = (scratch.path() / "jan.csv").string();
    REQUIRE(berth_says({"convert", log, table}).code == 0);
    CHECK(text_of_file(table) == kTable);
    const auto again = (scratch.path() / "again.csv").string();
    REQUIRE(berth_says({"convert", table, again}).code == 0);
    CHECK(text_of_file(again) == kTable);
    CHECK(berth_says({"convert", table, "-", "--to", "csv"}).out == kTable);
  }

  TEST_CASE("what a target cannot hold is said, and files are kept unless forced") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto swf = (scratch.path() / "jan.swf").string();
    const auto said = berth_says({"convert", log, swf, "--processors", "8"});
    CHECK(said.code == 0);
    CHECK(said.err.find("swf does not hold: gpu of jobs (1)") != std::string::npos);
    CHECK(said.err.find("swf does not hold: ids that are no numbers (1)") !=
          std::string::npos);
    CHECK(text_of_file(swf) ==
          "; Version: 2.2\n; MaxJobs: 2\n; MaxRecords: 2\n; MaxProcs: 8\n"
          "; UnixStartTime: 1767225600\n"
          "3 0 5 60 4 -1 -1 4 120 102400 1 1 -1 -1 -1 -1 -1 -1\n"
          "4 10 0 30 2 -1 -1 2 -1 512 0 2 -1 -1 -1 -1 -1 -1\n");
    CHECK(berth_says({"convert", log, swf}).code == 2);
    CHECK(berth_says({"convert", log, swf, "--force"}).code == 0);
    CHECK(berth_says({"convert", log, (scratch.path() / "jan.doc").string()}).code ==
          2);
  }

  TEST_CASE("a result becomes a trace, which the policy recorded replays") {
    const ScratchFolder scratch;
    const auto path = [&](const char* name) {
      return (scratch.path() / name).string();
    };
    const auto trace = path("t.swf");
    REQUIRE(berth_says({"generate", "lublin", "--jobs", "60", "--processors", "32",
                        "--seed", "3", "-o", trace})
                .code == 0);
    const auto run = [&](const std::string& of, const char* policy, const char* out) {
      const auto said =
          berth_says({"run", "--trace", of, "--policy", policy, "--out", path(out)});
      REQUIRE_MESSAGE(said.code == 0, said.err);
      return text_of_file(path(out) + "/jobs.csv");
    };
    const auto first = run(trace, "easy", "r");
    const auto said = berth_says({"convert", path("r"), path("again.swf")});
    REQUIRE_MESSAGE(said.code == 0, said.err);
    auto second = run(path("again.swf"), "recorded", "s");
    // Rows differ in the name of the workload alone.
    for (auto at = second.find("again.swf"); at != second.npos;
         at = second.find("again.swf")) {
      second.replace(at, 9, "t.swf");
    }
    CHECK(std::count(first.begin(), first.end(), '\n') == 61);
    CHECK(second == first);
    const auto parent =
        berth_says({"convert", scratch.path().string(), "-", "--to", "csv"});
    CHECK(parent.code == 3);
    CHECK(parent.err.find("no jobs.csv; name that of one policy: r, s") !=
          std::string::npos);
  }

  TEST_CASE("the map that auto guesses reads the table") {
    const auto list = shared_data("formats/cases.tsv");
    if (!list) return;
    const ScratchFolder scratch;
    for (const auto* name : {"philly-made", "openb-pods"}) {
      CAPTURE(name);
      const auto table =
          (list->parent_path() / "csv" / (name + std::string(".csv"))).string();
      const auto guess = berth_says({"trace", table, "--columns", "auto"});
      REQUIRE_MESSAGE(guess.code == 0, guess.err);
      const auto map = scratch.file("m.toml", guess.out);
      const auto said =
          berth_says({"convert", table, "-", "--to", "csv", "--columns", map});
      CHECK_MESSAGE(said.code == 0, said.err);
      const auto rows = std::count(said.out.begin(), said.out.end(), '\n');
      const auto text = text_of_file(table);
      CHECK(rows == std::count(text.begin(), text.end(), '\n'));
    }
    const auto philly =
        berth_says({"convert", (list->parent_path() / "csv/philly-made.csv").string(),
                    "--columns", "auto"});
    CHECK(philly.out ==
          "# Guessed from the names of the columns and the first 4 rows: check each "
          "line.\n[columns]\nsubmit = { column = \"timestamp\", unit = \"iso\" }  # "
          "dates\nlength = \"duration\"  # taken as seconds\nsize = \"num_gpus\"  # "
          "whole numbers\n");
    const auto odd = scratch.file("odd.csv", "a,b\n1,2\n");
    const auto said = berth_says({"trace", odd, "--columns", "auto"});
    CHECK(said.code == 3);
    CHECK(said.err.find("odd.csv:1:1: no column has a name of the size: --columns "
                        "size=NAME,... says it; the columns are a, b") !=
          std::string::npos);
  }

  TEST_CASE("each sample runs, and starts as first come, first served has it") {
    const auto list = shared_data("formats/cases.tsv");
    if (!list) return;
    const auto folder = list->parent_path();
    for (const auto& each : convert_cases(*list)) {
      CAPTURE(each.file);
      CAPTURE(each.expected);
      const auto wanted =
          served_in_order((folder / "expected" / each.expected).string());
      const ScratchFolder scratch;
      const auto out = (scratch.path() / "r").string();
      std::vector<std::string> args{"run",
                                    "--trace",
                                    (folder / each.file).string(),
                                    "--processors",
                                    std::to_string(kServers),
                                    "--policy",
                                    "fcfs",
                                    "--out",
                                    out};
      for (std::size_t i = 0; i + 1 < each.options.size(); i += 2) {
        const auto& [name, value] = std::pair(each.options[i], each.options[i + 1]);
        args.emplace_back("--set");
        args.push_back(name == "--time-zone" ? "workload.time_zone=" + value
                       : name == "--columns" ? "workload.map=" + value
                                             : value);
      }
      const auto said = berth_says(args);
      REQUIRE_MESSAGE(said.code == 0, said.err);
      CHECK(jobs_of_result(out + "/jobs.csv") == wanted);
    }
  }

  TEST_CASE("three sources of one Slurm give the same jobs in what they share") {
    const auto list = shared_data("formats/cases.tsv");
    if (!list) return;
    const auto folder = list->parent_path() / "slurm";
    // Of each job the columns that all three fill: users and names are not in the JSON.
    const auto jobs_of = [&](const char* file) {
      const auto said =
          berth_says({"convert", (folder / file).string(), "-", "--to", "csv"});
      REQUIRE_MESSAGE(said.code == 0, said.err);
      std::set<std::string> jobs;
      std::istringstream rows(said.out);
      std::string row;
      std::getline(rows, row);
      while (std::getline(rows, row)) {
        std::istringstream cells(row);
        std::string job;
        std::string cell;
        for (int i = 0; std::getline(cells, cell, ','); ++i) {
          const bool is_shared = (i >= 1 && i <= 5) || i >= 11;
          if (is_shared) job += cell + ",";
        }
        jobs.insert(job);
      }
      return jobs;
    };
    const auto rows = jobs_of("sacct-D.txt");
    const auto completions = jobs_of("jobcomp.txt");
    CHECK(rows.size() == 23);
    CHECK(rows == jobs_of("sacct.json"));
    // Two more ended before the plugin's log was taken.
    CHECK(completions.size() == 25);
    CHECK(std::includes(completions.begin(), completions.end(), rows.begin(),
                        rows.end()));
  }

  TEST_CASE("a log in which no job is left is refused with what its records were") {
    const ScratchFolder scratch;
    const auto log = scratch.file(
        "l.txt",
        "JobID|State|Submit|Start|End|AllocCPUS|NodeList\n"
        "1|PENDING|2026-01-01T00:00:00|Unknown|Unknown|1|None assigned\n"
        "2|RUNNING|2026-01-01T00:00:00|2026-01-01T00:00:05|Unknown|1|n1\n");
    const auto said = berth_says({"convert", log, "-", "--to", "csv"});
    CHECK(said.code == 3);
    CHECK(said.out.empty());
    CHECK(said.err.find(":1:1: no job is left of 2 records: 1 still_running, 1 "
                        "still_waiting") != std::string::npos);
  }

  TEST_CASE("anonymised jobs are numbered anew, and nothing is written on an error") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto said = berth_says({"convert", log, "-", "--to", "csv", "--anonymise"});
    CHECK(said.out.find("\n1,0,4,60,120,102400,1,,,,,1,5,,1,1\n2,10,2,30,,512,2") !=
          std::string::npos);
    const auto bad = scratch.file("bad.txt", std::string(kLog) + "5|x\n");
    const auto out = scratch.path() / "bad.csv";
    const auto wrong = berth_says({"convert", bad, out.string()});
    CHECK(wrong.code == 3);
    CHECK(wrong.err.find("bad.txt:4:1: 2 fields where the first line has 9") !=
          std::string::npos);
    CHECK_FALSE(exists(out));
  }

  TEST_CASE("every line that was repaired or left out can be listed") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto list = (scratch.path() / "repairs.csv").string();
    REQUIRE(berth_says({"trace", log, "--repairs", list}).code == 0);
    CHECK(text_of_file(list) == "class,line,column,id,text\nno_walltime,3,1,4_1,\n");
  }

  TEST_CASE("a log runs as a trace does, and needs the size of the machine") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto without = berth_says({"run", "--trace", log, "--policy", "fcfs"});
    CHECK(without.code == 3);
    CHECK(without.err.find("at least 6, which were in use at once at 10 s") !=
          std::string::npos);
    const auto out = (scratch.path() / "out").string();
    const auto said = berth_says({"run", "--trace", log, "--policy", "recorded",
                                  "--processors", "6", "--out", out});
    CHECK_MESSAGE(said.code == 0, said.err);
    const auto rows = text_of_file(scratch.path() / "out" / "jobs.csv");
    CHECK(rows.find("\n3,jan.txt,,0,4,120,1,COMPLETED_SUCCESSFULLY,5,60,65,") !=
          std::string::npos);
  }

  TEST_CASE("what convert writes runs, and so does a table whose map is known") {
    const ScratchFolder scratch;
    const auto table = scratch.file("jan.csv", kTable);
    const auto said = berth_says(
        {"run", "--trace", table, "--policy", "recorded", "--processors", "6"});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(said.err.find("read as csv: 2 records, 2 jobs") != std::string::npos);
    const auto philly = scratch.file("p.csv",
                                     "timestamp,duration,num_gpus,gpu_time,cluster\n"
                                     "2017-10-09 07:01:55,66.0,1,66.0,a\n");
    const auto run =
        berth_says({"run", "--trace", philly, "--policy", "fcfs", "--processors", "8"});
    CHECK_MESSAGE(run.code == 0, run.err);
  }

  TEST_CASE("a log is checked as a trace is") {
    const ScratchFolder scratch;
    CHECK(berth_says({"check", scratch.file("jan.txt", kLog)}).code == 0);
    CHECK(berth_says({"check", scratch.file("no.txt", "prose\n")}).code == 3);
    CHECK(berth_says({"check", scratch.file("no.doc", "prose\n")}).code == 2);
  }

  TEST_CASE("Batsim's forms hold a log, there and back, with the same bytes again") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    for (const auto* target : {"batsim4", "batsim5"}) {
      CAPTURE(target);
      const auto json = (scratch.path() / (std::string(target) + ".json")).string();
      CHECK(berth_says({"convert", log, json, "--to", target}).code == 2);
      REQUIRE(berth_says({"convert", log, json, "--to", target, "--processors", "8"})
                  .code == 0);
      CHECK(berth_says({"convert", json, "-", "--to", "csv"}).out == kTable);
      CHECK(berth_says({"convert", json, "-", "--to", target}).out ==
            text_of_file(json));
    }
  }

  TEST_CASE("a table is read by a map of its columns, from options or a file") {
    const ScratchFolder scratch;
    const auto table = scratch.file("t.csv", "who;cpus;at;took\nann;2;5;1.5\n");
    const std::string expected =
        "job_id,submit,size,length,walltime,memory,user,group,executable,queue,"
        "partition,status,wait,nodes,source_id\n1,5,2,90,,,1,,,,,,,,1\n";
    CHECK(berth_says({"convert", table, "-", "--to", "csv", "--columns",
                      "submit=at,size=cpus,length=took:min,user=who"})
              .out == expected);
    const auto map = scratch.file(
        "m.toml",
        "[columns]\nsubmit = \"at\"\nsize = \"cpus\"\nuser = \"who\"\n"
        "length = { column = \"took\", unit = \"min\" }\n[keep]\nwho = [\"ann\"]\n");
    CHECK(berth_says({"convert", table, "-", "--to", "csv", "--columns", map}).out ==
          expected);
    const auto wrong = berth_says({"convert", table, "-", "--to", "csv", "--columns",
                                   "submit=at,size=cpu,length=took"});
    CHECK(wrong.code == 3);
    CHECK(wrong.err.find("there is no column 'cpu' (did you mean 'cpus'?)") !=
          std::string::npos);
    CHECK(berth_says({"convert", table, "-", "--to", "csv", "--columns",
                      "submit=at,length=took"})
              .err.find("the map has no size") != std::string::npos);
    CHECK(berth_says({"convert", table, "-", "--to", "csv"}).code == 3);
  }
}
