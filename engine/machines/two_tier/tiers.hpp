#pragma once
// Capability of machines whose processors have two tiers: a foreground slot, whose
// process comes first, and a background slot, whose process runs on what the other
// leaves.
//
// Source       Liu et al. 2012, section 3; docs/model.md#two-tier.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/two_tier/tier_slots.hpp"

namespace berth {

// A foreground slot of its processors is occupied; too few usable background slots.
inline constexpr WhyRecord kForegroundBusyWhy{
    kMachineRoomRank, "foreground_busy", "foreground busy", "Resources",
    "Too few of the foreground slots are idle."};
inline constexpr RefusalWord kForegroundBusyWord{"foreground_busy", kForegroundBusyWhy};
inline constexpr Refusal kForegroundBusy{kForegroundBusyWord};
inline constexpr WhyRecord kNoBackgroundRoomWhy{
    kMachineRoomRank, "no_background_room", "no background room", "Resources",
    "Too few of the background slots can be used."};
inline constexpr RefusalWord kNoRoomWord{"no_room", kNoBackgroundRoomWhy};
inline constexpr Refusal kNoRoom{kNoRoomWord};

// How a job comes from the background to the foreground.
enum class Promotion : std::uint8_t {
  kSwap,     // in place, with all its progress
  kRestart,  // elsewhere, from the beginning
  kMigrate,  // elsewhere, with all its progress, frozen for the migration delay
};

// "swap", "restart", "migrate".
[[nodiscard]] constexpr std::string_view name(Promotion how) {
  constexpr std::string_view kNames[] = {"swap", "restart", "migrate"};
  return kNames[static_cast<std::size_t>(how)];
}

class Tiers {
 public:
  virtual ~Tiers() = default;

  // Usable background slots for a job, or kNoRoom.  A slot is usable if it is empty and
  // the process above, if there is one, declares less than the threshold.
  [[nodiscard]] virtual Result<Placement, Refusal> choose_background(
      const Demand& demand) const = 0;
  [[nodiscard]] virtual std::int64_t usable_background() const = 0;

  // The functions below require that the job runs in the background.

  // Whether the job can be promoted now, on the processors `where` alone if given.
  // A swap is refused with kForegroundBusy if a foreground slot of its processors is
  // taken, with kHeld if one of them is not among `where`; other promotions with kBusy
  // if too few foreground slots are idle.
  [[nodiscard]] virtual Result<Done, Refusal> can_promote(
      JobId job, const Demand& demand, Promotion how, const Placement* where) const = 0;
  // REQUIRES: can_promote.  Appends affected jobs.
  virtual void promote(JobId job, const Demand& demand, Promotion how,
                       const Placement* where, Affected& affected) = 0;
  // Declared use of the process above the given one; 0 if the slot above is empty,
  // nullopt if uses are not declared.
  [[nodiscard]] virtual std::optional<double> use_above(JobId job,
                                                        std::size_t process) const = 0;
  // The jobs above its processes, by id, each once.
  [[nodiscard]] virtual std::vector<JobId> jobs_above(JobId job) const = 0;
  // Processors with an idle foreground slot on which the job has no process.
  [[nodiscard]] virtual IntervalSet idle_without(JobId job) const = 0;

  // Declared use of a process of any job, counted from 0; nullopt if none is declared.
  [[nodiscard]] virtual std::optional<double> declared_use(
      JobId job, const Demand& demand, std::size_t process) const = 0;
};

}  // namespace berth
