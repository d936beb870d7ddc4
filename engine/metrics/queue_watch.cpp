#include "engine/metrics/queue_watch.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/error.hpp"

namespace berth {

void WaitingSizes::add(std::int32_t size) {
  if (size >= kLarge) {
    ++large_[size];
    return;
  }
  const auto at = static_cast<std::size_t>(size);
  if (at >= counts_.size()) {
    sizes_.resize(at / kBits + 1);
    counts_.resize(sizes_.size() * kBits);
  }
  ++counts_[at];
  sizes_[at / kBits] |= std::uint64_t{1} << (at % kBits);
  smallest_ = jobs_++ == 0 ? at : std::min(smallest_, at);
}

void WaitingSizes::remove(std::int32_t size) {
  if (size >= kLarge) {
    const auto found = large_.find(size);
    BERTH_ASSERT(found != large_.end());
    if (--found->second == 0) large_.erase(found);
    return;
  }
  const auto at = static_cast<std::size_t>(size);
  BERTH_ASSERT(at < counts_.size() && counts_[at] > 0);
  --jobs_;
  if (--counts_[at] > 0) return;
  sizes_[at / kBits] &= ~(std::uint64_t{1} << (at % kBits));
  if (at == smallest_ && jobs_ > 0) smallest_ = next(at);
}

std::size_t WaitingSizes::next(std::size_t size) const {
  auto word = size / kBits;
  auto bits = sizes_[word] & (~std::uint64_t{0} << (size % kBits));
  while (bits == 0) bits = sizes_[++word];
  return word * kBits + static_cast<std::size_t>(std::countr_zero(bits));
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
