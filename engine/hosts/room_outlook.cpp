#include "engine/hosts/room_outlook.hpp"

namespace berth {

bool RoomOutlook::fits_beside(JobId candidate, const Demand&, const Placement* there) {
  const auto need = machine_->need(candidate);
  if (there != nullptr) {
    onto_ = machine_->chunks_of(candidate, *there);
  } else if (!machine_->spread(candidate, onto_)) {
    return false;
  }
  room_.take(need, onto_);
  const bool fits = room_.fits(machine_->need(job_));
  room_.give(need, onto_);
  return fits;
}

std::optional<std::int64_t> RoomOutlook::spare(std::size_t kind) const {
  if (machine_->kinds()[kind].is_on_hosts) return std::nullopt;
  return room_.free(kind) - machine_->need(job_)[kind];
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
