#include "engine/output/timeline_csv.hpp"

#include <variant>

#include "engine/output/buffered_text.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

namespace {

void print_span(BufferedText& text, Time from, Time to) {
  text.print(FMT_COMPILE("{},{}"), InSeconds{from}, InSeconds{to});
}

void print_level(BufferedText& text, double mean, std::int64_t maximum) {
  text.print(FMT_COMPILE(",{},{}"), AsRatio{mean}, maximum);
}

}  // namespace

sim::RecordKinds TimelineCsv::wants() const {
  return sim::kinds<sim::SubmitRecord, sim::RejectRecord, sim::StartRecord,
                    sim::PromoteRecord, sim::SuspendRecord, sim::EndRecord,
                    sim::CapacityRecord>();
}

void TimelineCsv::note(const sim::Record& record) {
  std::visit([this](const auto& it) { on(it); }, record);
}

void TimelineCsv::finish(Time at) {
  move_to(at);
  BufferedText text(sink_);
  text.append("from,to,queue_mean,queue_max,idle_mean,idle_max,used_mean,used_max\n");
  for (std::size_t i = 0; i < bins_.bins().size(); ++i) {
    print_span(text, bins_.from(i), bins_.to(i));
    const auto span = static_cast<double>(bins_.to(i) - bins_.from(i));
    const auto& bin = bins_.bins()[i];
    for (std::size_t level = 0; level < TimelineBins::kLevels; ++level) {
      const double mean = static_cast<double>(bin.integral[level]) / span;
      print_level(text, mean, bin.maximum[level]);
    }
    text.append("\n");
  }
  text.flush();
}

void TimelineCsv::on(const sim::SubmitRecord& record) {
  move_to(record.at);
  ++queue_;
}

void TimelineCsv::on(const sim::RejectRecord& record) {
  move_to(record.at);
  --queue_;
}

void TimelineCsv::on(const sim::StartRecord& record) {
  move_to(record.at);
  --queue_;
  held_.take(record.who.id, *record.placement);
}

void TimelineCsv::on(const sim::PromoteRecord& record) {
  move_to(record.at);
  held_.release(record.who.id);
  held_.take(record.who.id, *record.placement);
}

void TimelineCsv::on(const sim::SuspendRecord& record) {
  move_to(record.at);
  ++queue_;
  held_.release(record.who.id);
}

void TimelineCsv::on(const sim::EndRecord& record) {
  move_to(record.at);
  held_.release(record.who.id);
}

void TimelineCsv::on(const sim::CapacityRecord& record) {
  move_to(record.at);
  capacity_ = record.processors;
}

void TimelineCsv::move_to(Time at) {
  bins_.advance(at, {queue_, capacity_ - held_.used(), held_.used()});
}

}  // namespace berth
