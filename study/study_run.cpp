#include "study/study_run.hpp"

#include <algorithm>

#include "engine/compare/renderers.hpp"
#include "engine/output/atomic_file.hpp"
#include "study/folder_name.hpp"
#include "study/workers.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// Everything that the runs of one study share.
class Study {
 public:
  Study(const Scenario& scenario, const PolicyLibrary& library,
        const StudyOptions& options)
      : options_(options),
        policies_(load_policies(scenario, library, {options.limits, options.print})) {
    if (options.out) folder_.emplace(*options.out, options.existing);
    prepared_.emplace(scenario,
                      prepare_workload(scenario, {options.strict, false, false}));
  }

  StudyOutcome run() {
    StudyOutcome outcome;
    outcome.warnings = prepared_->workload->messages;
    outcome.policies.resize(policies_.size());
    outcome.overrun = prepared_->point.machine.overrun;
    for_each_index(policies_.size(), options_.workers,
                   [&](std::size_t i) { run_one(*policies_[i], outcome.policies[i]); });
    if (folder_) finish_folder(outcome);
    return outcome;
  }

 private:
  [[nodiscard]] fs::path folder_of(const std::string& label) const {
    if (policies_.size() == 1) return folder_->path();
    return folder_->make(folder_name(label));
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
    SingleRunOptions single;
    single.audit = options_.audit;
    single.log = options_.log;
    single.threads = std::min(options_.workers, policies_.size());
    single.watch = {options_.interrupted, progress_of(policy.label)};
    run_single(*prepared_, policy, folder, single, outcome);
    outcome.result.outcomes = {};  // policies are compared by their summaries
  }

  [[nodiscard]] std::function<void(std::size_t, std::size_t)> progress_of(
      const std::string& label) const {
    if (!options_.progress) return nullptr;
    return [this, &label](std::size_t submitted, std::size_t of) {
      options_.progress(label, submitted, of);
    };
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

  const StudyOptions& options_;
  std::vector<std::unique_ptr<LoadedPolicy>> policies_;
  std::optional<ResultsFolder> folder_;
  std::optional<PreparedPoint> prepared_;
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
  std::vector<const std::string*> summaries;
  for (const auto& policy : outcome.policies) {
    if (policy.failure.code == kDone) summaries.push_back(&policy.summary_json);
  }
  return json_array(summaries);
}

std::string json_array(std::span<const std::string* const> summaries) {
  std::string text;
  for (const auto* summary : summaries) {
    text += (text.empty() ? "[\n" : ",\n") + *summary;
    text.pop_back();  // its line end
  }
  return text.empty() ? "[]\n" : text + "\n]\n";
}

StudyOutcome run_study(const Scenario& scenario, const PolicyLibrary& library,
                       const StudyOptions& options) {
  return Study(scenario, library, options).run();
}

}  // namespace berth::study
