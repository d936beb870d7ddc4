#include "bindings/tools/run_jobs.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/jobs/label.hpp"

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

using Whole = std::int64_t (*)(const JobRow&);
using Ticks = Time (*)(const JobRow&);
using Real = double (*)(const JobRow&);

double number_of(const std::optional<double>& value) {
  return value.value_or(kNoNumber);
}

constexpr std::array kWholeFields{
    std::pair<const char*, Whole>{"id", [](const JobRow& row) { return row.job.id; }},
    std::pair<const char*, Whole>{
        "size", [](const JobRow& row) { return std::int64_t{row.job.size}; }},
    std::pair<const char*, Whole>{
        "user", [](const JobRow& row) { return label_number(row.job.user); }},
    std::pair<const char*, Whole>{
        "group", [](const JobRow& row) { return label_number(row.job.group); }},
    std::pair<const char*, Whole>{
        "queue", [](const JobRow& row) { return label_number(row.job.queue_class); }},
    std::pair<const char*, Whole>{
        "partition", [](const JobRow& row) { return label_number(row.job.partition); }},
    std::pair<const char*, Whole>{
        "executable",
        [](const JobRow& row) { return label_number(row.job.executable); }},
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
    std::pair<const char*, Ticks>{"submit",
                                  [](const JobRow& row) { return row.job.submit; }},
    std::pair<const char*, Ticks>{"walltime",
                                  [](const JobRow& row) { return row.job.walltime; }},
    std::pair<const char*, Ticks>{"length",
                                  [](const JobRow& row) { return row.job.length; }},
    std::pair<const char*, Ticks>{"start",
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
    std::pair<const char*, Ticks>{"wait",
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
    std::pair<const char*, Real>{"stretch",
                                 [](const JobRow& row) {
                                   if (!row.has_ended()) return kNoNumber;
                                   return number_of(slowdown(row.outcome->response,
                                                             row.outcome->service()));
                                 }},
    std::pair<const char*, Real>{"area", [](const JobRow& row) {
                                   return static_cast<double>(row.job.size) *
                                          to_seconds(row.job.length);
                                 }}};

// The words of `state`, by code.
std::uint32_t state_of(const JobRow& row) {
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

}  // namespace

RunJobs::RunJobs(const ToolRun& run, std::shared_ptr<const OutcomesByJob> outcomes,
                 std::shared_ptr<const std::vector<JobId>> rows)
    : run_(run), outcomes_(std::move(outcomes)), rows_(std::move(rows)) {
  for (const auto& [name, of] : kWholeFields) names_.emplace_back(name);
  for (const auto& [name, of] : kTimeFields) {
    const bool is_expected = std::string_view(name) == "eet";
    if (!is_expected || !run.expected_ends.empty()) names_.emplace_back(name);
  }
  for (const auto& [name, of] : kNumberFields) names_.emplace_back(name);
  names_.emplace_back("state");
  for (const auto& [name, column] : run.attributes) names_.push_back(name);
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
  if (const auto of = find_field(kWholeFields, name))
    return Column::of_whole(values(of));
  if (const auto of = find_field(kTimeFields, name))
    return Column::of_times(values(of));
  if (const auto of = find_field(kNumberFields, name)) {
    return Column::of_numbers(values(of));
  }
  if (name == "state") return Column::of_texts(values(state_of), words_of_states());
  for (const auto& [known, column] : run_.attributes) {
    if (known != name) continue;
    const auto* const of = column;
    return Column::of_numbers(
        values([of](const JobRow& row) { return attribute_of(*of, row.id); }));
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

std::shared_ptr<const FrameSource> users_of(const ToolRun& run) {
  std::vector<std::int64_t> user;
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> finished;
  std::vector<double> weight;
  std::vector<double> wait;
  std::vector<double> slowdown;
  std::vector<double> held;
  for (const auto& each : run.summary->users) {
    const auto own = run.weights.find(each.user);
    user.push_back(label_number(each.user));
    weight.push_back(own == run.weights.end() ? 1.0 : own->second);
    jobs.push_back(each.jobs);
    finished.push_back(each.finished);
    wait.push_back(number_of(each.mean_wait));
    slowdown.push_back(number_of(each.mean_bounded_slowdown));
    held.push_back(each.processor_seconds);
  }
  std::vector<std::pair<std::string, ColumnPtr>> all{
      {"user", Column::of_whole(std::move(user))},
      {"weight", Column::of_numbers(std::move(weight))},
      {"jobs", Column::of_whole(std::move(jobs))},
      {"finished", Column::of_whole(std::move(finished))},
      {"mean_wait", Column::of_numbers(std::move(wait))},
      {"mean_bounded_slowdown", Column::of_numbers(std::move(slowdown))},
      {"processor_seconds", Column::of_numbers(std::move(held))}};
  return std::make_shared<MadeFrame>("users", std::move(all));
}

}  // namespace berth::bindings
