#include "study/tests/tested_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/audit/auditor.hpp"
#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/explain/rejection.hpp"
#include "engine/explain/words.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::study {

namespace {

class Times final
    : public sim::RecordVisitor<Times, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::EndRecord> {
 public:
  Times(std::vector<TestedJob>& jobs, std::vector<JobId>& order,
        std::map<JobId, TestedRun::Rejected>& rejected)
      : jobs_(jobs), order_(order), rejected_(rejected) {}
  void on(const sim::RejectRecord& record) {
    rejected_[record.who.id] = {record.at, record.by_machine,
                                std::string(record.because)};
  }
  void on(const sim::SubmitRecord&) { throw_if_interrupted(); }
  void on(const sim::StartRecord& record) {
    auto& job = jobs_[index(record.who.id)];
    if (job.start) return;
    job.start = record.at;
    order_.push_back(record.who.id);
  }
  void on(const sim::EndRecord& record) {
    jobs_[index(record.who.id)].finish = record.at;
  }
  void finish(Time) override {}

 private:
  std::vector<TestedJob>& jobs_;
  std::vector<JobId>& order_;
  std::map<JobId, TestedRun::Rejected>& rejected_;
};

ModelSpec spec_of_point(const Point& point) {
  return {point.machine, point.jobs, point.attributes, point.settings.seed};
}

}  // namespace

std::map<JobId, ExplainedJob> explain_run(const Point& point, sim::Policy& policy,
                                          JobId job) {
  constexpr std::size_t kAtOnce = 256;
  ExplainWhat what;
  what.each_pass = true;
  if (point.jobs.size() <= kAtOnce) {
    for (std::uint32_t i = 0; i < point.jobs.size(); ++i) {
      what.in_detail.push_back(JobId{i});
    }
  } else {
    what.in_detail.push_back(job);
  }
  Explainer explainer(policy, std::move(what));
  sim::Simulation simulation(point.machine, point.settings, point.jobs, policy,
                             model_of(point.machine).make(spec_of_point(point)));
  simulation.audience().observe(explainer);
  simulation.audience().inspect(explainer);
  simulation.advance(kNever);
  simulation.finish();
  return std::move(explainer).jobs();
}

TestedRun::TestedRun(const Point& point, const Scenario& scenario, PolicyMaker make,
                     const bindings::Limits& limits)
    : point_(point), make_(std::move(make)), jobs_(point.jobs.size()) {
  for (std::size_t i = 0; i < jobs_.size(); ++i) jobs_[i].job = &point.jobs[i];
  const auto policy = make_();
  const auto& model = model_of(point.machine);
  const auto spec = spec_of_point(point);
  sim::Simulation simulation(point.machine, point.settings, point.jobs, *policy,
                             model.make(spec));
  const auto window =
      window_of(point.jobs, point.run.measure, point.run.warmup_fraction);
  measure_ = make_measure(spec, window);
  metrics_ = std::make_unique<RunMetrics>(point.jobs, window, point.run.metrics,
                                          measure_.get());
  own_ = std::make_unique<OwnMeasures>(scenario, point, limits, measure_.get(),
                                       OwnMeasures::Levels::kWhole);
  label_ = policy->traits().label;
  audit::Auditor auditor({point.machine, point.settings, point.jobs, policy->traits()},
                         model.law(spec), audit::Thoroughness::kFull);
  Times times(jobs_, order_, rejected_);
  simulation.audience().observe(*metrics_);
  if (measure_) simulation.audience().observe(measure_->observer());
  simulation.audience().observe(auditor);
  simulation.audience().observe(times);
  for (auto* watcher : own_->observers(*policy)) {
    simulation.audience().observe(*watcher);
  }
  if (auto* inspector = own_->inspector()) simulation.audience().inspect(*inspector);
  simulation.advance(kNever);
  simulation.finish();
  for (auto& [job, rejected] : rejected_) {
    if (!rejected.by_machine) continue;
    const auto found = rejection_of(*model.make(spec), point.machine.processors, job,
                                    point.jobs[index(job)]);
    if (found) rejected.words = found->words;
  }
}

const bindings::ToolRun& TestedRun::run() const {
  if (run_) return *run_;
  summary_ = metrics_->summary();
  add_measured(point_.machine, measure_.get(), summary_);
  const OwnMeasures::MeasuredRun finished{metrics_->outcomes(), {}, label_};
  (void)own_->add_to(summary_, finished);
  return run_.emplace(own_->run_of(summary_, finished));
}

JobId TestedRun::find(std::int64_t number) const {
  const auto at = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& each) {
    return each.job->id == number;
  });
  if (at == jobs_.end()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no job {} in this run", number));
  }
  return JobId{static_cast<std::uint32_t>(at - jobs_.begin())};
}

const ExplainedJob& TestedRun::explained(JobId job) const {
  if (!explained_.contains(job)) {
    const auto policy = make_();
    explained_.merge(explain_run(point_, *policy, job));
  }
  return explained_[job];
}

std::optional<TestedRun::Why> TestedRun::why(std::int64_t number,
                                             std::optional<Time> at) const {
  const auto id = find(number);
  const auto* rejection = rejected(id);
  if (rejection != nullptr && rejection->by_machine) {
    if (at && *at < rejection->at) return std::nullopt;
    return Why{berth::Why::kTooBig.record().name,
               "rejected at submit: " + rejection->words};
  }
  const auto& job = explained(id);
  std::optional<berth::Why> wanted;
  if (!at) {
    const auto most =
        std::max_element(job.times.begin(), job.times.end(),
                         [](const auto& a, const auto& b) { return a.time < b.time; });
    if (most == job.times.end()) return std::nullopt;
    wanted = most->why;
  }
  for (const auto& line : job.lines) {
    const bool is_meant =
        at ? line.from <= *at && *at < line.to : line.first.why == *wanted;
    if (!is_meant) continue;
    return Why{line.first.why.record().name, words(line.first, point_.jobs)};
  }
  return std::nullopt;
}

}  // namespace berth::study
