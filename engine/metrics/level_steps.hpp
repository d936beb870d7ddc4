#pragma once
// The levels of a run over time, whole.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/metrics/level_watch.hpp"

namespace berth {

// Memory       8 bytes for each change of any level, and 8 for each level at each
class LevelSteps final : public LevelWatch {
 public:
  explicit LevelSteps(const MachineMeasure* measure)
      : LevelWatch(measure), levels_(kCommon + names().size()) {}

  // "queue", "used", "idle", then what only the machine measures.
  [[nodiscard]] std::vector<std::string> level_names() const;
  // Values of the level are divided by this where they are shown.
  [[nodiscard]] double unit_of(std::size_t level) const {
    return level < kCommon ? 1 : unit(level - kCommon);
  }
  // One more than the values of each level: value i holds from the i-th to the next.
  [[nodiscard]] std::span<const Time> times() const { return times_; }
  [[nodiscard]] std::span<const std::int64_t> values(std::size_t level) const {
    return levels_[level];
  }

 private:
  static constexpr std::size_t kCommon = 3;

  void held_until(Time to) override;

  std::vector<Time> times_;
  std::vector<std::vector<std::int64_t>> levels_;
};

}  // namespace berth
