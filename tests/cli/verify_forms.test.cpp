// berth verify and report --jobs on schedules as other simulators write them: EASY's of
// one workload in nine forms, right and with a fault.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/base/places.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/base/time.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/workload/line_reader.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/berth_says.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

// In seconds.
struct PlacedJob {
  std::int64_t id = 0;
  std::int64_t submit = 0;
  std::int64_t size = 0;
  std::int64_t length = 0;
  std::int64_t walltime = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::string places;
};
using Placed = std::vector<PlacedJob>;

constexpr auto kProcessors = 32;

// 60 jobs that keep 32 processors busy, and walltimes of 1 to 3 times the length.
std::string seeded_swf() {
  std::mt19937 random(7);
  const auto draw = [&](std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(random()) % (most - least + 1);
  };
  std::string text = fmt::format("; MaxProcs: {}\n", kProcessors);
  std::uint32_t submit = 100;
  for (int id = 1; id <= 60; ++id) {
    const auto length = draw(30, 900);
    const auto size = draw(1, 16);
    text += fmt::format("{} {} -1 {} {} -1 -1 {} {} -1 1 {} -1 -1 -1 -1 -1 -1\n", id,
                        submit, length, size, size, length * draw(1, 3), draw(1, 5));
    submit += draw(0, 90);
  }
  return text;
}

Placed placed_in(const std::string& path) {
  FileSource file(path);
  TableReader table(path, lines_of(file, path, unlimited()),
                    {{"job_id"},
                     {"submission_time"},
                     {"requested_number_of_resources"},
                     {"length"},
                     {"requested_time"},
                     {"starting_time"},
                     {"finish_time"},
                     {"allocated_resources"}});
  Placed jobs;
  while (table.next()) {
    jobs.push_back({table.whole(0), table.whole(1), table.whole(2), table.whole(3),
                    table.whole(4), table.whole(5), table.whole(6),
                    std::string(table.text(7))});
  }
  return jobs;
}

std::string berth_form(const Placed& jobs) {
  std::string text =
      "job_id,submission_time,requested_number_of_resources,requested_time,"
      "final_state,starting_time,finish_time,allocated_resources\n";
  for (const auto& job : jobs) {
    text +=
        fmt::format("{},{},{},{},COMPLETED_SUCCESSFULLY,{},{},{}\n", job.id, job.submit,
                    job.size, job.walltime, job.start, job.end, job.places);
  }
  return text;
}

std::string plain_form(const Placed& jobs) {
  std::string text = "job,start,end,size,submit,walltime\n";
  for (const auto& job : jobs) {
    text += fmt::format("{},{},{},{},{},{}\n", job.id, job.start, job.end, job.size,
                        job.submit, job.walltime);
  }
  return text;
}

std::string evalys_form(const Placed& jobs) {
  std::string text =
      "jobID,submission_time,requested_number_of_resources,requested_time,success,"
      "waiting_time,execution_time,allocated_resources\n";
  for (const auto& job : jobs) {
    text += fmt::format("{},{}.000000,{},{}.000000,1,{}.000000,{}.000000,{}\n", job.id,
                        job.submit, job.size, job.walltime, job.start - job.submit,
                        job.end - job.start, job.places);
  }
  return text;
}

// As pyss writes it: by the ends.
std::string swf_form(const Placed& jobs) {
  auto sorted = jobs;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.end < b.end; });
  std::string text = fmt::format("; MaxProcs: {}\n", kProcessors);
  for (const auto& job : sorted) {
    text += fmt::format("{} {} {} {} {} -1 -1 {} {} -1 1 1 -1 -1 -1 -1 {} -1\n", job.id,
                        job.submit, job.start - job.submit, job.end - job.start,
                        job.size, job.size, job.walltime, job.length);
  }
  return text;
}

// On a day in 2026, local time in Vienna, an hour before UTC.
std::string local_time(std::int64_t second) {
  const auto at = second + 3600;
  return fmt::format("2026-01-{:02} {:02}:{:02}:{:02}", 5 + at / 86'400, at / 3600 % 24,
                     at / 60 % 60, at % 60);
}

std::string accasim_form(const Placed& jobs) {
  std::string text;
  for (const auto& job : jobs) {
    const auto first = job.size / 2;
    text += fmt::format("{};ann;{}__", job.id, local_time(job.submit));
    if (first > 0) text += fmt::format("node_0;{};0#", first);
    text +=
        fmt::format("node_1;{};0#__{};{};2;{};0;{};\n", job.size - first,
                    local_time(job.start), local_time(job.end), job.size, job.walltime);
  }
  return text;
}

std::string alea_form(const Placed& jobs) {
  std::string text =
      "job_ID\t user\t arrival\t start_time \t end_time\t CPUs\t walltime_limit\n";
  for (const auto& job : jobs) {
    text += fmt::format("{}\tu1\t{},0\t{},0\t{},0\t{}\t{}\n", job.id, job.submit,
                        job.start, job.end, job.size, job.walltime);
  }
  return text;
}

std::string cqsim_form(const Placed& jobs) {
  std::string text;
  for (const auto& job : jobs) {
    text += fmt::format("{};{};{};{};{};{};{};{};{}\n", job.id, job.size, job.size,
                        job.walltime, job.end - job.start, job.start - job.submit,
                        job.submit, job.start, job.end);
  }
  return text;
}

std::string raps_form(const Placed& jobs) {
  std::string text =
      "id,num_nodes,scheduled_nodes,submit_time,time_limit,start_time,end_time,state\n";
  for (const auto& job : jobs) {
    std::string nodes;
    std::vector<Interval> parts;
    REQUIRE(read_places(job.places, PlaceForm::kSet, std::nullopt, parts).empty());
    for (const auto& part : parts) {
      for (auto at = part.first; at <= part.last; ++at) {
        nodes += fmt::format("{}{}", nodes.empty() ? "" : ", ", at);
      }
    }
    text += fmt::format("{},{},\"[{}]\",{},{},{},{},JobState.COMPLETED\n", job.id,
                        job.size, nodes, job.submit, job.walltime, job.start, job.end);
  }
  return text;
}

// The first run of every fifth job was preempted.
std::string armada_form(const Placed& jobs) {
  std::string text =
      "job_id,run_id,queue,submitted_time,scheduled_time,finished_time,cpu,state\n";
  for (const auto& job : jobs) {
    const auto row = [&](int run, std::int64_t start, std::int64_t end) {
      text += fmt::format("{},{}-{},q1,{}.0,{}.0,{}.0,{}.0,succeeded\n", job.id, job.id,
                          run, job.submit, start, end, job.size);
    };
    if (job.id % 5 == 0) row(1, job.submit, job.submit);
    row(2, job.start, job.end);
  }
  return text;
}

struct WrittenForm {
  std::string name;
  std::function<std::string(const Placed&)> write;
  bool has_walltimes = true;
};

const std::vector<WrittenForm>& written_forms() {
  static const std::vector<WrittenForm> kForms{
      {"berth", berth_form}, {"plain", plain_form},     {"evalys", evalys_form},
      {"swf", swf_form},     {"accasim", accasim_form}, {"alea", alea_form},
      {"cqsim", cqsim_form}, {"raps", raps_form},       {"armada", armada_form, false}};
  return kForms;
}

// EASY's schedule of the workload, which is written as w.swf.
Placed placed_by_easy(const ScratchFolder& folder) {
  const auto trace = folder.file("w.swf", seeded_swf());
  const auto out = (folder.path() / "easy").string();
  const auto said =
      berth_says({"run", "--trace", trace, "--policy", "easy", "--out", out});
  REQUIRE_MESSAGE(said.code == 0, said.err);
  auto jobs = placed_in(out + "/jobs.csv");
  REQUIRE(jobs.size() == 60);
  return jobs;
}

Said verify_with_trace(const std::string& trace, const std::string& schedule) {
  return berth_says({"verify", "--trace", trace, "--schedule", schedule, "--promise",
                     "easy", "--time-zone", "Europe/Vienna"});
}

// The one that starts last of those that waited at least so long.
PlacedJob& last_that_waited(Placed& jobs, std::int64_t least) {
  PlacedJob* last = nullptr;
  for (auto& job : jobs) {
    const bool waited = job.start - job.submit >= least;
    if (waited && (last == nullptr || job.start > last->start)) last = &job;
  }
  REQUIRE(last != nullptr);
  return *last;
}

void move(PlacedJob& job, std::int64_t by) {
  job.start += by;
  job.end += by;
}

struct PlantedFault {
  std::string rule;
  std::function<void(Placed&)> plant;
};

const std::vector<PlantedFault>& planted_faults() {
  static const std::vector<PlantedFault> kFaults{
      {"capacity", [](Placed& jobs) { move(last_that_waited(jobs, 20), -20); }},
      {"order",
       [](Placed& jobs) { move(jobs[30], jobs[30].submit - 9 - jobs[30].start); }},
      {"length", [](Placed& jobs) { jobs[20].end -= 5; }},
      {"missing", [](Placed& jobs) { jobs.erase(jobs.begin() + 10); }},
      {"easy", [](Placed& jobs) { move(last_that_waited(jobs, 1), 7); }}};
  return kFaults;
}

}  // namespace

TEST_SUITE("cli/verify_forms") {
  TEST_CASE("EASY's schedule is accepted in nine forms, with its trace and without") {
    const ScratchFolder folder;
    const auto jobs = placed_by_easy(folder);
    for (const auto& form : written_forms()) {
      CAPTURE(form.name);
      const auto file = folder.file("s.txt", form.write(jobs));
      const auto said = verify_with_trace((folder.path() / "w.swf").string(), file);
      CHECK_MESSAGE(said.code == 0, (said.out + said.err));
      CHECK(said.out.find("easy       checked") != std::string::npos);
      CHECK(said.out.find("60 jobs: every rule holds") != std::string::npos);
      const auto alone =
          berth_says({"verify", "--schedule", file, "--processors", "32"});
      CHECK_MESSAGE(alone.code == 0, (alone.out + alone.err));
      CHECK(alone.out.find("length") == std::string::npos);
      CHECK(alone.err.find("length and missing are not judged") != std::string::npos);
      const auto promised = berth_says(
          {"verify", "--schedule", file, "--processors", "32", "--promise", "easy"});
      CHECK(promised.code == (form.has_walltimes ? 0 : 3));
      if (form.has_walltimes) continue;
      CHECK(promised.err.find("--promise easy: neither the jobs nor the schedule have "
                              "walltimes") != std::string::npos);
    }
  }

  TEST_CASE("the size that neither the trace nor an option gives is the schedule's") {
    const ScratchFolder folder;
    const auto jobs = placed_by_easy(folder);
    auto text = seeded_swf();
    const auto trace = folder.file("sizeless.swf", text.substr(text.find('\n') + 1));
    // Of the forms these name processors, of which 32 are in use at once.
    const std::set<std::string> by_numbers{"berth", "evalys", "raps"};
    for (const auto& form : written_forms()) {
      CAPTURE(form.name);
      const auto file = folder.file("s.txt", form.write(jobs));
      for (const bool has_trace : {true, false}) {
        std::vector<std::string> line{"verify", "--schedule", file};
        if (has_trace) line.insert(line.end(), {"--trace", trace});
        const auto said = berth_says(line);
        CHECK_MESSAGE(said.code == 0, (said.out + said.err));
        CHECK(said.out.find("60 jobs: every rule holds") != std::string::npos);
        CHECK((said.out.find("length     checked") != std::string::npos) == has_trace);
        // The header of SWF has it.
        const bool is_told = form.name == "swf";
        const bool is_judged = is_told || by_numbers.contains(form.name);
        CHECK((said.out.find("capacity   checked") != std::string::npos) == is_judged);
        CHECK((said.err.find("at least 32 processors") == std::string::npos) ==
              is_told);
        CHECK((said.err.find("capacity is not judged") == std::string::npos) ==
              is_judged);
      }
    }
    // Where the rows tell no sizes either, those of the trace's jobs are in use.
    std::string times = "job,start,end\n";
    for (const auto& job : jobs) {
      times += fmt::format("{},{},{}\n", job.id, job.start, job.end);
    }
    const auto bare = berth_says(
        {"verify", "--schedule", folder.file("s.txt", times), "--trace", trace});
    CHECK_MESSAGE(bare.code == 0, (bare.out + bare.err));
    CHECK(bare.err.find("at least 32 processors, the most that were in use at once") !=
          std::string::npos);
  }

  TEST_CASE("a fault is refused by the name of its rule in nine forms") {
    const ScratchFolder folder;
    const auto jobs = placed_by_easy(folder);
    for (const auto& fault : planted_faults()) {
      const auto& rule = fault.rule;
      auto wrong = jobs;
      fault.plant(wrong);
      for (const auto& form : written_forms()) {
        CAPTURE(form.name);
        CAPTURE(rule);
        // A wait below 0 is none in SWF: such a job never ran.
        const bool never_ran = form.name == "swf" && rule == "order";
        const auto named = never_ran ? "unstarted" : rule;
        const auto file = folder.file("s.txt", form.write(wrong));
        const auto said = verify_with_trace((folder.path() / "w.swf").string(), file);
        CHECK_MESSAGE(said.code == 1, (said.out + said.err));
        CHECK_MESSAGE(said.out.find(named + " at t=") != std::string::npos, said.out);
      }
    }
  }

  TEST_CASE("a page shows each form, on a machine of a size") {
    const ScratchFolder folder;
    const auto jobs = placed_by_easy(folder);
    for (const auto& form : written_forms()) {
      CAPTURE(form.name);
      const auto file = folder.file("s.txt", form.write(jobs));
      const auto said = berth_says({"report", "--jobs", file, "-o",
                                    (folder.path() / "r.html").string(), "--force",
                                    "--time-zone", "Europe/Vienna", "--json"});
      REQUIRE_MESSAGE(said.code == 0, said.err);
      const JsonReader page("page", said.out);
      CHECK(page.member("runs").elements()[0].whole<std::int64_t>("jobs") == 60);
      CHECK(page.member("runs").elements()[0].whole<std::int64_t>("processors") == 32);
      // The waits are shown, and no panel is of walltimes, which not all forms have.
      const auto panels = page.texts("panels");
      CHECK(std::count(panels.begin(), panels.end(), "wait") == 1);
      CHECK(said.out.find("walltime") == std::string::npos);
    }
  }

  TEST_CASE("times that are all behind by one constant are moved, and that is said") {
    const ScratchFolder folder;
    auto jobs = placed_by_easy(folder);
    const auto trace = (folder.path() / "w.swf").string();
    for (auto& job : jobs) {
      job.submit += 1000;
      move(job, 1000);
    }
    const auto file = folder.file("s.csv", berth_form(jobs));
    const auto said = verify_with_trace(trace, file);
    CHECK_MESSAGE(said.code == 0, (said.out + said.err));
    CHECK(said.err.find("all submit times are 1000 s behind those of the trace") !=
          std::string::npos);
    CHECK(
        berth_says({"verify", "--trace", trace, "--schedule", file, "--shift", "1000"})
            .code == 0);
    // Where one differs nothing is moved.
    jobs[5].submit += 1;
    const auto other = verify_with_trace(trace, folder.file("s.csv", berth_form(jobs)));
    CHECK(other.err.find("behind") == std::string::npos);
    CHECK(other.code == 1);
  }

  TEST_CASE("jobs are found by the ids of the source, and unknown ones by their line") {
    const ScratchFolder folder;
    const auto trace = folder.file(
        "t.csv",
        "job_id,submit,size,length,walltime,source_id\n1,0,2,10,20,a\n2,0,2,10,20,b\n");
    const auto rows = [&](const std::string& id) {
      return folder.file(
          "s.csv",
          "job_id,run_id,submitted_time,scheduled_time,finished_time,cpu\n"
          "b,1,0.0,10.0,20.0,2.0\n" +
              id + ",2,0.0,0.0,10.0,2.0\n");
    };
    const auto verify = [&](const std::string& schedule) {
      return berth_says({"verify", "--trace", trace, "--schedule", schedule,
                         "--processors", "2", "--promise", "easy"});
    };
    const auto said = verify(rows("a"));
    CHECK_MESSAGE(said.code == 0, (said.out + said.err));
    const auto unknown = verify(rows("c"));
    CHECK(unknown.code == 3);
    CHECK(unknown.err.find("s.csv:3:1: job c is not in the trace") !=
          std::string::npos);
    const auto lines =
        folder.file("q.txt", "1;2;2;20;10;0;0;0;10\n9;2;2;20;10;10;0;10;20\n");
    CHECK(verify(lines).err.find("q.txt:2:1: job 9 is not in the trace") !=
          std::string::npos);
  }

  TEST_CASE("a job of which no submit is said is not held to have waited") {
    const ScratchFolder folder;
    const auto file = folder.file(
        "s.csv", "job,start,end,size,walltime\n1,1,31,2,60\n2,,,2,60\n3,40,50,2,60\n");
    const auto said = berth_says(
        {"verify", "--schedule", file, "--processors", "2", "--promise", "easy"});
    CHECK(said.code == 1);
    CHECK(said.out.find("unstarted at t=50, job 2") != std::string::npos);
    CHECK(said.out.find("could have started at 50, and never starts") !=
          std::string::npos);
    CHECK(said.out.find("easy       checked") != std::string::npos);
    CHECK(said.out.find("could have started at 1") == std::string::npos);
  }

  TEST_CASE("a job that its scheduler killed may end early, not late") {
    const ScratchFolder folder;
    const auto trace =
        folder.file("t.csv", "job_id,submit,size,length,walltime\n1,0,2,10,20\n");
    const auto code_of = [&](const char* end) {
      const auto schedule = folder.file(
          "s.csv", std::string("job_id,starting_time,finish_time,final_state\n1,0,") +
                       end + ",COMPLETED_KILLED\n");
      return berth_says({"verify", "--trace", trace, "--schedule", schedule,
                         "--processors", "2"})
          .code;
    };
    CHECK(code_of("4") == 0);
    CHECK(code_of("10") == 0);
    CHECK(code_of("11") == 1);
  }

  TEST_CASE("what is no schedule of jobs is refused by what it is") {
    const ScratchFolder folder;
    const auto refused = [&](const std::string& text) {
      const auto file = folder.file("s.txt", text);
      const auto said = berth_says({"verify", "--schedule", file});
      CHECK(said.code == 3);
      CHECK(said.err.size() < 500);
      return said.err;
    };
    const auto names = [&](const std::string& text, const char* words) {
      const auto said = refused(text);
      CHECK_MESSAGE(said.find(words) != std::string::npos, said);
    };
    names("Time,QueueID,Allocation,FairShare\n0,q,1,1\n",
          ":1:1: these are shares of queues");
    names("PAR1\n", ":1:1: this is a Parquet file");
    names("SQLite format 3\n", ":1:1: this is a SQLite database");
    names("\x28\xb5\x2f\xfd\n", ":1:1: this is packed by zstd");
    names("job_id,submit,size,length\n1,0,1,5\n", ":1:1: no job has a recorded start");
    names("1;2;2;20;10;0;0;0;10\n1;2;2;20;10;0;0;0;10\n",
          ":2:1: job 1 is there twice (first at line 1)");
    names("1;x;2;20;10;0;0;0;10\n", "column job_id (or job, id) is missing");
    names("1;2;2;20;10;0;0;0;10\n2;2;2.5;20;10;0;0;0;10\n",
          ":2:1: size: '2.5' is no number of processors");
    names("job,start,end\n1,0,5\n", "how many processors job 1 has is not said");
    names(
        "job_id,run_id,submitted_time,scheduled_time,finished_time,cpu\n1,1,0,0,9,x\n",
        ":2:11: cpu: 'x' is no number of processors");
  }
}
