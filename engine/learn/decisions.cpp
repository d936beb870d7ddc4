#include "engine/learn/decisions.hpp"

#include <algorithm>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/selection.hpp"

namespace berth::learn {

Rules rules_of(std::string_view choose, std::string_view backfill) {
  Rules rules;
  if (choose == "safe") {
    rules.choose = Choose::kSafe;
  } else if (choose == "any") {
    rules.choose = Choose::kAny;
  } else if (choose != "fitting") {
    throw Error(ErrorCode::kUsage, "choose: '" + printable(choose) +
                                       "' is none of \"fitting\", \"safe\", \"any\"");
  }
  rules.backfills = backfill == "easy";
  if (!rules.backfills && backfill != "none") {
    throw Error(ErrorCode::kUsage, "backfill: '" + printable(backfill) +
                                       "' is neither \"none\" nor \"easy\"");
  }
  if (rules.backfills && rules.choose != Choose::kAny) {
    throw Error(ErrorCode::kUsage,
                "backfill: there is a head to fill behind only with "
                "choose = \"any\"");
  }
  return rules;
}

Decisions::Decisions(const Rules& rules, std::size_t shown)
    : rules_(rules), shown_(shown), mask_(shown + 1) {
  BERTH_ASSERT(shown > 0);
}

void Decisions::begin() {
  head_.reset();
  clear();
}

void Decisions::clear() {
  jobs_.clear();
  fits_.clear();
  std::fill(mask_.begin(), mask_.end(), std::uint8_t{0});
}

bool Decisions::find(sim::Simulation& simulation) {
  clear();
  if (!serve_head(simulation)) return false;
  show(simulation);
  return mark(simulation);
}

bool Decisions::take(sim::Simulation& simulation, std::size_t action) {
  BERTH_ASSERT(action < mask_.size() && mask_[action] != 0);
  if (action == shown_) return false;
  const JobId job = jobs_[action];
  if (!simulation.actions().start(job)) head_ = job;
  return true;
}

// False: the head still waits.
bool Decisions::serve_head(sim::Simulation& simulation) {
  if (!head_) return true;
  const auto state = simulation.world().jobs().state(*head_);
  if (queues(state) && !simulation.actions().start(*head_)) {
    if (rules_.backfills) backfill(simulation);
    return false;
  }
  head_.reset();
  return true;
}

// A selection that backfills begins behind the job of its plan; here every member may.
void Decisions::backfill(sim::Simulation& simulation) const {
  auto& actions = simulation.actions();
  const auto plan = actions.reserve(*head_);
  if (!plan) return;
  sim::StartOptions options;
  options.under = plan.value();
  auto fitting = sim::Selection::fitting(0);
  while (const auto job = fitting.next(simulation)) {
    (void)actions.start(*job, options);
  }
}

void Decisions::show(const sim::Simulation& simulation) {
  const auto queue = simulation.queue(0);
  for (auto at = queue.head(); at && jobs_.size() < shown_; at = queue.next(&*at)) {
    jobs_.push_back(at->job);
    fits_.push_back(simulation.world().fits(at->job) ? 1 : 0);
  }
}

bool Decisions::mark(sim::Simulation& simulation) {
  if (jobs_.empty()) return false;
  auto& actions = simulation.actions();
  std::optional<sim::PlanId> plan;
  const bool any_fits = std::find(fits_.begin(), fits_.end(), 1) != fits_.end();
  if (rules_.choose == Choose::kSafe && any_fits) {
    if (const auto made = actions.reserve(jobs_.front())) plan = made.value();
  }
  bool any = false;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const bool is_held =
        plan && i > 0 && fits_[i] != 0 && actions.why_not(jobs_[i], plan).has_value();
    mask_[i] = rules_.choose == Choose::kAny || (fits_[i] != 0 && !is_held) ? 1 : 0;
    any = any || mask_[i] != 0;
  }
  const auto& agenda = simulation.parts().world.state().agenda;
  const bool may_wait = rules_.choose != Choose::kAny && any && agenda.awaits_event();
  mask_[shown_] = may_wait ? 1 : 0;
  return any;
}

}  // namespace berth::learn
