#include "study/shadow/shadow_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/scoped_value.hpp"
#include "engine/explain/judge.hpp"
#include "engine/explain/words.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/share/shares.hpp"
#include "engine/sim/simulation.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/runs/single_run.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kInFull = 200;  // jobs whose reasons are told in words

// What a policy has at its next pass from those before.
struct KeptState {
  std::optional<Time> since{};     // when the last pass was; nullopt: there was none
  std::int64_t decisions = 0;      // made so far
  std::vector<bool> submits{};     // by job: on_submit was called for it
  std::vector<bool> ends{};        // likewise on_end
  std::vector<bool> waited{};      // by job, at the last pass
  std::map<JobId, Time> booked{};  // starts in the book after the last pass
};

// Brings the run to the state of the snapshot, and lets the policy decide there.
class Prologue final : public sim::Policy {
 public:
  Prologue(sim::Policy& inner, const Snapshot& snapshot, KeptState& kept)
      : inner_(inner), snapshot_(snapshot), kept_(kept), at_(seconds(snapshot.at)) {
    for (std::uint32_t i = 0; i < snapshot.names.size(); ++i) {
      if (snapshot.names[i].start) started_.push_back(JobId{i});
    }
    std::sort(started_.begin(), started_.end(), [&](JobId a, JobId b) {
      return std::tuple(start_of(a), has_waited(a), a) <
             std::tuple(start_of(b), has_waited(b), b);
    });
    for (const auto& [job, start] : kept.booked) booked_.emplace_back(start, job);
    std::sort(booked_.begin(), booked_.end());
    kept_.submits.resize(snapshot.names.size());
    kept_.ends.resize(snapshot.names.size());
  }

  [[nodiscard]] const sim::PolicyTraits& traits() const override {
    return inner_.traits();
  }
  [[nodiscard]] Budget& budget() override { return inner_.budget(); }
  void begin(sim::Simulation& simulation) override {
    simulation.parts().world.state().decision.number = kept_.decisions;
    inner_.begin(simulation);
  }
  void schedule(sim::Simulation& simulation) override {
    const auto now = simulation.world().now();
    if (is_news(now)) tell_let_in(simulation);
    start_due(simulation);
    if (now < at_) return wake(simulation);
    inner_.schedule(simulation);
  }
  // A hook may wake the policy, too; the pass that matters is that of the snapshot.
  void on_submit(sim::Simulation& simulation, JobId job) override {
    const auto now = simulation.world().now();
    if (is_news(now)) {
      tell_submit(simulation, job);
    } else {
      let_in_.push_back(job);
    }
    if (now < at_) wake(simulation);
  }
  void on_end(sim::Simulation& simulation, JobId job) override {
    if (!kept_.ends[index(job)]) inner_.on_end(simulation, job);
    kept_.ends[index(job)] = true;
    if (simulation.world().now() < at_) wake(simulation);
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
  [[nodiscard]] bool has_waited(JobId job) const {
    return index(job) < kept_.waited.size() && kept_.waited[index(job)];
  }
  // Whether the policy has had no pass at or behind this instant.
  [[nodiscard]] bool is_news(Time now) const {
    return now == at_ || !kept_.since || now > *kept_.since;
  }

  // Keys that are computed anew at the pass of the snapshot matter to no pass before.
  [[nodiscard]] bool is_idle(const sim::Simulation& simulation,
                             std::size_t order) const {
    return simulation.world().now() < at_ && traits().orders[order].refresh == 0;
  }

  void tell_submit(sim::Simulation& simulation, JobId job) {
    if (!kept_.submits[index(job)]) inner_.on_submit(simulation, job);
    kept_.submits[index(job)] = true;
  }

  // Submits before the last pass that it did not know of: Slurm has let these jobs in
  // since then.
  void tell_let_in(sim::Simulation& simulation) {
    auto& phase = simulation.parts().world.state().decision.phase;
    const ScopedValue hook(phase, sim::Phase::kHook);
    for (const auto job : std::exchange(let_in_, {})) {
      if (queues(simulation.world().jobs().state(job))) tell_submit(simulation, job);
    }
  }

  void wake(sim::Simulation& simulation) {
    auto next = next_ < started_.size() ? start_of(started_[next_]) : at_;
    const auto now = simulation.world().now();
    if (!booked_.empty() && *kept_.since > now) next = std::min(next, *kept_.since);
    simulation.actions().wake_at(std::max(next, now + 1));
  }

  // What waited at the last pass is started in the presence of the book of that pass.
  void start_due(sim::Simulation& simulation) {
    const auto now = simulation.world().now();
    for (; next_ < started_.size() && start_of(started_[next_]) <= now; ++next_) {
      const auto job = started_[next_];
      if (has_waited(job) && start_of(job) >= *kept_.since) make_book(simulation);
      start(simulation, job);
    }
    if (kept_.since && now >= *kept_.since) make_book(simulation);
  }

  void make_book(sim::Simulation& simulation) {
    auto& world = simulation.parts().world;
    for (const auto& [start, job] : std::exchange(booked_, {})) {
      if (!queues(world.jobs().state(job))) continue;
      const Request request{job, world.jobs().job(job).size, world.planned(job).span};
      (void)world.book().restore(request, start, world.now());
    }
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
  KeptState& kept_;
  Time at_;
  std::vector<JobId> started_;  // those that run or have ended, by start
  std::size_t next_ = 0;        // of them
  std::vector<JobId> let_in_;   // whose submits are not told yet
  std::vector<std::pair<Time, JobId>> booked_;  // reservations to be made again
};

// What happened in the pass of the snapshot, and why the other jobs wait.
class ShadowWatch final
    : public sim::Inspector,
      public sim::RecordVisitor<ShadowWatch, sim::StartRecord, sim::RejectRecord,
                                sim::ReservationRecord> {
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
    if (snapshot_.names[index(record.who.id)].is_absent) return;
    rejected_[index(record.who.id)] = record.by_machine
                                          ? std::string("it never fits this machine")
                                          : fmt::format("rejected: {}", record.because);
  }
  void on(const sim::ReservationRecord& record) {
    if (record.start) {
      booked_[record.job] = *record.start;
    } else {
      booked_.erase(record.job);
    }
  }
  void finish(Time) override {}

  // After the pass: reservations of jobs that wait, those that it would start included.
  [[nodiscard]] std::map<JobId, Time> booked(const JobTable& jobs) const {
    auto all = booked_;
    std::erase_if(all, [&](const auto& each) {
      return !queues(jobs.state(each.first)) && !into_.starts_job(index(each.first));
    });
    return all;
  }

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
  std::map<JobId, Time> booked_;  // reservations made, not given up
};

Point point_of(const Snapshot& snapshot, const Scenario& scenario) {
  auto own = scenario;
  own.machine.resources = snapshot.resources;
  auto point = make_point(own, snapshot.processors, snapshot.jobs);
  point.attributes = snapshot.columns;
  return point;
}

// Events up to the instant, and at it what Slurm says of usage in place of what was
// counted.
void come_to(const Snapshot& snapshot, sim::Simulation& simulation) {
  auto* const shares = simulation.parts().world.state().shares;
  if (shares != nullptr && snapshot.usage) {
    simulation.advance(snapshot.usage->at - 1);
    shares->told(snapshot.usage->by_user, snapshot.usage->at);
  }
  simulation.advance(seconds(snapshot.at));
}

ShadowDecision decide_one(const Snapshot& snapshot, const Scenario& scenario,
                          LoadedPolicy& loaded, KeptState& kept) {
  ShadowDecision made;
  made.policy = loaded.label;
  const auto point = point_for(point_of(snapshot, scenario), loaded);
  auto& inner = loaded.decider();
  Prologue policy(inner, snapshot, kept);
  sim::Simulation simulation(
      point.machine, point.settings, point.jobs, policy,
      model_of(point.machine)
          .make({point.machine, point.jobs, point.attributes, point.settings.seed}));
  ShadowWatch watch(snapshot, inner, made);
  simulation.audience().observe(watch);
  simulation.audience().inspect(watch);
  come_to(snapshot, simulation);
  watch.add_rejected();
  kept.since = seconds(snapshot.at);
  kept.decisions = simulation.world().decision().number;
  kept.booked = watch.booked(simulation.world().jobs());
  kept.waited.resize(snapshot.names.size());
  for (std::size_t i = 0; i < kept.waited.size(); ++i) {
    kept.waited[i] = snapshot.names[i].waits();
  }
  made.has_reservations = !kept.booked.empty();
  const auto& traits = inner.traits();
  made.counts_usage = traits.default_order == traits.fair_share();
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

struct ShadowPolicies::AskedPolicy {
  std::unique_ptr<LoadedPolicy> loaded;
  KeptState kept{};
};

ShadowPolicies::ShadowPolicies(const Scenario& scenario, const PolicyLibrary& library,
                               const LoadingOptions& loading)
    : scenario_(scenario), library_(library), loading_(loading) {}

ShadowPolicies::~ShadowPolicies() = default;

void ShadowPolicies::forget() { asked_.clear(); }

void ShadowPolicies::load() {
  auto all = load_policies(scenario_, library_, loading_);
  for (const auto& loaded : all) {
    if (loaded->failure.code == kDone) continue;
    throw Error(ErrorCode::kPolicy, loaded->failure.text);
  }
  asked_.reserve(all.size());
  for (auto& loaded : all) {
    asked_.push_back(std::make_unique<AskedPolicy>(AskedPolicy{std::move(loaded)}));
  }
}

std::vector<ShadowDecision> ShadowPolicies::ask(const Snapshot& snapshot) {
  if (asked_.empty()) load();
  std::vector<ShadowDecision> all;
  all.reserve(asked_.size());
  for (const auto& each : asked_) {
    all.push_back(decide_one(snapshot, scenario_, *each->loaded, each->kept));
  }
  return all;
}

}  // namespace berth::study
