#include "study/shadow/session_numbers.hpp"

#include <algorithm>

#include "engine/jobs/label.hpp"

namespace berth::study {

std::size_t SessionNumbers::place(const JobKey& key, Job& job) {
  const auto [at, is_new] = places_.try_emplace(key, jobs_.size());
  if (is_new) {
    if (!jobs_.empty()) job.submit = std::max(job.submit, jobs_.back().submit);
    const bool is_free = job.id < kFirstOwnId && ids_.insert(job.id).second;
    if (!is_free) job.id = next_id_++;
    jobs_.push_back(job);
  }
  const auto& seen = jobs_[at->second];
  job.id = seen.id;
  job.submit = seen.submit;
  return at->second;
}

std::int32_t SessionNumbers::label(Labels& labels, const std::string& name) {
  const auto next = label_code(static_cast<std::int64_t>(labels.size()));
  return labels.try_emplace(name, next).first->second;
}

}  // namespace berth::study
