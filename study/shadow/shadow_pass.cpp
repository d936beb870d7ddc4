#include "study/shadow/shadow_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/explain/judge.hpp"
#include "engine/explain/words.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/simulation.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/runs/single_run.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kInFull = 200;  // jobs whose reasons are told in words

// Brings the run to the state of the snapshot, and lets the policy decide there.
class Prologue final : public sim::Policy {
 public:
  Prologue(sim::Policy& inner, const Snapshot& snapshot)
      : inner_(inner), snapshot_(snapshot), at_(seconds(snapshot.at)) {
    for (std::uint32_t i = 0; i < snapshot.names.size(); ++i) {
      if (snapshot.names[i].start) started_.push_back(JobId{i});
    }
    std::sort(started_.begin(), started_.end(), [&](JobId a, JobId b) {
      return std::pair(start_of(a), a) < std::pair(start_of(b), b);
    });
  }

  [[nodiscard]] const sim::PolicyTraits& traits() const override {
    return inner_.traits();
  }
  [[nodiscard]] Budget& budget() override { return inner_.budget(); }
  void begin(sim::Simulation& simulation) override { inner_.begin(simulation); }
  void schedule(sim::Simulation& simulation) override {
    const auto now = simulation.world().now();
    for (; next_ < started_.size() && start_of(started_[next_]) <= now; ++next_) {
      start(simulation, started_[next_]);
    }
    if (now < at_) return wake(simulation);
    inner_.schedule(simulation);
  }
  // A hook may wake the policy, too; the pass that matters is that of the snapshot.
  void on_submit(sim::Simulation& simulation, JobId job) override {
    inner_.on_submit(simulation, job);
    if (simulation.world().now() < at_) wake(simulation);
  }
  void on_end(sim::Simulation& simulation, JobId job) override {
    inner_.on_end(simulation, job);
  }
  [[nodiscard]] std::optional<Duration> estimate(sim::Simulation& simulation,
                                                 JobId job) override {
    return inner_.estimate(simulation, job);
  }
  [[nodiscard]] double key(sim::Simulation& simulation, std::size_t order,
                           JobId job) override {
    return is_idle(simulation, order) ? 0.0 : inner_.key(simulation, order, job);
  }
  void keys(sim::Simulation& simulation, std::size_t order, std::span<const JobId> jobs,
            std::span<double> out) override {
    if (!is_idle(simulation, order)) return inner_.keys(simulation, order, jobs, out);
    std::fill(out.begin(), out.end(), 0.0);
  }
  [[nodiscard]] std::string where() const override { return inner_.where(); }
  [[nodiscard]] std::int64_t drawn() const override { return inner_.drawn(); }

 private:
  [[nodiscard]] Time start_of(JobId job) const {
    return *snapshot_.names[index(job)].start;
  }

  // Keys that are computed anew at the pass of the snapshot matter to no pass before.
  [[nodiscard]] bool is_idle(const sim::Simulation& simulation,
                             std::size_t order) const {
    return simulation.world().now() < at_ && traits().orders[order].refresh == 0;
  }

  void wake(sim::Simulation& simulation) {
    const auto next = next_ < started_.size() ? start_of(started_[next_]) : at_;
    simulation.actions().wake_at(std::max(next, simulation.world().now() + 1));
  }

  // What Slurm says runs there has room there, since the hosts are as large as what
  // they hold.
  void start(sim::Simulation& simulation, JobId job) {
    const Placement where(snapshot_.names[index(job)].where);
    if (simulation.actions().start(job, {.where = &where})) return;
    throw Error(
        ErrorCode::kInput,
        fmt::format("job {} runs where the nodes have no room for it: squeue and "
                    "sinfo do not agree",
                    snapshot_.names[index(job)].name));
  }

  sim::Policy& inner_;
  const Snapshot& snapshot_;
  Time at_;
  std::vector<JobId> started_;  // those that run or have ended, by start
  std::size_t next_ = 0;        // of them
};

// What happened in the pass of the snapshot, and why the other jobs wait.
class ShadowWatch final
    : public sim::Inspector,
      public sim::RecordVisitor<ShadowWatch, sim::StartRecord, sim::RejectRecord> {
 public:
  ShadowWatch(const Snapshot& snapshot, const sim::Policy& policy, ShadowDecision& into)
      : snapshot_(snapshot), at_(seconds(snapshot.at)), notes_(&policy), into_(into) {
    jobs_.assign(snapshot.jobs.begin(), snapshot.jobs.end());
  }

  using RecordVisitor::ended;
  using RecordVisitor::passed;

  void passed(const sim::Simulation& simulation, sim::PassKind) override {
    if (simulation.world().now() == at_) {
      notes_.close(simulation);
      judge(simulation);
    }
    notes_.clear();
  }
  void shown(const sim::Simulation& simulation, std::size_t order,
             const Place& place) override {
    if (is_now(simulation)) notes_.shown(simulation, order, place);
  }
  void ended(const sim::Simulation& simulation, std::size_t order,
             sim::SelectionEnd how, const Place* at) override {
    if (is_now(simulation)) notes_.ended(simulation, order, how, at);
  }
  void refused(const sim::Simulation& simulation, JobId job, Refusal why) override {
    if (is_now(simulation)) notes_.refused(simulation, job, why);
  }

  void on(const sim::StartRecord& record) {
    const auto job = index(record.who.id);
    if (record.at != at_ || snapshot_.names[job].start) return;
    notes_.started(record.who.id);
    const Placement* const where = record.placement;
    into_.starts.push_back({job, where == nullptr ? IntervalSet() : where->processors(),
                            std::string(record.because)});
  }
  void on(const sim::RejectRecord& record) {
    rejected_[index(record.who.id)] = record.by_machine
                                          ? std::string("it never fits this machine")
                                          : fmt::format("rejected: {}", record.because);
  }
  void finish(Time) override {}

  // Those that the machine or the policy turned away, which wait for nothing.
  void add_rejected() {
    for (const auto& [job, words] : rejected_) {
      into_.kept.push_back({job, "too_big", "PartitionConfig", words});
    }
    std::sort(into_.kept.begin(), into_.kept.end(),
              [](const auto& a, const auto& b) { return a.job < b.job; });
  }

 private:
  [[nodiscard]] bool is_now(const sim::Simulation& simulation) const {
    return simulation.world().now() == at_;
  }

  void judge(const sim::Simulation& simulation) {
    Judge judge(simulation, notes_);
    into_.kept.clear();
    for (std::uint32_t i = 0; i < snapshot_.names.size(); ++i) {
      if (!queues(simulation.world().jobs().state(JobId{i}))) continue;
      into_.kept.push_back(kept(judge, JobId{i}));
    }
  }

  ShadowDecision::KeptJob kept(Judge& judge, JobId job) const {
    const bool in_full = into_.kept.size() < kInFull;
    if (!in_full) {
      const auto& record = judge.brief(job).why.record();
      return {index(job), std::string(record.name), std::string(record.slurm),
              std::string(record.words)};
    }
    const auto reason = judge.reason(job);
    const auto& record = reason.why.record();
    return {index(job), std::string(record.name), std::string(record.slurm),
            words(reason, jobs_)};
  }

  const Snapshot& snapshot_;
  Time at_;
  PassNotes notes_;
  ShadowDecision& into_;
  std::vector<Job> jobs_;
  std::map<std::size_t, std::string> rejected_;
};

Point point_of(const Snapshot& snapshot, const Scenario& scenario) {
  auto own = scenario;
  own.machine.resources = snapshot.resources;
  auto point = make_point(own, snapshot.processors, snapshot.jobs);
  point.attributes = snapshot.columns;
  return point;
}

ShadowDecision decide_one(const Snapshot& snapshot, const Scenario& scenario,
                          LoadedPolicy& loaded) {
  ShadowDecision made;
  made.policy = loaded.label;
  const auto point = point_for(point_of(snapshot, scenario), loaded);
  auto& inner = loaded.decider();
  Prologue policy(inner, snapshot);
  sim::Simulation simulation(
      point.machine, point.settings, point.jobs, policy,
      model_of(point.machine)
          .make({point.machine, point.jobs, point.attributes, point.settings.seed}));
  ShadowWatch watch(snapshot, inner, made);
  simulation.audience().observe(watch);
  simulation.audience().inspect(watch);
  simulation.advance(seconds(snapshot.at));
  watch.add_rejected();
  return made;
}

}  // namespace

bool ShadowDecision::starts_job(std::size_t job) const {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const auto& start) { return start.job == job; });
}

const ShadowDecision::KeptJob* ShadowDecision::kept_job(std::size_t job) const {
  const auto at =
      std::lower_bound(kept.begin(), kept.end(), job,
                       [](const auto& each, auto wanted) { return each.job < wanted; });
  return at == kept.end() || at->job != job ? nullptr : &*at;
}

std::vector<ShadowDecision> decide(const Snapshot& snapshot, const Scenario& scenario,
                                   const PolicyLibrary& library,
                                   const LoadingOptions& loading) {
  std::vector<ShadowDecision> all;
  for (const auto& loaded : load_policies(scenario, library, loading)) {
    if (loaded->failure.code != kDone) {
      throw Error(ErrorCode::kPolicy, loaded->failure.text);
    }
    all.push_back(decide_one(snapshot, scenario, *loaded));
  }
  return all;
}

}  // namespace berth::study
