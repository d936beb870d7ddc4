#pragma once
// What the windows of a pool keep free (docs/model.md#windows): which jobs may start
// beside them, when a job is expected to be able to, and who stands in the way of one
// that begins.
//
// A job may start only if it fits at every instant of a known window before its planned
// end, by the expected ends of the jobs that run.  Between two instants at which a
// window begins what is free only grows, since jobs end and what they had in a window
// is part of it: so the beginnings alone are looked at.
//
//   operation     time, r = running jobs, w = known windows, e = their expected ends
//   in_the_way    O(1) of a job that ends before the first window; else O(w r)
//   outlook       O(1) where no window can matter; else O(r), seek() O(e w log r), and
//                 O(e w r) where a window has users

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/hosts/machine_windows.hpp"
#include "engine/hosts/outlook.hpp"
#include "engine/reserve/blocks.hpp"
#include "engine/sim/world.hpp"

namespace berth {

class WindowClaims final : public IdleBlocks {
 public:
  explicit WindowClaims(std::shared_ptr<const std::vector<MachineWindow>> all)
      : known_(std::move(all)) {}

  // The run begins.  The world outlives it.
  void begin(const sim::World& world) { world_ = &world; }
  [[nodiscard]] std::span<const MachineWindow> all() const { return known_.all(); }

  // The window that forbids the job to start now, and how many processors it would
  // leave the job then; null: none does, and never that of a host which goes down.
  // REQUIRES: so many are idle.
  struct WindowWay {
    const MachineWindow* window = nullptr;
    std::int64_t left = 0;
  };
  [[nodiscard]] WindowWay in_the_way(JobId job) const;
  // Null: no window that is known can delay the job, or any that starts before it.
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job) const;
  // The running jobs that are hit as the window begins, by (submit, id): of those that
  // may not run inside the last that started, until it has its processors.
  [[nodiscard]] std::vector<JobId> hit_by(const MachineWindow& window) const;

  [[nodiscard]] std::vector<IdleBlock> blocks(Time now) const override;
  [[nodiscard]] bool lets_in(JobId job, const IdleBlock& block) const override {
    return all()[block.number].lets_in(user_of(job));
  }

 private:
  friend class WindowOutlook;
  // A job of the system has the user of no job.
  [[nodiscard]] std::int32_t user_of(JobId job) const;
  [[nodiscard]] std::int64_t lacks(const MachineWindow& window,
                                   std::span<const JobId> without) const;

  KnownWindows known_;
  const sim::World* world_ = nullptr;  // before the run
};

}  // namespace berth
