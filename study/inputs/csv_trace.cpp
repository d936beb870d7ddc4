#include "study/inputs/csv_trace.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "engine/jobs/label.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::study {

namespace {

constexpr std::array<std::string_view, 9> kFieldsOfTrace{
    "job_id", "submit", "length", "walltime", "size",
    "user",   "group",  "queue",  "partition"};

std::vector<MappedTable::Field> trace_fields(const JobFileForm& form) {
  std::vector<MappedTable::Field> all;
  all.reserve(kFieldsOfTrace.size());
  for (const auto name : kFieldsOfTrace) all.emplace_back(name, false);
  add_fields(all, form);
  return all;
}

JobFileForm with_names(JobFileForm form) {
  form.columns.push_back({"name", "name", JobFileForm::Given::kOrEmpty, nullptr, true});
  return form;
}

class CsvTraceReader {
 public:
  CsvTraceReader(ByteSource& source, const std::string& name, const CsvTraceKeys& keys,
                 JobFileForm needs, Budget& budget)
      : budget_(budget),
        form_(with_names(std::move(needs))),
        table_(name, lines_of(source, name, budget), trace_fields(form_), keys.columns),
        values_{name},
        cells_(table_, kFieldsOfTrace.size(), form_, values_) {
    if (!keys.needs_length || table_.has(kLength)) return;
    table_.table().wrong({1, 1},
                         "no column says the length of the jobs; map one in "
                         "[workload.columns], or write departures = false");
  }

  CsvTrace read(const std::string& name) {
    Workload workload;
    workload.source = name;
    workload.name = std::filesystem::path(name).filename().string();
    auto& jobs = workload.jobs;
    // Bounded: lines_of() charges each line.
    while (table_.next()) {
      jobs.push_back(job(std::ssize(jobs) + 1));
      workload.lines.push_back(table_.table().line());
      cells_.read(&jobs.back());
    }
    workload.jobs_read = std::ssize(jobs);
    put_in_order(workload, budget_);
    return {std::move(workload), std::move(values_)};
  }

 private:
  // In the order of kFieldsOfTrace; those of the form come behind them.
  enum TraceField : std::size_t {
    kNumber,
    kSubmit,
    kLength,
    kWalltime,
    kSize,
    kUser,
    kGroup,
    kQueue,
    kPartition
  };

  [[nodiscard]] bool is_given(TraceField field) const {
    return !table_.text(field).empty();
  }
  [[nodiscard]] std::int64_t whole(TraceField field, std::int64_t least,
                                   std::int64_t most, std::int64_t usual) const {
    return is_given(field) ? table_.whole(field, least, most) : usual;
  }
  [[nodiscard]] std::int32_t label(TraceField field) const {
    return label_code(whole(field, kUnknown, kLargestLabel, kUnknown));
  }
  [[nodiscard]] Duration span(TraceField field, Duration usual) const {
    if (!is_given(field)) return usual;
    const auto time = table_.time(field);
    if (time < 0) table_.wrong(field, fmt::format("{} is below 0", seconds_text(time)));
    return time;
  }

  [[nodiscard]] Job job(std::int64_t row) {
    constexpr std::int64_t kWidest = std::numeric_limits<std::int32_t>::max();
    Job job;
    job.id = whole(kNumber, 0, kLargestId, row);
    const auto [at, is_new] = lines_.try_emplace(job.id, table_.table().line());
    if (!is_new) {
      const auto what = fmt::format("job {} is already on line {}", job.id, at->second);
      table_.has(kNumber) ? table_.wrong_at(kNumber, what)
                          : table_.table().wrong({table_.table().line(), 1}, what);
    }
    job.submit = is_given(kSubmit) ? table_.time(kSubmit) : seconds(row);
    job.length = span(kLength, 0);
    job.walltime_given = is_given(kWalltime);
    job.walltime = span(kWalltime, job.length);
    job.size = static_cast<std::int32_t>(whole(kSize, 1, kWidest, 1));
    job.user = label(kUser);
    job.group = label(kGroup);
    job.queue_class = label(kQueue);
    job.partition = label(kPartition);
    return job;
  }

  Budget& budget_;
  JobFileForm form_;
  MappedTable table_;
  JobValues values_;
  JobCells cells_;
  std::unordered_map<std::int64_t, std::int64_t> lines_;  // by number of the job
};

}  // namespace

bool is_csv_trace(std::string_view path) {
  return path.ends_with(".csv") || path.ends_with(".csv.gz");
}

CsvTrace read_csv_trace(ByteSource& source, const std::string& name,
                        const CsvTraceKeys& keys, JobFileForm needs, Budget& budget) {
  return CsvTraceReader(source, name, keys, std::move(needs), budget).read(name);
}

}  // namespace berth::study
