#include "study/runs/policy_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

#include "engine/audit/auditor.hpp"
#include "engine/base/error.hpp"
#include "engine/hosts/host_ranges.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/metrics/window_delay.hpp"
#include "engine/share/shares.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/simulation.hpp"
#include "study/common/exit_code.hpp"

namespace berth::study {

namespace {

// Jobs between two looks for an interrupt: with 100,000 waiting, a pass may take 10 ms.
constexpr std::size_t kStride = 16;
constexpr std::size_t kReport = 16 * kStride;  // between two reports of progress

void look(const Watch& watch, std::size_t submitted, std::size_t of) {
  if (watch.interrupted && watch.interrupted()) throw Interrupted{};
  const bool is_due = submitted % kReport == 0 || submitted == of;
  if (is_due && watch.progress) watch.progress(submitted, of);
}

// The jobs as the workload has them, by submit.
std::span<const Job> submits_of(const Point& point) {
  return point.releases != nullptr ? point.releases->workload() : point.jobs;
}

using UsageOfUsers = std::map<std::int32_t, double>;  // by number

}  // namespace

void drive(sim::Simulation& simulation, std::span<const Job> jobs, const Watch& watch,
           const std::function<bool()>& is_over) {
  const auto ends = [&](std::size_t submitted) {
    look(watch, submitted, jobs.size());
    return is_over && is_over();
  };
  for (std::size_t i = kStride; i < jobs.size(); i += kStride) {
    simulation.advance(jobs[i].submit);
    if (ends(i)) return;
  }
  // The steps grow after the last submit, beyond hours only while nothing happens: a
  // long gap costs little, and what comes between two looks is little.
  Duration step = kSecond;
  Time until = jobs.empty() ? 0 : jobs.back().submit;
  Time seen = simulation.world().now();
  while (simulation.advance(until)) {
    if (ends(jobs.size())) return;
    until = after(until, step);
    step = 2 * std::min(step, kNever / 2);
    const Time now = simulation.world().now();
    if (std::exchange(seen, now) != now) step = std::min(step, seconds(14'400));
  }
  simulation.finish();
}

// Hands records to the auditor up to the first rule that does not hold, so that the run
// ends and has metrics.
class UpToFailure final : public sim::Observer {
 public:
  // What is judged after each pass besides; null: nothing.
  using AfterPass = std::function<void(Time)>;

  UpToFailure(audit::Auditor& auditor, AfterPass after_pass)
      : auditor_(auditor), after_pass_(std::move(after_pass)) {}

  [[nodiscard]] sim::RecordKinds wants() const override { return auditor_.wants(); }
  void note(const sim::Record& record) override {
    try_to([&] { auditor_.note(record); });
  }
  void submitted(const sim::SubmitRecord& record) override {
    try_to([&] { auditor_.submitted(record); });
  }
  void started(const sim::StartRecord& record) override {
    try_to([&] { auditor_.started(record); });
  }
  void ended(const sim::EndRecord& record) override {
    try_to([&] { auditor_.ended(record); });
  }
  void passed(const sim::PassRecord& record) override {
    try_to([&] {
      auditor_.passed(record);
      if (after_pass_) after_pass_(record.at);
    });
  }
  void finish(Time at) override {
    try_to([&] { auditor_.finish(at); });
  }

  template <class Check>
  void try_to(const Check& check) {
    if (failure_) return;
    try {
      check();
    } catch (const audit::AuditFailure& failure) {
      failure_ = failure;
    }
  }
  [[nodiscard]] const std::optional<audit::AuditFailure>& failure() const {
    return failure_;
  }

 private:
  audit::Auditor& auditor_;
  AfterPass after_pass_;
  std::optional<audit::AuditFailure> failure_;
};

namespace {

// Checks the reported utilisation against the auditor's integral of processors held.
void audit_utilisation(const Point& point, const Summary& summary,
                       audit::Auditor& auditor) {
  const auto* utilisation = summary.find("utilisation");
  const auto* makespan = summary.find("makespan");
  const bool whole = point.run.measure == Measure::kAll &&
                     summary.jobs.not_finished == 0 && utilisation != nullptr &&
                     makespan != nullptr && utilisation->value && makespan->value;
  if (!whole) return;
  const double ticks = *makespan->value * static_cast<double>(kSecond);
  BERTH_ASSERT(ticks < static_cast<double>(kNever));
  auditor.check_utilisation(*utilisation->value, std::llround(ticks));
}

std::unique_ptr<audit::Law> law_of(const ModelRecord& model, const ModelSpec& spec,
                                   Budget& watching) {
  auto law = model.law(spec);
  law->charge_to(watching);
  return law;
}

// What each user has been charged by now.
UsageOfUsers usage_of(sim::Simulation& simulation) {
  UsageOfUsers usage;
  const auto* shares = simulation.parts().world.state().shares;
  if (shares == nullptr) return usage;
  for (Shares::Number user = 0; user < shares->known(); ++user) {
    usage.emplace(shares->name(user), shares->usage(user, simulation.world().now()));
  }
  return usage;
}

void admit(const Onlookers& more, sim::Audience& audience) {
  for (auto* watcher : more.observers) audience.observe(*watcher);
  if (more.inspector != nullptr) audience.inspect(*more.inspector);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return took.count();
}

bool has_fair_order(const sim::Policy& policy) {
  const auto& traits = policy.traits();
  return traits.default_order == traits.fair_share();
}

// Jobs that waited to the end although the machine had room for them.
void check_started(const Summary& summary, const sim::Policy& policy) {
  const auto& jobs = summary.jobs;
  const bool none_started =
      jobs.finished == 0 && jobs.failed == 0 && summary.counts.suspensions == 0;
  if (!none_started || jobs.not_finished == 0) return;
  throw Error(ErrorCode::kPolicy,
              fmt::format("{}: it never started a job: {} of {} jobs fit the machine "
                          "and waited to the end",
                          policy.traits().label, jobs.not_finished, jobs.submitted));
}

// Jobs that stay offer no load: how long they do is made up.
void forget_load(Summary& summary) {
  for (auto& metric : summary.metrics) {
    if (metric.name == "load") metric.value.reset();
  }
}

Summary summary_of(const Point& point, const RunMetrics& metrics,
                   const MachineMeasure* measure) {
  auto summary = metrics.summary();
  add_measured(point.machine, measure, summary);
  if (!point.settings.departures) forget_load(summary);
  return summary;
}

// Where a walltime is of work, a job does not outlive it by being slow: its length has
// to be more.
void count_outlived(const sim::World& world, const Outcomes& outcomes,
                    Summary& summary) {
  const auto* speeds = world.hosts().speeds();
  if (speeds == nullptr || speeds->walltime_of() != WalltimeOf::kWork) return;
  summary.jobs.outlived_walltime = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto outcome = outcomes[i];
    const auto& job = outcomes.workload()[index(outcome.job)];
    const bool is_late = outcome.state == JobState::kFailed ||
                         (outcome.state == JobState::kFinished && job.walltime_given &&
                          job.length > job.walltime);
    if (is_late) ++summary.jobs.outlived_walltime;
  }
}

std::optional<WindowDelay> window_delay_of(const sim::Machine& machine) {
  if (machine.life.windows == nullptr) return std::nullopt;
  auto hosts = machine.resources.hosts.empty()
                   ? std::vector<Interval>()
                   : host_ranges(machine.processors, machine.resources);
  return WindowDelay(machine.processors, std::move(hosts));
}

// How often rules were checked, and where hosts go down what these excused.
void take_checks(const Point& point, const audit::Auditor& auditor,
                 PolicyResult& result) {
  result.checked = auditor.checked();
  if (!point.machine.life.has_events()) return;
  const auto excuses = auditor.excuses();
  result.summary.add(
      {{"excused_promises", static_cast<double>(excuses.jobs), "jobs",
        result.summary.jobs.submitted},
       {"longest_excuse", to_seconds(excuses.longest), "s", excuses.jobs}});
}

// Jobs that are barred whatever runs came in, too.
void count_barred(sim::Simulation& simulation, Summary& summary) {
  const auto* const limits = simulation.orders().limits();
  if (limits == nullptr) return;
  const auto jobs = summary.jobs.submitted;
  const auto all =
      static_cast<double>(limits->barred_time()) / static_cast<double>(kSecond);
  std::optional<double> mean;
  if (jobs > 0) mean = all / static_cast<double>(jobs);
  summary.add({{"mean_barred_time", mean, "s", jobs}});
}

Window window_of(const Point& point) {
  return berth::window_of(point.jobs, point.run.measure, point.run.warmup_fraction);
}

ModelSpec spec_of(const Point& point) {
  return {point.machine,
          point.jobs,
          point.attributes,
          point.settings.seed,
          point.settings.departures,
          point.releases != nullptr ? point.releases->order()
                                    : std::span<const std::uint32_t>()};
}

std::optional<audit::AuditedLinks> audited_links(const Point& point) {
  if (point.releases == nullptr) return std::nullopt;
  const auto& releases = *point.releases;
  return audit::AuditedLinks{releases.links(), releases.workload(), releases.order()};
}

MetricOptions metric_options(const Point& point, const sim::Simulation& simulation) {
  auto options = point.run.metrics;
  options.reads_placements = simulation.world().hosts().traits().form != nullptr;
  return options;
}

}  // namespace

std::string_view name(Audit audit) {
  switch (audit) {
    case Audit::kOn: return "on";
    case Audit::kFull: return "full";
    case Audit::kOff: return "off";
  }
  return "?";
}

std::unique_ptr<MachineMeasure> measure_of(const Point& point) {
  return make_measure(spec_of(point), window_of(point));
}

struct DrivenRun::Parts {
  Parts(const Point& of, sim::Policy& by, const Onlookers& more)
      : point(of),
        policy(by),
        simulation(of.machine, of.settings, of.jobs, by,
                   model_of(of.machine).make(spec_of(of)), of.releases.get()),
        time(by.budget()),
        watching(time),
        own(more.measure == nullptr ? measure_of(of) : nullptr),
        measure(own ? own.get() : more.measure),
        metrics(of.jobs, window_of(of), metric_options(of, simulation), measure) {}

  const Point& point;
  sim::Policy& policy;
  sim::Simulation simulation;
  TimeOf time;
  Budget watching;
  std::unique_ptr<MachineMeasure> own;
  MachineMeasure* measure;
  RunMetrics metrics;
  std::optional<WindowDelay> window_delay{window_delay_of(point.machine)};
  std::optional<audit::Auditor> auditor;
  std::optional<UpToFailure> audited_by;

  void watch(Audit audit);
  [[nodiscard]] UpToFailure::AfterPass judged_after_passes(Audit audit);
};

void DrivenRun::Parts::watch(Audit audit) {
  simulation.audience().observe(metrics);
  if (window_delay) simulation.audience().observe(*window_delay);
  if (measure != nullptr) {
    measure->charge_to(watching);
    simulation.audience().observe(measure->observer());
  }
  if (audit == Audit::kOff) return;
  const audit::AuditedRun audited{point.machine, point.settings, point.jobs,
                                  policy.traits(), audited_links(point)};
  auditor.emplace(
      audited, law_of(model_of(point.machine), spec_of(point), watching),
      audit == Audit::kFull ? audit::Thoroughness::kFull : audit::Thoroughness::kLight);
  audited_by.emplace(*auditor, judged_after_passes(audit));
  simulation.audience().observe(*audited_by);
}

// What users were charged, and now and then a figure that the measure keeps.
UpToFailure::AfterPass DrivenRun::Parts::judged_after_passes(Audit audit) {
  constexpr std::int64_t kJudgedEach = 64;
  const bool judges_usage = audit == Audit::kFull && has_fair_order(policy);
  const bool judges_figure = measure != nullptr && measure->kept() != nullptr;
  if (!judges_usage && !judges_figure) return {};
  return
      [this, judges_usage, judges_figure, passes = std::int64_t{0}](Time at) mutable {
        if (judges_usage) auditor->check_usage(usage_of(simulation), at);
        if (!judges_figure || passes++ % kJudgedEach != 0) return;
        const auto figure = measure->kept();
        auditor->note(sim::MachineRecord{
            at, std::nullopt, sim::MachineRecord::Bracket::kAlone, figure.get(), {}});
      };
}

DrivenRun::DrivenRun(const Point& point, sim::Policy& policy, Audit audit,
                     const Onlookers& more)
    : parts_(std::make_unique<Parts>(point, policy, more)) {
  parts_->watch(audit);
  admit(more, parts_->simulation.audience());
}

DrivenRun::~DrivenRun() = default;

sim::Simulation& DrivenRun::simulation() { return parts_->simulation; }

const RunMetrics& DrivenRun::metrics() const { return parts_->metrics; }

const audit::AuditFailure* DrivenRun::failure() const {
  const auto& by = parts_->audited_by;
  return by && by->failure() ? &*by->failure() : nullptr;
}

PolicyResult DrivenRun::so_far() const {
  PolicyResult result;
  result.summary = summary_of(parts_->point, parts_->metrics, parts_->measure);
  result.outcomes = parts_->metrics.outcomes();
  result.usage = usage_of(parts_->simulation);
  if (parts_->auditor) result.checked = parts_->auditor->checked();
  return result;
}

PolicyResult DrivenRun::conclude() {
  const auto& point = parts_->point;
  auto& simulation = parts_->simulation;
  auto& metrics = parts_->metrics;
  auto& auditor = parts_->auditor;
  auto& audited_by = parts_->audited_by;
  auto* const measure = parts_->measure;
  // From here on jobs are numbered as in the workload.
  if (point.releases != nullptr) metrics.renumber(point.releases->restore());
  PolicyResult result;
  result.summary = summary_of(point, metrics, measure);
  if (measure != nullptr) result.warnings = measure->remarks();
  result.outcomes = metrics.take_outcomes();
  result.releases = point.releases;
  count_outlived(simulation.world(), result.outcomes, result.summary);
  if (const auto& delay = parts_->window_delay) {
    const auto windows = static_cast<std::int64_t>(point.machine.life.windows->size());
    result.summary.add({{"window_delay", to_seconds(delay->sum()), "s", windows}});
  }
  count_barred(simulation, result.summary);
  result.end = simulation.world().now();
  result.usage = usage_of(simulation);
  if (audited_by) {
    audited_by->try_to([&] { audit_utilisation(point, result.summary, *auditor); });
    audited_by->try_to([&] { auditor->check_usage(result.usage, result.end); });
    take_checks(point, *auditor, result);
    result.audit_failure = audited_by->failure();
  }
  // Where no job leaves, none of those that started is counted.
  const bool is_judged = !result.audit_failure && point.settings.departures;
  if (is_judged) check_started(result.summary, parts_->policy);
  return result;
}

PolicyResult run_policy(const Point& point, sim::Policy& policy, Audit audit,
                        const Onlookers& more, const Watch& watch) {
  const auto begin = std::chrono::steady_clock::now();
  DrivenRun run(point, policy, audit, more);
  try {
    drive(run.simulation(), submits_of(point), watch);
  } catch (const Error&) {
    // What the auditor found came first.
    if (run.failure() != nullptr) throw audit::AuditFailure(*run.failure());
    throw;
  }
  auto result = run.conclude();
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace berth::study
