#pragma once
// A machine with devices at a later instant, for one job: device by device.
//
// Cost         A copy of what is free; each question that of DeviceRoom.

#include <optional>

#include "engine/hosts/outlook.hpp"
#include "engine/machines/devices/devices.hpp"

namespace berth {

class DeviceOutlook final : public Outlook {
 public:
  // As it is now, for this job.
  DeviceOutlook(const Devices& machine, JobId job)
      : machine_(machine), job_(job), room_(machine.devices()) {}

  void release(JobId running) override {
    room_.give(need(running), machine_.places_of(running));
  }
  void keep(JobId running) override {
    room_.take(need(running), machine_.places_of(running));
  }
  [[nodiscard]] bool fits() const override {
    return room_.fits(need(job_), machine_.needs().chunks(job_));
  }
  [[nodiscard]] bool fits_beside(JobId candidate, const Demand& demand,
                                 const Placement* there) override;
  // nullopt for kinds on hosts.
  [[nodiscard]] std::optional<std::int64_t> spare(std::size_t kind) const override;
  [[nodiscard]] std::optional<Shortage> shortage(JobId candidate) const override;

 private:
  [[nodiscard]] const DeviceNeed& need(JobId job) const {
    return machine_.needs().of(job);
  }

  const Devices& machine_;
  JobId job_;
  DeviceRoom room_;
};

}  // namespace berth
