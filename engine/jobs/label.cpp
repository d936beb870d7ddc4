#include "engine/jobs/label.hpp"

#include <limits>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "engine/base/error.hpp"

namespace berth {

namespace {

class Labels {
 public:
  std::int32_t code(std::int64_t number) {
    {
      const std::shared_lock lock(mutex_);
      const auto found = codes_.find(number);
      if (found != codes_.end()) return found->second;
    }
    const std::unique_lock lock(mutex_);
    const auto [at, is_new] = codes_.try_emplace(number, 0);
    if (!is_new) return at->second;
    constexpr auto kMost =
        static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) -
        static_cast<std::size_t>(kFirstLabelCode);
    if (numbers_.size() >= kMost) {
      codes_.erase(at);
      throw Error(ErrorCode::kInput,
                  "more than 1073741823 different numbers of users, groups, programs, "
                  "queues and partitions are above 1073741823");
    }
    at->second = kFirstLabelCode + static_cast<std::int32_t>(numbers_.size());
    numbers_.push_back(number);
    return at->second;
  }

  std::int64_t number(std::int32_t code) const {
    const std::shared_lock lock(mutex_);
    const auto index = static_cast<std::size_t>(code - kFirstLabelCode);
    BERTH_ASSERT(index < numbers_.size());
    return numbers_[index];
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::int64_t, std::int32_t> codes_;
  std::vector<std::int64_t> numbers_;
};

Labels& labels() {
  static Labels all;
  return all;
}

}  // namespace

std::uint32_t LabelPlaces::add(std::int32_t code) {
  const auto known = find(code);
  if (known != kNone) return known;
  const auto at = static_cast<std::uint32_t>(code) + 1;
  if (at >= kSmall) {
    large_.emplace(code, size_);
  } else {
    if (at >= small_.size()) small_.resize(at + 1, kNone);
    small_[at] = size_;
  }
  return size_++;
}

std::uint32_t LabelPlaces::find_large(std::int32_t code) const {
  const auto at = large_.find(code);
  return at == large_.end() ? kNone : at->second;
}

std::int64_t kept_label(std::int32_t code) { return labels().number(code); }

std::int32_t label_code(std::int64_t number) {
  BERTH_ASSERT(number <= kLargestLabel);
  if (number < 0) return -1;
  if (number < kFirstLabelCode) return static_cast<std::int32_t>(number);
  return labels().code(number);
}

}  // namespace berth
