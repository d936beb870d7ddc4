// Bytes as a log of any format.  The first byte chooses how its records become jobs,
// and the second in which format it is read, or that its first bytes tell.
//
// Promises: jobs keep the invariants of a workload; pieces of any length change
// nothing; the job table that is written reads as the same jobs; what is refused is
// refused in one printable line with its place.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/base/error.hpp"
#include "engine/workload/formats/column_map.hpp"
#include "engine/workload/formats/format.hpp"
#include "study/logs/log_writer.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/fuzz/messages.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using fuzz::expect;

namespace {

std::shared_ptr<const ColumnMap> plain_map() {
  auto map = std::make_shared<ColumnMap>();
  for (const auto* field : {"id", "submit", "size", "length", "memory", "user"}) {
    ColumnField made;
    made.field = field;
    made.column = field;
    map->fields.push_back(std::move(made));
  }
  return map;
}

// A map that does with columns all that a map can do.
std::shared_ptr<const ColumnMap> full_map() {
  auto map = std::make_shared<ColumnMap>();
  const auto add = [&](const char* field, const char* column) -> ColumnField& {
    auto& made = map->fields.emplace_back();
    made.field = field;
    made.column = column;
    return made;
  };
  add("id", "name");
  add("submit", "at").unit = "iso";
  auto& length = add("length", "end");
  length.minus = "start";
  length.unit = "h";
  add("walltime", "limit").unit = "hms";
  auto& size = add("size", "milli");
  size.times = 0.001;
  size.round = ColumnField::Round::kUp;
  auto& memory = add("memory", "mem");
  memory.unit = "auto";
  memory.of = ColumnField::MemoryOf::kNode;
  add("nodes", "nodes");
  add("user", "user");
  add("status", "phase").words = {{"Done", 1}, {"Failed", 0}};
  auto& gpu = add("resource.gpu", "gpu");
  gpu.share = "gpu_milli";
  gpu.whole = 1000;
  map->least_size = 1;
  map->keep["phase"] = {"Done", "Failed"};
  return map;
}

LogOptions options_of(int choice) {
  LogOptions options;
  options.name = "x.log";
  options.strict = (choice & 1) != 0;
  options.keep_lines = (choice & 2) != 0;
  options.rules.requeue = (choice & 4) != 0 ? Requeue::kEach : Requeue::kLast;
  options.rules.heterogeneous =
      (choice & 8) != 0 ? Heterogeneous::kParts : Heterogeneous::kWhole;
  options.rules.running =
      (choice & 16) != 0 ? StillRunning::kElapsed : StillRunning::kLeaveOut;
  options.rules.submit_time =
      (choice & 32) != 0 ? SubmitTime::kEligible : SubmitTime::kSubmit;
  if ((choice & 64) != 0) options.size = SizeField::kRequested;
  options.columns = [is_full = (choice & 128) != 0](std::string_view) {
    return is_full ? full_map() : plain_map();
  };
  return options;
}

struct Reading {
  std::optional<JobLog> log;
  std::string error;  // if there is none
};

Reading read(std::string_view bytes, std::string_view format, const LogOptions& options,
             std::size_t step) {
  test::MemorySource source{std::string(bytes), step};
  Reading reading;
  try {
    reading.log = read_log(source, format, options, test::unlimited());
  } catch (const Error& error) {
    fuzz::check_message(error);
    reading.error = error.what();
    expect(reading.error.size() < 500, "a message has less than 500 bytes",
           reading.error);
  }
  return reading;
}

void check_jobs(const Workload& workload) {
  std::set<std::int64_t> ids;
  for (const Job& job : workload.jobs) {
    const auto what = fmt::format("job {}", job.id);
    expect(job.size >= 1, "a job has a processor", what);
    expect(job.id >= 0, "ids are in range", what);
    expect(ids.insert(job.id).second, "ids are unique", what);
    expect(job.submit >= 0 && job.length >= 0 && job.walltime >= 0,
           "times are in range", what);
    expect(job.walltime_given || job.walltime == job.length,
           "a walltime that is not given is the length", what);
  }
  expect(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first),
         "jobs are by submit and id");
  expect(workload.recorded.size() == workload.jobs.size(), "each job has its record");
}

std::string table_of(const JobLog& log) {
  StringSink sink;
  study::write_job_table(log, sink, test::unlimited());
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const auto options = options_of(bytes.byte());
  const auto which = static_cast<std::size_t>(bytes.below(64));
  const auto format =
      which < formats().size() ? formats()[which]->name : std::string_view();
  const auto text = bytes.rest();
  const auto whole = read(text, format, options, std::string::npos);
  const auto parts = read(text, format, options, 1 + text.size() % 13);
  expect(whole.error == parts.error, "pieces of any length read the same", parts.error);
  if (!whole.log) return 0;
  check_jobs(whole.log->workload);
  const auto table = table_of(*whole.log);
  expect(table == table_of(*parts.log), "pieces of any length read the same", table);
  // Labels of SWF may be larger than those that a table keeps as numbers.
  if (whole.log->workload.notes.empty()) return 0;
  auto again = options_of(0);
  again.rules = {};
  const auto second = read(table, "csv", again, std::string::npos);
  expect(second.log.has_value(), "the table that is written can be read", second.error);
  expect(table_of(*second.log) == table, "writing loses nothing", table);
  return 0;
}
