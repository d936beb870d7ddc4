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
#include <vector>

#include "engine/metrics/levels.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/output/sink.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

// Means and maxima of a few levels over equal bins of time, in bounded memory.
//
// Bins are 1 s wide at first.  When the run outgrows 4,096 of them, neighbours are
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

class TimelineCsv
    : public sim::RecordVisitor<TimelineCsv, sim::SubmitRecord, sim::RejectRecord,
                                sim::StartRecord, sim::ChangeRecord, sim::SuspendRecord,
                                sim::EndRecord, sim::CapacityRecord,
                                sim::MachineRecord> {
 public:
  // All rows are written by finish().  Both outlive this object; the observer of
  // `measure`, which may be null, is told each record before.
  explicit TimelineCsv(Sink& sink, const MachineMeasure* measure = nullptr);

  [[nodiscard]] sim::RecordKinds wants() const override;

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::CapacityRecord& record);
  void on(const sim::MachineRecord& record);
  void finish(Time at) override;

 private:
  // A level that only the machine measures.
  struct Further {
    std::int64_t value = 0;
    TimelineBins bins{};  // in the first level
  };
  void move_to(Time at);
  void read_further();

  Sink& sink_;
  const MachineMeasure* measure_;
  std::vector<Further> further_;
  TimelineBins bins_;
  HeldProcessors held_;
  std::int64_t queue_ = 0;
  std::int64_t capacity_ = 0;
};

}  // namespace berth
