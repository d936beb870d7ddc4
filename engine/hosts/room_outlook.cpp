#include "engine/hosts/room_outlook.hpp"

namespace berth {

RoomOutlook::RoomOutlook(const SeveralKinds& machine, JobId job)
    : machine_(&machine), job_(job), shapes_(machine.room().shapes()) {
  const auto kinds = machine.kinds().size();
  free_.reserve(kinds);
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    free_.push_back(machine.room().free(kind));
  }
}

void RoomOutlook::change(const Need& need, std::span<const HostChunks> where,
                         int sign) {
  std::int64_t chunks = 0;
  // Bounded: the hosts of one job.
  for (const auto& at : where) {
    shapes_.change(at.host, need, sign * std::int64_t{at.chunks});
    chunks += at.chunks;
  }
  const auto kinds = machine_->kinds();
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    free_[kind] += sign * need[kind] * (kinds[kind].is_on_hosts ? chunks : 1);
  }
}

bool RoomOutlook::fits() const {
  const auto need = machine_->need(job_);
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < free_.size(); ++kind) {
    if (machine_->need_in_all(job_, kind) > free_[kind]) return false;
  }
  return machine_->room().hosts() == 0 || shapes_.has_room(need);
}

bool RoomOutlook::fits_beside(JobId candidate, const Demand&, const Placement* there) {
  const auto need = machine_->need(candidate);
  if (there != nullptr) {
    onto_ = machine_->chunks_of(candidate, *there);
  } else if (!machine_->spread(candidate, onto_)) {
    return false;
  }
  change(need, onto_, -1);
  const bool does_fit = fits();
  change(need, onto_, 1);
  return does_fit;
}

std::optional<std::int64_t> RoomOutlook::spare(std::size_t kind) const {
  if (machine_->kinds()[kind].is_on_hosts) return std::nullopt;
  return free_[kind] - machine_->need(job_)[kind];
}

std::optional<Shortage> RoomOutlook::shortage(JobId candidate) const {
  const auto kinds = machine_->kinds();
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto left = spare(kind);
    const auto needed = machine_->need_in_all(candidate, kind);
    if (left && needed > *left) return Shortage{needed, *left, kinds[kind].name};
  }
  return std::nullopt;
}

}  // namespace berth
