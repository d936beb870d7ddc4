#pragma once
// A machine with several kinds of resource as it is expected to be at a later instant:
// what a plan on such a machine rests on.
//
// "Fits" is that of HostRoom, asked of what is free then; a candidate counts where it
// is to sit, or would sit now, even if it would fit elsewhere.
//
// Cost         A copy of what is free; each question that of HostRoom.
// Source       docs/model.md#kinds.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hosts/several_kinds.hpp"

namespace berth {

class Outlook {
 public:
  // As it is now, for this job.
  Outlook(const SeveralKinds& machine, JobId job)
      : machine_(&machine), job_(job), room_(machine.room()) {}

  // By then this running job will have left.
  void release(JobId running) {
    room_.give(machine_->need(running), machine_->hosts_of(running));
  }
  // This running job will still sit where it sits.
  void keep(JobId running) {
    room_.take(machine_->need(running), machine_->hosts_of(running));
  }
  [[nodiscard]] bool fits() const { return room_.fits(machine_->need(job_)); }
  // Whether it fits beside this one, there, or with null where that one would sit now.
  // False on hosts if that one has no placement and does not fit now.
  [[nodiscard]] bool fits_beside(JobId candidate, const Placement* there);
  // What is left over; nullopt for kinds on hosts.
  [[nodiscard]] std::optional<std::int64_t> spare(std::size_t kind) const;
  // The first kind of which less is left over than the candidate needs; nullopt: there
  // is none.
  [[nodiscard]] std::optional<Shortage> shortage(JobId candidate) const;

 private:
  const SeveralKinds* machine_;
  JobId job_;
  HostRoom room_;
  std::vector<HostChunks> onto_;  // scratch
};

}  // namespace berth
