// berth convert: the tables that logs must give, and the way there and back.

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/support/shared_data.hpp"

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
