#pragma once
// What happened to the machine itself.
//
// machine.csv: what happened to the machine itself: hosts that drained or were down,
// and windows, to draw a schedule with.
//
// Columns      event,from,to,name,users,processors,count.  event is down, which begins
//              with a drain, or window; to
//              is empty where it is so when the run ends; name and users are those of a
//              window; processors are its numbers as in jobs.csv, empty for a window of
//              a pool, and count says how many there are.
// Order        By end, then in the order of events; then hosts that are down when the
//              run ends, and windows that have begun by then, by beginning.
//
// host_events.csv: when hosts went down and came back in a run that drew it, in the
// form in which machine.events reads it, so that a run with this file is the same.
//
// Columns      time,event,hosts,until (of a pool processors instead of hosts), in
//              seconds; event is drain, down or up, and until is empty where a host
//              comes back.
// Order        As they happened: a row for each host.

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/interval_set.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/output/buffered_text.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class MachineCsv
    : public sim::RecordVisitor<MachineCsv, sim::HostRecord, sim::WindowRecord> {
 public:
  // `hosts`: the processors of each.  The sink outlives this object.
  MachineCsv(Sink& sink, std::vector<Interval> hosts);

  void on(const sim::HostRecord& record);
  void on(const sim::WindowRecord& record);
  void finish(Time) override;

 private:
  void put(const MachineWindow& window, bool has_ended);
  void put_down(std::int32_t host, Time from, std::string_view to);

  BufferedText text_;
  std::vector<Interval> hosts_;
  std::map<std::int32_t, Time> down_;        // since when, by host
  std::vector<const MachineWindow*> begun_;  // in order
};

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
