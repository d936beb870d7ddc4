#include "study/tests/check_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/observer.hpp"
#include "engine/workload/warnings.hpp"
#include "study/common/file_source.hpp"
#include "study/inputs/machine_source.hpp"
#include "study/inputs/windows.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/case_point.hpp"
#include "study/runs/policy_run.hpp"
#include "study/runs/single_run.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "study/scenario/settings_door.hpp"
#include "study/scenario/settings_table.hpp"
#include "study/scenario/sweep_grid.hpp"
#include "study/tests/luacheck.hpp"
#include "study/tests/test_files.hpp"

namespace berth::study {

namespace {

// A trial that is over in a moment, with a queue, early ends and all sizes.
Scenario trial_scenario() {
  Scenario scenario;
  for (const auto* setting :
       {"seed=1", "machine.processors=32", "workload.model=lublin", "workload.jobs=200",
        "workload.load=0.9", "workload.estimates=factor"}) {
    override_setting(scenario, setting);
  }
  return scenario;
}

// The model gives no users: some that submit often and some that do not, in two groups;
// short jobs and long ones are in classes of their own.
void name_users(Workload& workload) {
  for (Job& job : workload.jobs) {
    job.user = 1 + std::countr_zero(static_cast<std::uint64_t>(job.id));
    job.group = 1 + job.user % 2;
    job.queue_class = job.walltime <= seconds(3600) ? 1 : 2;
  }
}

// What the policy prints, its first lines as notes.
class PrintedLines {
 public:
  void add(std::string_view line) {
    if (++count_ <= kShown) shown_.push_back(fmt::format("print: {}", line));
  }
  void report_to(CheckReport& report) {
    if (count_ > kShown) {
      shown_.push_back(fmt::format("print: and {} more lines", count_ - kShown));
    }
    std::move(shown_.begin(), shown_.end(), std::back_inserter(report.notes));
  }

 private:
  static constexpr std::size_t kShown = 20;
  std::vector<std::string> shown_;
  std::size_t count_ = 0;
};

void run_cases(const std::string& path, const PolicyLibrary& library,
               const bindings::Limits& limits, CheckReport& report) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return;
  TestOptions options;
  options.limits = limits;
  PrintedLines printed;
  options.print = [&](std::string_view line) { printed.add(line); };
  const auto ran = run_tests({path}, library, options);
  printed.report_to(report);
  std::size_t met = 0;
  for (const auto& test : ran.tests) {
    if (test.code == kDone) {
      ++met;
      continue;
    }
    auto text = test.says + test.paste;
    text.pop_back();
    if (test.name.empty()) {
      report.failures.push_back({test.code, text});
      return;
    }
    report.failures.push_back(
        {static_cast<int>(ErrorCode::kPolicy), fmt::format("{}: {}", test.file, text)});
  }
  report.notes.push_back(fmt::format("{}: {} of {} cases come out as wanted",
                                     std::filesystem::path(path).filename().string(),
                                     met, ran.tests.size()));
}

// Whether the book of reservations is used.
class BookWatch final : public sim::RecordVisitor<BookWatch, sim::ReservationRecord> {
 public:
  void on(const sim::ReservationRecord&) { is_used_ = true; }
  void finish(Time) override {}
  [[nodiscard]] bool is_used() const { return is_used_; }

 private:
  bool is_used_ = false;
};

// What a policy has at a pass from those before, as far as it can be told: what its
// functions note in tables cannot.
std::string kept_words(const sim::PolicyTraits& traits, bool uses_book) {
  std::vector<std::string_view> kept;
  if (uses_book) kept.emplace_back("reservations in the book");
  if (traits.default_order == traits.fair_share())
    kept.emplace_back("the use by users");
  const bool has_hooks = traits.has_on_submit || traits.has_on_end ||
                         traits.has_on_host || traits.has_on_hit;
  if (has_hooks) kept.emplace_back("what its hooks note");
  return fmt::format(
      "keeps from pass to pass: {}",
      kept.empty() ? "nothing" : fmt::format("{}", fmt::join(kept, ", ")));
}

struct Trial {
  Failure failure;
  bool needs_another_machine = false;  // it called a family that this machine lacks
};

// Whose users the jobs of a trial have.
enum class Users : std::uint8_t { kOfScenario, kMadeUp };

// One run of the policy on this kind of machine.  Adds a note if it comes to its end.
Trial try_on(Scenario scenario, Users users, const PolicyLibrary& library,
             const bindings::Limits& limits, CheckReport& report) {
  PrintedLines printed;
  const auto policies = load_policies(
      scenario, library,
      {limits, [&](const auto&, std::string_view line) { printed.add(line); }});
  auto& entry = *policies.front();
  if (entry.failure.code != kDone) return {entry.failure};
  Budget budget;
  (void)take_hosts(scenario, false, budget);  // check_scenario() says it
  auto loaded = load_workload(scenario, {}, budget);
  if (users == Users::kMadeUp) name_users(loaded.workload);
  auto point = make_point(scenario, loaded.processors, loaded.workload.jobs);
  point.attributes = loaded.attributes;
  PolicyResult result;
  BookWatch book;
  const std::array<sim::Observer*, 1> observers{&book};
  try {
    result = run_policy(point, *entry.policy, Audit::kFull, {observers}, {});
    if (result.audit_failure) throw *result.audit_failure;
  } catch (...) {
    const bool lacks = entry.policy->lacked_family();
    if (!lacks) printed.report_to(report);
    return {failure_now(), lacks};
  }
  printed.report_to(report);
  const auto& jobs = result.summary.jobs;
  report.notes.push_back(
      fmt::format("a trial of {} jobs on {} processors went well under audit: {} "
                  "finished, {} rejected, {} left over",
                  jobs.submitted, loaded.processors, jobs.finished, jobs.rejected(),
                  jobs.not_finished));
  report.notes.push_back(kept_words(entry.policy->traits(), book.is_used()));
  if (jobs.finished == 0) {
    return {{static_cast<int>(ErrorCode::kPolicy),
             fmt::format("{}: it never started a job", entry.label)}};
  }
  if (jobs.not_finished == 0) return {};
  return {{static_cast<int>(ErrorCode::kPolicy),
           fmt::format("{}: it left {} of {} jobs waiting to the end, when no job ran "
                       "any more",
                       entry.label, jobs.not_finished, jobs.submitted)}};
}

constexpr std::int64_t kMostCases = 100;

Scenario trial_of_cases(const CaseStudy& study) {
  Scenario scenario;
  override_setting(scenario, "seed=1");
  override_setting(scenario, fmt::format("study={}", study.name));
  scenario.model_settings.emplace(study.name, study.trial(kMostCases));
  return scenario;
}

Failure try_on_cases(const Scenario& scenario, const PolicyLibrary& library,
                     const bindings::Limits& limits, CheckReport& report) {
  const auto policies = load_policies(scenario, library, {limits, {}});
  Budget budget;
  CasePoint point(scenario, budget);
  CasePoint::Result result;
  try {
    result = point.run(*policies.front(), {});
  } catch (...) {
    return failure_now();
  }
  const auto& study = point.study();
  const auto solved = point.cases().solved(*result.answers);
  report.notes.push_back(fmt::format("a trial of {} {}{} went well: {} {}",
                                     point.cases().size(), study.cases,
                                     point.cases().words(), solved, study.solved));
  if (solved > 0) return {};
  return {static_cast<int>(ErrorCode::kPolicy),
          fmt::format("{}: it {} no {}", policies.front()->label, study.solved,
                      study.cases.substr(0, study.cases.size() - 1))};
}

// What functions the file has; if it does not load, `schedule`, which then says why.
struct Functions {
  bool loaded = false;
  bool schedule = true;
  const CaseStudy* study = nullptr;  // whose cases it answers; null: none
  std::string machine{};             // that it needs; empty: any
};
Functions functions_of(const Scenario& scenario, const PolicyLibrary& library,
                       const bindings::Limits& limits) {
  const auto policies = load_policies(scenario, library, {limits, {}});
  const auto& entry = *policies.front();
  if (entry.failure.code != kDone || !entry.policy) return {};
  Functions has{true, entry.policy->has_schedule()};
  has.machine = entry.policy->machine();
  for (const auto* study : case_studies()) {
    if (entry.policy->has_hook(study->hook)) has.study = study;
  }
  return has;
}

// On the first kind of machine that has what the policy calls.
Failure try_on_machines(const PolicyChoice& choice, std::string_view needed,
                        const PolicyLibrary& library, const bindings::Limits& limits,
                        CheckReport& report) {
  auto scenario = trial_scenario();
  scenario.policies.push_back(choice);
  Trial trial;
  for (const auto& model : sharing_models()) {
    if (!needed.empty() && needed != model.name) continue;
    override_setting(scenario, fmt::format("machine.sharing={}", model.name));
    if (model.processors != nullptr) {
      scenario.processors.reset();
      scenario.model_settings.emplace(model.name, model.settings().defaults);
    }
    trial = try_on(scenario, Users::kMadeUp, library, limits, report);
    if (!trial.needs_another_machine) break;
  }
  if (trial.needs_another_machine) {
    report.notes.emplace_back(
        "it needs a machine with parts that these have not: name one by --scenario");
  }
  return trial.failure;
}

// The scenario of the user with this policy alone: its first point, its first jobs or
// instances.
Scenario shortened_scenario(const std::string& path, const PolicyChoice& choice) {
  constexpr std::int64_t kMostJobs = 200;
  auto whole = load_scenario(path);
  whole.policies = {choice};
  std::erase_if(whole.sweep,
                [](const auto& axis) { return axis.key.starts_with("policies."); });
  Budget budget;
  resolve_windows(whole, budget);
  auto scenario = SweepGrid(whole).point(0).scenario;
  auto& first = scenario.workload.first;
  if (scenario.is_of_cases()) {
    case_study(scenario).shorten(case_settings(scenario), kMostCases);
  } else {
    first = std::min(first.value_or(kMostJobs), kMostJobs);
  }
  return scenario;
}

Failure try_in_scenario(const Scenario& scenario, const Functions& has,
                        const PolicyLibrary& library, const bindings::Limits& limits,
                        CheckReport& report) {
  if (scenario.is_of_cases()) {
    const auto& study = case_study(scenario);
    if (has.study == &study) return try_on_cases(scenario, library, limits, report);
    return {static_cast<int>(ErrorCode::kPolicy),
            fmt::format("{}: the policy has no function '{}', and {} is a {} study",
                        printable_name(scenario.policies.front().name), study.hook,
                        printable_name(scenario.file), study.name)};
  }
  return try_on(scenario, Users::kOfScenario, library, limits, report).failure;
}

struct CheckTarget {
  std::string path;
  std::string scenario;  // what it is tried in; empty: on machines made up for it
  bindings::Limits limits;
};

// Whether nothing failed.
bool try_policy(const PolicyChoice& choice, const CheckTarget& target,
                const Functions& has, const PolicyLibrary& library,
                CheckReport& report) {
  std::vector<Failure> failures;
  if (!target.scenario.empty()) {
    failures.push_back(try_in_scenario(shortened_scenario(target.scenario, choice), has,
                                       library, target.limits, report));
  } else if (has.study != nullptr) {
    auto scenario = trial_of_cases(*has.study);
    scenario.policies.push_back(choice);
    failures.push_back(try_on_cases(scenario, library, target.limits, report));
  }
  if (target.scenario.empty() && has.schedule) {
    failures.push_back(
        try_on_machines(choice, has.machine, library, target.limits, report));
  }
  std::erase_if(failures, [](const auto& failure) { return failure.code == kDone; });
  report.failures.insert(report.failures.end(), failures.begin(), failures.end());
  return failures.empty();
}

// REQUIRES: it ends as files of policies do.
std::string without_end(const std::string& path) {
  return path.substr(0, path.size() - kPolicyEnd.size());
}

void check_policy(const CheckTarget& target, const PolicyLibrary& library,
                  CheckReport& report) {
  const auto& path = target.path;
  // A plain name would mean a built-in policy.
  const PolicyChoice choice{
      path.find('/') == std::string::npos ? "./" + path : path, {}, {}};
  auto scenario = trial_scenario();
  scenario.policies.push_back(choice);
  const auto has = functions_of(scenario, library, target.limits);
  if (has.loaded) {
    for (const auto& warning : luacheck(path)) {
      report.notes.push_back("luacheck: " + warning);
    }
  }
  if (!try_policy(choice, target, has, library, report) || !has.schedule) return;
  run_cases(without_end(path).append(kCasesEnd), library, target.limits, report);
}

// What it gives for first come, first served and for EASY.
void check_metric(const CheckTarget& target, const PolicyLibrary& library,
                  CheckReport& report) {
  for (const auto* policy : {"fcfs", "easy"}) {
    const PolicyChoice choice{policy, {}, {}};
    auto scenario = target.scenario.empty()
                        ? trial_scenario()
                        : shortened_scenario(target.scenario, choice);
    scenario.policies = {choice};
    scenario.run.own_metrics = {{target.path}};
    load_own_metrics(scenario, target.limits);
    const auto own = scenario.run.own_metrics.front().record;
    Budget budget;
    auto workload = prepare_workload(scenario, {}, budget);
    const PreparedPoint prepared(std::move(scenario), std::move(workload));
    const auto loaded = load_policies(prepared.scenario, library, {target.limits, {}});
    StudyOptions options;
    options.limits = target.limits;
    const auto result = run_single(prepared, *loaded.front(), {}, options, {});
    const auto* metric = result.summary.find(own.name);
    const auto value = metric->value ? fmt::format("{} {}", *metric->value, own.unit)
                                     : std::string("undefined");
    report.notes.push_back(
        fmt::format("{} of {} over {} jobs: {}", own.name, policy, metric->n, value));
  }
  const auto beside = without_end(target.path).append(kCasesEnd);
  run_cases(beside, library, target.limits, report);
}

bool is_log_name(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  constexpr std::array<std::string_view, 4> kEndings{".swf", ".txt", ".json", ".log"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view each) { return path.ends_with(each); });
}

void check_trace(const std::string& path, CheckReport& report) {
  Budget budget;
  const auto workload = read_trace(path, {}, {}, budget).workload;
  report.notes = warnings(workload);
  if (workload.processors) {
    const auto wide = too_wide(workload, *workload.processors, budget);
    if (wide) report.notes.push_back(wide->first_text);
  }
  report.notes.push_back(fmt::format("{} jobs", workload.jobs.size()));
}

template <class Work>
void try_to(CheckReport& report, Work work) try {
  work();
} catch (...) {
  report.failures.push_back(failure_now());
}

// Why the policy cannot run in the scenario.
Failure failure_of(const LoadedPolicy& entry, const Scenario& scenario) {
  if (entry.failure.code != kDone || !scenario.is_of_cases()) return entry.failure;
  const auto hook = case_study(scenario).hook;
  if (entry.policy && entry.policy->has_hook(hook)) return {};
  return {static_cast<int>(ErrorCode::kPolicy),
          fmt::format("{}: the policy has no function '{}'", entry.label, hook)};
}

void check_scenario(const std::string& path, const PolicyLibrary& library,
                    const bindings::Limits& limits, CheckReport& report) {
  auto scenario = load_scenario(path);
  Budget budget;
  try_to(report, [&] { load_own_metrics(scenario, limits); });
  try_to(report, [&] {
    if (scenario.is_of_cases()) {
      const CasePoint point(scenario, budget);
      return report.notes.push_back(
          fmt::format("{} {}", point.cases().size(), point.study().cases));
    }
    const auto prepared = prepare_workload(scenario, {}, budget);
    use_hosts(scenario, prepared->hosts);
    const auto& loaded = prepared->loaded;
    report.notes = prepared->messages;
    if (!model_of(scenario.machine).own_parameter.empty()) {
      auto never = never_fits(scenario, loaded, budget);
      if (!never.empty()) report.notes.push_back(std::move(never));
    }
    report.notes.push_back(fmt::format("{} jobs on {} processors",
                                       loaded.workload.jobs.size(), loaded.processors));
  });
  try_to(report, [&] {
    for (const auto& entry : load_policies(scenario, library, {limits, {}})) {
      auto failure = failure_of(*entry, scenario);
      if (failure.code != kDone) report.failures.push_back(std::move(failure));
    }
  });
}

void check_cases(const std::string& path, CheckReport& report) {
  for (const auto* study : case_studies()) {
    try_to(report, [&] {
      report.notes.push_back(
          fmt::format("{} {}", cases_in(*study, path), study->cases));
    });
  }
}

}  // namespace

int CheckReport::code() const {
  std::vector<int> codes;
  for (const auto& failure : failures) codes.push_back(failure.code);
  return worst_code(codes);
}

CheckReport check_file(const std::string& path, const PolicyLibrary& library,
                       const bindings::Limits& limits, const std::string& scenario) {
  CheckReport report;
  if (path.ends_with(kCasesEnd)) {
    const auto stem = path.substr(0, path.size() - kCasesEnd.size());
    return check_file(stem + std::string(kPolicyEnd), library, limits, scenario);
  }
  if (path.ends_with(kPolicyEnd)) {
    const CheckTarget target{path, scenario, limits};
    try_to(report, [&] {
      const bool is_metric = is_metric_text(read_text(path));
      is_metric ? check_metric(target, library, report)
                : check_policy(target, library, report);
    });
  } else if (!scenario.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: a policy (.lua) is tried in a scenario, nothing else",
                            printable_name(path)));
  } else if (path.ends_with(".toml")) {
    try_to(report, [&] { check_scenario(path, library, limits, report); });
  } else if (path.ends_with(".csv")) {
    check_cases(path, report);
  } else if (is_log_name(path)) {
    try_to(report, [&] { check_trace(path, report); });
  } else {
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "{}: berth checks policies and metrics (.lua), scenarios (.toml), "
            "traces (.swf, .txt, .json, .log, also .gz) and instances (.csv); the name "
            "ends in none of these",
            printable_name(path)));
  }
  return report;
}

}  // namespace berth::study
