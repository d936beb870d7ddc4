#pragma once
// A walk over the queue under a condition that is asked anew at each step.
//
// Cursor rule  A selection remembers the place of the last job it showed and goes on
//              with the first member behind that place that meets the condition now.
//              So it does not matter what became of the job shown; no job is shown
//              twice; a member that moves before the place is not shown.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/sim/simulation.hpp"

namespace berth::sim {

class Selection {
 public:
  // Every member of the order behind `after` (nullopt: from the beginning).
  static Selection all(std::size_t order, std::optional<Place> after = {});
  // Members from the beginning while they fit; ends at the first that does not.
  static Selection startable(std::size_t order);
  // Members behind `after` that fit now.
  static Selection fitting(std::size_t order, std::optional<Place> after = {});
  // Members that fit the usable background slots now.  Wrong call on a machine without
  // tiers.
  static Selection fitting_background(const Simulation& simulation, std::size_t order);
  // Members behind the last plan's job that fit now and that every plan admits; with a
  // depth, only among the first `depth` members behind that job, fitting or not.
  // REQUIRES: at least one plan, all of this decision.
  static Selection backfillable(const Simulation& simulation, std::size_t order,
                                std::span<const PlanId> plans,
                                std::optional<std::int64_t> depth = {});
  // Members whose reservation in the book is due.
  static Selection due(std::size_t order);

  // The next member; nullopt at the end, and from then on.
  [[nodiscard]] std::optional<JobId> next(Simulation& simulation);

 private:
  enum class Kind : std::uint8_t {
    kAll,
    kStartable,
    kFitting,
    kBackground,
    kBackfillable,
    kDue
  };
  Selection(Kind kind, std::size_t order, std::optional<Place> after)
      : kind_(kind), order_(order), last_(after) {}

  [[nodiscard]] std::optional<Place> find(Simulation& simulation);
  [[nodiscard]] std::optional<Place> find_fitting(const Simulation& simulation,
                                                  const Staircase& under) const;
  [[nodiscard]] std::optional<Place> find_backfillable(
      const Simulation& simulation) const;
  [[nodiscard]] bool is_admitted(const Simulation& simulation, JobId job) const;
  [[nodiscard]] std::optional<Place> find_due(Simulation& simulation);
  void read_due(Simulation& simulation);

  Kind kind_;
  std::size_t order_;
  std::optional<Place> last_;
  std::optional<Place> limit_;  // the last place that may be shown
  PlanId plan_{};
  std::vector<PlanId> more_plans_;
  bool over_ = false;
  std::vector<Place> due_;                  // what is left to show, the first one last
  std::optional<std::uint64_t> due_as_of_;  // version of the book
};

// The fitting member that leaves the least idle; ties in order; nullopt if none fits.
[[nodiscard]] std::optional<JobId> tightest(const Simulation& simulation,
                                            std::size_t order);

}  // namespace berth::sim
