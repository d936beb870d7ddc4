#pragma once
// The outlook of a machine with several kinds of resource: a job fits if as much is
// free as it needs and the hosts together have room for its chunks, as in HostRoom.
// Which hosts it gets then is not asked.
//
// Cost         A copy of HostShapes; each question and change that of these.
// Source       docs/model.md#kinds.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/hosts/outlook.hpp"
#include "engine/hosts/several_kinds.hpp"

namespace berth {

class RoomOutlook : public Outlook {
 public:
  // As it is now, for this job.
  RoomOutlook(const SeveralKinds& machine, JobId job);

  void release(JobId running) override {
    change(machine_->need(running), machine_->hosts_of(running), 1);
  }
  void keep(JobId running) override {
    change(machine_->need(running), machine_->hosts_of(running), -1);
  }
  [[nodiscard]] bool fits() const override;
  [[nodiscard]] bool fits_beside(JobId candidate, const Demand&,
                                 const Placement* there) override;
  // nullopt for kinds on hosts.
  [[nodiscard]] std::optional<std::int64_t> spare(std::size_t kind) const override;
  [[nodiscard]] std::optional<Shortage> shortage(JobId candidate) const override;

 protected:
  // No job has room on the host from now on.
  void close(std::int32_t host) { shapes_.close(host); }
  // So many processors of a pool are not free.
  void take_processors(std::int64_t processors) { free_[0] -= processors; }

 private:
  // Takes the chunks away, or gives them back (sign 1).
  void change(const Need& need, std::span<const HostChunks> where, int sign);

  const SeveralKinds* machine_;
  JobId job_;
  std::vector<std::int64_t> free_;  // by kind, of the whole machine
  HostShapes shapes_;
  std::vector<HostChunks> onto_;  // scratch
};

}  // namespace berth
