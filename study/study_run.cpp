#include "study/study_run.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/compare/renderers.hpp"
#include "engine/output/summary_json.hpp"
#include "engine/output/timing.hpp"
#include "study/resolved_scenario.hpp"
#include "study/timed_policy.hpp"
#include "study/version.hpp"
#include "study/workers.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

std::string scenario_name(const Scenario& scenario, const Workload& workload) {
  if (!scenario.title.empty()) return scenario.title;
  if (!scenario.file.empty()) return fs::path(scenario.file).stem().string();
  return workload.name;
}

std::vector<std::string> warnings_about(const Summary& summary) {
  std::vector<std::string> lines;
  const auto left = summary.jobs.not_finished;
  if (left > 0) {
    lines.push_back(fmt::format(
        "{} {} still in the system when nothing could happen any more: no policy call "
        "was due and no job ran",
        left, left == 1 ? "job was" : "jobs were"));
  }
  const auto started = summary.jobs.finished + summary.jobs.failed;
  if (started == 0 && summary.jobs.submitted > 0) {
    lines.emplace_back("no job was ever finished");
  }
  return lines;
}

// Everything that the runs of one study share.
class Study {
 public:
  Study(const Scenario& scenario, const PolicyLibrary& library,
        const StudyOptions& options)
      : scenario_(scenario),
        options_(options),
        policies_(load_policies(scenario, library, {options.limits, options.print})) {
    if (options.out) folder_.emplace(*options.out, options.existing);
    loaded_ = load_workload(scenario, {options.strict, false, false});
    result_warnings_ = workload_warnings(loaded_, Naming::kBaseName);
    point_ = make_point(scenario, loaded_.processors, loaded_.workload.jobs);
    if (!loaded_.sha256) checksum_ = workload_checksum(loaded_.workload);
  }

  StudyOutcome run() {
    StudyOutcome outcome;
    outcome.warnings = workload_warnings(loaded_, Naming::kAsTyped);
    outcome.policies.resize(policies_.size());
    outcome.overrun = point_.machine.overrun;
    for_each_index(policies_.size(), options_.workers,
                   [&](std::size_t i) { run_one(*policies_[i], outcome.policies[i]); });
    if (folder_) finish_folder(outcome);
    return outcome;
  }

 private:
  [[nodiscard]] fs::path folder_of(const std::string& label) const {
    if (policies_.size() == 1) return folder_->path();
    auto name = label;
    std::replace(name.begin(), name.end(), '/', '_');
    return folder_->make(name);
  }

  // Throws nothing: what goes wrong is the outcome.
  void run_one(LoadedPolicy& policy, PolicyOutcome& outcome) {
    outcome.label = policy.label;
    outcome.failure = policy.failure;
    if (policy.failure.code != kDone) return;
    fs::path folder;
    try {
      if (folder_) folder = folder_of(policy.label);
      simulate(policy, folder, outcome);
    } catch (...) {
      outcome.failure = failure_now();
      if (!folder.empty()) folder_->drop(folder);
    }
  }

  void simulate(LoadedPolicy& policy, const fs::path& folder, PolicyOutcome& outcome) {
    const Watch watch{options_.interrupted, progress_of(policy.label)};
    if (!folder_) {
      outcome.result = run_policy(point_, *policy.policy, options_.audit, {}, watch);
      describe(outcome);
      return;
    }
    ResultFiles files(folder, point_, loaded_.workload.name, options_.log);
    TimedPolicy timed(*policy.policy);
    const auto begin = thread_seconds();
    const auto watchers = files.watchers();
    outcome.result = run_policy(point_, timed, options_.audit, watchers, watch);
    describe(outcome);
    files.commit();
    files.add("summary.json", outcome.summary_json);
    if (!policy.printed.empty()) {
      files.add("policy.log", fmt::format("{}\n", fmt::join(policy.printed, "\n")));
    }
    files.add_unlisted("manifest.json", json_text(manifest(policy, files)));
    Timing timing{outcome.result.seconds, thread_seconds() - begin, timed.total(),
                  timed.longest(), timed.passes()};
    timing.threads = static_cast<int>(std::min(options_.workers, policies_.size()));
    files.add_unlisted("timing.json", json_text(timing_json(timing)));
  }

  [[nodiscard]] std::function<void(std::size_t, std::size_t)> progress_of(
      const std::string& label) const {
    if (!options_.progress) return nullptr;
    return [this, &label](std::size_t submitted, std::size_t of) {
      options_.progress(label, submitted, of);
    };
  }

  void describe(PolicyOutcome& outcome) const {
    outcome.warnings = warnings_about(outcome.result.summary);
    SummaryContext context;
    context.version = version();
    context.policy = outcome.label;
    context.scenario = scenario_name(scenario_, loaded_.workload);
    context.seed = point_.settings.seed;
    context.jobs_read = loaded_.sha256
                            ? loaded_.workload.jobs_read
                            : static_cast<std::int64_t>(loaded_.workload.jobs.size());
    for (const auto& [name, finding] : loaded_.workload.left_out) {
      context.left_out.emplace(name, finding.count);
    }
    if (options_.audit == Audit::kOn) {
      context.audit = audit_report(outcome.result.checked);
    }
    context.warnings = result_warnings_;
    context.warnings.insert(context.warnings.end(), outcome.warnings.begin(),
                            outcome.warnings.end());
    outcome.summary_json = json_text(summary_json(outcome.result.summary, context));
  }

  static AuditReport audit_report(const std::map<std::string, std::int64_t>& checked) {
    AuditReport report;
    for (const auto& [rule, count] : checked) {
      report.rules.push_back(rule);
      report.checked += count;
    }
    return report;
  }

  [[nodiscard]] nlohmann::ordered_json manifest(const LoadedPolicy& policy,
                                                const ResultFiles& files) const {
    Manifest made;
    made.version = version();
    made.versions = {{"lua", LUA_RELEASE},
                     {"compiler", __VERSION__},
                     {"c library", gnu_get_libc_version()}};
    made.scenario = resolved_text(scenario_, point_, policy);
    for (const auto& source : policy.policy->sources()) {
      made.policies.push_back({source.name, sha256(source.text)});
    }
    if (loaded_.sha256) made.inputs.push_back({loaded_.workload.name, *loaded_.sha256});
    made.seeds = {{"scenario", point_.settings.seed}};
    made.cpu_features = cpu_features();
    made.workload = checksum_;
    made.outputs = files.written();
    return manifest_json(made);
  }

  void finish_folder(const StudyOutcome& outcome) {
    const auto& all = outcome.policies;
    const auto ran = std::count_if(all.begin(), all.end(), [](const auto& policy) {
      return policy.failure.code == kDone;
    });
    const bool stopped = std::any_of(all.begin(), all.end(), [](const auto& policy) {
      return policy.failure.code == kInterruptedCode;
    });
    if (ran == 0 || stopped) return;
    if (all.size() > 1) {
      write_file(folder_->path() / "comparison.csv",
                 as_csv(comparison_of(outcome, Rows::kAll)));
    }
    folder_->keep();
  }

  const Scenario& scenario_;
  const StudyOptions& options_;
  std::vector<std::unique_ptr<LoadedPolicy>> policies_;
  std::optional<ResultsFolder> folder_;
  SizedWorkload loaded_;
  std::vector<std::string> result_warnings_;
  std::optional<std::string> checksum_;  // of a generated workload
  Point point_;
};

}  // namespace

int StudyOutcome::code() const {
  std::vector<int> codes;
  for (const auto& policy : policies) codes.push_back(policy.failure.code);
  return worst_code(codes);
}

Comparison comparison_of(const StudyOutcome& outcome, Rows rows) {
  std::vector<LabelledSummary> runs;
  for (const auto& policy : outcome.policies) {
    if (policy.failure.code == kDone)
      runs.push_back({policy.label, policy.result.summary});
  }
  if (rows == Rows::kUsual) return compare(runs, default_metrics(), outcome.overrun);
  return compare(runs, all_metrics(runs), outcome.overrun);
}

std::string json_array(const StudyOutcome& outcome) {
  std::string text;
  for (const auto& policy : outcome.policies) {
    if (policy.failure.code != kDone) continue;
    text += (text.empty() ? "[\n" : ",\n") + policy.summary_json;
    text.pop_back();  // its line end
  }
  return text.empty() ? "[]\n" : text + "\n]\n";
}

StudyOutcome run_study(const Scenario& scenario, const PolicyLibrary& library,
                       const StudyOptions& options) {
  return Study(scenario, library, options).run();
}

}  // namespace berth::study
