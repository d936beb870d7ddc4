#include "engine/output/host_events_csv.hpp"

namespace berth {

HostEventsCsv::HostEventsCsv(Sink& sink, std::string_view hosts) : text_(sink) {
  text_.print("time,event,{},until\n", hosts);
}

void HostEventsCsv::on(const sim::HostRecord& record) {
  text_.print("{},{},{},{}\n", seconds_text(record.since), record.is_up ? "up" : "down",
              record.host, record.is_up ? std::string() : seconds_text(record.until));
}

void HostEventsCsv::finish(Time) { text_.flush(); }

}  // namespace berth
