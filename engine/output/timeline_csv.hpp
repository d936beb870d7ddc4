#pragma once
// timeline.csv: queue length, idle and used processors over time, in at most 4,096
// equal bins (the last one ends with the run).
//
// Columns      from,to in seconds; then mean and maximum of each level in the bin.
//              Levels that come and go within one instant do not count.
// Nothing      A run without a span of time has no rows.

#include <cstdint>

#include "engine/metrics/levels.hpp"
#include "engine/output/sink.hpp"
#include "engine/output/timeline_bins.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class TimelineCsv : public sim::Observer {
 public:
  // The sink outlives the writer; all is written when the run is over.
  explicit TimelineCsv(Sink& sink) : sink_(sink) {}

  [[nodiscard]] sim::RecordKinds wants() const override;
  void note(const sim::Record& record) override;
  void finish(Time at) override;

 private:
  template <class Kind>
  void on(const Kind&) {}
  void on(const sim::SubmitRecord& record);
  void on(const sim::RejectRecord& record);
  void on(const sim::StartRecord& record);
  void on(const sim::PromoteRecord& record);
  void on(const sim::SuspendRecord& record);
  void on(const sim::EndRecord& record);
  void on(const sim::CapacityRecord& record);

  void move_to(Time at);

  Sink& sink_;
  TimelineBins bins_;
  HeldProcessors held_;
  std::int64_t queue_ = 0;
  std::int64_t capacity_ = 0;
};

}  // namespace berth
