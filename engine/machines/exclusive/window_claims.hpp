#pragma once
// What the windows of a pool keep free.
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

#include "engine/machines/exclusive/window_rules.hpp"

namespace berth {

class WindowClaims final : public WindowRules, public IdleBlocks {
 public:
  explicit WindowClaims(std::shared_ptr<const std::vector<MachineWindow>> all)
      : WindowRules(std::move(all)) {}

  [[nodiscard]] WindowWay in_the_way(JobId job) const override;
  // Of those that may not run inside the last that started, until the window has its
  // processors.
  [[nodiscard]] std::vector<JobId> hit_by(const MachineWindow& window) const override;
  [[nodiscard]] const IdleBlocks* blocks() const override { return this; }

  [[nodiscard]] std::vector<IdleBlock> blocks(Time now) const override;
  [[nodiscard]] bool differs() const override { return has_estimates(); }
  [[nodiscard]] Time first_start(JobId job, Time from) const override;
  [[nodiscard]] bool lets_in(JobId job, const IdleBlock& block) const override {
    return all()[block.number].lets_in(user_of(job));
  }

 private:
  class ExpectedLine;
  class WindowOutlook;
  [[nodiscard]] std::unique_ptr<Outlook> make_outlook(JobId job) const override;
  // Processors that a running job of a user has.
  [[nodiscard]] std::int64_t size_of(JobId job) const {
    return world().jobs().job(job).size;
  }
  [[nodiscard]] std::int64_t lacks(const MachineWindow& window,
                                   std::span<const JobId> without) const;
};

}  // namespace berth
