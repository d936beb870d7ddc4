#include "study/single_run.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include "engine/output/summary_json.hpp"
#include "study/resolved_scenario.hpp"
#include "study/timed_policy.hpp"
#include "study/version.hpp"

namespace berth::study {

namespace {

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

AuditReport audit_report(const std::map<std::string, std::int64_t>& checked) {
  AuditReport report;
  for (const auto& [rule, count] : checked) {
    report.rules.push_back(rule);
    report.checked += count;
  }
  return report;
}

class SingleRun {
 public:
  SingleRun(const PreparedPoint& prepared, LoadedPolicy& policy,
            const SingleRunOptions& options)
      : prepared_(prepared), policy_(policy), options_(options) {}

  void run(PolicyOutcome& outcome) const {
    outcome.result = run_policy(prepared_.point, *policy_.policy, options_.audit, {},
                                options_.watch);
    describe(outcome);
  }

  void run_into(const std::filesystem::path& folder, PolicyOutcome& outcome) const {
    auto files =
        options_.keep == Keep::kAll
            ? ResultFiles(folder, prepared_.point, workload().name, options_.log)
            : ResultFiles(folder);
    TimedPolicy timed(*policy_.policy);
    const auto begin = thread_seconds();
    outcome.result = run_policy(prepared_.point, timed, options_.audit,
                                files.watchers(), options_.watch);
    describe(outcome);
    files.commit();
    files.add("summary.json", outcome.summary_json);
    if (options_.keep == Keep::kAll) write_log(files);
    files.add_unlisted("manifest.json", manifest(files).file_text());
    if (options_.keep == Keep::kSummary) return;
    Timing timing{outcome.result.seconds, thread_seconds() - begin, timed.total(),
                  timed.longest(), timed.passes()};
    timing.threads = static_cast<int>(options_.threads);
    files.add_unlisted("timing.json", timing_json(timing).file_text());
  }

 private:
  [[nodiscard]] const Workload& workload() const {
    return prepared_.workload->loaded.workload;
  }

  void write_log(ResultFiles& files) const {
    if (policy_.printed.empty()) return;
    files.add("policy.log", fmt::format("{}\n", fmt::join(policy_.printed, "\n")));
  }

  void describe(PolicyOutcome& outcome) const {
    outcome.warnings = warnings_about(outcome.result.summary);
    SummaryContext context;
    context.version = version();
    context.policy = outcome.label;
    context.scenario = scenario_name(prepared_.scenario, workload());
    context.seed = prepared_.point.settings.seed;
    context.jobs_read = prepared_.workload->loaded.sha256
                            ? workload().jobs_read
                            : static_cast<std::int64_t>(workload().jobs.size());
    for (const auto& [name, finding] : workload().left_out) {
      context.left_out.emplace(name, finding.count);
    }
    if (options_.audit != Audit::kOff) {
      context.audit = audit_report(outcome.result.checked);
    }
    context.warnings = prepared_.workload->result_warnings;
    context.warnings.insert(context.warnings.end(), outcome.warnings.begin(),
                            outcome.warnings.end());
    outcome.summary_json = summary_json(outcome.result.summary, context).file_text();
  }

  [[nodiscard]] Json manifest(const ResultFiles& files) const {
    const auto& sha256_of_trace = prepared_.workload->loaded.sha256;
    Manifest made;
    made.version = version();
    made.source = source_sha256();
    made.identity = options_.identity;
    made.versions = {{"lua", LUA_RELEASE},
                     {"compiler", __VERSION__},
                     {"c library", gnu_get_libc_version()}};
    made.scenario = resolved_text(prepared_.scenario, prepared_.point, policy_);
    for (const auto& source : policy_.policy->sources()) {
      made.policies.push_back({source.name, sha256(source.text)});
    }
    if (sha256_of_trace) made.inputs.push_back({workload().name, *sha256_of_trace});
    made.seeds = {{"scenario", prepared_.point.settings.seed}};
    made.cpu_features = cpu_features();
    made.workload = prepared_.workload->checksum;
    made.outputs = files.written();
    return manifest_json(made);
  }

  const PreparedPoint& prepared_;
  LoadedPolicy& policy_;
  const SingleRunOptions& options_;
};

}  // namespace

void run_single(const PreparedPoint& prepared, LoadedPolicy& policy,
                const std::filesystem::path& folder, const SingleRunOptions& options,
                PolicyOutcome& outcome) {
  const SingleRun run(prepared, policy, options);
  if (folder.empty()) {
    run.run(outcome);
  } else {
    run.run_into(folder, outcome);
  }
}

}  // namespace berth::study
