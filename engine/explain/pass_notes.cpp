#include "engine/explain/pass_notes.hpp"

#include <algorithm>

#include "engine/sim/simulation.hpp"

namespace berth {

void PassNotes::shown(const sim::Simulation& simulation, std::size_t order,
                      const Place& place) {
  keep_words(simulation);
  looks_.push_back({place.job, std::nullopt, {}});
  keep_line();
  stop_ = Stop{order, Stop::How::kAt, place};
}

void PassNotes::ended(const sim::Simulation& simulation, std::size_t order,
                      sim::SelectionEnd how, const Place* at) {
  keep_words(simulation);
  keep_line();
  const auto as = how == sim::SelectionEnd::kDepth ? Stop::How::kDepth
                  : at == nullptr                  ? Stop::How::kNoMore
                                                   : Stop::How::kAt;
  stop_ = Stop{order, as, at == nullptr ? Place{} : *at};
}

void PassNotes::refused(const sim::Simulation& simulation, JobId job, Refusal why) {
  keep_words(simulation);
  looks_.push_back({job, why, {}});
  const auto order = simulation.world().traits().default_order;
  keep_line();
  stop_ = Stop{order, Stop::How::kAt, simulation.place(job, order)};
}

// What the policy said since the last look, and no action has used, is about the job
// that it looked at.
void PassNotes::keep_words(const sim::Simulation& simulation) {
  const auto& said = simulation.world().decision().because;
  if (!said.empty() && !looks_.empty()) looks_.back().because = said;
}

void PassNotes::clear() {
  started_.clear();
  freed_ = 0;
  stop_.reset();
  line_.clear();
  looks_.clear();
  is_sorted_ = false;
}

const PassNotes::Look* PassNotes::look_at(JobId job) const {
  const auto comes_before = [](const Look& a, const Look& b) { return a.job < b.job; };
  if (!is_sorted_) std::stable_sort(looks_.begin(), looks_.end(), comes_before);
  is_sorted_ = true;
  const auto behind = std::upper_bound(looks_.begin(), looks_.end(),
                                       Look{job, std::nullopt, {}}, comes_before);
  if (behind == looks_.begin()) return nullptr;
  const auto& last = *(behind - 1);
  return last.job == job ? &last : nullptr;
}

}  // namespace berth
