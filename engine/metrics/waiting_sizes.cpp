#include "engine/metrics/waiting_sizes.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

void WaitingSizes::add(std::int32_t size) {
  const auto at = place(size);
  if (at == counts_.size() || counts_[at].size != size) {
    counts_.insert(counts_.begin() + static_cast<std::ptrdiff_t>(at), Count{size, 0});
    if (at <= smallest_) ++smallest_;
  }
  ++counts_[at].jobs;
  smallest_ = std::min(smallest_, at);
}

void WaitingSizes::remove(std::int32_t size) {
  const auto at = place(size);
  BERTH_ASSERT(at < counts_.size() && counts_[at].size == size && counts_[at].jobs > 0);
  --counts_[at].jobs;
  while (smallest_ < counts_.size() && counts_[smallest_].jobs == 0) ++smallest_;
}

std::optional<std::int32_t> WaitingSizes::smallest() const {
  if (smallest_ == counts_.size()) return std::nullopt;
  return counts_[smallest_].size;
}

std::size_t WaitingSizes::place(std::int32_t size) const {
  const auto at = std::lower_bound(
      counts_.begin(), counts_.end(), size,
      [](const Count& count, std::int32_t wanted) { return count.size < wanted; });
  return static_cast<std::size_t>(at - counts_.begin());
}

}  // namespace berth
