#include "bindings/tools/run_jobs.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/jobs/label.hpp"
#include "engine/metrics/job_class.hpp"

namespace berth::bindings {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// A job as far as the run knows it; one that was rejected has no outcome.
struct JobRow {
  const ToolRun& run;
  JobId id;
  const Job& job;
  std::optional<JobOutcome> outcome;

  [[nodiscard]] Account account() const {
    return run.details == nullptr ? Account{} : run.details->account(id);
  }
  [[nodiscard]] bool is_finished() const {
    return outcome && outcome->state == JobState::kFinished;
  }
  [[nodiscard]] bool has_ended() const {
    return is_finished() || (outcome && outcome->state == JobState::kFailed);
  }
  [[nodiscard]] bool has_started() const {
    return outcome && outcome->state != JobState::kWaiting &&
           outcome->state != JobState::kRejected;
  }
};

// What is known of a job when it is submitted, and what a class of jobs may read
// besides.
struct SubmitField {
  const char* name;
  Values kind;
  std::int64_t (*whole)(const Job&);
};

constexpr std::array kJobFields{
    SubmitField{"id", Values::kWhole, [](const Job& job) { return job.id; }},
    SubmitField{"size", Values::kWhole,
                [](const Job& job) { return std::int64_t{job.size}; }},
    SubmitField{"user", Values::kWhole,
                [](const Job& job) { return label_number(job.user); }},
    SubmitField{"group", Values::kWhole,
                [](const Job& job) { return label_number(job.group); }},
    SubmitField{"queue", Values::kWhole,
                [](const Job& job) { return label_number(job.queue_class); }},
    SubmitField{"partition", Values::kWhole,
                [](const Job& job) { return label_number(job.partition); }},
    SubmitField{"executable", Values::kWhole,
                [](const Job& job) { return label_number(job.executable); }},
    SubmitField{"submit", Values::kTime, [](const Job& job) { return job.submit; }},
    SubmitField{"walltime", Values::kTime, [](const Job& job) { return job.walltime; }},
    SubmitField{"length", Values::kTime, [](const Job& job) { return job.length; }}};
constexpr std::string_view kArea = "area";
constexpr const char* kStartColumn = "start";
constexpr const char* kWaitColumn = "wait";

using Whole = std::int64_t (*)(const JobRow&);
using Ticks = Time (*)(const JobRow&);
using Real = double (*)(const JobRow&);

double number_of(const std::optional<double>& value) {
  return value.value_or(kNoNumber);
}

constexpr std::array kWholeFields{
    std::pair<const char*, Whole>{
        "kills", [](const JobRow& row) { return std::int64_t{row.account().kills}; }},
    std::pair<const char*, Whole>{
        "migrations",
        [](const JobRow& row) { return std::int64_t{row.account().migrations}; }},
    std::pair<const char*, Whole>{
        "swaps", [](const JobRow& row) { return std::int64_t{row.account().swaps}; }},
    std::pair<const char*, Whole>{"suspensions", [](const JobRow& row) {
                                    return std::int64_t{row.account().suspensions};
                                  }}};

constexpr std::array kTimeFields{
    std::pair<const char*, Ticks>{kStartColumn,
                                  [](const JobRow& row) {
                                    return row.has_started()
                                               ? row.job.submit + row.outcome->wait
                                               : kNever;
                                  }},
    std::pair<const char*, Ticks>{"finish",
                                  [](const JobRow& row) {
                                    return row.has_ended()
                                               ? row.job.submit + row.outcome->response
                                               : kNever;
                                  }},
    std::pair<const char*, Ticks>{kWaitColumn,
                                  [](const JobRow& row) {
                                    return row.has_started() ? row.outcome->wait
                                                             : kNever;
                                  }},
    std::pair<const char*, Ticks>{"response",
                                  [](const JobRow& row) {
                                    return row.has_ended() ? row.outcome->response
                                                           : kNever;
                                  }},
    std::pair<const char*, Ticks>{"lost_time",
                                  [](const JobRow& row) {
                                    return row.has_ended() ? row.outcome->lost_time()
                                                           : kNever;
                                  }},
    std::pair<const char*, Ticks>{
        "eet", [](const JobRow& row) { return row.run.expected_ends[index(row.id)]; }}};

constexpr std::array kNumberFields{
    std::pair<const char*, Real>{"slowdown",
                                 [](const JobRow& row) {
                                   if (!row.is_finished()) return kNoNumber;
                                   return number_of(slowdown(row.outcome->response,
                                                             row.outcome->length));
                                 }},
    std::pair<const char*, Real>{"bounded_slowdown",
                                 [](const JobRow& row) {
                                   if (!row.is_finished()) return kNoNumber;
                                   const auto& own = *row.outcome;
                                   return bounded_slowdown(own.response, own.length,
                                                           row.run.bound);
                                 }},
    std::pair<const char*, Real>{"stretch", [](const JobRow& row) {
                                   if (!row.has_ended()) return kNoNumber;
                                   return number_of(slowdown(row.outcome->response,
                                                             row.outcome->service()));
                                 }}};

// The words of `state`, by code.
std::uint32_t row_state(const JobRow& row) {
  if (row.is_finished()) return 0;
  if (row.has_ended()) return 1;
  return row.outcome ? 3 : 2;
}

std::vector<std::string> words_of_states() {
  return {"finished", "failed", "rejected", "left"};
}

double attribute_of(const JobAttributes::Column& column, JobId job) {
  const auto values = column.of(job);
  return values.empty() ? kNoNumber : values.front();
}

// nullptr: there is none of this name.
template <class Fields>
auto find_field(const Fields& fields, std::string_view name)
    -> decltype(fields.front().second) {
  for (const auto& [known, value] : fields) {
    if (known == name) return value;
  }
  return nullptr;
}

// Makes the column of the jobs that job_at(row) answers; null: no field has the name.
template <class JobAt>
ColumnPtr column_of_jobs(std::string_view name, std::size_t rows, const JobAt& job_at) {
  const auto values = [&](const auto& of) {
    std::vector<decltype(of(job_at(0)))> all(rows);
    for (std::size_t row = 0; row < rows; ++row) all[row] = of(job_at(row));
    return all;
  };
  if (name == kArea) {
    return Column::of_numbers(
        values([](const Job& job) { return job.size * to_seconds(job.length); }));
  }
  const auto* field = std::find_if(kJobFields.begin(), kJobFields.end(),
                                   [&](const auto& one) { return one.name == name; });
  if (field == kJobFields.end()) return nullptr;
  return field->kind == Values::kTime ? Column::of_times(values(field->whole))
                                      : Column::of_whole(values(field->whole));
}

std::vector<std::string> names_at_submit(const NeedColumns& needs) {
  std::vector<std::string> names;
  names.reserve(kJobFields.size() + 1 + needs.size());
  for (const auto& field : kJobFields) names.emplace_back(field.name);
  names.emplace_back(kArea);
  for (const auto& [name, column] : needs) names.push_back(name);
  return names;
}

const JobAttributes::Column* need_column(const NeedColumns& needs,
                                         std::string_view name) {
  for (const auto& [known, column] : needs) {
    if (known == name) return column;
  }
  return nullptr;
}

}  // namespace

SubmittedJobs::SubmittedJobs(std::span<const Job> jobs, NeedColumns needs)
    : jobs_(jobs), needs_(std::move(needs)), names_(names_at_submit(needs_)) {}

SubmittedJobs SubmittedJobs::piece(std::size_t first, std::size_t most) const {
  auto made = *this;
  made.jobs_ = jobs_.subspan(first, std::min(most, jobs_.size() - first));
  made.first_ = first_ + first;
  return made;
}

ColumnPtr SubmittedJobs::make(std::string_view name) const {
  auto column = column_of_jobs(
      name, rows(), [&](std::size_t row) -> const Job& { return jobs_[row]; });
  if (column != nullptr) return column;
  const auto& need = *need_column(needs_, name);
  std::vector<double> values(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    values[row] = attribute_of(need, JobId{static_cast<std::uint32_t>(first_ + row)});
  }
  return Column::of_numbers(std::move(values));
}

ReplayedJobs::ReplayedJobs(SubmittedJobs jobs, std::span<const Time> starts)
    : jobs_(std::move(jobs)),
      starts_(starts),
      names_(jobs_.names().begin(), jobs_.names().end()) {
  names_.insert(names_.end(), {kStartColumn, kWaitColumn});
}

ColumnPtr ReplayedJobs::make(std::string_view name) const {
  if (name == kStartColumn) return Column::of_times({starts_.begin(), starts_.end()});
  if (name != kWaitColumn) return jobs_.make(name);
  std::vector<Time> waits(starts_.begin(), starts_.end());
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] != kNever) waits[i] -= jobs_.submit(i);
  }
  return Column::of_times(std::move(waits));
}

RunJobs::RunJobs(const ToolRun& run, std::shared_ptr<const OutcomesByJob> outcomes,
                 std::shared_ptr<const std::vector<JobId>> rows)
    : run_(run),
      outcomes_(std::move(outcomes)),
      rows_(std::move(rows)),
      names_(names_at_submit(run.attributes)) {
  for (const auto& [name, of] : kWholeFields) names_.emplace_back(name);
  for (const auto& [name, of] : kTimeFields) {
    const bool is_expected = std::string_view(name) == "eet";
    if (!is_expected || !run.expected_ends.empty()) names_.emplace_back(name);
  }
  for (const auto& [name, of] : kNumberFields) names_.emplace_back(name);
  names_.emplace_back("state");
  if (run.details == nullptr) return;
  for (const auto& [name, values] : run.details->numbers()) {
    const bool is_new = std::find(names_.begin(), names_.end(), name) == names_.end();
    if (is_new) names_.push_back(name);
  }
}

ColumnPtr RunJobs::make(std::string_view name) const {
  const auto jobs = run_.outcomes->workload();
  const auto values = [&](const auto& of) {
    std::vector<std::decay_t<decltype(of(std::declval<const JobRow&>()))>> all;
    all.reserve(rows_->size());
    for (const auto id : *rows_) {
      all.push_back(of(JobRow{run_, id, jobs[index(id)], outcomes_->find(id)}));
    }
    return all;
  };
  auto column = column_of_jobs(name, rows(), [&](std::size_t row) -> const Job& {
    return jobs[index((*rows_)[row])];
  });
  if (column != nullptr) return column;
  if (const auto of = find_field(kWholeFields, name))
    return Column::of_whole(values(of));
  if (const auto of = find_field(kTimeFields, name))
    return Column::of_times(values(of));
  if (const auto of = find_field(kNumberFields, name)) {
    return Column::of_numbers(values(of));
  }
  if (name == "state") return Column::of_texts(values(row_state), words_of_states());
  if (const auto* need = need_column(run_.attributes, name)) {
    return Column::of_numbers(
        values([need](const JobRow& row) { return attribute_of(*need, row.id); }));
  }
  const auto& told = run_.details->numbers().find(name)->second;
  return Column::of_numbers(
      values([&](const JobRow& row) { return told[index(row.id)]; }));
}

MadeFrame::MadeFrame(std::string_view what,
                     std::vector<std::pair<std::string, ColumnPtr>> all)
    : what_(what), columns_(std::move(all)) {
  for (const auto& [name, column] : columns_) names_.push_back(name);
}

std::size_t MadeFrame::rows() const { return columns_.front().second->rows(); }

ColumnPtr MadeFrame::make(std::string_view name) const {
  const auto at = std::find_if(columns_.begin(), columns_.end(),
                               [&](const auto& each) { return each.first == name; });
  BERTH_ASSERT(at != columns_.end());
  return at->second;
}

std::shared_ptr<const FrameSource> users_of(const Summary& summary,
                                            const UserWeights* weights) {
  std::vector<std::int64_t> user;
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> finished;
  std::vector<double> weight;
  std::vector<double> wait;
  std::vector<double> slowdown;
  std::vector<double> held;
  for (const auto& each : summary.users) {
    user.push_back(label_number(each.user));
    if (weights != nullptr) {
      const auto own = weights->find(each.user);
      weight.push_back(own == weights->end() ? 1.0 : own->second);
    }
    jobs.push_back(each.jobs);
    finished.push_back(each.finished);
    wait.push_back(number_of(each.mean_wait));
    slowdown.push_back(number_of(each.mean_bounded_slowdown));
    held.push_back(each.processor_seconds);
  }
  std::vector<std::pair<std::string, ColumnPtr>> all{
      {"user", Column::of_whole(std::move(user))},
      {"jobs", Column::of_whole(std::move(jobs))},
      {"finished", Column::of_whole(std::move(finished))},
      {"mean_wait", Column::of_numbers(std::move(wait))},
      {"mean_bounded_slowdown", Column::of_numbers(std::move(slowdown))},
      {"processor_seconds", Column::of_numbers(std::move(held))}};
  if (weights != nullptr) {
    all.insert(all.begin() + 1, {"weight", Column::of_numbers(std::move(weight))});
  }
  return std::make_shared<MadeFrame>("users", std::move(all));
}

std::pair<std::vector<JobId>, std::vector<JobId>> jobs_of_both(const RunObject& run,
                                                               const RunObject& other,
                                                               Budget& budget) {
  const auto by_number = [&](const RunObject& of) {
    const auto jobs = of.run().outcomes->workload();
    std::vector<std::pair<std::int64_t, JobId>> all;
    all.reserve(of.finished()->size());
    for (const JobId job : *of.finished()) all.emplace_back(jobs[index(job)].id, job);
    budget.charge_sort(all.size());
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto left = by_number(run);
  const auto right = by_number(other);
  std::vector<std::pair<JobId, JobId>> both;
  both.reserve(std::min(left.size(), right.size()));
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i].first == right[j].first) {
      both.emplace_back(left[i++].second, right[j++].second);
    } else if (left[i].first < right[j].first) {
      ++i;
    } else {
      ++j;
    }
  }
  std::sort(both.begin(), both.end());
  std::pair<std::vector<JobId>, std::vector<JobId>> rows;
  rows.first.reserve(both.size());
  rows.second.reserve(both.size());
  for (const auto& [mine, its] : both) {
    rows.first.push_back(mine);
    rows.second.push_back(its);
  }
  return rows;
}

RunObject::RunObject(const ToolRun& run, const JobClass* of_class)
    : run_(run),
      kinds_(kinds_of(run.machine->processors, run.machine->resources)),
      outcomes_(run.outcomes == nullptr
                    ? nullptr
                    : std::make_shared<const OutcomesByJob>(*run.outcomes)) {
  for (const auto* other : run.others) {
    others_.push_back(std::make_unique<RunObject>(*other, of_class));
  }
  if (outcomes_ == nullptr) return;
  std::vector<JobId> finished;
  const auto jobs = run.outcomes->workload();
  for (std::uint32_t i = run.window.first_job; i < jobs.size(); ++i) {
    if (of_class != nullptr && !of_class->has(JobId{i})) continue;
    const auto outcome = outcomes_->find(JobId{i});
    if (outcome && outcome->state == JobState::kFinished) finished.push_back(JobId{i});
  }
  finished_ = std::make_shared<const std::vector<JobId>>(std::move(finished));
}

std::pair<std::optional<Time>, std::optional<Time>> RunObject::window() const {
  const auto jobs = run_.outcomes->workload();
  const bool is_open = run_.window.begin == std::numeric_limits<Time>::min();
  std::optional<Time> from;
  if (!is_open) from = run_.window.begin;
  if (is_open && !jobs.empty()) from = jobs.front().submit;
  auto to = run_.window.end;
  if (to) return {from, to};
  for (std::uint32_t i = run_.window.first_job; i < jobs.size(); ++i) {
    const auto outcome = outcomes_->find(JobId{i});
    const bool has_ended = outcome && (outcome->state == JobState::kFinished ||
                                       outcome->state == JobState::kFailed);
    if (has_ended) to = std::max(to.value_or(0), jobs[i].submit + outcome->response);
  }
  return {from, to};
}

}  // namespace berth::bindings
