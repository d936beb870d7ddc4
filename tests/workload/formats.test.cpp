// The list of formats, and the rules by which records of logs become jobs, on logs that
// are small enough to check by hand.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/workload/formats/column_map.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/formats/log_names.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "engine/workload/line_reader.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

JobLog log_of(const std::string& text, LogOptions options = {"x.txt"}) {
  MemorySource source(text, 7);
  return read_log(source, "", options, unlimited());
}

std::string complaint_of(const std::string& text, LogOptions options = {"x.txt"}) {
  return error_of([&] { (void)log_of(text, options); });
}

std::int64_t count_in(const std::map<std::string, Finding>& list,
                      const std::string& name) {
  const auto found = list.find(name);
  return found == list.end() ? 0 : found->second.count;
}

constexpr auto kSacctHeader =
    "JobID|State|Submit|Start|End|Timelimit|AllocCPUS|NodeList\n";

// The rows of a log that has lived: a step, a requeue, an array, a cancelled job.
constexpr auto kSacctRows =
    "7|REQUEUED|2026-01-01T00:00:10|2026-01-01T00:00:20|2026-01-01T00:00:50|01:00|2|"
    "n1\n"
    "7|COMPLETED|2026-01-01T00:00:50|2026-01-01T00:02:00|2026-01-01T00:03:00|01:00|2|"
    "n1\n"
    "7.batch|COMPLETED|2026-01-01T00:02:00|2026-01-01T00:02:00|2026-01-01T00:03:00||2|"
    "n1\n"
    "5_2|FAILED|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:00:05|01:00|1|"
    "n2\n"
    "5_10|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:01|2026-01-01T00:00:05|01:00|"
    "1|"
    "n2\n"
    "8|CANCELLED by 0|2026-01-01T00:00:03|None|2026-01-01T00:00:09|01:00|4|None "
    "assigned\n";

// A format that only this test knows: one line a job, "job LENGTH".
bool is_plain_log(std::string_view head) { return head.starts_with("job "); }
JobLog read_plain_log(ByteSource& source, const LogOptions& options, Budget& budget) {
  LineReader lines(source, options.name, budget);
  LogBuilder builder(options, LogBuilder::Clock::kOwn, budget);
  while (const auto line = lines.next()) {
    LogRecord record;
    record.place = {lines.number(), 1};
    record.submit = seconds(lines.number());
    record.length = duration_from_log(line->substr(4)).time;
    record.size = 1;
    builder.add(record);
  }
  return builder.finish();
}
const FormatRecord kPlainLog{"plain", "a test", is_plain_log, read_plain_log};

}  // namespace

TEST_SUITE("workload/formats") {
  TEST_CASE("a format is one record: reading, its name and its line come with it") {
    std::vector<const FormatRecord*> known(formats().begin(), formats().end());
    known.push_back(&kPlainLog);
    MemorySource source("job 5\njob 00:07\n");
    const auto log = read_log(source, "", {"x.log"}, unlimited(), known);
    REQUIRE(log.workload.jobs.size() == 2);
    CHECK(log.workload.jobs[0].id == 1);
    CHECK(log.workload.jobs[1].length == seconds(7));
    CHECK(log.workload.notes.front() == "read as plain: 2 records, 2 jobs");
  }

  TEST_CASE("the order of the lines of a log changes nothing") {
    const auto whole = log_of(std::string(kSacctHeader) + kSacctRows);
    std::vector<std::string> rows;
    std::string_view rest = kSacctRows;
    while (!rest.empty()) rows.emplace_back(cut_off(rest, '\n'));
    std::sort(rows.begin(), rows.end(), std::greater<>());
    std::string text = kSacctHeader;
    for (const auto& row : rows) text += row + "\n";
    const auto other = log_of(text);
    REQUIRE(other.workload.jobs.size() == whole.workload.jobs.size());
    for (std::size_t i = 0; i < whole.workload.jobs.size(); ++i) {
      CHECK(other.workload.jobs[i].id == whole.workload.jobs[i].id);
      CHECK(other.workload.jobs[i].submit == whole.workload.jobs[i].submit);
      CHECK(other.workload.jobs[i].length == whole.workload.jobs[i].length);
      CHECK(other.workload.recorded[i] == whole.workload.recorded[i]);
    }
    CHECK(other.source_ids == whole.source_ids);
  }

  TEST_CASE("a job that was queued again has its first submit and its last run") {
    const auto log = log_of(std::string(kSacctHeader) + kSacctRows);
    const auto& jobs = log.workload.jobs;
    REQUIRE(jobs.size() == 3);
    // 5_2 and 5_10 are submitted at 0 and get the numbers behind 8, the largest.
    CHECK(jobs[0].id == 9);
    CHECK(jobs[1].id == 10);
    CHECK(log.source_ids[0].second == "5_2");
    CHECK(log.source_ids[1].second == "5_10");
    CHECK(jobs[2].id == 7);
    CHECK(jobs[2].submit == seconds(10));
    CHECK(jobs[2].length == seconds(60));
    CHECK(jobs[2].walltime == seconds(60));
    CHECK(log.workload.recorded[2].wait == seconds(110));
    CHECK(log.workload.unix_start == 1767225600);
    CHECK(count_in(log.workload.left_out, "steps") == 1);
    CHECK(count_in(log.workload.left_out, "cancelled_before_start") == 1);
    // 30 s on two processors were lost.
    CHECK(log.workload.repairs.at("requeued").first_text ==
          "60 processor seconds left out");
  }

  TEST_CASE("each run of such a job may be a job of its own") {
    LogOptions options{"x.txt"};
    options.rules.requeue = Requeue::kEach;
    const auto log = log_of(std::string(kSacctHeader) + kSacctRows, options);
    REQUIRE(log.workload.jobs.size() == 4);
    CHECK(log.workload.jobs[2].id == 7);
    CHECK(log.workload.jobs[2].length == seconds(30));
    CHECK(log.workload.jobs[3].submit == seconds(50));
    CHECK(log.source_ids.back().second == "7#2");
  }

  TEST_CASE("where clocks jump, times that occur twice are the first") {
    // One hour forward at 10,000 s, and back at 30,000 s.
    const ZoneRules zone(3600, {{10'000, 7200}, {30'000, 3600}});
    CHECK(zone.instant_of(13'599).unix_seconds == 9'999);
    CHECK(zone.instant_of(17'200).unix_seconds == 10'000);
    const auto missing = zone.instant_of(15'000);
    CHECK(missing.kind == LocalInstant::Kind::kMissing);
    CHECK(missing.unix_seconds == 11'400);
    const auto twice = zone.instant_of(34'000);
    CHECK(twice.kind == LocalInstant::Kind::kTwice);
    CHECK(twice.unix_seconds == 26'800);
    CHECK(zone.instant_of(37'200).unix_seconds == 33'600);
  }

  TEST_CASE("times, durations, memory and lists are read as managers write them") {
    const auto time = [](std::string_view text) {
      return time_from_log(text, ZoneRules(3600));
    };
    CHECK(time("1970-01-01T01:00:01").time == seconds(1));
    CHECK(time("1970-01-01 00:00:01.5Z").time == seconds(1) + kSecond / 2);
    CHECK(time("1970-01-02T00:00:00-01:00").time == seconds(90'000));
    CHECK(time("12").time == seconds(12));
    for (const auto* none : {"", "0", "Unknown", "None", "N/A"}) {
      CHECK(time(none).outcome == TextTime::TimeState::kNone);
    }
    for (const auto* wrong : {"2026-02-30T00:00:00", "2026-01-01T27:00:10", "soon"}) {
      CAPTURE(wrong);
      CHECK(time(wrong).is_wrong());
    }
    CHECK(duration_from_log("1-02:04:00").time == seconds(93'840));
    CHECK(duration_from_log("2:10:00:00").time == seconds(208'800));
    CHECK(duration_from_log("01:05").time == seconds(65));
    CHECK(duration_from_log("1:2:3:4:5").is_wrong());
    CHECK(memory_from_log("4Gn", 1).bytes == 4.0 * 1024 * 1024 * 1024);
    CHECK(memory_from_log("4Gn", 1).of == 'n');
    CHECK(memory_from_log("10kw", 1).bytes == 81'920);
    CHECK(memory_from_log("500", 1024 * 1024).bytes == 500.0 * 1024 * 1024);
    CHECK(memory_from_log("much", 1).is_wrong);
    const auto list = tres_from_log(
        "billing=4,cpu=4,mem=400M,node=1,gres/gpu=2,gres/gpu:a100=2,license/matlab=3");
    CHECK(list.cpu == 4);
    CHECK(list.node == 1);
    REQUIRE(list.kinds.size() == 2);
    CHECK(list.kinds[0].amount == 2);
    CHECK(list.kinds[1].kind == "matlab");
    CHECK(tres_from_log("gres/gpu:a=1,gres/gpu:b=2").kinds[0].amount == 3);
    CHECK(count_of_list("2-9%3") == 8);
    CHECK(count_of_list("1,3,10-20:5") == 5);
    CHECK(count_of_list("a") == 0);
    CHECK(comes_naturally_before("16_2", "16_10"));
    CHECK_FALSE(comes_naturally_before("16_10", "16_2"));
  }

  TEST_CASE("what is no log is told by what it is") {
    CHECK(complaint_of("PAR1\x15\x04").find("a Parquet file: export it as CSV") !=
          std::string::npos);
    CHECK(complaint_of("It was a dark night.\n")
              .starts_with("x.txt:1:1: a log of no known format begins with 'It was"));
    CHECK(
        complaint_of("JobID   State\n------- -----\n1 COMPLETED\n").find("needs -P") !=
        std::string::npos);
    CHECK(complaint_of("1|a|b|c|d|e|f\n").find("leave -n") != std::string::npos);
  }

  TEST_CASE("an error in a log has its line, its column and what to do") {
    const std::string header = kSacctHeader;
    CHECK(complaint_of(header + "1|COMPLETED|2026-01-01T27:00:10|None|None||1|n\n") ==
          "x.txt:2:13: Submit: '2026-01-01T27:00:10' is no time");
    const std::string wide = complaint_of(header + "1|COMPLETED|0|0|0|0|1|n|more\n");
    CHECK(
        wide.starts_with("x.txt:2:1: 9 fields where the first line has 8; free text"));
    CHECK(complaint_of("JobID|State|Submit|Start|End\n").find("no column AllocCPUS") !=
          std::string::npos);
    CHECK(complaint_of(header +
                       "1|COMPLETED|10|20|30|1|1|n\n1|COMPLETED|10|20|40|1|1|n\n")
              .starts_with("x.txt:3:1: job 1 has another record of the same submit"));
    CHECK(complaint_of(header + "9007199254740993|COMPLETED|10|20|30|1|1|n\n")
              .find("no id of at most 2^53") != std::string::npos);
    CHECK(complaint_of(header + "1|COMPLETED|10|20|30|1|2147483648|n\n") ==
          "x.txt:2:24: AllocCPUS: '2147483648' is no number from 0 to 2147483647");
    CHECK(complaint_of(header + "1|COMPLETED|10|20|30|1|many|n\n") ==
          "x.txt:2:24: AllocCPUS: 'many' is no whole number");
    LogOptions strict{"x.txt"};
    strict.strict = true;
    CHECK(complaint_of(header + "1|COMPLETED|10|8|30|1|1|n\n", strict) ==
          "x.txt:2:1: job 1: the start is before the submit: 2 s (an error because "
          "reading is strict)");
  }

  TEST_CASE("what is wrong with JSON has its line") {
    CHECK(complaint_of("{\"nb_res\": 4,\n \"jobs\": [{\"id\": 1, \"subtime\": 0, "
                       "\"res\": 1e300, \"profile\": \"a\"}]}")
              .starts_with("x.txt:2:11: res: '1e300' is no whole number"));
    CHECK(complaint_of("{\"nb_res\": 4, \"jobs\": [{\"id\": 1, \"subtime\": 0, "
                       "\"res\": 1, \"profile\": \"a\"}], \"profiles\": {}}")
              .find("its profile is not defined") != std::string::npos);
    CHECK(complaint_of("{\"nb_res\": 4, \"jobs\": [").find("broken off") !=
          std::string::npos);
    CHECK(complaint_of("{\"nb_res\": 4, \"x\": " + std::string(100'000, '['))
              .find("nested deeper than 64 levels") != std::string::npos);
  }

  TEST_CASE("profiles of Batsim may stand behind the jobs that have them") {
    const auto log = log_of(
        "{\"nb_res\": 4, \"jobs\": [\n"
        "{\"id\": \"w0!7\", \"subtime\": 0, \"res\": 2, \"profile\": \"b\", "
        "\"walltime\": 9},\n"
        "{\"id\": 8, \"subtime\": 1, \"res\": 1, \"profile\": \"mpi\"},\n"
        "{\"id\": \"last\", \"subtime\": 2, \"res\": 1, \"profile\": \"a\", "
        "\"extra_data\": \"{\\\"user\\\": 3, \\\"wait\\\": 5}\"}],\n"
        "\"profiles\": {\"a\": {\"type\": \"delay\", \"delay\": 2.5, \"ret\": 1},\n"
        "\"b\": {\"type\": \"DelayProfile\", \"delay\": 10},\n"
        "\"mpi\": {\"type\": \"parallel_homogeneous\"},\n"
        "\"idle\": {\"type\": \"composed\"}}}");
    const auto& workload = log.workload;
    REQUIRE(workload.jobs.size() == 2);
    CHECK(workload.jobs[0].id == 7);
    CHECK(workload.jobs[0].length == seconds(10));
    CHECK(workload.jobs[0].walltime == seconds(9));
    CHECK(workload.recorded[0].status == kUnknown);
    // Behind 8, which is the number of a job that is left out.
    CHECK(workload.jobs[1].id == 9);
    CHECK(log.source_ids[0].second == "last");
    CHECK(workload.jobs[1].length == seconds(5) / 2);
    CHECK(workload.recorded[1].status == 0);
    CHECK(workload.recorded[1].wait == seconds(5));
    CHECK(workload.left_out.at("unsupported_profile").first_text ==
          "parallel_homogeneous");
    CHECK(workload.left_out.at("unsupported_profile").first_line == 3);
    REQUIRE(workload.notes.size() == 3);
    CHECK(workload.notes[0] == "read as batsim: 3 records, 2 jobs");
    CHECK(workload.notes[1] ==
          "profiles that are no delays: 1 of type parallel_homogeneous");
    CHECK(workload.notes[2].starts_with("1 jobs run longer than their walltime"));
  }

  TEST_CASE("an id of Batsim stands once, whatever the profile") {
    CHECK(complaint_of("{\"nb_res\": 4, \"jobs\": [\n"
                       "{\"id\": 1, \"subtime\": 0, \"res\": 1, \"profile\": \"a\"},\n"
                       "{\"id\": 1, \"subtime\": 1, \"res\": 1, \"profile\": \"b\"}],\n"
                       "\"profiles\": {\"a\": {\"type\": \"delay\", \"delay\": 1}, "
                       "\"b\": {\"type\": \"mpi\"}}}") ==
          "x.txt:3:1: the id 1 is already used at line 2");
  }

  TEST_CASE("where sizes are in nodes, memory stays that of the whole job") {
    LogOptions options{"x.txt"};
    options.rules.size_unit = SizeUnit::kNodes;
    // 16 processors of 2 nodes, 1 GiB for each of them: 8 GiB a node.
    const auto pbs = log_of(
        "01/05/2026 10:00:00;E;1.s;user=a ctime=100 qtime=100 etime=100 start=110 "
        "end=120 exec_host=n1/0-7+n2/0-7 Resource_List.pmem=1gb "
        "Resource_List.walltime=00:01:00 Exit_status=0\n",
        options);
    REQUIRE(pbs.workload.jobs.size() == 1);
    CHECK(pbs.workload.jobs[0].size == 2);
    CHECK(pbs.workload.jobs[0].memory_kib == 8 * 1024 * 1024);
    const auto slurm = log_of(
        "JobID|State|Submit|Start|End|AllocCPUS|NNodes|ReqMem|NodeList\n"
        "1|COMPLETED|100|110|120|16|2|1Gc|n[1-2]\n",
        options);
    CHECK(slurm.workload.jobs[0].size == 2);
    CHECK(slurm.workload.jobs[0].memory_kib == 8 * 1024 * 1024);
    const auto table = log_of("job_id,submit,size,length,nodes\n1,0,16,5,2\n", options);
    CHECK(table.workload.jobs[0].size == 2);
  }

  TEST_CASE("that local times are taken as UTC is said once, where there are any") {
    const auto said = [](const std::string& text, LogOptions options) {
      const auto notes = log_of(text, std::move(options)).workload.notes;
      return std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
        return note.starts_with("times without an offset are read as UTC");
      });
    };
    const std::string header = "JobID|State|Submit|Start|End|AllocCPUS\n";
    const std::string local = header +
                              "1|COMPLETED|2026-01-01T00:00:10|2026-01-01T00:00:20|"
                              "2026-01-01T00:00:30|1\n";
    CHECK(said(local, {"x.txt"}) == 1);
    CHECK(said(header + "1|COMPLETED|10|20|30|1\n", {"x.txt"}) == 0);
    CHECK(said(header + "1|COMPLETED|2026-01-01T00:00:10Z|20|30|1\n", {"x.txt"}) == 0);
    LogOptions named{"x.txt"};
    named.names_zone = true;
    CHECK(said(local, named) == 0);
    // The stamps of PBS are local, and these records do not need them.
    CHECK(said("01/05/2026 10:00:00;E;1.s;ctime=100 start=110 end=120 "
               "exec_host=n1/0\n",
               {"x.txt"}) == 0);
    CHECK(said("01/05/2026 10:00:00;E;1.s;ctime=100 start=110 exec_host=n1/0\n",
               {"x.txt"}) == 1);
  }

  TEST_CASE("a record of jobcomp whose name holds a key is refused") {
    CHECK(
        complaint_of("JobId=1 UserId=a(1) GroupId=b(2) Name=x JobState=y JobState=z\n")
            .find("free text, as in the name of a job") != std::string::npos);
  }
}
