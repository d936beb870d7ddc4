#include "engine/metrics/queue_watch.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

void WaitingSizes::add(std::int32_t size) {
  const auto at = index_of(size);
  if (at == counts_.size() || counts_[at].size != size) {
    counts_.insert(counts_.begin() + static_cast<std::ptrdiff_t>(at), Count{size, 0});
    if (at <= smallest_) ++smallest_;
  }
  ++counts_[at].jobs;
  ++jobs_;
  smallest_ = std::min(smallest_, at);
}

void WaitingSizes::remove(std::int32_t size) {
  const auto at = index_of(size);
  BERTH_ASSERT(at < counts_.size() && counts_[at].size == size && counts_[at].jobs > 0);
  --counts_[at].jobs;
  if (--jobs_ == 0) smallest_ = counts_.size();
  while (smallest_ < counts_.size() && counts_[smallest_].jobs == 0) ++smallest_;
}

std::optional<std::int32_t> WaitingSizes::smallest() const {
  if (smallest_ == counts_.size()) return std::nullopt;
  return counts_[smallest_].size;
}

std::size_t WaitingSizes::index_of(std::int32_t size) const {
  const auto at = std::lower_bound(
      counts_.begin(), counts_.end(), size,
      [](const Count& count, std::int32_t wanted) { return count.size < wanted; });
  return static_cast<std::size_t>(at - counts_.begin());
}

void QueueWatch::enter(const Job& job) {
  ++members_;
  sizes_.add(job.size);
  backlog_ += Int128{job.size} * job.length;
}

void QueueWatch::leave(const Job& job) {
  --members_;
  sizes_.remove(job.size);
  backlog_ -= Int128{job.size} * job.length;
}

}  // namespace berth
