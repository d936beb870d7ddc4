#include "study/schedules/schedule_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/base/csv_text.hpp"
#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text_encoding.hpp"
#include "engine/workload/formats/format.hpp"
#include "engine/workload/formats/log_builder.hpp"
#include "engine/workload/formats/log_names.hpp"
#include "engine/workload/formats/log_text.hpp"

namespace berth::study {

namespace {

constexpr std::string_view kTableOfForms =
    "job_id,submission_time,requested_number_of_resources,requested_time,final_state,"
    "starting_time,finish_time,allocated_resources,user\n";

// What is written about schedules and is none of jobs.
void refuse_no_schedule(std::string_view first_line, const std::string& path) {
  if (const auto what = unread_kind(first_line); !what.empty()) {
    refuse_log(path, {1, 1}, fmt::format("this is {}", what));
  }
  if (first_line == "Time,QueueID,Allocation,FairShare") {
    refuse_log(path, {1, 1},
               "these are shares of queues over time, as KAI's simulator writes them: "
               "no jobs are in it, so that there is no schedule to read");
  }
}

// Whether the first line has, in whole words, a name of the column.
bool has_one_of(std::string_view line, const TableColumn& column) {
  // Bounded: one line.
  while (!line.empty()) {
    auto name = cut_off(line, ',');
    if (name.starts_with('"') && name.ends_with('"') && name.size() > 1) {
      name = name.substr(1, name.size() - 2);
    }
    if (name == column.name) return true;
    if (std::find(column.others.begin(), column.others.end(), name) !=
        column.others.end()) {
      return true;
    }
  }
  return false;
}

std::optional<std::int64_t> number_of_id(std::string_view id) {
  id.remove_prefix(id.rfind('!') + 1);
  const bool is_number = !id.empty() && id.find_first_not_of("0123456789") == id.npos;
  const auto [number, fault] = parse_whole(id);
  if (!is_number || fault != NumberFault::kNone || number > kLargestId) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

ScheduleSource::ScheduleSource(ByteSource& stored, const std::string& name,
                               const ScheduleReading& reading, Budget& budget)
    : name_(name),
      reading_(reading),
      budget_(budget),
      unpacked_(stored, name, budget),
      source_(unpacked_) {
  choose(source_.head());
  if (record_ != nullptr || is_log_) translate();
}

void ScheduleSource::choose(std::string_view head) {
  head.remove_prefix(byte_order_mark(head, name_));
  const auto first = first_line_of(head);
  refuse_no_schedule(first, name_);
  const auto columns = reading_.columns.listed({});
  const auto has = [&](ScheduleColumn::Index column) {
    return has_one_of(first, columns[column]);
  };
  const bool has_times = has(ScheduleColumn::kStart) && has(ScheduleColumn::kFinish);
  form_ = has(ScheduleColumn::kState) ? "batsim" : "evalys";
  // Columns that are called job, start, end are exact.
  const bool is_exact = columns.front().name == "job_id" &&
                        has_one_of(first, {"job"}) && has_one_of(first, {"start"});
  precision_ = submit_precision_ = is_exact ? 0 : 1;
  if (reading_.has_columns) return;
  const auto forms = schedule_forms();
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const auto& each) {
    return each.matches(first);
  });
  if (found != forms.end()) {
    record_ = &*found;
    form_ = record_->name;
    precision_ = record_->precision;
    submit_precision_ = record_->submit_precision;
    return;
  }
  if (has_times) return;
  const auto logs = formats();
  const auto log = std::find_if(logs.begin(), logs.end(),
                                [&](const auto* each) { return each->matches(head); });
  if (log == logs.end()) return;
  is_log_ = true;
  form_ = (*log)->name;
  precision_ = submit_precision_ = 0;
}

void ScheduleSource::translate() {
  const ForeignInput input{source_, name_, reading_.zone, budget_};
  foreign_ = record_ != nullptr ? record_->read(input) : read_log_as_schedule(input);
  auto& jobs = foreign_.jobs;
  budget_.charge_each(4 * jobs.size());
  budget_.charge_sort(jobs.size());
  number_jobs();
  number_users();
  if (foreign_.is_calendar) move_zero();
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  text_ = kTableOfForms;
  line_ = 1;
  // A form without a line of names has its first job where the table has them.
  lines_ahead_ = !jobs.empty() && jobs.front().line <= 1 ? 1 : 0;
}

// nullopt: the id is no number, and no trace has it.
std::optional<std::int64_t> ScheduleSource::known_number(const ForeignJob& job) const {
  const auto number = number_of_id(job.id);
  if (number || !reading_.number_of) return number;
  const auto of_trace = reading_.number_of(job.id);
  if (of_trace) return of_trace;
  refuse_log(name_, {job.line, 1},
             fmt::format("job {} is not in the trace", printable(job.id)));
}

void ScheduleSource::number_jobs() {
  auto& jobs = foreign_.jobs;
  std::unordered_map<std::string_view, std::int64_t> lines;
  std::vector<ForeignJob*> texts;
  std::vector<std::pair<ForeignJob*, std::int64_t>> numbers;
  std::int64_t largest = 0;
  // Bounded: the jobs, for which translate() charges.
  for (auto& job : jobs) {
    const auto [first, is_new] = lines.emplace(job.id, job.line);
    if (!is_new) {
      refuse_log(name_, {job.line, 1},
                 fmt::format("job {} is there twice (first at line {})",
                             printable(job.id), first->second));
    }
    const auto number = known_number(job);
    if (!number) {
      texts.push_back(&job);
      continue;
    }
    largest = std::max(largest, *number);
    numbers.emplace_back(&job, *number);
  }
  std::sort(texts.begin(), texts.end(), [](const auto* a, const auto* b) {
    const auto of_a = a->submit.value_or(kNever);
    const auto of_b = b->submit.value_or(kNever);
    return of_a != of_b ? of_a < of_b : comes_naturally_before(a->id, b->id);
  });
  lines.clear();  // it shows the ids
  for (const auto& [job, number] : numbers) job->id = fmt::format("{}", number);
  for (auto* job : texts) job->id = fmt::format("{}", ++largest);
}

// Names of users become 1, 2, ... by first appearance; numbers stay.
void ScheduleSource::number_users() {
  auto& jobs = foreign_.jobs;
  const bool are_numbers = std::all_of(jobs.begin(), jobs.end(), [](const auto& job) {
    const bool is_number =
        job.user.find('!') == job.user.npos && number_of_id(job.user);
    return job.user.empty() || is_number;
  });
  if (are_numbers) return;
  std::unordered_map<std::string, std::size_t> numbers;
  // Bounded: the jobs, for which translate() charges.
  for (auto& job : jobs) {
    if (job.user.empty()) continue;
    const auto next = numbers.size() + 1;
    job.user = fmt::format("{}", numbers.try_emplace(job.user, next).first->second);
  }
}

void ScheduleSource::move_zero() {
  auto first = kNever;
  // Bounded: the jobs, for which translate() charges.
  for (const auto& job : foreign_.jobs) {
    first = std::min(first, job.submit.value_or(job.start.value_or(kNever)));
  }
  if (first == kNever) return;
  const auto zero = first - (first % kSecond + kSecond) % kSecond;
  for (auto& job : foreign_.jobs) {
    for (auto* time : {&job.submit, &job.start, &job.end}) {
      if (*time) **time -= zero;
    }
  }
}

void ScheduleSource::write_row(const ForeignJob& job) {
  const auto seconds = [](const std::optional<Time>& time) {
    return time ? seconds_text(*time) : std::string();
  };
  // Bounded: the lines of the file.
  for (; line_ + 1 < job.line + lines_ahead_; ++line_) text_ += '\n';
  ++line_;
  const auto size = job.size > 0 ? fmt::format("{}", job.size) : std::string();
  text_ += fmt::format("{},{},{},{},{},{},{},{},{}\n", job.id, seconds(job.submit),
                       size, seconds(job.walltime), job.state, seconds(job.start),
                       seconds(job.start ? job.end : std::nullopt),
                       csv_text(job.places), job.user);
}

std::size_t ScheduleSource::read(char* to, std::size_t capacity) {
  if (record_ == nullptr && !is_log_) return source_.read(to, capacity);
  if (given_ == text_.size()) {
    text_.clear();
    given_ = 0;
    constexpr std::size_t kPiece = 4096;
    while (next_ < foreign_.jobs.size() && text_.size() < kPiece) {
      budget_.charge();
      write_row(foreign_.jobs[next_++]);
    }
  }
  const auto count = text_.copy(to, capacity, given_);
  given_ += count;
  return count;
}

ScheduleLayout ScheduleSource::layout() const {
  const bool is_made = record_ != nullptr || is_log_;
  return {is_made ? ScheduleColumns() : reading_.columns,
          is_made ? std::optional(lines_ahead_) : std::nullopt};
}

}  // namespace berth::study
