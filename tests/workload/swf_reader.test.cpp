#include "engine/workload/swf_reader.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/workload/warnings.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

const std::string kHeader = "; Version: 2.2\n; MaxNodes: 32\n; MaxProcs: 64\n";

// Five jobs on lines 4 to 8 of a text that starts with kHeader.
const std::string kFive =
    "1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
    "2 10 0 50 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
    "3 20 0 100 8 -1 -1 8 200 -1 1 1 1 1 1 1 -1 -1\n"
    "4 30 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
    "5 40 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), by);
}

// kFive with a part of job 2 replaced.
std::string second(const std::string& what, const std::string& by) {
  const auto at = kFive.find("2 10");
  return kHeader + kFive.substr(0, at) + replaced(kFive.substr(at), what, by);
}

std::string parse_error(const std::string& text) {
  return error_of([&] { (void)parse(text); });
}

bool same_jobs(const Workload& a, const Workload& b) {
  return std::equal(a.jobs.begin(), a.jobs.end(), b.jobs.begin(), b.jobs.end(),
                    [](const Job& x, const Job& y) {
                      return x.id == y.id && x.submit == y.submit &&
                             x.length == y.length && x.size == y.size &&
                             x.walltime == y.walltime;
                    });
}

}  // namespace

TEST_SUITE("workload/swf_reader") {
  TEST_CASE("each field goes where it belongs") {
    const Workload workload =
        parse(kHeader + "7 1.5 3 60.25 4 55.5 2048 8 120 1024 5 11 12 13 14 15 16 17\n",
              {"a/b/x.swf"});
    CHECK(workload.name == "x.swf");
    CHECK(workload.source == "a/b/x.swf");
    CHECK(workload.processors == 64);
    REQUIRE(workload.jobs.size() == 1);
    const Job& job = workload.jobs[0];
    CHECK(job.id == 7);
    CHECK(job.submit == 1'500'000);
    CHECK(job.length == 60'250'000);
    CHECK(job.size == 8);
    CHECK(job.walltime == seconds(120));
    CHECK(job.walltime_given);
    CHECK(job.memory_kib == 1024);
    CHECK(job.user == 11);
    CHECK(job.group == 12);
    CHECK(job.executable == 13);
    CHECK(job.queue_class == 14);
    CHECK(job.partition == 15);
    CHECK(workload.recorded == std::vector<Recorded>{{.wait = seconds(3),
                                                      .allocated = 4,
                                                      .cpu_time = 55.5,
                                                      .used_memory_kib = 2048,
                                                      .status = 5}});
    CHECK(workload.lines == TraceLines{4});
    CHECK(workload.repairs.at("preceding_job").count == 1);
    CHECK(workload.repairs.size() == 1);
  }

  TEST_CASE("unknown fields stay unknown") {
    const Workload workload =
        parse(kHeader +
              "1 0 -1 60 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
              "2 0 -7 60 4 -1 -1 -1 0 -1 -1 -9 -1 -1 -1 -1 0 0\n");
    REQUIRE(workload.jobs.size() == 2);
    for (const Job& job : workload.jobs) {
      CHECK(job.size == 4);
      CHECK(job.walltime == seconds(60));
      CHECK_FALSE(job.walltime_given);
      CHECK(job.memory_kib == kUnknown);
      CHECK(job.user == kUnknown);
      CHECK(job.partition == kUnknown);
    }
    CHECK(workload.recorded[1] == Recorded{.allocated = 4});
    CHECK(workload.repairs.at("size_from_allocated").count == 2);
    CHECK(workload.repairs.at("no_walltime").count == 2);
    CHECK(workload.repairs.count("preceding_job") == 0);
    CHECK(workload.without_walltime() == 2);
  }

  TEST_CASE("lines that cannot be read are errors with their place") {
    struct Case {
      std::string text;
      std::string error;
    };
    const std::string big(400, '9');
    for (const Case& each :
         {Case{
              kHeader + kFive.substr(0, kFive.size() - 26),
              "x.swf:8: 8 fields where 18 are needed (the file ends inside this line)"},
          {second(" -1 -1\n", " -1\n"), "x.swf:5: 17 fields where 18 are needed"},
          {second(" -1 -1\n", " -1 -1 -1\n"), "x.swf:5: 19 fields where 18 are needed"},
          {second("50", "fifty"), "x.swf:5:8: run time: 'fifty' is not a number"},
          {second("2 10", "2 \t -10"), "x.swf:5:5: submit time: -10 is negative"},
          {second("2 10", "-2 10"), "x.swf:5:1: job number: -2 is negative"},
          {second("2 10", "2.5 10"),
           "x.swf:5:1: job number: 2.5 is not a whole number"},
          {second("50 4", "50 4.5"),
           "x.swf:5:11: allocated processors: 4.5 is not a whole number"},
          {second("50", std::string("5\0000", 3)),
           "x.swf:5:9: byte 0x00 in a number (run time)"},
          {second("50",
                  "\xc2\xa0"
                  "50"),
           "x.swf:5:8: byte 0xc2 in a number (run time)"},
          {second("50", "5\r0"), "x.swf:5:9: byte 0x0d in a number (run time)"},
          {second("50", "1e400"), "x.swf:5:8: run time: 1e400 is out of range"},
          {second("50", "100000000001"),
           "x.swf:5:8: run time: 100000000001 is out of range"},
          {second("50", "nan"), "x.swf:5:8: run time: 'nan' is not a number"},
          {second("50", "-inf"), "x.swf:5:8: run time: '-inf' is not a number"},
          {second("50 4", "50 3000000000"),
           "x.swf:5:11: allocated processors: 3000000000 is out of range"},
          {second("50", big),
           "x.swf:5:8: run time: " + big.substr(0, 57) + "... is out of range"},
          {second(" -1 -1\n", " -1 x\n"),
           "x.swf:5:43: think time: 'x' is not a number"},
          {"; MaxProcs: 99999999999 (many)\n",
           "x.swf:1:13: MaxProcs: 99999999999 (many) is out of range"}}) {
      CHECK(parse_error(each.text) == each.error);
    }
  }

  TEST_CASE("a job number is used once, whatever the order and even if left out") {
    CHECK(parse_error(second("2 10", "1 10")) ==
          "x.swf:5:1: job number 1 was already used at line 4");
    CHECK(parse_error(second("2 10", "  5 10")) ==
          "x.swf:8:1: job number 5 was already used at line 5");
    const std::string left_out = "  4 50 0 100 0 -1 -1 0 200 -1 1 1 1 1 1 1 -1 -1\n";
    CHECK(parse_error(kHeader + kFive + left_out) ==
          "x.swf:9:3: job number 4 was already used at line 7");
  }

  TEST_CASE("of several repeated job numbers the first in the file is named") {
    const std::string lines = kFive.substr(0, kFive.find("3 20"));
    CHECK(parse_error(kHeader + lines + replaced(lines, "1 0", "2 0")) ==
          "x.swf:6:1: job number 2 was already used at line 5");
  }

  TEST_CASE(
      "CR LF, a byte order mark, blank lines and no last end of line are accepted") {
    const Workload plain = parse(kHeader + kFive);
    std::string crlf;
    for (const char c : kHeader + kFive) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& text :
         {crlf, "\xef\xbb\xbf" + kHeader + kFive, "\xef\xbb\xbf\n" + kHeader + kFive,
          "\n \t\n" + kHeader + "\n" + kFive + "\n",
          (kHeader + kFive).substr(0, (kHeader + kFive).size() - 1)}) {
      const Workload workload = parse(text);
      CHECK(same_jobs(workload, plain));
      CHECK(workload.repairs.empty());
      CHECK(workload.processors == 64);
    }
  }

  TEST_CASE("file order never matters: jobs come by submit time, then by number") {
    const Workload workload = parse(kHeader +
                                    "3 20 0 100 8 -1 -1 8 200 -1 1 1 1 1 1 1 -1 -1\n"
                                    "1 0 0 100 4 -1 -1 4 200 -1 0 1 1 1 1 1 -1 -1\n"
                                    "5 20 0 100 4 -1 -1 4 200 -1 -1 1 1 1 1 1 -1 -1\n"
                                    "4 20 0 100 4 -1 -1 4 200 -1 5 1 1 1 1 1 -1 -1\n");
    REQUIRE(workload.jobs.size() == 4);
    CHECK(workload.jobs[0].id == 1);
    CHECK(workload.jobs[1].id == 3);
    CHECK(workload.jobs[2].id == 4);
    CHECK(workload.jobs[3].id == 5);
    CHECK(workload.lines == TraceLines{5, 4, 7, 6});
    CHECK(workload.recorded[2].status == 5);
    CHECK(workload.repairs.at("unsorted").count == 1);
    CHECK(workload.repairs.at("unsorted").first_line == 5);
  }

  TEST_CASE("parts of jobs that were swapped out are left out and counted") {
    // As the definition has it: the whole job, then its parts, of which the first alone
    // has a submit time.
    const std::string text = kHeader +
                             "1 0 0 10 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
                             "2 5 0 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
                             "2 5 0 60 4 -1 -1 4 200 -1 2 1 1 1 1 1 -1 -1\n"
                             "2 -1 9 40 4 -1 -1 4 200 -1 3 1 1 1 1 1 -1 -1\n"
                             "3 9 0 10 4 -1 -1 4 200 -1 0 1 1 1 1 1 -1 -1\n"
                             "3 9 0 10 4 -1 -1 4 200 -1 4 1 1 1 1 1 -1 -1\n";
    const auto workload = parse(text);
    REQUIRE(workload.jobs.size() == 3);
    CHECK(workload.jobs[1].length == seconds(100));
    CHECK(workload.jobs_read == 6);
    CHECK(workload.left_out.at("partial_execution").count == 3);
    CHECK(workload.left_out.at("partial_execution").first_line == 6);
    CHECK(workload.repairs.count("unsorted") == 0);
    CHECK(
        warnings(workload).front() ==
        "3 lines left out: by their status parts of jobs that were swapped out (first "
        "at line 6)");
  }

  TEST_CASE("every status is read, and a job of unknown submit time is left out") {
    std::string text = kHeader;
    for (int status = -1; status <= 6; ++status) {
      text += std::to_string(status + 2) + " 0 0 10 4 -1 -1 4 200 -1 " +
              std::to_string(status) + " 1 1 1 1 1 -1 -1\n";
    }
    const auto workload =
        parse(text + "9 -1 0 10 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n");
    std::vector<std::int32_t> read;
    for (const auto& recorded : workload.recorded) read.push_back(recorded.status);
    CHECK(read == std::vector<std::int32_t>{-1, 0, 1, 5, 6});
    CHECK(workload.left_out.at("partial_execution").count == 3);
    CHECK(workload.left_out.at("no_submit_time").count == 1);
  }

  TEST_CASE("jobs without a size or a run time are left out and counted") {
    const std::string text = kHeader +
                             "1 0 0 100 0 -1 -1 0 200 -1 1 1 1 1 1 1 -1 -1\n"
                             "2 0 0 -1 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
                             "3 0 0 -1 -1 -1 -1 -1 200 -1 1 1 1 1 1 1 -1 -1\n"
                             "4 0 0 0 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n";
    const Workload workload = parse(text, {.name = "x.swf", .keep_lines = true});
    REQUIRE(workload.jobs.size() == 1);
    CHECK(workload.jobs[0].id == 4);
    CHECK(workload.jobs[0].length == 0);
    CHECK(workload.jobs_read == 4);
    CHECK(workload.left_out.at("no_processor_count").lines ==
          std::vector<std::int64_t>{4, 6});
    CHECK(workload.left_out.at("no_run_time").lines == std::vector<std::int64_t>{5});
    CHECK(workload.repairs.empty());
  }

  TEST_CASE("strict reading names the field that a job lacks") {
    const auto strict_error = [](const std::string& text) {
      return error_of([&] { (void)parse(text, {.name = "x.swf", .strict = true}); });
    };
    CHECK(strict_error(second("50 4 -1 -1 4", "50 0 -1 -1 -1"))
              .rfind("x.swf:5:19: requested processors: no processor count", 0) == 0);
    CHECK(
        strict_error(second("50", "-1")).rfind("x.swf:5:8: run time: no run time", 0) ==
        0);
    CHECK(strict_error(second("50", "0")).empty());
  }

  TEST_CASE("the machine's size is MaxProcs, else MaxNodes, by its leading number") {
    struct Case {
      std::string header;
      std::optional<std::int32_t> processors;
    };
    for (const Case& each : {Case{"; MaxNodes: 32\n", 32},
                             {"; MaxNodes: 32\n; MaxProcs: 64\n", 64},
                             {"; MaxProcs: 64\n; MaxProcs: 65\n", 64},
                             {";MaxProcs:1024 (32 of them spare)\n", 1024},
                             {"  ;  MaxProcs :  8\n", 8},
                             {"; MaxProcs: -1\n; MaxNodes: 16\n", 16},
                             {"; Note: MaxProcs: 64\n", std::nullopt},
                             {"", std::nullopt}}) {
      CAPTURE(each.header);
      const Workload workload = parse(each.header + kFive);
      CHECK(workload.processors == each.processors);
      CHECK(workload.repairs.count("no_machine_size") == (each.processors ? 0 : 1));
    }
  }

  TEST_CASE("a file without jobs is an empty workload") {
    CHECK(parse("").jobs.empty());
    CHECK(parse(kHeader).jobs.empty());
  }

  TEST_CASE("no record is kept when none is wanted") {
    const Workload workload =
        parse(kHeader + kFive, {.name = "x.swf", .keep_recorded = false});
    CHECK(workload.jobs.size() == 5);
    CHECK(workload.recorded.empty());
  }

  TEST_CASE("messages are short and clean, whatever the name and the bytes") {
    const std::string name = std::string(3000, 'n') + "\x1b[2J.swf";
    for (int byte = 0; byte < 256; ++byte) {
      const std::string token(2000, static_cast<char>(byte));
      const std::string error = error_of(
          [&] { (void)parse(second("50", "5" + token + "x"), {.name = name}); });
      CAPTURE(byte);
      CHECK(!error.empty());
      CHECK(error.size() < 500);
      CHECK(std::none_of(error.begin(), error.end(),
                         [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
    }
  }

  TEST_CASE(
      "any mixture of pieces of a trace is read in order or refused with a place") {
    const std::vector<std::string> pieces{
        " ",   "\n",
        "-1",  "0",
        "1",   "7.5",
        "1e9", "1e400",
        "-",   "; MaxProcs: 4\n",
        "x",   std::string(1, '\0'),
        "\r",  " 0 0 10 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1\n",
        "\t"};
    std::mt19937 engine(11);
    int read = 0;
    for (int round = 0; round < 3000; ++round) {
      std::string text;
      for (int i = 0; i < 12; ++i) {
        const bool whole_line = engine() % 2 == 0;
        text += whole_line ? std::to_string(engine() % 50) + pieces[13]
                           : pieces[engine() % pieces.size()];
      }
      try {
        const Workload workload = parse(text);
        ++read;
        CHECK(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first));
        for (const Job& job : workload.jobs) {
          CHECK((job.size >= 1 && job.length >= 0 && job.submit >= 0 &&
                 job.walltime >= 0));
        }
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kInput);
        CHECK(std::string(error.what()).rfind("x.swf:", 0) == 0);
      }
    }
    CHECK(read > 0);
    CHECK(read < 3000);
  }
}
