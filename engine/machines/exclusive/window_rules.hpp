#pragma once
// What the windows of a machine keep from jobs (docs/model.md#windows): which jobs may
// start beside them, when a job is expected to be able to, and who stands in the way of
// one that begins.  Where a policy has estimates of its own, windows go by walltimes.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/hosts/machine_windows.hpp"
#include "engine/hosts/outlook.hpp"
#include "engine/jobs/own_estimates.hpp"
#include "engine/reserve/blocks.hpp"
#include "engine/sim/world.hpp"

namespace berth {

class WindowRules {
 public:
  virtual ~WindowRules() = default;
  WindowRules(const WindowRules&) = delete;
  WindowRules& operator=(const WindowRules&) = delete;

  // The run begins.  Both outlive it.  `estimates`: null where the policy has none.
  void begin(const sim::World& world, const OwnEstimates* estimates) {
    world_ = &world;
    estimates_ = estimates;
  }
  [[nodiscard]] std::span<const MachineWindow> all() const { return known_.all(); }

  // The window that forbids the job to start now, and how many processors it would
  // leave the job then; null: none does, and never that of a host which goes down.
  // REQUIRES: it would fit without windows.
  struct WindowWay {
    const MachineWindow* window = nullptr;
    std::int64_t left = 0;
  };
  [[nodiscard]] virtual WindowWay in_the_way(JobId job) const = 0;
  // Null: nothing that is kept can delay the job, or any that starts before it.
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job) const {
    return may_delay(job) ? make_outlook(job) : nullptr;
  }
  // The running jobs that are hit as the window begins, by (submit, id).
  [[nodiscard]] virtual std::vector<JobId> hit_by(
      const MachineWindow& window) const = 0;
  // What a calendar of processors has to keep free; null: nothing.
  [[nodiscard]] virtual const IdleBlocks* blocks() const { return nullptr; }

 protected:
  explicit WindowRules(std::shared_ptr<const std::vector<MachineWindow>> all)
      : known_(std::move(all)) {}
  // REQUIRES, of all that follow: the run has begun.
  [[nodiscard]] const sim::World& world() const { return *world_; }
  [[nodiscard]] bool has_begun() const { return world_ != nullptr; }
  [[nodiscard]] bool has_estimates() const { return estimates_ != nullptr; }
  // When the job is expected to end by its walltime.
  [[nodiscard]] Time longest_end(const Release& running) const;
  [[nodiscard]] std::span<const MachineWindow* const> known() const {
    return known_.at(world_->now());
  }
  // A job of the system has the user of no job.
  [[nodiscard]] std::int32_t user_of(JobId job) const;
  // Those that run and may not inside, by id.
  [[nodiscard]] std::vector<JobId> outsiders(const MachineWindow& window) const;

  // Whether the job may have to wait for more than the jobs that run.
  [[nodiscard]] virtual bool may_delay(JobId job) const;

 private:
  [[nodiscard]] virtual std::unique_ptr<Outlook> make_outlook(JobId job) const = 0;

  KnownWindows known_;
  const sim::World* world_ = nullptr;  // before the run
  const OwnEstimates* estimates_ = nullptr;
};

inline Time WindowRules::longest_end(const Release& running) const {
  if (estimates_ == nullptr || world_->jobs().is_of_system(running.job))
    return running.at;
  const Time planned = estimates_->last(running.job);
  return world_->running().expected_end(planned, world_->now());
}

inline std::int32_t WindowRules::user_of(JobId job) const {
  const auto& jobs = world_->jobs();
  return jobs.is_of_system(job) ? kUnknown : jobs.job(job).user;
}

// The job starts at the last expected end or before, and so does whatever starts now.
inline bool WindowRules::may_delay(JobId job) const {
  const Time now = world_->now();
  const auto windows = known();
  if (windows.empty()) return false;
  const auto releases = world_->running().releases(now);
  const Time starts = releases.empty() ? now : releases.back().at;
  return after(starts, world_->planned(job).longest) > windows.front()->from;
}

inline std::vector<JobId> WindowRules::outsiders(const MachineWindow& window) const {
  std::vector<JobId> found;
  const auto& jobs = world_->jobs();
  for (const auto& each : world_->running().releases(world_->now())) {
    world_->decision().budget.charge();
    const bool is_outside =
        !jobs.is_of_system(each.job) && !window.lets_in(jobs.job(each.job).user);
    if (is_outside) found.push_back(each.job);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace berth
