// Bytes as a file of CPU uses of three jobs.
//
// Promises: what is wrong is told with its place; what is right gives each job that is
// named one use for each of its processes, above 0 and at most 1.

#include <string>

#include "engine/machines/two_tier/two_tier_settings.hpp"
#include "study/inputs/job_file.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

Workload three_jobs() {
  Workload workload;
  for (std::int32_t size = 1; size <= 3; ++size) {
    Job job;
    job.id = size;
    job.size = size;
    workload.jobs.push_back(job);
  }
  return workload;
}

std::string read(const Workload& workload, std::string_view text) {
  test::MemorySource source{std::string(text), 5};
  JobColumns columns(workload.jobs);
  try {
    study::add(columns, study::read_job_file(source, "x.csv", workload, cpu_use_form(),
                                             test::unlimited()));
  } catch (const Error& error) {
    fuzz::check_message(error);
    expect(std::string_view(error.what()).starts_with("x.csv:"),
           "a message names the file", error.what());
    return error.what();
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto workload = three_jobs();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect(read(workload, text) == read(workload, text), "the same bytes read the same");
  return 0;
}
