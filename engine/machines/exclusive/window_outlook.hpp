#pragma once
// A pool with windows as it is expected to be from an instant on, for one job: what
// runs by expected end, less what the windows keep from the job.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hosts/outlook.hpp"
#include "engine/machines/exclusive/window_claims.hpp"

namespace berth {

class WindowOutlook final : public Outlook {
 public:
  // As it is now.  The claims outlive it.
  WindowOutlook(const WindowClaims& claims, JobId job);

  void release(JobId running) override;
  void keep(JobId running) override;
  [[nodiscard]] bool fits() const override { return least_left() >= 0; }
  [[nodiscard]] bool seeks() const override { return true; }
  [[nodiscard]] std::optional<Start> seek() override;
  [[nodiscard]] bool fits_beside(JobId candidate, const Demand& demand,
                                 const Placement* there) override;
  // Processors that are left over beside the job at the worst instant of a window, or
  // at the start, while it is planned to run.
  [[nodiscard]] std::int64_t least_left() const;
  // The window that begins, or has begun, at that instant; null: none does.
  [[nodiscard]] const MachineWindow* worst() const;

 private:
  struct Expected {
    Time end;
    std::int64_t before;  // processors of those that end before it, in this order
    std::int32_t size;
    std::int32_t user;
    JobId job;
  };
  void add(JobId running, Time end);
  void add_up(std::size_t from);
  [[nodiscard]] Time planned_end(JobId job) const;
  [[nodiscard]] std::int64_t running_at(Time at) const;
  [[nodiscard]] std::int64_t held_inside(const MachineWindow& window, Time at) const;
  [[nodiscard]] std::int64_t left_at(Time at) const;

  const WindowClaims& claims_;
  std::int32_t user_;
  std::int64_t size_;
  Time at_;  // that the outlook is of
  Duration span_;
  std::vector<Expected> running_;  // by end
};

}  // namespace berth
