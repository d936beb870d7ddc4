#include "study/inputs/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "engine/base/amount.hpp"
#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/printable.hpp"
#include "engine/workload/line_reader.hpp"

namespace berth::study {

namespace {

using Given = JobFileForm::Given;
using Lines = JobFileForm::Lines;

constexpr std::size_t kJobId = 0;
constexpr std::size_t kFirst = 1;  // column of the form

std::vector<MappedTable::Field> fields_of(const JobFileForm& form) {
  std::vector<MappedTable::Field> fields{{"job_id", true}};
  add_fields(fields, form);
  return fields;
}

class JobFileReader {
 public:
  JobFileReader(ByteSource& source, const std::string& name, const JobFileForm& form,
                Budget& budget)
      : budget_(budget),
        table_(name, lines_of(source, name, budget), fields_of(form), {}, form.unknown),
        lines_(form.lines),
        values_{name},
        cells_(table_, kFirst, form, values_) {}

  JobValues read(const Workload& workload) {
    // Each twice: before the lines and behind them.
    budget_.charge_each(2 * workload.jobs.size() + workload.not_jobs.size());
    for (const auto& job : workload.jobs) told_.emplace(job.id, Told{&job});
    for (const auto number : workload.not_jobs) told_.try_emplace(number);
    while (table_.next()) cells_.read(job_of_line());
    std::uint32_t index = 0;
    for (const auto& job : workload.jobs) check_lines(job, index++);
    return std::move(values_);
  }

 private:
  struct Told {
    const Job* job = nullptr;  // null: the line of the trace is no job
    std::int64_t first_line = 0;
    std::int64_t lines = 0;
  };

  const Job* job_of_line() {
    const auto id = table_.table().whole(kJobId);
    const auto known = told_.find(id);
    if (known == told_.end()) {
      table_.wrong_at(kJobId, fmt::format("the workload has no job {}", id));
    }
    auto& told = known->second;
    if (told.lines > 0 && lines_ != Lines::kNoneOrOneForEachProcess) {
      table_.wrong_at(kJobId,
                      fmt::format("job {} is already on line {}", id, told.first_line));
    }
    if (told.lines++ == 0) told.first_line = table_.table().line();
    return told.job;
  }

  void check_lines(const Job& job, std::uint32_t index) {
    const Told& told = told_.at(job.id);
    if (lines_ == Lines::kOne && told.lines == 0) {
      values_.without.emplace_back(index, job.id);
    }
    const bool is_by_process = lines_ == Lines::kNoneOrOneForEachProcess;
    if (is_by_process && told.lines != 0 && told.lines != job.size) {
      table_.table().wrong({told.first_line, 1},
                           fmt::format("job {} has {} processes and {} lines here",
                                       job.id, job.size, told.lines));
    }
  }

  Budget& budget_;
  MappedTable table_;
  Lines lines_;
  std::unordered_map<std::int64_t, Told> told_;
  JobValues values_;
  JobCells cells_;
};

constexpr auto kLargest = static_cast<double>(kMostAmount);

std::string to_kib(double& gib, std::string_view text) {
  if (gib < 0) return fmt::format("{} is below 0", text);
  if (gib > kLargest / kKibPerGib) return "this is too much memory";
  gib = static_cast<double>(kib_of(gib));
  return {};
}

JobFileForm::Column count_column(const std::string& name, double least) {
  return {name, "needs." + name, Given::kOrEmpty,
          [least](double& number, std::string_view text) -> std::string {
            if (number < least) return fmt::format("{} is below {}", text, least);
            if (number != std::floor(number))
              return fmt::format("{} is not a whole number", text);
            return number > kLargest ? "this is more than any machine has" : "";
          }};
}

constexpr std::size_t kChunksColumn = 0;  // columns of needs_form()
constexpr std::size_t kProcessorsColumn = 1;

// Chunks times processors are the job's size; chunks follow from processors.
std::optional<JobFileForm::Wrong> wrong_chunks(const Job& job,
                                               JobFileForm::Numbers numbers) {
  auto& chunks = numbers[kChunksColumn];
  const auto& processors = numbers[kProcessorsColumn];
  const double size = job.size;
  const auto blamed = processors ? kProcessorsColumn : kChunksColumn;
  if (!chunks && !processors) return std::nullopt;
  if (!chunks) chunks = std::ceil(size / *processors);
  const bool is_right =
      processors ? *chunks * *processors == size : std::fmod(size, *chunks) == 0;
  if (is_right) return std::nullopt;
  return JobFileForm::Wrong{
      blamed,
      fmt::format("job {} has {} processors, which is not chunks times processors",
                  job.id, job.size)};
}

}  // namespace

JobFileForm needs_form(const Resources& resources) {
  JobFileForm form{{count_column("chunks", 1), count_column("processors", 1)},
                   Lines::kAtMostOne,
                   "the machine has no kind",
                   wrong_chunks};
  form.columns[kProcessorsColumn].keeps.clear();
  for (const auto& kind : kinds_of(1, resources)) {
    if (kind.name == "processors") continue;
    if (kind.name == "memory") {
      form.columns.push_back({kind.name, "needs.memory", Given::kOrEmpty, to_kib});
    } else {
      form.columns.push_back(count_column(kind.name, 0));
    }
  }
  return form;
}

JobValues read_job_file(ByteSource& source, const std::string& name,
                        const Workload& workload, const JobFileForm& form,
                        Budget& budget) {
  return JobFileReader(source, name, form, budget).read(workload);
}

void add(JobColumns& columns, const JobValues& values) {
  for (const auto& [name, of_jobs] : values.columns) {
    const auto texts = values.texts.find(name);
    columns.add(
        name, of_jobs,
        texts == values.texts.end() ? std::vector<std::string>() : texts->second);
  }
}

void check_has_lines(const JobValues& values,
                     const std::vector<std::uint32_t>& of_trace) {
  if (values.without.empty()) return;
  for (const auto index : of_trace) {
    const auto found = std::lower_bound(
        values.without.begin(), values.without.end(), index,
        [](const auto& each, std::uint32_t wanted) { return each.first < wanted; });
    if (found == values.without.end() || found->first != index) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("{}:1:1: there is no line for job {}",
                            printable_name(values.file), found->second));
  }
}

}  // namespace berth::study
