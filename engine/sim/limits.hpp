#pragma once
// The limits of a run: counts the running and waiting jobs of each scope, and says
// which members of the queue are shown (docs/model.md#limits).
//
// The parts of the queue are the sets of LimitCounts, and for each set besides those of
// its jobs that are not among the first that wait in a scope, which are never shown.
//
// Cost         that of LimitCounts a start, stop, arrival or departure; O(members of
//              the set) the first time since it was empty that a limit hides some; with
//              LimitSettings::stop, O(members before the one that stops) besides
// Memory       5 bytes a job of the workload, and 4 a member of the queue

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/jobs/barred_time.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/jobs/limits.hpp"
#include "engine/queue/parted_queue.hpp"
#include "engine/sim/observer.hpp"

namespace berth::sim {

class Limits final
    : public RecordVisitor<Limits, StartRecord, SuspendRecord, EndRecord, HitRecord> {
 public:
  using Part = QueueParts::Part;
  // The job stands in another part of the queue from now on; null: among those that
  // stand together.
  using Move = std::function<void(JobId, const Part* from, const Part* to)>;

  // The table outlives it.  `hides`: of the member that stops (LimitSettings::stop).
  Limits(std::shared_ptr<const LimitSettings> settings, const JobTable& jobs, Move move,
         QueueParts::Hides hides);

  [[nodiscard]] const QueueParts& parts() const { return parts_; }

  // The job has come in: what bars it whatever runs; nullopt: nothing does.
  [[nodiscard]] std::optional<LimitBar> arrive(JobId job, Time now);
  // The job, which has arrived, entered the queue among those that stand together, or
  // is about to leave it.
  void entered(JobId job, JobState as, Time now);
  void left(JobId job, Time now);
  // The order of the members changed.
  void reordered() { ++changes_; }
  // Whether the member, or one that left last, stands in its part alone.
  [[nodiscard]] bool is_apart(JobId job) const { return !stands_together_[index(job)]; }

  // What bars the first of these jobs, which start one after the other, that is barred
  // once those jobs, which run, have gone; nullopt: nothing does.
  // REQUIRES: they have arrived and do not run.
  [[nodiscard]] std::optional<LimitBar> bar(std::span<const JobId> starting,
                                            std::span<const JobId> gone = {});
  // Whether a limit of running jobs bars the member, which is among the first that
  // wait.
  [[nodiscard]] bool may_stop(JobId job) const;
  // The first member that may stop, as `find` has it, which is asked after each change.
  using FindStop = std::function<std::optional<Place>()>;
  [[nodiscard]] const std::optional<Place>& stop(const FindStop& find) const;

  [[nodiscard]] bool shows(JobId job) const {
    return jobs_.job(job).size <= parts_.room(parts_.part_of(job)) &&
           !parts_.hides(job);
  }

  // For how long jobs that waited, and no longer do, were barred, in all; not by
  // LimitBar::Kind::kAhead.
  [[nodiscard]] Int128 barred_time() const { return barred_.total(); }

  void finish(Time) override {}

 private:
  friend RecordVisitor;
  using Set = LimitCounts::Set;
  struct Waiting {
    std::vector<JobId> together{};  // has every member that stands so, and others
    std::size_t length = 0;         // members
    std::int64_t largest = 0;       // at least the size of any that stands together
    bool is_apart = false;
  };

  void on(const StartRecord& record) { hold(record.who.id, record.at); }
  void on(const SuspendRecord& record) { release(record.who.id, record.at); }
  void on(const EndRecord& record) { release(record.who.id, record.at); }
  // One that fails is told to end, too.
  void on(const HitRecord& record) {
    if (record.returns) release(record.who.id, record.at);
  }

  [[nodiscard]] Set set(JobId job) const { return parts_.part_of(job) / 2; }
  [[nodiscard]] std::optional<LimitBar> bar_in_queue(JobId job) const;
  void hold(JobId job, Time now);
  void release(JobId job, Time now);
  void settle();
  void put_inside(JobId job, const Part* from);
  void separate(Set set);
  void forget_others(Waiting& waiting) const;

  std::shared_ptr<const LimitSettings> settings_;
  const JobTable& jobs_;
  Move move_;
  LimitCounts counts_;
  QueueParts parts_;
  std::vector<Waiting> waiting_;  // by set
  BarredTime barred_;
  Time now_ = 0;                       // of the last change
  std::vector<bool> is_member_;        // by job
  std::vector<bool> waits_;            // likewise
  std::vector<bool> stands_together_;  // likewise
  std::uint64_t changes_ = 0;
  mutable std::optional<Place> stop_;
  mutable std::uint64_t stop_as_of_ = ~std::uint64_t{0};
};

// The members of an order that are shown, where that has no parts.
//
// Cost         that of the order for each member that is passed over
class ShownOrder final : public MergedOrder {
 public:
  // Both outlive it.
  ShownOrder(const MergedOrder& all, const Limits& limits)
      : all_(all), limits_(limits) {}

  [[nodiscard]] std::size_t length() const override { return all().size(); }
  [[nodiscard]] std::optional<Place> next(const Place* after) const override;
  [[nodiscard]] std::optional<Place> next(const Place* after,
                                          const Staircase& under) const override;
  [[nodiscard]] std::optional<Place> next_if(const Place* after,
                                             std::int64_t size) const override;
  [[nodiscard]] bool has_up_to(std::int64_t size) const override {
    return next(nullptr, Staircase(size)).has_value();
  }
  [[nodiscard]] std::vector<JobQueue::Member> all() const override;

 private:
  const MergedOrder& all_;
  const Limits& limits_;
};

}  // namespace berth::sim
