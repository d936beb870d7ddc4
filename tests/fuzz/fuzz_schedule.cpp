// Bytes as a schedule of four jobs, read and checked, and in any form as one whose jobs
// are its own.
//
// Promises: what cannot be read is told with its place; no job is there twice; the same
// bytes give the same report; a job that is rejected and runs is always found; own jobs
// stand in their order, each with its row.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "study/inputs/schedule_reader.hpp"
#include "study/schedules/own_jobs.hpp"
#include "study/schedules/schedule_source.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

std::vector<Job> four_jobs() {
  std::vector<Job> jobs(4);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto& job = jobs[i];
    job.id = static_cast<std::int64_t>(i) + 1;
    job.submit = seconds(job.id);
    job.size = std::int32_t{1} << i;
    job.length = seconds(30 * job.id);
    job.walltime = seconds(60);
    job.walltime_given = true;
  }
  return jobs;
}

std::string check(const std::vector<Job>& jobs, std::string_view text) {
  test::MemorySource source{std::string(text), 7};
  std::vector<audit::Scheduled> schedule;
  try {
    schedule = study::read_schedule(source, "x.csv", jobs, test::unlimited()).rows;
  } catch (const Error& error) {
    fuzz::check_message(error);
    expect(std::string_view(error.what()).starts_with("x.csv:"),
           "a message names the file", error.what());
    return error.what();
  }
  std::set<std::uint32_t> seen;
  bool lies = false;
  for (const auto& row : schedule) {
    expect(index(row.job) < jobs.size() && seen.insert(index(row.job)).second,
           "each job is there once");
    lies = lies || (row.state == audit::Stated::kRejected && row.start);
  }
  const auto report = audit::check_schedule(jobs, schedule, {4, true});
  expect(!lies || report.broken.contains("state"), "a row that lies is found");
  std::string all;
  for (const auto& violation : report.violations) all += violation.text() + "\n";
  for (const auto& [rule, count] : report.broken) {
    all += fmt::format("{} {}\n", rule, count);
  }
  return all;
}

// What is found in a schedule that is read without its trace.
std::string check_own(std::string_view text, std::size_t step) {
  test::MemorySource stored{std::string(text), step};
  const study::ScheduleReading reading;
  try {
    study::ScheduleSource source(stored, "x.csv", reading, test::unlimited());
    study::ScheduleForm form;
    form.layout = source.layout();
    form.has_own_jobs = true;
    auto schedule = study::read_schedule(source, "x.csv", {}, test::unlimited(), form);
    if (schedule.is_of_stretches) return "stretches";
    expect(schedule.told.size() == schedule.rows.size(), "each row tells of its job");
    const auto shown = study::shown_size(schedule, {}, test::unlimited());
    expect(shown.processors >= 1, "a machine has a processor");
    const auto jobs = study::take_own_jobs(schedule, "x.csv", test::unlimited());
    expect(std::is_sorted(jobs.begin(), jobs.end(), comes_first),
           "jobs stand in order");
    std::set<std::uint32_t> seen;
    for (const auto& row : schedule.rows) {
      expect(index(row.job) < jobs.size() && seen.insert(index(row.job)).second,
             "each job has its row");
    }
    audit::ScheduleRules rules{shown.processors, true};
    rules.has_own_jobs = true;
    std::string all;
    for (const auto& each :
         audit::check_schedule(jobs, schedule.rows, rules).violations) {
      all += each.text() + "\n";
    }
    return all;
  } catch (const Error& error) {
    fuzz::check_message(error);
    expect(std::string_view(error.what()).starts_with("x.csv:"),
           "a message names the file", error.what());
    return error.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto jobs = four_jobs();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect(check(jobs, text) == check(jobs, text), "the same bytes give the same report");
  expect(check_own(text, 7) == check_own(text, 1 + size % 11),
         "pieces of any length read the same");
  return 0;
}
