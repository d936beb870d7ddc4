#include "engine/sim/record.hpp"

#include <array>

#include "engine/hosts/sharing_model.hpp"

namespace berth::sim {

std::span<const NamedCause> named_causes() {
  static constexpr std::array<NamedCause, 8> kAll{{{"submit", kSubmit},
                                                   {"end", kEnd},
                                                   {"foreground_end", kForegroundEnd},
                                                   {"background_end", kBackgroundEnd},
                                                   {"unfrozen", kUnfrozen},
                                                   {"wake", kWoken},
                                                   {"host", kCapacityChanged},
                                                   {"window", kWindowChanged}}};
  return kAll;
}

std::string_view word_of(const HostRecord& record) {
  if (record.is_up) return "up";
  return record.drains ? "drain" : "down";
}

PlacementOf::operator const Placement*() const {
  return hosts_ != nullptr ? &hosts_->placement(job_) : known_;
}

}  // namespace berth::sim
