#pragma once
// A walk over the queue under a condition that is asked anew at each step.
//
// Cursor rule  A selection remembers the place of the last job it showed and goes on
//              with the first member behind that place that meets the condition now.
//              So it does not matter what became of the job shown; no job is shown
//              twice; a member that moves before the place is not shown.

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/sim/simulation.hpp"

namespace berth::sim {

// As a depth: all members.
inline constexpr auto kAnyDepth = std::numeric_limits<std::int64_t>::max();

class Selection {
 public:
  // Every member of the order behind `after` (nullopt: from the beginning); and only
  // those that no limit bars, as all selections below.
  static Selection all(std::size_t order, std::optional<Place> after = {});
  static Selection shown(std::size_t order, std::optional<Place> after = {});
  // Members from the beginning while they fit; ends at the first that does not.
  static Selection startable(std::size_t order);
  // Members behind `after` that fit now.
  static Selection fitting(std::size_t order, std::optional<Place> after = {});
  // Members that ask for at most so many processors, which is asked anew at each step.
  using Most = std::int64_t (*)(const Simulation&);
  static Selection up_to(std::size_t order, Most most);
  // Members behind the last plan's job that fit now and that every plan admits; with a
  // depth, only among the first `depth` members behind that job, fitting or not.
  // REQUIRES: at least one plan, all of this decision.
  static Selection backfillable(const Simulation& simulation, std::size_t order,
                                std::span<const PlanId> plans,
                                std::int64_t depth = kAnyDepth);
  // Members whose reservation in the book is due.
  static Selection due(std::size_t order);
  // These jobs, whatever has become of them.
  static Selection listed(std::span<const JobId> jobs);

  // The next member; nullopt at the end, and from then on.
  [[nodiscard]] std::optional<JobId> next(Simulation& simulation) {
    if (over_) return std::nullopt;
    const bool found = advance(simulation);
    if (simulation.world().audience().inspector() != nullptr) tell(simulation, found);
    if (!found) return std::nullopt;
    return last_.job;
  }
  // Memory that it holds besides its own size, once it has shown its first member.
  [[nodiscard]] std::size_t memory(const Simulation& simulation) const;

 private:
  enum class Kind : std::uint8_t {
    kAll,
    kShown,
    kStartable,
    kFitting,
    kUpTo,
    kBackfillable,
    kDue,
    kListed
  };
  // What few selections need.
  struct Rest {
    boost::container::small_vector<PlanId, 4> more_plans;
    // What is left to show, the first one last.
    boost::container::small_vector<Place, 4> left;
    std::optional<std::uint64_t> due_as_of;  // version of the book
    Most most;
  };
  Selection(Kind kind, std::size_t order) : kind_(kind), order_(order) {}

  void begin_behind(const Place& place) {
    last_ = place;
    has_last_ = true;
  }
  bool advance(Simulation& simulation);
  void tell(const Simulation& simulation, bool found) const;
  void tell_end(const Simulation& simulation, Inspector& inspector) const;
  // Each goes to the next member that meets the condition; false: there is none.
  bool find(Simulation& simulation);
  bool find_startable(const Simulation& simulation);
  bool find_fitting(const Simulation& simulation, const Staircase& under);
  bool find_backfillable(const Simulation& simulation);
  [[nodiscard]] bool is_admitted(const Simulation& simulation, JobId job) const;
  bool find_due(Simulation& simulation);
  bool find_listed();
  void read_due(Simulation& simulation);
  bool go_to(const std::optional<Place>& place) {
    if (place) begin_behind(*place);
    return place.has_value();
  }
  [[nodiscard]] const Place* behind() const { return has_last_ ? &last_ : nullptr; }

  Kind kind_;
  bool over_ = false;
  bool has_last_ = false;
  bool has_limit_ = false;
  std::size_t order_;
  Place last_{};   // shown last, or to begin behind
  Place limit_{};  // the last that may be shown
  PlanId plan_{};
  std::unique_ptr<Rest> rest_;
};

// The fitting member that leaves the least idle, as the sum over the kinds of resource
// of idle part of capacity x weight; ties (1e-12) in order; nullopt if none fits.
// `weights`: one a kind, finite; empty: 1 each.  Time: every member that fits by count.
[[nodiscard]] std::optional<JobId> tightest(const Simulation& simulation,
                                            std::size_t order,
                                            std::span<const double> weights = {});

}  // namespace berth::sim
