// Bytes as a schedule of four jobs, read and checked.
//
// Promises: what cannot be read is told with its place; no job is there twice; the same
// bytes give the same report; a job that is rejected and runs is always found.

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "study/inputs/schedule_reader.hpp"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto jobs = four_jobs();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect(check(jobs, text) == check(jobs, text), "the same bytes give the same report");
  return 0;
}
