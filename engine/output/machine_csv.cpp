#include "engine/output/machine_csv.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/csv_text.hpp"
#include "engine/base/placement.hpp"
#include "engine/jobs/label.hpp"
#include "engine/output/csv_fields.hpp"

namespace berth {

MachineCsv::MachineCsv(Sink& sink, std::vector<Interval> hosts)
    : text_(sink), hosts_(std::move(hosts)) {
  text_.append("event,from,to,name,users,processors,count\n");
}

void MachineCsv::put_down(std::int32_t host, Time from, std::string_view to) {
  const auto at = hosts_[static_cast<std::size_t>(host)];
  const Placement there(IntervalSet(at.first, at.last));
  text_.print("down,{},{},,,{},{}\n", InSeconds{from}, to, placement_text(&there),
              at.last - at.first + 1);
}

void MachineCsv::on(const sim::HostRecord& record) {
  if (!record.is_up) {
    down_.emplace(record.host, record.at);
    return;
  }
  const auto found = down_.find(record.host);
  put_down(record.host, found->second, seconds_text(record.at));
  down_.erase(found);
}

void MachineCsv::put(const MachineWindow& window, bool has_ended) {
  std::string users;
  for (const auto user : window.users) {
    users += (users.empty() ? "" : " ") + std::to_string(label_number(user));
  }
  IntervalSet there;
  for (const auto host : window.hosts) {
    there.insert(hosts_[static_cast<std::size_t>(host)]);
  }
  const Placement placement(std::move(there));
  text_.print("window,{},{},{},{},{},{}\n", InSeconds{window.from},
              has_ended ? seconds_text(window.to) : std::string(),
              csv_text(window.name), users,
              window.hosts.empty() ? std::string() : placement_text(&placement),
              window.processors);
}

void MachineCsv::on(const sim::WindowRecord& record) {
  using Change = sim::WindowRecord::Event;
  if (record.event == Change::kBegins) begun_.push_back(record.window);
  if (record.event != Change::kEnds) return;
  std::erase(begun_, record.window);
  put(*record.window, true);
}

void MachineCsv::finish(Time) {
  std::vector<std::pair<Time, std::int32_t>> down;
  for (const auto& [host, from] : down_) down.emplace_back(from, host);
  std::sort(down.begin(), down.end());
  for (const auto& [from, host] : down) put_down(host, from, "");
  for (const auto* window : begun_) put(*window, false);
  text_.flush();
}

HostEventsCsv::HostEventsCsv(Sink& sink, std::string_view hosts) : text_(sink) {
  text_.print("time,event,{},until\n", hosts);
}

void HostEventsCsv::on(const sim::HostRecord& record) {
  text_.print("{},{},{},{}\n", seconds_text(record.since), word_of(record), record.host,
              record.is_up ? std::string() : seconds_text(record.until));
}

void HostEventsCsv::finish(Time) { text_.flush(); }

}  // namespace berth
