#pragma once
// timeline.csv: queue length, idle and used processors over time, in at most 4,096
// equal bins (the last one ends with the run).
//
// Columns      from,to in seconds; then mean and maximum of each level in the bin:
// queue,
//              idle, used, and what only the machine measures.
//              Levels of no duration do not count.
// Empty        A run of no length has no rows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/level_watch.hpp"
#include "engine/output/sink.hpp"

namespace berth {

// Means and maxima of a few levels over equal bins of time, in bounded memory.
//
// Bins are 1 s wide at first.  When the run outgrows so many of them, neighbours are
// merged and the width doubles: the width is 2^k s, and k depends on the length of the
// run alone.
//
// Cost         O(1) amortised for an interval, plus the bins it covers.
class TimelineBins {
 public:
  static constexpr std::size_t kMostBins = 4096;
  // Queue length, idle processors, used processors.
  static constexpr std::size_t kLevels = 3;
  using Values = std::array<std::int64_t, kLevels>;

  struct Bin {
    std::array<Int128, kLevels> integral{};  // level times ticks
    Values maximum{};                        // of levels with a duration
  };

  // REQUIRES: most >= 1.
  explicit TimelineBins(std::size_t most = kMostBins) : most_(most) {}

  // `values` held from the last call until `to`; the first call only sets the start.
  // REQUIRES: `to` is not before that of the last call.
  void advance(Time to, const Values& values);

  [[nodiscard]] const std::vector<Bin>& bins() const { return bins_; }
  // Of bin i; the last bin ends where the last call did.
  [[nodiscard]] Time from(std::size_t i) const;
  [[nodiscard]] Time to(std::size_t i) const;

 private:
  void widen();

  std::size_t most_;
  std::vector<Bin> bins_;
  Duration width_ = kSecond;
  std::optional<Time> start_;
  Time last_ = 0;
  Time end_ = 0;  // of the last bin
};

// The levels of a run in bins.
class LevelBins : public LevelWatch {
 public:
  // Of `measure` see LevelWatch.
  explicit LevelBins(const MachineMeasure* measure)
      : LevelWatch(measure), further_(names().size()) {}

  [[nodiscard]] const TimelineBins& common() const { return bins_; }
  // Each in the first level, in the order of names().
  [[nodiscard]] const std::vector<TimelineBins>& of_machine() const { return further_; }
  using LevelWatch::names;
  using LevelWatch::unit;

 private:
  void held_until(Time to) override;

  TimelineBins bins_;
  std::vector<TimelineBins> further_;
};

class TimelineCsv final : public LevelBins {
 public:
  // All rows are written by finish().  The sink outlives this object.
  explicit TimelineCsv(Sink& sink, const MachineMeasure* measure = nullptr)
      : LevelBins(measure), sink_(sink) {}

  void finish(Time at) override;

 private:
  // Whether the bin has the levels of the one before it.
  [[nodiscard]] bool is_as_before(std::size_t bin) const;
  void print_levels(std::size_t bin, std::string& text) const;

  Sink& sink_;
};

}  // namespace berth
