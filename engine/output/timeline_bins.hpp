#pragma once
// Means and maxima of a few levels over equal bins of time, in bounded memory while the
// end is not known.
//
// Bins are 1 s wide at first.  Whenever the run outgrows 4,096 of them, neighbours are
// merged and the width doubles; so the width is 2^k s, and which k depends on the
// length of the run alone.
//
// Cost         O(1) amortised for an interval, plus the bins it covers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

class TimelineBins {
 public:
  static constexpr std::size_t kMostBins = 4096;
  // Queue length, idle processors, used processors.
  static constexpr std::size_t kLevels = 3;
  using Values = std::array<std::int64_t, kLevels>;

  struct Bin {
    std::array<Int128, kLevels> integral{};  // level times ticks
    Values maximum{};                        // of levels that last
  };

  // `values` held from the last call until `to`; the first call only sets the start.
  // REQUIRES: `to` is not before that of the last call.
  void advance(Time to, const Values& values);

  [[nodiscard]] const std::vector<Bin>& bins() const { return bins_; }
  // Of bin i; the last bin ends where the last call did.
  [[nodiscard]] Time from(std::size_t i) const;
  [[nodiscard]] Time to(std::size_t i) const;

 private:
  void widen();

  std::vector<Bin> bins_;
  Duration width_ = kSecond;
  std::optional<Time> start_;
  Time last_ = 0;
};

}  // namespace berth
