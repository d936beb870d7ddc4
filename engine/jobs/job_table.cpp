#include "engine/jobs/job_table.hpp"

#include "engine/base/error.hpp"

namespace berth {

JobState JobTable::state(JobId id) const {
  if (index(id) >= admitted_) return JobState::kFuture;
  return holds(id) ? (*this)[id].state : last_states_[index(id)];
}

void JobTable::admit(JobId id) {
  BERTH_ASSERT(index(id) == admitted_ && admitted_ < size());
  if (admitted_ % kPage == 0) {
    if (spare_.empty()) spare_.push_back(std::make_unique<Page>(keys_));
    pages_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    pages_.back()->forgotten = 0;
  }
  ++admitted_;
  (*this)[id] = {};
}

void JobTable::retire(std::size_t number) {
  auto& page = pages_[number];
  const auto first = number * kPage;
  if (last_states_.size() < first + kPage) last_states_.resize(first + kPage);
  for (std::size_t i = 0; i < kPage; ++i) {
    last_states_[first + i] = page->entries[i].state;
  }
  spare_.push_back(std::move(page));
}

}  // namespace berth
