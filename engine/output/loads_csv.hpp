#pragma once
// loads.csv: how far parts of the machine are in use over time, such as the links of a
// network.
//
// Columns      from,to,group,row,share.  share is the mean over a span of bins, to a
//              thousandth of the capacity.
// Spans        Bins are those of timeline.csv, or unions of these, so many that there
//              are at most 2,000,000 of all parts together; neighbours with the same
//              share are one span, and a share of 0 is there only for a part that is
//              never in use.
// Most         Of more than 10,000 parts there are no rows.
// Order        By part, in the order of the machine, then by time.

#include <cstdint>
#include <vector>

#include "engine/metrics/machine_loads.hpp"
#include "engine/output/timeline_csv.hpp"

namespace berth {

class BufferedText;

class LoadsCsv final : public LevelWatch {
 public:
  static constexpr std::size_t kMostCells = 2'000'000;
  static constexpr std::size_t kMostParts = 10'000;

  // All rows are written by finish().  Sink and loads outlive this object; the observer
  // of the loads is told each record before.
  LoadsCsv(Sink& sink, const MachineLoads& loads);

  void finish(Time at) override;

 private:
  void held_until(Time to) override;
  void write(BufferedText& text, std::size_t part) const;

  Sink& sink_;
  const MachineLoads& loads_;
  std::vector<LoadedPart> parts_;
  std::vector<std::int64_t> held_;  // by part, since the last call
  // As many parts in each as it has levels.
  std::vector<TimelineBins> bins_;
};

}  // namespace berth
