// What commands are told of a log: its hosts, format, zone and repairs, and the names
// that a run keeps.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"

using namespace berth::test;

namespace {

constexpr auto kLog =
    "JobID|User|Partition|State|Submit|Start|End|Timelimit|AllocCPUS|NNodes|AllocTRES\n"
    "1|ann|batch|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:01:00|"
    "00:02:00|8|2|cpu=8,mem=8G,gres/gpu=2\n"
    "2|bob|long|COMPLETED|2026-01-01T00:00:10|2026-01-01T00:00:10|2026-01-01T00:01:10|"
    "00:02:00|6|4|cpu=6,mem=6G\n"
    "3|ann|batch|CANCELLED|2026-01-01T00:00:20|None|None|00:02:00|1|1|\n";

// long first, so that its number is another one than in the log.
constexpr auto kHosts =
    "name,processors,memory,gpu,count,partition\n"
    "l,4,16,0,2,long\nb,8,16,2,2,batch\n";

bool tells(const std::string& text, std::string_view part) {
  const bool is_there = text.find(part) != std::string::npos;
  if (!is_there) MESSAGE(text);
  return is_there;
}

// The cell of the row of this job.
std::string cell(const std::string& table, const std::string& job, int column) {
  auto at = table.find("\n" + job + ",");
  REQUIRE(at != std::string::npos);
  ++at;
  for (int i = 0; i < column; ++i) at = table.find(',', at) + 1;
  return table.substr(at, table.find_first_of(",\n", at) - at);
}

int column_of(const std::string& table, const std::string& name) {
  const auto header = "," + table.substr(0, table.find('\n')) + ",";
  const auto at = header.find("," + name + ",");
  REQUIRE(at != std::string::npos);
  return static_cast<int>(std::count(
      header.begin(), header.begin() + static_cast<std::ptrdiff_t>(at), ','));
}

}  // namespace

TEST_SUITE("cli/log_options") {
  TEST_CASE("a log runs on the hosts of a file, in its partitions, by its chunks") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto hosts = scratch.file("hosts.csv", kHosts);
    const auto out = (scratch.path() / "r").string();
    const auto said = berth_says({"run", "--trace", log, "--hosts", hosts, "--policy",
                                  "fcfs", "--audit", "full", "--out", out});
    REQUIRE_MESSAGE(said.code == 0, said.err);
    const auto jobs = text_of_file(out + "/jobs.csv");
    const auto places = column_of(jobs, "allocated_resources");
    // Hosts of long own processors 0 to 7, those of batch 8 to 23; job 1 is two chunks
    // of four processors and a gpu, which one host of batch holds.
    CHECK(cell(jobs, "1", places) == "8-15");
    // 6 processors on 4 hosts are uneven: chunks of one.
    CHECK(cell(jobs, "2", places) == "0-5");
    CHECK(tells(said.err, "uneven_chunks"));
    CHECK(text_of_file(out + "/names.csv") ==
          "kind,number,name\nuser,1,ann\nuser,2,bob\npartition,1,long\n"
          "partition,2,batch\n");
    const auto manifest = text_of_file(out + "/manifest.json");
    CHECK(manifest.find("hosts_file = \\\"hosts.csv\\\"") != std::string::npos);
    CHECK(manifest.find("[machine.hosts.") == std::string::npos);
    // The same again, from the folder alone, and judged.
    const auto explained = berth_says({"explain", out, "2"});
    CHECK_MESSAGE(explained.code == 0, explained.err);
    CHECK_FALSE(explained.err.find("not the same run") != std::string::npos);
    const auto judged = berth_says(
        {"verify", "--trace", log, "--hosts", hosts, "--schedule", out + "/jobs.csv"});
    CHECK_MESSAGE(judged.code == 0, (judged.out + judged.err));
    const auto strict = berth_says(
        {"run", "--trace", log, "--hosts", hosts, "--policy", "fcfs", "--strict"});
    CHECK(strict.code == 3);
    CHECK(
        tells(strict.err, "jan.txt:3:1: job 2: the job does not divide by its hosts"));
  }

  TEST_CASE("hosts go before the size that a scenario has, and beside no other size") {
    const ScratchFolder scratch;
    const auto hosts = scratch.file("hosts.csv", "name,processors\na,4\nb,4\n");
    const auto scenario = scratch.file(
        "s.toml",
        "[machine]\nprocessors = 64\n[workload]\nmodel = \"lublin\"\njobs = 20\n"
        "[run]\npolicies = [\"fcfs\"]\n");
    const auto said = berth_says({"run", scenario, "--hosts", hosts, "--json"});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(
        tells(berth_says({"run", scenario, "--hosts", hosts, "--processors", "8"}).err,
              "the hosts have the processors; leave one of the two out"));
    CHECK(berth_says({"run", scenario, "--hosts", scenario}).code == 3);
    const auto swept = berth_says(
        {"run", scenario, "--set", "machine.processors=8", "--hosts", hosts});
    CHECK(tells(swept.err, "the hosts have the processors"));
  }

  TEST_CASE("a machine is printed or written, and of a recording as well") {
    const ScratchFolder scratch;
    const auto hosts = scratch.file("hosts.csv", kHosts);
    const auto printed = berth_says({"convert", hosts, "--to", "machine"});
    CHECK(printed.code == 0);
    CHECK(printed.out ==
          "[machine.hosts.l]\ncount = 2\nprocessors = 4\nmemory = 16\npartition = 1  # "
          "long\n\n[machine.hosts.b]\ncount = 2\nprocessors = 8\nmemory = 16\n"
          "resources = { gpu = 2 }\npartition = 2  # batch\n");
    const auto file = (scratch.path() / "m.toml").string();
    CHECK(berth_says({"convert", hosts, file}).code == 0);
    CHECK(text_of_file(file) == printed.out);
    CHECK(berth_says({"convert", hosts, file}).code == 2);
    CHECK(berth_says({"convert", hosts, file, "--force"}).code == 0);
    CHECK(berth_says({"convert", hosts, file, "--legend", "x"}).code == 2);
    CHECK(berth_says({"convert", hosts, file, "--set", "workload.requeue=each"}).code ==
          2);
    const auto log = scratch.file("jan.txt", kLog);
    const auto wrong = berth_says({"convert", log, "--to", "machine"});
    CHECK(wrong.code == 3);
    CHECK(wrong.out.empty());
    CHECK(tells(wrong.err, "jan.txt:1:1: this is a log of jobs (sacct)"));
    const auto look = [&](const char* name, const char* state) {
      (void)scratch.file("rec/" + std::string(name) + ".sinfo.json",
                         "{\"nodes\": [{\"name\": \"n1\", \"cpus\": 4}, {\"name\": "
                         "\"n2\", \"cpus\": 4, \"state\": \"" +
                             std::string(state) + "\"}]}");
      (void)scratch.file("rec/" + std::string(name) + ".squeue.json", "{\"jobs\": []}");
    };
    look("1", "down");
    look("2", "idle");
    const auto folder = (scratch.path() / "rec").string();
    const auto of_all = berth_says({"convert", folder, "--to", "machine"});
    CHECK_MESSAGE(of_all.code == 0, of_all.err);
    CHECK(of_all.out == "[machine.hosts.n1]\ncount = 2\nprocessors = 4\n");
    look("3", "drained");
    CHECK(berth_says({"convert", folder, "--to", "machine", "--set",
                      "machine.hosts_states=up"})
              .out == "[machine.hosts.n1]\ncount = 1\nprocessors = 4\n");
  }

  TEST_CASE("format, zone and repairs are options of what runs a log") {
    const ScratchFolder scratch;
    const auto log = scratch.file("jan.txt", kLog);
    const auto repairs = (scratch.path() / "repairs.csv").string();
    const auto run = [&](std::vector<std::string> more) {
      std::vector<std::string> args{"run", "--trace",  log,   "--processors",
                                    "8",   "--policy", "fcfs"};
      args.insert(args.end(), more.begin(), more.end());
      return berth_says(args);
    };
    CHECK(run({"--repairs", repairs}).code == 0);
    const auto listed = text_of_file(repairs);
    CHECK(listed == "class,line,column,id,text\ncancelled_before_start,4,1,3,\n");
    CHECK(run({"--repairs", repairs}).code == 2);  // it is there
    CHECK(tells(run({"--format", "pbs"}).err, "jan.txt:1:1"));
    CHECK(tells(run({"--format", "pbx"}).err, "did you mean 'pbs'?"));
    CHECK(tells(run({"--time-zone", "Mars"}).err, "Mars"));
    CHECK(tells(run({"--time-zone", "+01:00", "--set", "workload.time_zone=UTC"}).err,
                "--time-zone and --set both give workload.time_zone: use one"));
    CHECK(tells(run({"--repairs", repairs, "--vary", "seed=1,2"}).err,
                "--repairs is of the jobs of one run"));
    const auto explained = (scratch.path() / "explained.csv").string();
    CHECK(berth_says({"explain", "--trace", log, "--processors", "8", "--policy",
                      "fcfs", "--format", "sacct", "--repairs", explained, "1"})
              .code == 0);
    CHECK(text_of_file(explained) == listed);
    const auto out = (scratch.path() / "r").string();
    CHECK(run({"--out", out}).code == 0);
    const auto judged = (scratch.path() / "judged.csv").string();
    CHECK(berth_says({"verify", "--trace", log, "--processors", "8", "--schedule",
                      out + "/jobs.csv", "--format", "sacct", "--repairs", judged})
              .code == 0);
    CHECK(text_of_file(judged) == listed);
    CHECK(berth_says({"verify", "--schedule", out + "/jobs.csv", "--format", "sacct"})
              .code == 2);
  }

  TEST_CASE("a run is explained wherever its folder has gone") {
    const ScratchFolder scratch;
    const auto log = scratch.file("data/jan.txt", kLog);
    const auto out = (scratch.path() / "r").string();
    CHECK(berth_says({"run", "--trace", log, "--processors", "8", "--policy", "fcfs",
                      "--out", out})
              .code == 0);
    const auto moved = (scratch.path() / "moved").string();
    std::filesystem::rename(out, moved);
    CHECK(berth_says({"explain", moved, "1"}).code == 0);  // by the path of the trace
    const auto kept = (scratch.path() / "kept").string();
    std::filesystem::rename(scratch.path() / "data", kept);
    CHECK(tells(berth_says({"explain", moved, "1"}).err, "--inputs DIR"));
    CHECK(berth_says({"explain", moved, "1", "--inputs", kept}).code == 0);
  }
}
