#include "study/runs/single_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/metrics/summarise.hpp"
#include "engine/output/expectation_files.hpp"
#include "engine/output/links_csv.hpp"
#include "engine/output/summary_json.hpp"
#include "engine/output/users_csv.hpp"
#include "engine/share/shares.hpp"
#include "study/common/version.hpp"
#include "study/metrics/own_metrics.hpp"
#include "study/results/result_files.hpp"
#include "study/runs/expectations.hpp"
#include "study/runs/run_identity.hpp"
#include "study/scenario/input_files.hpp"

namespace berth::study {

namespace {

// Forwards to another policy and measures the time of its passes.
class TimedPolicy final : public sim::Policy {
 public:
  explicit TimedPolicy(sim::Policy& inner) : inner_(inner) {}

  [[nodiscard]] const sim::PolicyTraits& traits() const override {
    return inner_.traits();
  }
  [[nodiscard]] Budget& budget() override { return inner_.budget(); }
  void begin(sim::Simulation& simulation) override { inner_.begin(simulation); }
  void schedule(sim::Simulation& simulation) override;
  void on_submit(sim::Simulation& simulation, JobId job) override {
    inner_.on_submit(simulation, job);
  }
  void on_end(sim::Simulation& simulation, JobId job) override {
    inner_.on_end(simulation, job);
  }
  void on_host(sim::Simulation& simulation, std::int32_t host, bool is_up) override {
    inner_.on_host(simulation, host, is_up);
  }
  void on_hit(sim::Simulation& simulation, JobId job) override {
    inner_.on_hit(simulation, job);
  }
  [[nodiscard]] std::optional<Duration> estimate(sim::Simulation& simulation,
                                                 JobId job) override {
    return inner_.estimate(simulation, job);
  }
  [[nodiscard]] double key(sim::Simulation& simulation, std::size_t order,
                           JobId job) override {
    return inner_.key(simulation, order, job);
  }
  void keys(sim::Simulation& simulation, std::size_t order, std::span<const JobId> jobs,
            std::span<double> out) override {
    inner_.keys(simulation, order, jobs, out);
  }
  [[nodiscard]] std::int64_t drawn() const override { return inner_.drawn(); }

  // Time of the passes by the wall, in seconds; one that was not timed counts as long
  // as the next one that was, or at the end the last.
  [[nodiscard]] double total() const { return total_ + untimed_ * last_; }
  [[nodiscard]] double longest() const { return longest_; }
  [[nodiscard]] std::int64_t passes() const { return passes_; }

 private:
  sim::Policy& inner_;
  double total_ = 0;
  double longest_ = 0;
  static constexpr double kBrief = 20e-6;
  double last_ = kBrief;  // of those that were timed
  int untimed_ = 0;       // since then
  std::int64_t passes_ = 0;
};

// By the wall clock: that of the thread would be a system call.  A brief pass takes as
// long as reading the clock a few times, so that one is timed for sixteen.
void TimedPolicy::schedule(sim::Simulation& simulation) {
  constexpr int kMostUntimed = 15;
  ++passes_;
  if (last_ < kBrief && untimed_ < kMostUntimed) {
    ++untimed_;
    return inner_.schedule(simulation);
  }
  const auto begin = std::chrono::steady_clock::now();
  inner_.schedule(simulation);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  last_ = took.count();
  total_ += last_ * (1 + std::exchange(untimed_, 0));
  longest_ = std::max(longest_, last_);
}

// Processor time of this thread so far.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::string> warnings_about(const Summary& summary, bool departures) {
  std::vector<std::string> lines;
  const auto left = summary.jobs.not_finished;
  if (left > 0 && departures) {
    lines.push_back(fmt::format(
        "{} {} still in the system when nothing could happen any more: no policy call "
        "was due and no job ran",
        left, left == 1 ? "job was" : "jobs were"));
  }
  if (summary.jobs.rejected_by_policy > 0 &&
      summary.jobs.rejected() == summary.jobs.submitted) {
    lines.push_back(fmt::format("every job was rejected, {} of {} by the policy",
                                summary.jobs.rejected_by_policy,
                                summary.jobs.submitted));
  }
  return lines;
}

// For results; the tables mark the values and say it once.
std::vector<std::string> queue_warnings(const Summary& summary) {
  if (summary.queue_never_empties) {
    return {"the queue never empties: waits measure the length of the trace"};
  }
  if (summary.longest_queue_stretch <= summary.submit_span / 2) return {};
  return {
      fmt::format("the queue does not empty for {} s, most of the time of submits: "
                  "waits depend on the length of the trace",
                  seconds_text(summary.longest_queue_stretch))};
}

// Whether each job holds the machine without a break and is charged for processors
// alone: then its outcome tells the usage of its user.
bool holds_once(const Point& point) {
  const auto& shares = point.settings.shares;
  return shares && shares->charge == Charge::kProcessors &&
         !has_stretches(point.machine) && Shares::have_users(point.jobs);
}

AuditReport audit_report(const std::map<std::string, std::int64_t>& checked) {
  AuditReport report;
  for (const auto& [rule, count] : checked) {
    report.rules.push_back(rule);
    report.checked += count;
  }
  return report;
}

}  // namespace

// One policy at one point, as run_single() and SteppedRun run it.
class SingleRun {
 public:
  // `point`: of the policy.
  SingleRun(const PreparedPoint& prepared, Point point, LoadedPolicy& policy,
            const StudyOptions& options, const std::string& identity)
      : prepared_(prepared),
        point_(std::move(point)),
        policy_(policy),
        options_(options),
        identity_(identity) {}

  [[nodiscard]] PolicyResult run() const {
    const auto measure = measure_of(point_);
    OwnMeasures own(prepared_.scenario, point_, options_.limits, measure.get());
    const auto watchers = own.observers(policy_.decider());
    auto result = run_policy(point_, policy_.decider(), options_.audit,
                             {watchers, measure.get(), own.inspector()}, watch());
    judge_expectations(prepared_, result);
    if (has_failed(result)) return result;
    measure_own(own, result);
    describe(result, false);
    return result;
  }

  [[nodiscard]] PolicyResult run_into(const std::filesystem::path& folder) const {
    const auto measure = measure_of(point_);
    auto files =
        options_.keep == Keep::kAll
            ? ResultFiles(folder, point_, measure.get(), workload().name, log())
            : ResultFiles(folder);
    // Before the run, which is lost where its files cannot be written.
    if (options_.keep == Keep::kAll) keep_policy(files);
    TimedPolicy timed(policy_.decider());
    const auto begin = thread_seconds();
    OwnMeasures own(prepared_.scenario, point_, options_.limits, measure.get());
    auto watchers = files.watchers();
    for (auto* watcher : own.observers(policy_.decider())) watchers.push_back(watcher);
    auto result = run_policy(point_, timed, options_.audit,
                             {watchers, measure.get(), own.inspector()}, watch());
    judge_expectations(prepared_, result);
    if (has_failed(result)) return result;
    measure_own(own, result);
    describe(result, true);
    files.commit();
    files.add("summary.json", result.summary_json);
    if (options_.keep == Keep::kAll) {
      const auto& legend = prepared_.workload->loaded.legend;
      if (!legend.empty()) files.add("names.csv", legend);
      write_users_files(files, result);
      write_links_file(files);
      write_log(files);
    }
    files.add_unlisted("manifest.json", manifest(files).file_text());
    if (options_.keep == Keep::kSummary) return result;
    Timing timing{result.seconds, thread_seconds() - begin, timed.total(),
                  timed.longest(), timed.passes()};
    timing.threads = static_cast<int>(options_.workers);
    files.add_unlisted("timing.json", timing_json(timing).file_text());
    return result;
  }

  [[nodiscard]] const Point& point() const { return point_; }

  void conclude(const OwnMeasures& own, PolicyResult& result) const {
    judge_expectations(prepared_, result);
    if (result.audit_failure) return;
    measure_own(own, result);
    describe(result, true);
  }

  [[nodiscard]] std::string summary_so_far(PolicyResult result) const {
    judge_expectations(prepared_, result);
    return summary_of(result);
  }

 private:
  [[nodiscard]] const Workload& workload() const {
    return prepared_.workload->loaded.workload;
  }

  // Lines of limits come with the full audit.
  [[nodiscard]] Log log() const {
    const bool is_full = options_.log == Log::kOn && options_.audit == Audit::kFull;
    return is_full ? Log::kWithLimits : options_.log;
  }

  // The simulations of a sweep are not stopped: those that have begun end.
  [[nodiscard]] Watch watch() const {
    if (options_.layout != Layout::kRun) return {};
    Watch made{options_.interrupted, nullptr};
    if (options_.progress) {
      made.progress = [this](std::size_t submitted, std::size_t of) {
        options_.progress(policy_.label, submitted, of);
      };
    }
    return made;
  }

  // Whether the audit failed, which in a sweep throws: a mean has no such runs.
  [[nodiscard]] bool has_failed(const PolicyResult& result) const {
    if (!result.audit_failure) return false;
    if (options_.layout != Layout::kRun) throw *result.audit_failure;
    return true;
  }

  void measure_own(const OwnMeasures& own, PolicyResult& result) const {
    std::span<const Time> expected;
    if (prepared_.expected) expected = *prepared_.expected;
    const auto* checked = options_.audit == Audit::kOff ? nullptr : &result.checked;
    result.own_values =
        own.add_to(result.summary, {result.outcomes, expected, policy_.label, checked});
  }

  // Which jobs waited for which.
  void write_links_file(ResultFiles& files) const {
    const auto& point = prepared_.point;
    if (point.links == nullptr) return;
    files.write("links.csv",
                [&](Sink& sink) { write_links(sink, *point.links, point.jobs); });
  }

  // Who is served, and who is hurt.
  void write_users_files(ResultFiles& files, const PolicyResult& result) const {
    const auto& point = prepared_.point;
    const auto window =
        window_of(point.jobs, point.run.measure, point.run.warmup_fraction);
    auto usage = result.usage;
    if (holds_once(point_)) {
      usage = usage_of_users(result.outcomes, *point_.settings.shares, result.end);
    }
    const UserRows rows{
        result.summary.users, user_details({result.outcomes, window.first_job}),
        prepared_.scenario.shares.users, std::move(usage), result.tardiness};
    files.write("users.csv", [&](Sink& sink) { berth::write_users(sink, rows); });
    if (prepared_.expected == nullptr) return;
    files.write("heatmap.csv",
                [&](Sink& sink) { write_heatmap(sink, result.tardiness); });
    const auto ends = judged_ends(prepared_, result);
    files.write("expectations.csv", [&](Sink& sink) {
      write_expectations(sink, workload().jobs, *prepared_.expected, ends);
    });
  }

  // Over users.
  void add_distributions(const PolicyResult& result, SummaryContext& context) const {
    std::vector<double> veets;
    std::vector<double> weighted;
    for (const auto& user : result.tardiness) {
      if (user.jobs == 0) continue;
      veets.push_back(*user.veet());
      weighted.push_back(static_cast<double>(user.weighted_tardiness) /
                         static_cast<double>(kSecond));
    }
    if (prepared_.expected) {
      context.distributions.emplace_back("veet", distribution_of(std::move(veets)));
      context.distributions.emplace_back("weighted_tardiness",
                                         distribution_of(std::move(weighted)));
    }
    context.distributions.emplace_back(
        "mean_wait", distribution_of(mean_waits(result.summary.users)));
    if (Shares::have_users(point_.jobs)) context.shares = prepared_.scenario.shares;
  }

  void write_log(ResultFiles& files) const {
    if (policy_.printed.empty()) return;
    files.add("policy.log", fmt::format("{}\n", fmt::join(policy_.printed, "\n")));
  }

  // The texts that decided, so that the folder explains itself.
  void keep_policy(ResultFiles& files) const {
    if (!policy_.policy) return;
    for (const auto& source : policy_.policy->sources()) {
      files.add_unlisted(fmt::format("{}/{}", kPolicyFolder, source.name), source.text);
    }
  }

  // Where the records of the trace are kept, and its jobs are submitted when it says.
  void compare_with_trace(PolicyResult& result) const {
    if (workload().recorded.empty()) return;
    if (!moving_key(prepared_.scenario.workload).empty()) return;
    const auto& run = prepared_.point.run;
    const auto window =
        window_of(prepared_.point.jobs, run.measure, run.warmup_fraction);
    result.fidelity = fidelity_of(
        {result.outcomes, window.first_job, OutcomeView::Those::kFinished}, workload());
    const auto* recorded = policy_.recorded.get();
    if (recorded == nullptr) return;
    if (result.fidelity) result.fidelity->postponed = recorded->postponed();
    if (recorded->unknown() == 0) return;
    result.warnings.push_back(fmt::format(
        "{} {} no recorded start, and began as soon as there was room",
        recorded->unknown(), recorded->unknown() == 1 ? "job has" : "jobs have"));
  }

  void describe(PolicyResult& result, bool is_kept) const {
    const auto& jobs = result.summary.jobs;
    if (options_.strict && jobs.rejected() == jobs.submitted) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: every job was rejected", policy_.label));
    }
    for (auto& line : warnings_about(result.summary, point_.settings.departures)) {
      result.warnings.push_back(std::move(line));
    }
    for (auto& line : promise_warnings()) result.warnings.push_back(std::move(line));
    compare_with_trace(result);
    if (is_kept || options_.summaries) result.summary_json = summary_of(result);
  }

  [[nodiscard]] std::string summary_of(const PolicyResult& result) const {
    SummaryContext context;
    context.version = version();
    context.policy = policy_.label;
    context.scenario = scenario_name(prepared_.scenario, workload());
    context.seed = prepared_.point.settings.seed;
    context.jobs_read = prepared_.workload->loaded.sha256
                            ? workload().jobs_read
                            : static_cast<std::int64_t>(workload().jobs.size());
    for (const auto& [name, finding] : workload().left_out) {
      context.left_out.emplace(name, finding.count);
    }
    if (options_.audit != Audit::kOff) {
      context.audit = audit_report(result.checked);
    }
    context.warnings = prepared_.workload->result_warnings;
    context.warnings.insert(context.warnings.end(), result.warnings.begin(),
                            result.warnings.end());
    for (auto& line : queue_warnings(result.summary)) {
      context.warnings.push_back(std::move(line));
    }
    for (const auto& group : point_.machine.resources.hosts) {
      context.rows.push_back(
          {group.name, group.count, std::max(group.processors, 1), group.resources});
    }
    add_distributions(result, context);
    if (result.fidelity) context.fidelity = fidelity_json(*result.fidelity);
    return summary_json(result.summary, context).file_text();
  }

  // What the audit cannot judge on this machine.
  [[nodiscard]] std::vector<std::string> promise_warnings() const {
    using sim::Promise;
    if (policy_.recorded) return {};
    const auto promise = policy_.policy->traits().promise;
    if (const auto why = policy_.policy->unjudged(); !why.empty()) {
      return {std::string(why)};
    }
    const bool rests_on_counts =
        promise == Promise::kEasy || promise == Promise::kConservative;
    if (rests_on_counts && point_.settings.cycle > 0) {
      return {
          "what the policy promises is not judged with passes by the clock, which come "
          "later than what was promised"};
    }
    if (rests_on_counts && !model_of(point_.machine).promises_by_count) {
      return {
          "what the policy promises is not judged on a network, where no number of "
          "processors tells when a job fits"};
    }
    return {};
  }

  [[nodiscard]] Json manifest(const ResultFiles& files) const {
    const auto& sha256_of_trace = prepared_.workload->loaded.sha256;
    auto made = manifest_of(policy_, identity_);
    made.scenario = resolved_text(prepared_.scenario, prepared_.point, policy_);
    if (sha256_of_trace) made.inputs.push_back({workload().name, *sha256_of_trace});
    made.found_at = found_inputs(prepared_.scenario);
    made.seeds = {{"scenario", prepared_.point.settings.seed}};
    made.workload = prepared_.workload->checksum;
    made.unix_start = workload().unix_start;
    made.outputs = files.written();
    return manifest_json(made);
  }

  const PreparedPoint& prepared_;
  Point point_;
  LoadedPolicy& policy_;
  const StudyOptions& options_;
  const std::string& identity_;
};

namespace {

// A fair order needs users.  The place is that of the policy, or of the jobs.
void require_users(const PreparedPoint& prepared, const LoadedPolicy& policy) {
  const auto& traits = policy.decider().traits();
  const bool is_fair = traits.default_order == traits.fair_share();
  if (!is_fair || Shares::have_users(prepared.point.jobs)) return;
  auto place = policy.choice.place;
  for (const auto* key : {"workload.trace", "workload.mix", "workload.model"}) {
    const auto at = prepared.scenario.places.find(key);
    if (place.empty() && at != prepared.scenario.places.end()) place = at->second;
  }
  throw Error(ErrorCode::kInput,
              fmt::format("{}{}: order \"fair_share\": no job names a user", place,
                          traits.label));
}

}  // namespace

Point point_for(const Point& point, const LoadedPolicy& policy) {
  auto made = point;
  hold_back(made);
  if (policy.recorded) return made;
  const auto& model = model_of(point.machine);
  const auto& values = policy.policy->values();
  const auto own = values.find(std::string(model.own_parameter));
  if (model.own_parameter.empty() || own == values.end()) return made;
  set_model_setting(made.machine, model.own_parameter,
                    std::get<std::string>(own->second));
  return made;
}

namespace {

// What a policy needs of the point.
void make_ready(const PreparedPoint& prepared, LoadedPolicy& policy) {
  if (policy.recorded) {
    policy.recorded->replay(prepared.workload->loaded.workload, prepared.scenario);
  }
  require_users(prepared, policy);
}

}  // namespace

PolicyResult run_single(const PreparedPoint& prepared, LoadedPolicy& policy,
                        const std::filesystem::path& folder,
                        const StudyOptions& options, const std::string& identity) {
  make_ready(prepared, policy);
  auto point = point_for(prepared.point, policy);
  // Only users.csv needs what its policy does not.
  point.settings.keeps_usage =
      !folder.empty() && options.keep == Keep::kAll && !holds_once(point);
  const SingleRun run(prepared, std::move(point), policy, options, identity);
  return folder.empty() ? run.run() : run.run_into(folder);
}

struct SteppedRun::Parts {
  Parts(const PreparedPoint& prepared, LoadedPolicy& policy,
        const StudyOptions& options, sim::Observer& beside)
      : single(prepared, point_for(prepared.point, policy), policy, options, identity),
        measure(measure_of(single.point())),
        own(prepared.scenario, single.point(), options.limits, measure.get()),
        watchers(own.observers(policy.decider())) {
    watchers.push_back(&beside);
    run.emplace(single.point(), policy.decider(), options.audit,
                Onlookers{watchers, measure.get(), own.inspector()});
  }

  const std::string identity;
  SingleRun single;
  std::unique_ptr<MachineMeasure> measure;
  OwnMeasures own;
  std::vector<sim::Observer*> watchers;
  std::optional<DrivenRun> run;
};

SteppedRun::SteppedRun(const PreparedPoint& prepared, LoadedPolicy& policy,
                       const StudyOptions& options, sim::Observer& beside) {
  make_ready(prepared, policy);
  parts_ = std::make_unique<Parts>(prepared, policy, options, beside);
}

SteppedRun::~SteppedRun() = default;

DrivenRun& SteppedRun::run() { return *parts_->run; }

std::string SteppedRun::summary_so_far() const {
  return parts_->single.summary_so_far(parts_->run->so_far());
}

PolicyResult SteppedRun::conclude() {
  auto result = parts_->run->conclude();
  parts_->single.conclude(parts_->own, result);
  return result;
}

}  // namespace berth::study
