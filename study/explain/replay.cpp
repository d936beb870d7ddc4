#include "study/explain/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/sharing_models.hpp"
#include "engine/sim/job_needs.hpp"
#include "engine/sim/releases.hpp"
#include "engine/sim/simulation.hpp"
#include "study/links/trace_links.hpp"
#include "study/runs/single_run.hpp"

namespace berth::study {

namespace {

// When jobs started and ended.
class Times final : public sim::RecordVisitor<Times, sim::StartRecord, sim::EndRecord> {
 public:
  explicit Times(std::size_t jobs) : starts(jobs, kNever), ends(jobs, kNever) {}
  void on(const sim::StartRecord& record) {
    if (record.resumed || record.who.entry->was_hit) return;
    starts[index(record.who.id)] = record.at;
    order.push_back(record.who.id);
  }
  void on(const sim::EndRecord& record) { ends[index(record.who.id)] = record.at; }
  void finish(Time) override {}

  std::vector<Time> starts;
  std::vector<Time> ends;
  std::vector<JobId> order;
};

// The jobs of a changed run, and which number each had and has.
class Renumbered {
 public:
  Renumbered(std::span<const Job> jobs, const Change& change)
      : now_(jobs.size(), kGone) {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < jobs.size(); ++i) {
      const bool is_out = std::find(change.without.begin(), change.without.end(),
                                    JobId{i}) != change.without.end();
      if (!is_out) kept.push_back(i);
    }
    std::vector<Job> all(jobs.begin(), jobs.end());
    if (change.job) apply(change, all[index(*change.job)]);
    std::stable_sort(kept.begin(), kept.end(),
                     [&](auto a, auto b) { return comes_first(all[a], all[b]); });
    for (const auto was : kept) {
      now_[was] = static_cast<std::uint32_t>(before_.size());
      before_.push_back(was);
      made_.push_back(all[was]);
    }
  }

  [[nodiscard]] const std::vector<Job>& jobs() const { return made_; }
  [[nodiscard]] std::vector<Job> take() { return std::move(made_); }
  // By job as it is numbered now, the index that it had.
  [[nodiscard]] const std::vector<std::uint32_t>& all_before() const { return before_; }
  // Those that are still there.
  [[nodiscard]] std::vector<JobId> now(const std::vector<JobId>& jobs) const {
    std::vector<JobId> all;
    for (const JobId job : jobs) {
      if (now_[index(job)] != kGone) all.push_back(JobId{now_[index(job)]});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  static constexpr auto kGone = ~std::uint32_t{0};

  static void apply(const Change& change, Job& job) {
    if (change.walltime) job.walltime = *change.walltime;
    if (change.size) job.size = *change.size;
    if (change.submit) job.submit = *change.submit;
  }

  std::vector<std::uint32_t> now_;
  std::vector<std::uint32_t> before_;
  std::vector<Job> made_;
};

// The jobs of a reason as they are numbered in the workload.
class Restored {
 public:
  // By job as it is numbered, the number that it had.
  explicit Restored(std::vector<std::uint32_t> before) : before_(std::move(before)) {}

  void restore(Replay& replay, std::size_t jobs) const {
    std::map<JobId, ExplainedJob> all;
    for (auto& [job, explained] : replay.jobs) {
      restore(explained);
      all.emplace(before(job), std::move(explained));
    }
    replay.jobs = std::move(all);
    replay.waits.renumber([&](JobId job) { return before(job); });
    if (replay.starts.empty()) return;
    std::vector<Time> starts(jobs, kNever);
    std::vector<Time> ends(jobs, kNever);
    for (std::uint32_t i = 0; i < replay.starts.size(); ++i) {
      const auto was = index(before(JobId{i}));
      starts[was] = replay.starts[i];
      ends[was] = replay.ends[i];
    }
    replay.starts = std::move(starts);
    replay.ends = std::move(ends);
    for (auto& job : replay.order) job = before(job);
  }

 private:
  void restore(ExplainedJob& explained) const {
    explained.job = before(explained.job);
    if (explained.begin) restore(explained.begin->beside);
    for (auto& each : explained.times) {
      for (auto& blocker : each.blockers) blocker.first = before(blocker.first);
    }
    for (auto& line : explained.lines) {
      restore(line.first);
      restore(line.last);
      for (auto& job : line.taken_by) job = before(job);
    }
    for (auto& each : explained.overtakers) each.job = before(each.job);
  }
  void restore(Reason& reason) const {
    restore(reason.blocker);
    for (auto& each : reason.others) each.job = before(each.job);
  }
  void restore(std::optional<JobId>& job) const {
    if (job) job = before(*job);
  }

  [[nodiscard]] JobId before(JobId job) const { return JobId{before_[index(job)]}; }

  std::vector<std::uint32_t> before_;
};

// What became of the jobs for which others in detail wait.
class ParentNotes final
    : public sim::RecordVisitor<ParentNotes, sim::SubmitRecord, sim::StartRecord,
                                sim::EndRecord, sim::RejectRecord> {
 public:
  // `children`: by their numbers in the workload.
  ParentNotes(const sim::JobReleases& releases, std::span<const JobId> children)
      : releases_(releases) {
    for (const auto& link : releases.links().all()) {
      if (std::find(children.begin(), children.end(), JobId{link.child}) ==
          children.end()) {
        continue;
      }
      links_[link.child].push_back(link);
      parents_.try_emplace(link.parent);
    }
  }

  void on(const sim::SubmitRecord& record) {
    keep(record.who.id, {"was submitted", record.at}, &ParentFates::submit);
  }
  void on(const sim::StartRecord& record) {
    if (record.resumed || record.who.entry->was_hit) return;
    keep(record.who.id, {"started", record.at}, &ParentFates::start);
  }
  void on(const sim::EndRecord& record) {
    const auto job = releases_.order()[index(record.who.id)];
    const bool is_well = record.who.entry->state == JobState::kFinished &&
                         !releases_.links().ends_badly(job);
    keep(record.who.id, {is_well ? "finished" : "failed", record.at, is_well},
         &ParentFates::end);
  }
  void on(const sim::RejectRecord& record) {
    keep(record.who.id, {"was rejected", record.at}, &ParentFates::end);
  }
  void finish(Time) override {}

  // Why the job, which waits for others, was held up to this time.
  [[nodiscard]] ReasonLine line(std::uint32_t job, Time to) const {
    const auto& asked = releases_.workload()[job];
    Reason reason{.why = Why::kDependency};
    reason.asked = asked.size;
    for (const auto& link : links_.at(job)) {
      const auto& fates = parents_.at(link.parent);
      if (can_never(link.kind(), fates)) reason.why = Why::kDependencyNever;
      if (!reason.text.empty()) reason.text += "; ";
      reason.text += fmt::format("{} job {}", name(link.kind()),
                                 releases_.workload()[link.parent].id);
      if (link.delay() > 0) {
        reason.text += fmt::format(" + {} s", seconds_text(link.delay()));
      }
      const auto& fate = fate_for(link.kind(), fates);
      reason.text +=
          fate ? fmt::format(", which {} at {}", fate->did, seconds_text(fate->at))
               : std::string(", which is still to come");
    }
    return {std::min(asked.submit, to), to, 0, reason, reason, 0, 0};
  }
  [[nodiscard]] bool waits(std::uint32_t job) const { return links_.contains(job); }

 private:
  struct ParentFate {
    std::string_view did;
    Time at;
    bool is_well = false;
  };
  struct ParentFates {
    std::optional<ParentFate> submit{};
    std::optional<ParentFate> start{};
    std::optional<ParentFate> end{};
  };

  void keep(JobId id, const ParentFate& fate,
            std::optional<ParentFate> ParentFates::*which) {
    const auto found = parents_.find(releases_.order()[index(id)]);
    if (found != parents_.end()) found->second.*which = fate;
  }
  static const std::optional<ParentFate>& fate_for(LinkKind kind,
                                                   const ParentFates& fates) {
    if (kind == LinkKind::kAfter && fates.start) return fates.start;
    if (kind == LinkKind::kWith && fates.submit) return fates.submit;
    return fates.end;
  }
  static bool can_never(LinkKind kind, const ParentFates& fates) {
    if (!fates.end) return false;
    return fates.end->is_well ? kind == LinkKind::kAfterNotOk
                              : kind == LinkKind::kAfterOk;
  }

  const sim::JobReleases& releases_;
  std::map<std::uint32_t, std::vector<JobLink>> links_;  // by child
  std::map<std::uint32_t, ParentFates> parents_;
};

// The jobs in detail as the workload numbers them, those that were held to the end,
// too.
std::map<JobId, ExplainedJob> with_holds(std::map<JobId, ExplainedJob> jobs,
                                         std::span<const JobId> wanted,
                                         const ParentNotes& parents, Time now) {
  for (const JobId id : wanted) {
    const auto job = index(id);
    auto& explained = jobs.try_emplace(id).first->second;
    explained.job = id;
    const Time to = explained.submitted.value_or(now);
    if (!parents.waits(job)) continue;
    auto line = parents.line(job, to);
    if (line.from < line.to || line.first.why == Why::kDependencyNever) {
      explained.lines.insert(explained.lines.begin(), std::move(line));
    }
  }
  return jobs;
}

Replay run(const Point& point, LoadedPolicy& policy, const ReplayOptions& options,
           ExplainWhat what) {
  auto& decider = policy.decider();
  const auto& model = model_of(point.machine);
  ModelSpec spec{point.machine, point.jobs, point.attributes, point.settings.seed};
  std::optional<ParentNotes> parents;
  if (point.releases != nullptr) {
    spec.order = what.order = point.releases->order();
    parents.emplace(*point.releases, what.in_detail);
  }
  sim::Simulation simulation(point.machine, point.settings, point.jobs, decider,
                             model.make(spec), point.releases.get());
  Explainer explainer(decider, what);
  Times times(options.to_the_end ? point.jobs.size() : 0);
  if (parents) simulation.audience().observe(*parents);
  if (options.to_the_end) simulation.audience().observe(times);
  simulation.audience().observe(explainer);
  simulation.audience().inspect(explainer);
  const auto is_over = [&] { return !options.to_the_end && explainer.has_seen_all(); };
  drive(simulation, point.jobs, options.watch, is_over);
  Replay made{policy.label,
              {},
              std::move(explainer).jobs(),
              // NOLINTNEXTLINE(bugprone-use-after-move): each takes a part of its own
              std::move(explainer).waits(),
              std::move(times.starts),
              std::move(times.ends),
              std::move(times.order)};
  if (!parents) return made;
  const Time now = simulation.world().now();
  Restored(point.releases->restore()).restore(made, point.jobs.size());
  made.jobs = with_holds(std::move(made.jobs), what.in_detail, *parents, now);
  return made;
}

// A job whose chunks are named keeps them: its size must stay a multiple.
void check_change(const Point& point, const Change& change) {
  if (!change.job || !change.size || point.attributes == nullptr) return;
  const auto* const column = point.attributes->column(kChunksColumn);
  if (column == nullptr || column->of(*change.job).empty()) return;
  const auto chunks = std::llround(column->of(*change.job).front());
  if (*change.size % chunks == 0) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("--try size={}: the file of needs gives this job {} chunks, "
                          "so its size must be a multiple of {}",
                          *change.size, chunks, chunks));
}

// The workload of the changed run, for a policy that replays what was recorded.
Workload changed_workload(const Workload& workload, const Renumbered& numbers) {
  Workload changed;
  for (const auto& job : numbers.jobs()) changed.jobs.push_back(job);
  if (workload.recorded.empty()) return changed;
  for (const auto was : numbers.all_before()) {
    changed.recorded.push_back(workload.recorded[was]);
  }
  return changed;
}

}  // namespace

Replay replay(const PreparedPoint& prepared, LoadedPolicy& policy,
              const ReplayOptions& options) {
  const auto& workload = prepared.workload->loaded.workload;
  if (!options.change.is_empty()) {
    refuse_links(prepared.point.links, "explain --try, --without");
  }
  if (policy.recorded) policy.recorded->replay(workload, prepared.scenario);
  auto point = point_for(prepared.point, policy);
  if (options.change.is_empty()) return run(point, policy, options, options.what);
  check_change(point, options.change);
  const auto jobs = point.jobs.size();
  Renumbered numbers(point.jobs, options.change);
  point.jobs = numbers.jobs();
  if (point.attributes != nullptr) {
    point.attributes =
        std::make_shared<SelectedAttributes>(point.attributes, numbers.all_before());
  }
  Workload changed;
  if (policy.recorded) {
    changed = changed_workload(workload, numbers);
    policy.recorded->replay(changed, prepared.scenario);
  }
  auto what = options.what;
  what.in_detail = numbers.now(what.in_detail);
  if (what.sample) what.sample = numbers.now(*what.sample);
  auto made = run(point, policy, options, what);
  Restored(numbers.all_before()).restore(made, jobs);
  made.changed = numbers.take();
  return made;
}

}  // namespace berth::study
