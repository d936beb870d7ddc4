#include "engine/metrics/outcome_list.hpp"

#include <variant>

namespace berth {

void OutcomeList::note(const sim::Record& record) {
  const auto* end = std::get_if<sim::EndRecord>(&record);
  if (end == nullptr || index(end->who.id) < first_job_) return;
  const auto outcome = outcome_of(end->who, end->at);
  if (outcome.state == JobState::kFinished) finished_.push_back(outcome);
}

}  // namespace berth
