#pragma once
// Says when limits bar a waiting job, and when they no longer do, as of the end of each
// instant (docs/model.md#limits); not of jobs that only stand behind one that stops.
//
// Cost         an instant: O(members of the sets of jobs whose limits changed)
// Memory       some bytes a job that waits

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/jobs/limits.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class LimitWatch final
    : public sim::RecordVisitor<LimitWatch, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::SuspendRecord, sim::EndRecord,
                                sim::LeftRecord, sim::HitRecord, sim::ReturnRecord> {
 public:
  // `bar`: null: nothing bars it any more.
  using Tell = std::function<void(Time at, const Job& job, const LimitBar* bar)>;
  LimitWatch(std::shared_ptr<const LimitSettings> settings, Tell tell)
      : settings_(std::move(settings)), counts_(*settings_), tell_(std::move(tell)) {}

  // What happens from now on is of this instant.
  void come_to(Time now);
  void finish(Time) override { close_instant(); }

 private:
  friend RecordVisitor;
  using Set = LimitCounts::Set;
  struct WatchedJob {
    const Job* job;
    Set set;
    bool is_barred = false;
  };

  void on(const sim::SubmitRecord& record) { enter(record.who, record.at); }
  void on(const sim::RejectRecord& record) { leave(record.who.id, record.at); }
  void on(const sim::StartRecord& record);
  void on(const sim::SuspendRecord& record) { stop(record.who, record.at); }
  void on(const sim::EndRecord& record) { stop(record.who, record.at); }
  void on(const sim::LeftRecord& record) { leave(record.who.id, record.at); }
  // One that fails is told to end, too.
  void on(const sim::HitRecord& record) {
    if (record.returns) stop(record.who, record.at);
  }
  void on(const sim::ReturnRecord& record) { enter(record.who, record.at); }

  void enter(const sim::Subject& who, Time at);
  void leave(JobId job, Time now);
  void stop(const sim::Subject& who, Time at);
  void note_changes();
  void close_instant();
  [[nodiscard]] std::optional<LimitBar> bar_of(JobId id, const WatchedJob& job) const;

  std::shared_ptr<const LimitSettings> settings_;
  LimitCounts counts_;
  Tell tell_;
  Time now_ = 0;
  std::map<JobId, WatchedJob> waiting_;
  std::map<Set, std::set<JobId>> members_;
  std::set<Set> touched_;  // in this instant
};

}  // namespace berth
