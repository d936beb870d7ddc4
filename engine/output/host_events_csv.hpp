#pragma once
// host_events.csv: when hosts went down and came back in a run that drew it, in the
// form in which machine.events reads it, so that a run with this file is the same.
//
// Columns      time,event,hosts,until (of a pool processors instead of hosts), in
//              seconds; event is down or up, and until is empty where a host comes
//              back.
// Order        As they happened: a row for each host.

#include <string_view>

#include "engine/output/buffered_text.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

inline constexpr std::string_view kHostEventsFile = "host_events.csv";

class HostEventsCsv : public sim::RecordVisitor<HostEventsCsv, sim::HostRecord> {
 public:
  // `hosts`: the name of the third column.  The sink outlives this object.
  HostEventsCsv(Sink& sink, std::string_view hosts);

  void on(const sim::HostRecord& record);
  void finish(Time at) override;

 private:
  BufferedText text_;
};

}  // namespace berth
