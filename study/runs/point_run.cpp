#include "study/runs/point_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/compare/renderers.hpp"
#include "engine/output/atomic_file.hpp"
#include "engine/output/summary_json.hpp"
#include "study/common/file_source.hpp"
#include "study/common/folder_name.hpp"
#include "study/results/finished_point.hpp"
#include "study/runs/expectations.hpp"
#include "study/runs/run_identity.hpp"
#include "study/runs/single_run.hpp"
#include "study/scenario/input_files.hpp"
#include "study/scenario/settings_table.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

std::optional<BatchOptions> batch_options(const RunKeys& run) {
  constexpr double kConfidence = 0.95;  // as for replications
  if (!run.batches) return std::nullopt;
  return BatchOptions{static_cast<std::size_t>(*run.batches), kConfidence};
}

// nullopt: there is no such file.
std::optional<std::string> text_if_there(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  return read_text(file.string());
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(text_if_there(file).value_or(std::string()));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// As "mean_wait@short".
void add_of_class(const JobClass& one, const BatchedMetrics& own, BatchedMetrics& to) {
  for (const auto& [metric, means] : own) to.emplace(metric + "@" + one.name(), means);
}

}  // namespace

PointRun::PointRun(StudyShared& shared, PointOutcome& outcome)
    : shared_(shared),
      outcome_(outcome),
      workload_key_(workload_key(shared.plan.grid().point(outcome.number).scenario)),
      left_(0),
      finished_(outcome.policies.size()),
      answered_(outcome.policies.size()) {
  left_ = to_run().size();
}

std::vector<std::size_t> PointRun::to_run() const {
  std::vector<std::size_t> policies;
  for (std::size_t i = 0; i < outcome_.policies.size(); ++i) {
    if (!outcome_.policies[i].is_reused) policies.push_back(i);
  }
  return policies;
}

bool PointRun::has_begun() const {
  const std::lock_guard lock(mutex_);
  return has_begun_;
}

void PointRun::run(std::size_t policy) {
  auto& outcome = outcome_.policies[policy];
  try {
    begin();
    if (is_run() && shared_.options.interrupted && shared_.options.interrupted()) {
      throw Interrupted{};
    }
    simulate(policy);
  } catch (...) {
    outcome.failure = failure_now();
  }
  const std::lock_guard lock(mutex_);
  if (--left_ == 0) close();
}

void PointRun::close_reused() {
  begin();
  const std::lock_guard lock(mutex_);
  close();
}

void PointRun::begin() {
  const std::lock_guard lock(mutex_);
  if (has_begun_) return;
  const auto scenario = shared_.plan.grid().point(outcome_.number).scenario;
  if (scenario.is_of_cases()) {
    cases_ = case_point(scenario, shared_.options.input_seconds);
  }
  outcome_.state = PointState::kRan;
  if (shared_.folder && !is_run()) folder_ = shared_.folder->begin(outcome_.name);
  has_begun_ = true;
}

void PointRun::simulate(std::size_t policy) {
  auto& failure = outcome_.policies[policy].failure;
  const auto& planned = shared_.plan.runs(outcome_.number)[policy];
  const auto scenario = shared_.plan.grid().point(outcome_.number).scenario;
  if (cases_) return ask(policy, scenario);
  PreparedPoint prepared(scenario, shared_.workloads.take(workload_key_, scenario));
  if (scenario.run.expectations) prepared.expected = expected(prepared);
  {
    const std::lock_guard lock(mutex_);
    outcome_.warnings = prepared.workload->messages;
  }
  failure = planned.failure;
  if (failure.code != kDone) return;
  const auto print = [&](std::string_view label, std::string_view line) {
    const auto& sink = shared_.options.print;
    if (sink) sink(fmt::format("{} {}", outcome_.name, label), line);
  };
  const auto loaded = shared_.plan.load(scenario, policy, print);
  failure = loaded->failure;
  if (failure.code != kDone) return;
  check_unchanged(scenario, *loaded, prepared.workload->loaded.sha256, planned);
  run_loaded(policy, prepared, *loaded);
}

// Depends on the workload alone, so the policies share it.
std::shared_ptr<const std::vector<Time>> PointRun::expected(
    const PreparedPoint& prepared) {
  const std::lock_guard lock(expecting_);
  if (!expected_) {
    expected_ = std::make_shared<const std::vector<Time>>(expected_ends(prepared));
  }
  return expected_;
}

void PointRun::check_unchanged(const Scenario& scenario, const LoadedPolicy& loaded,
                               const std::optional<std::string>& input,
                               const PlannedRun& planned) const {
  if (shared_.plan.is_as_planned(scenario, loaded, input, planned)) return;
  throw Error(ErrorCode::kInput,
              fmt::format("{}: a policy or an input has changed while the sweep ran; "
                          "start it again",
                          outcome_.name));
}

void PointRun::ask(std::size_t policy, const Scenario& scenario) {
  auto& failure = outcome_.policies[policy].failure;
  const auto& planned = shared_.plan.runs(outcome_.number)[policy];
  failure = planned.failure;
  if (failure.code != kDone) return;
  const auto print = [&](std::string_view label, std::string_view line) {
    const auto& sink = shared_.options.print;
    if (sink) sink(fmt::format("{} {}", outcome_.name, label), line);
  };
  auto loaded = shared_.plan.load(scenario, policy, print);
  failure = loaded->failure;
  if (failure.code != kDone) return;
  check_unchanged(scenario, *loaded, cases_->sha256(), planned);
  auto result = cases_->run(
      *loaded, is_run() ? shared_.options.interrupted : std::function<bool()>());
  answered_[policy] = Answered{std::move(loaded), std::move(result)};
}

// What an earlier run answered: a policy is compared with all others.
void PointRun::take_reused_answers() {
  const auto scenario = shared_.plan.grid().point(outcome_.number).scenario;
  const auto name = fmt::format("{}.csv", cases_->study().answers);
  for (std::size_t i = 0; i < answered_.size(); ++i) {
    const auto& outcome = outcome_.policies[i];
    if (!outcome.is_reused) continue;
    const auto folder = shared_.folder->point(folder_name(outcome.label));
    Answered answered{shared_.plan.load(scenario, i, nullptr), {}, {}};
    answered.result.answers = cases_->read(read_text((folder / name).string()));
    answered.loaded->printed = lines_of(folder / "policy.log");
    answered.timing = text_if_there(folder / "timing.json");
    answered_[i] = std::move(answered);
  }
}

void PointRun::close_cases() {
  if (is_run()) take_reused_answers();
  std::vector<const CaseAnswers*> all;
  for (const auto& answered : answered_) {
    all.push_back(answered ? answered->result.answers.get() : nullptr);
  }
  const auto summaries = cases_->cases().summaries(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == nullptr) continue;
    outcome_.policies[i].run = ComparedRun{*summaries[i], {}, {}};
    write_answers(i, *summaries[i]);
  }
  if (!shared_.folder) return;
  std::ostringstream text;
  cases_->cases().write(text);
  const auto& whole = folder_ ? folder_->path() : shared_.folder->path();
  write_file(whole / fmt::format("{}.csv", cases_->study().cases), text.str());
}

void PointRun::write_answers(std::size_t policy, const Summary& summary) {
  const auto& answered = *answered_[policy];
  const auto& loaded = *answered.loaded;
  const auto scenario = shared_.plan.grid().point(outcome_.number).scenario;
  const auto text = case_summary_json(scenario, loaded, summary);
  if (shared_.options.summaries) outcome_.policies[policy].summary_json = text;
  const auto own = folder_of_run(loaded.label);
  const auto folder = own ? own->path() : folder_in_point(loaded.label);
  if (folder.empty()) return;
  ResultFiles files(folder);
  files.add("summary.json", text);
  const bool keeps_all = shared_.options.keep == Keep::kAll;
  if (keeps_all) {
    files.add(fmt::format("{}.csv", cases_->study().answers),
              cases_->text_of(*answered.result.answers));
    if (!loaded.printed.empty()) {
      files.add("policy.log", fmt::format("{}\n", fmt::join(loaded.printed, "\n")));
    }
  }
  auto made = manifest_of(loaded, shared_.plan.runs(outcome_.number)[policy].identity);
  made.scenario = settings_text(scenario, policy_text(loaded));
  if (const auto& sha256 = cases_->sha256()) {
    const auto file = fs::path(case_file(scenario)).filename().string();
    made.inputs.push_back({file, *sha256});
  }
  made.found_at = found_inputs(scenario);
  made.seeds = {{"scenario", static_cast<std::uint64_t>(scenario.seed)}};
  made.outputs = files.written();
  files.add_unlisted("manifest.json", manifest_json(made).file_text());
  if (keeps_all) {
    Timing timing{answered.result.seconds, answered.result.cpu_seconds,
                  answered.result.seconds, 0,
                  static_cast<std::int64_t>(cases_->cases().size())};
    timing.threads = static_cast<int>(shared_.options.workers);
    files.add_unlisted("timing.json",
                       answered.timing.value_or(timing_json(timing).file_text()));
  }
  if (!own) return;
  own->keep();
  shared_.kept.add(loaded.label);
}

// The points of a run are its policies, each with a folder of its own.
std::unique_ptr<PointFolder> PointRun::folder_of_run(const std::string& label) {
  if (!shared_.folder || !is_run()) return nullptr;
  return shared_.folder->begin(folder_name(label));
}

fs::path PointRun::folder_in_point(const std::string& label) const {
  if (!folder_) return {};
  return folder_->make(folder_name(label));
}

void PointRun::run_loaded(std::size_t policy, const PreparedPoint& prepared,
                          LoadedPolicy& loaded) {
  const auto own = folder_of_run(loaded.label);
  const auto folder = own ? own->path() : folder_in_point(loaded.label);
  PolicyResult ran;
  try {
    ran = run_single(prepared, loaded, folder, shared_.options,
                     shared_.plan.runs(outcome_.number)[policy].identity);
  } catch (...) {
    if (folder_) folder_->drop(folder);
    throw;
  }
  auto& outcome = outcome_.policies[policy];
  if (ran.audit_failure) {
    outcome.failure = {static_cast<int>(ErrorCode::kAudit),
                       fmt::format("{}: {}", outcome.label, ran.audit_failure->what())};
  } else if (own) {
    own->keep();
    shared_.kept.add(loaded.label);
  }
  outcome.warnings = std::move(ran.warnings);
  if (shared_.options.summaries) outcome.summary_json = std::move(ran.summary_json);
  outcome.run = ComparedRun{std::move(ran.summary), {}, {}, std::move(ran.fidelity)};
  if (is_run()) return;
  const auto& point = prepared.point;
  const auto window =
      window_of(point.jobs, point.run.measure, point.run.warmup_fraction);
  finished_[policy] = {prepared.workload,        std::move(ran.releases),
                       std::move(ran.outcomes),  std::move(ran.own_values),
                       window.first_job,         point.run.metrics.bound,
                       batch_options(point.run), point.run.metrics.classes};
}

void PointRun::close() {
  if (is_run()) {
    if (cases_) close_cases();
    return close_run();
  }
  close_of_sweep();
  // A sweep keeps its points to the end, but neither their jobs nor their policies,
  // each of which is a state of Lua.
  folder_.reset();
  finished_.clear();
  answered_.clear();
  cases_.reset();
}

void PointRun::close_of_sweep() {
  try {
    if (cases_) close_cases();
    close_point();
  } catch (...) {
    const auto failure = failure_now();
    for (auto& policy : outcome_.policies) {
      if (policy.failure.code == kDone) policy.failure = failure;
      policy.run.reset();
    }
  }
}

void PointRun::close_run() {
  const auto& all = outcome_.policies;
  const auto ran = std::count_if(all.begin(), all.end(), [](const auto& policy) {
    return policy.failure.code == kDone;
  });
  const bool stopped = std::any_of(all.begin(), all.end(), [](const auto& policy) {
    return policy.failure.code == kInterruptedCode;
  });
  if (!shared_.folder || ran == 0 || stopped || all.size() == 1) return;
  write_comparison(shared_.folder->path(), shared_.plan.scenario(),
                   {Layout::kRun, {}, {outcome_}});
}

void PointRun::close_point() {
  compare_jobs();
  const auto& all = outcome_.policies;
  const bool stopped = std::any_of(all.begin(), all.end(), [](const auto& policy) {
    return policy.failure.code == kInterruptedCode;
  });
  // A piece of work that was stopped is no result; the point is run again.
  if (!folder_ || stopped) return;
  write_point_files();
  folder_->keep();
  shared_.kept.add(outcome_.name);
}

CommonJobs PointRun::common_of(const Finished& base, const Finished& own) {
  auto common = common_jobs(base.jobs(), own.jobs(), own.bound);
  for (const auto& [name, values] : own.own_values) {
    add_common(common, name, base.own_values.at(name), values);
  }
  return common;
}

void PointRun::compare_jobs() {
  const auto& base = finished_.front();
  for (std::size_t i = 0; i < finished_.size(); ++i) {
    const auto& own = finished_[i];
    if (!own) continue;
    auto& run = *outcome_.policies[i].run;
    if (i > 0 && base) run.common = common_of(*base, *own);
    if (!own->batches) continue;
    run.batches = batched_metrics(own->jobs(), own->bound, *own->batches);
    for (const auto& one : own->classes) {
      add_of_class(one, batched_metrics(own->jobs().of(one), own->bound, *own->batches),
                   run.batches);
    }
  }
}

void PointRun::write_point_files() const {
  const auto& planned = shared_.plan.runs(outcome_.number);
  std::vector<const ComparedRun*> results;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const auto& policy = outcome_.policies[i];
    results.push_back(policy.run ? &*policy.run : nullptr);
    if (policy.failure.code == kDone) continue;
    write_failure(folder_in_point(planned[i].label), planned[i], policy.failure);
  }
  write_point(folder_->path(), planned, results);
}

}  // namespace berth::study
