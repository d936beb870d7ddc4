#include "engine/sim/selection.hpp"

#include <algorithm>
#include <boost/container/static_vector.hpp>

#include "engine/base/error.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/inspector.hpp"
#include "engine/sim/machine.hpp"

namespace berth::sim {

namespace {

// Two that are seldom asked: inside what calls them they would cost each step of the
// others.
[[gnu::noinline]] std::optional<Place> next_member(const Simulation& simulation,
                                                   bool is_shown, std::size_t order,
                                                   const Place* behind) {
  const auto members =
      is_shown ? simulation.queue(order) : simulation.orders().all(order);
  return members.next(behind);
}

[[gnu::noinline]] bool is_before(const Simulation& simulation, std::size_t order,
                                 const Place& a, const Place& b) {
  return simulation.queue(order).is_before(a, b);
}

}  // namespace

Selection Selection::all(std::size_t order, std::optional<Place> after) {
  Selection selection(Kind::kAll, order);
  (void)selection.go_to(after);
  return selection;
}

Selection Selection::shown(std::size_t order, std::optional<Place> after) {
  Selection selection(Kind::kShown, order);
  (void)selection.go_to(after);
  return selection;
}

Selection Selection::startable(std::size_t order) { return {Kind::kStartable, order}; }

Selection Selection::fitting(std::size_t order, std::optional<Place> after) {
  Selection selection(Kind::kFitting, order);
  (void)selection.go_to(after);
  return selection;
}

Selection Selection::up_to(std::size_t order, Most most) {
  Selection selection(Kind::kUpTo, order);
  selection.rest_.reset(
      new Rest);  // its arrays stay unset: make_unique would clear them
  selection.rest_->most = most;
  return selection;
}

Selection Selection::backfillable(const Simulation& simulation, std::size_t order,
                                  std::span<const PlanId> plans, std::int64_t depth) {
  BERTH_ASSERT(!plans.empty());
  Selection selection(Kind::kBackfillable, order);
  const Place from = simulation.place(simulation.plans().at(plans.back()).job, order);
  selection.begin_behind(from);
  selection.plan_ = plans.front();
  if (plans.size() > 1) {
    selection.rest_.reset(new Rest);
    selection.rest_->more_plans.assign(plans.begin() + 1, plans.end());
  }
  if (depth == kAnyDepth) return selection;
  const auto limit =
      depth > 0 ? simulation.queue(order).nth_behind(from, depth) : std::optional(from);
  selection.has_limit_ = limit.has_value();
  if (limit) selection.limit_ = *limit;
  return selection;
}

Selection Selection::due(std::size_t order) { return {Kind::kDue, order}; }

Selection Selection::listed(std::span<const JobId> jobs) {
  Selection selection(Kind::kListed, 0);
  selection.rest_.reset(new Rest);
  auto& left = selection.rest_->left;
  left.reserve(jobs.size());
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) left.push_back({0.0, *job});
  return selection;
}

std::size_t Selection::memory(const Simulation& simulation) const {
  const auto due = kind_ == Kind::kDue ? simulation.queue(order_).length() : 0;
  const auto left = rest_ == nullptr ? 0 : rest_->left.capacity();
  return sizeof(Rest) + (left + due) * sizeof(Place);
}

bool Selection::advance(Simulation& simulation) {
  over_ =
      !find(simulation) || (has_limit_ && is_before(simulation, order_, limit_, last_));
  return !over_;
}

void Selection::tell(const Simulation& simulation, bool found) const {
  if (kind_ == Kind::kListed) return;
  auto& inspector = *simulation.world().audience().inspector();
  if (found) return inspector.shown(simulation, order_, last_);
  tell_end(simulation, inspector);
}

void Selection::tell_end(const Simulation& simulation, Inspector& inspector) const {
  if (has_limit_) {
    return inspector.ended(simulation, order_, SelectionEnd::kDepth, &limit_);
  }
  if (kind_ != Kind::kStartable) {
    return inspector.ended(simulation, order_, SelectionEnd::kNoMore, nullptr);
  }
  // The member at which it ended is the last one that it went to, or the next.
  const auto& world = simulation.world();
  const bool is_last =
      has_last_ && queues(world.jobs().state(last_.job)) && !world.fits(last_.job);
  const auto stop =
      is_last ? std::optional(last_) : simulation.queue(order_).next(behind());
  const auto how = stop ? SelectionEnd::kDoesNotFit : SelectionEnd::kNoMore;
  inspector.ended(simulation, order_, how, stop ? &*stop : nullptr);
}

// An index over sizes proposes members; whether one fits is asked of the machine.
bool Selection::find(Simulation& simulation) {
  switch (kind_) {
    case Kind::kAll:
    case Kind::kShown:
      return go_to(next_member(simulation, kind_ == Kind::kShown, order_, behind()));
    case Kind::kStartable: return find_startable(simulation);
    case Kind::kFitting:
      return find_fitting(simulation, Staircase(simulation.world().hosts().most()));
    case Kind::kUpTo: {
      const Staircase under(rest_->most(simulation));
      return go_to(simulation.queue(order_).next(behind(), under));
    }
    case Kind::kBackfillable: return find_backfillable(simulation);
    case Kind::kDue: return find_due(simulation);
    case Kind::kListed: return find_listed();
  }
  return false;
}

bool Selection::find_startable(const Simulation& simulation) {
  const auto& hosts = simulation.world().hosts();
  if (!go_to(simulation.queue(order_).next_if(behind(), hosts.most()))) return false;
  return hosts.traits().fits_by_count || simulation.world().fits(last_.job);
}

bool Selection::find_fitting(const Simulation& simulation, const Staircase& under) {
  const auto& queue = simulation.queue(order_);
  const bool fits_by_count = simulation.world().hosts().traits().fits_by_count;
  while (go_to(queue.next(behind(), under))) {
    simulation.world().decision().budget.charge();
    if (fits_by_count || simulation.world().fits(last_.job)) return true;
  }
  return false;
}

bool Selection::find_backfillable(const Simulation& simulation) {
  const auto idle = simulation.world().hosts().most();
  if (idle <= 0) return false;
  Staircase under(idle);
  const std::size_t more = rest_ == nullptr ? 0 : rest_->more_plans.size();
  for (std::size_t i = 0; i <= more; ++i) {
    const auto& plan = simulation.plans().at(i == 0 ? plan_ : rest_->more_plans[i - 1]);
    under.limit_beyond(plan.start - simulation.world().now(), plan.most());
  }
  if (simulation.world().hosts().traits().plans_by_count) {
    return find_fitting(simulation, under);
  }
  const auto& queue = simulation.queue(order_);
  while (go_to(queue.next(behind(), under))) {
    simulation.world().decision().budget.charge();
    if (is_admitted(simulation, last_.job)) return true;
  }
  return false;
}

// The counts of the plans have let it pass; whether it fits, now and beside the jobs of
// the plans, is asked of the machine.
// What it lacks where it does not fit now is not worked out.
bool Selection::is_admitted(const Simulation& simulation, JobId job) const {
  if (!simulation.world().fits(job)) return false;
  if (simulation.actions().why_not(job, plan_)) return false;
  return rest_ == nullptr ||
         std::none_of(rest_->more_plans.begin(), rest_->more_plans.end(),
                      [&](const PlanId& id) {
                        return simulation.actions().why_not(job, id).has_value();
                      });
}

// Sorts once, and again only if the book has made or moved reservations since.
bool Selection::find_due(Simulation& simulation) {
  auto& book = simulation.parts().world.book();
  if (rest_ == nullptr) {
    if (!book.may_be_due(simulation.world().now())) return false;
    rest_.reset(new Rest);
  }
  if (rest_->due_as_of != book.version()) read_due(simulation);
  while (find_listed()) {
    simulation.world().decision().budget.charge();
    if (book.of(last_.job) && simulation.shows(last_.job)) return true;
  }
  return false;
}

bool Selection::find_listed() {
  auto& left = rest_->left;
  if (left.empty()) return false;
  begin_behind(left.back());
  left.pop_back();
  return true;
}

void Selection::read_due(Simulation& simulation) {
  auto& book = simulation.parts().world.book();
  rest_->due_as_of = book.version();
  const auto order = simulation.queue(order_);
  auto& left = rest_->left;
  left.clear();
  for (const JobId job : book.due(simulation.world().now())) {
    simulation.world().decision().budget.charge();
    const Place place = simulation.place(job, order_);
    if (!has_last_ || order.is_before(last_, place)) left.push_back(place);
  }
  std::sort(left.begin(), left.end(),
            [&](const Place& a, const Place& b) { return order.is_before(b, a); });
}

namespace {

// What a job needs, as one number: the part of each kind that it asks for, by weight.
class WeightedNeed {
 public:
  WeightedNeed(const World& world, std::span<const double> weights)
      : world_(world), machine_(world.hosts().kinds()) {
    const auto kinds = machine_ == nullptr ? 1 : machine_->kinds().size();
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const auto capacity = machine_ == nullptr ? world.machine().processors
                                                : machine_->kinds()[kind].capacity;
      const double weight = weights.empty() ? 1 : weights[kind];
      of_one_.push_back(capacity == 0 ? 0 : weight / static_cast<double>(capacity));
    }
  }

  [[nodiscard]] double of(JobId job) const {
    if (machine_ == nullptr) return of_one_[0] * world_.jobs().job(job).size;
    double sum = 0;
    for (std::size_t kind = 0; kind < of_one_.size(); ++kind) {
      sum += of_one_[kind] * static_cast<double>(machine_->need_in_all(job, kind));
    }
    return sum;
  }

 private:
  const World& world_;
  const SeveralKinds* machine_;  // null: processors are the only kind
  boost::container::static_vector<double, kMostKinds> of_one_;
};

}  // namespace

std::optional<JobId> tightest(const Simulation& simulation, std::size_t order,
                              std::span<const double> weights) {
  constexpr double kTie = 1e-12;
  const auto& world = simulation.world();
  const auto& queue = simulation.queue(order);
  const WeightedNeed need(world, weights);
  const Staircase idle(world.hosts().most());
  std::optional<JobId> best;
  double most = 0;
  for (auto at = queue.next(nullptr, idle); at; at = queue.next(&*at, idle)) {
    world.decision().budget.charge();
    const double needed = need.of(at->job);
    if (best && needed <= most + kTie) continue;
    if (!world.fits(at->job)) continue;
    most = needed;
    best = at->job;
  }
  return best;
}

}  // namespace berth::sim
