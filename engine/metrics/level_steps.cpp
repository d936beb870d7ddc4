#include "engine/metrics/level_steps.hpp"

#include <algorithm>

namespace berth {

std::vector<std::string> LevelSteps::level_names() const {
  std::vector<std::string> all{"queue", "used", "idle"};
  all.insert(all.end(), names().begin(), names().end());
  return all;
}

void LevelSteps::held_until(Time to) {
  if (times_.empty()) times_.push_back(to);
  if (times_.back() == to) return;
  std::vector<std::int64_t> now{queue(), used(), idle()};
  now.insert(now.end(), further().begin(), further().end());
  const bool is_same =
      times_.size() > 1 &&
      std::equal(now.begin(), now.end(), levels_.begin(),
                 [](auto value, const auto& level) { return value == level.back(); });
  if (is_same) {
    times_.back() = to;
    return;
  }
  times_.push_back(to);
  for (std::size_t i = 0; i < now.size(); ++i) levels_[i].push_back(now[i]);
}

}  // namespace berth
