#pragma once
// timeline.csv: queue length, idle and used processors over time, in at most 4,096
// equal bins (the last one ends with the run).
//
// Columns      from,to in seconds; then mean and maximum of each level in the bin:
// queue,
//              idle, used, and used_KIND for each kind of the machine but processors
//              (memory in KiB, others as counts).
//              Levels of no duration do not count.
// Empty        A run of no length has no rows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/hosts/need_in_all.hpp"
#include "engine/metrics/levels.hpp"
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
                                sim::EndRecord, sim::CapacityRecord> {
 public:
  // The sink outlives this object.  All rows are written by finish().
  explicit TimelineCsv(Sink& sink) : sink_(sink) {}
  // `kinds`: of the machine, processors first; `needs` knows every job.
  TimelineCsv(Sink& sink, std::vector<ResourceKind> kinds,
              std::shared_ptr<const Needs> needs);

  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::ChangeRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::CapacityRecord& record);
  void finish(Time at) override;

 private:
  // What jobs hold of a kind but processors.
  struct KindLevel {
    std::int64_t held = 0;
    TimelineBins bins{};  // in the first level
  };
  void move_to(Time at);
  void hold_kinds(JobId job, int sign);

  Sink& sink_;
  std::shared_ptr<const Needs> needs_;  // null: processors alone
  std::vector<ResourceKind> kinds_;
  std::vector<KindLevel> further_;  // of kinds_[1] and on
  TimelineBins bins_;
  HeldProcessors held_;
  std::int64_t queue_ = 0;
  std::int64_t capacity_ = 0;
};

}  // namespace berth
