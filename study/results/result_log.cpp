#include "study/results/result_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"
#include "engine/output/json_reading.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/line_reader.hpp"
#include "study/common/file_source.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// Columns of jobs.csv.
enum ResultColumn : std::size_t {
  kResultJob,
  kResultSubmit,
  kResultSize,
  kResultWalltime,
  kResultState,
  kResultStart,
  kResultLength,
  kResultNames,  // the first of the kinds of names
};

std::vector<TableColumn> result_columns() {
  std::vector<TableColumn> columns{
      {"job_id"},         {"submission_time"}, {"requested_number_of_resources"},
      {"requested_time"}, {"final_state"},     {"starting_time"},
      {"length"}};
  for (const auto name : kNameKinds) columns.push_back({name, false});
  return columns;
}

[[noreturn]] void refuse_other_folder(const fs::path& folder) {
  std::vector<std::string> policies;
  std::error_code failed;
  // Bounded: the entries of a folder.
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (!fs::is_regular_file(entry.path() / "jobs.csv", failed)) continue;
    policies.push_back(printable(entry.path().filename().string()));
  }
  std::sort(policies.begin(), policies.end());
  const auto named = fmt::format("{}", fmt::join(policies, ", "));
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: the folder has no jobs.csv{}", printable_name(folder.string()),
                  policies.empty()
                      ? "; berth run --out DIR writes one for each policy"
                      : "; name that of one policy: " + shortened(named, 200)));
}

std::int32_t status_of(std::string_view state) {
  if (state == "COMPLETED_SUCCESSFULLY") return 1;
  if (state == "COMPLETED_WALLTIME_REACHED") return 0;
  return state == "REJECTED" ? 5 : kUnknown;
}

void add_job(const TableReader& row, LogBuilder& builder) {
  LogRecord record;
  const auto place = row.place(kResultJob);
  record.place = {place.line, place.column};
  record.id = row.text(kResultJob);
  record.number = row.whole(kResultJob, 0, kLargestId);
  record.submit = row.time(kResultSubmit);
  record.size = row.whole(kResultSize, 1, std::numeric_limits<std::int32_t>::max());
  record.length = row.time(kResultLength);
  if (!row.text(kResultWalltime).empty()) record.walltime = row.time(kResultWalltime);
  if (!row.text(kResultStart).empty()) record.start = row.time(kResultStart);
  record.status = status_of(row.text(kResultState));
  for (std::size_t i = 0; i < kNameKinds.size(); ++i) {
    record.names[i] = row.text(kResultNames + i);
  }
  builder.add(record);
}

void read_manifest_into(const fs::path& file, Workload& workload) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return;
  const JsonReader json(file.string(), read_text(file.string()));
  json.need_format_1("manifest");
  if (json.find("unix_start")) {
    workload.unix_start = json.whole<std::int64_t>("unix_start");
  }
  const auto scenario = parse_toml(file.string(), json.text_or("scenario", {}));
  const auto processors = scenario["machine"]["processors"].value_or<std::int64_t>(0);
  if (processors > 0 && processors <= std::numeric_limits<std::int32_t>::max()) {
    workload.processors = static_cast<std::int32_t>(processors);
  }
}

}  // namespace

JobLog read_result_as_log(const std::string& folder, Budget& budget) {
  const auto jobs = (fs::path(folder) / "jobs.csv").string();
  std::error_code failed;
  if (!fs::is_regular_file(jobs, failed)) refuse_other_folder(folder);
  FileSource file(jobs);
  TableReader row(jobs, lines_of(file, jobs, budget), result_columns());
  LogOptions options;
  options.name = jobs;
  LogBuilder builder(options, LogBuilder::Clock::kOwn, budget);
  builder.refuse_repeated_ids();
  // Bounded: the rows, for whose lines their reader charges.
  while (row.next()) add_job(row, builder);
  auto log = builder.finish();
  read_manifest_into(fs::path(folder) / "manifest.json", log.workload);
  auto& notes = log.workload.notes;
  notes.insert(notes.begin(), fmt::format("read as the result of a run: {} jobs",
                                          log.workload.jobs.size()));
  return log;
}

}  // namespace berth::study
