#include "engine/sim/selection.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/hosts/foresight.hpp"
#include "engine/hosts/tiers.hpp"

namespace berth::sim {

Selection Selection::all(std::size_t order, std::optional<Place> after) {
  return {Kind::kAll, order, after};
}

Selection Selection::startable(std::size_t order) {
  return {Kind::kStartable, order, std::nullopt};
}

Selection Selection::fitting(std::size_t order, std::optional<Place> after) {
  return {Kind::kFitting, order, after};
}

Selection Selection::fitting_background(const Simulation& simulation,
                                        std::size_t order) {
  if (capability<Tiers>(simulation.hosts()) == nullptr) {
    throw Error(ErrorCode::kPolicy, "fitting: this machine has no tiers");
  }
  return {Kind::kBackground, order, std::nullopt};
}

Selection Selection::backfillable(const Simulation& simulation, std::size_t order,
                                  std::span<const PlanId> plans,
                                  std::optional<std::int64_t> depth) {
  BERTH_ASSERT(!plans.empty());
  const Place from = simulation.place(simulation.plan(plans.back()).job, order);
  Selection selection(Kind::kBackfillable, order, from);
  selection.plan_ = plans.front();
  selection.more_plans_.assign(plans.begin() + 1, plans.end());
  if (depth) {
    selection.over_ = *depth <= 0;
    selection.limit_ = simulation.queue(order).nth_behind(from, *depth);
  }
  return selection;
}

Selection Selection::due(std::size_t order) {
  return {Kind::kDue, order, std::nullopt};
}

std::optional<JobId> Selection::next(Simulation& simulation) {
  if (over_) return std::nullopt;
  const auto found = find(simulation);
  if (!found || (limit_ && *found > *limit_)) {
    over_ = true;
    return std::nullopt;
  }
  last_ = found;
  return found->job;
}

// An index over sizes proposes members; whether one fits is asked of the machine.
std::optional<Place> Selection::find(Simulation& simulation) {
  const auto& queue = simulation.queue(order_);
  const Place* behind = last_ ? &*last_ : nullptr;
  switch (kind_) {
    case Kind::kAll: return queue.next(behind);
    case Kind::kStartable: {
      const auto next = queue.next_if(behind, simulation.hosts().idle());
      return next && simulation.world().fits(next->job) ? next : std::nullopt;
    }
    case Kind::kFitting:
      return find_fitting(simulation, Staircase(simulation.hosts().idle()));
    case Kind::kBackground: {
      const auto* tiers = capability<Tiers>(simulation.hosts());
      return queue.next(behind, Staircase(tiers->usable_background()));
    }
    case Kind::kBackfillable: return find_backfillable(simulation);
    case Kind::kDue: return find_due(simulation);
  }
  return std::nullopt;
}

std::optional<Place> Selection::find_fitting(const Simulation& simulation,
                                             const Staircase& under) const {
  const auto& queue = simulation.queue(order_);
  auto next = queue.next(last_ ? &*last_ : nullptr, under);
  if (simulation.hosts().fits_by_count()) return next;
  while (next && !simulation.world().fits(next->job)) next = queue.next(&*next, under);
  return next;
}

std::optional<Place> Selection::find_backfillable(const Simulation& simulation) const {
  const auto idle = simulation.hosts().idle();
  if (idle <= 0) return std::nullopt;
  Staircase under(idle);
  const auto respect = [&](const PlanId& id) {
    const auto& plan = simulation.plan(id);
    under.limit_beyond(plan.start - simulation.now(), plan.spare);
  };
  respect(plan_);
  for (const auto& id : more_plans_) respect(id);
  if (capability<Foresight>(simulation.hosts()) == nullptr) {
    return find_fitting(simulation, under);
  }
  const auto& queue = simulation.queue(order_);
  auto next = queue.next(last_ ? &*last_ : nullptr, under);
  while (next && !is_admitted(simulation, next->job)) next = queue.next(&*next, under);
  return next;
}

// The counts of the plans have let it pass; whether it fits, now and beside the jobs of
// the plans, is asked of the machine.
bool Selection::is_admitted(const Simulation& simulation, JobId job) const {
  return !simulation.why_not(job, plan_) &&
         std::none_of(more_plans_.begin(), more_plans_.end(), [&](const PlanId& id) {
           return simulation.why_not(job, id).has_value();
         });
}

// Sorts once, and again only if the book has made or moved reservations since.
std::optional<Place> Selection::find_due(Simulation& simulation) {
  auto& book = simulation.book();
  if (due_as_of_ != book.version()) read_due(simulation);
  while (!due_.empty()) {
    const Place first = due_.back();
    due_.pop_back();
    if (book.of(first.job)) return first;
  }
  return std::nullopt;
}

void Selection::read_due(Simulation& simulation) {
  auto& book = simulation.book();
  due_as_of_ = book.version();
  due_.clear();
  std::vector<JobId> jobs;
  book.due(simulation.now(), jobs);
  for (const JobId job : jobs) {
    const Place place = simulation.place(job, order_);
    if (!last_ || *last_ < place) due_.push_back(place);
  }
  std::sort(due_.begin(), due_.end(),
            [](const Place& a, const Place& b) { return b < a; });
}

std::optional<JobId> tightest(const Simulation& simulation, std::size_t order) {
  const auto& queue = simulation.queue(order);
  const Staircase idle(simulation.hosts().idle());
  std::optional<JobId> best;
  std::int32_t largest = 0;
  for (auto at = queue.next(nullptr, idle); at; at = queue.next(&*at, idle)) {
    const auto size = simulation.jobs().job(at->job).size;
    if (size <= largest || !simulation.world().fits(at->job)) continue;
    largest = size;
    best = at->job;
  }
  return best;
}

}  // namespace berth::sim
