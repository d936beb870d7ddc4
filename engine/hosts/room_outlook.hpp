#pragma once
// The outlook of a machine with several kinds of resource: "fits" is that of HostRoom,
// asked of what is free then.
//
// Cost         A copy of what is free; each question that of HostRoom.
// Source       docs/model.md#kinds.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hosts/outlook.hpp"
#include "engine/hosts/several_kinds.hpp"

namespace berth {

class RoomOutlook final : public Outlook {
 public:
  // As it is now, for this job.
  RoomOutlook(const SeveralKinds& machine, JobId job)
      : machine_(&machine), job_(job), room_(machine.room()) {}

  void release(JobId running) override {
    room_.give(machine_->need(running), machine_->hosts_of(running));
  }
  void keep(JobId running) override {
    room_.take(machine_->need(running), machine_->hosts_of(running));
  }
  [[nodiscard]] bool fits() const override { return room_.fits(machine_->need(job_)); }
  [[nodiscard]] bool fits_beside(JobId candidate, const Demand&,
                                 const Placement* there) override;
  // nullopt for kinds on hosts.
  [[nodiscard]] std::optional<std::int64_t> spare(std::size_t kind) const override;
  [[nodiscard]] std::optional<Shortage> shortage(JobId candidate) const override;

 private:
  const SeveralKinds* machine_;
  JobId job_;
  HostRoom room_;
  std::vector<HostChunks> onto_;  // scratch
};

}  // namespace berth
