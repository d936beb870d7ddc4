#include "engine/audit/hosts_away.hpp"

#include <utility>

namespace berth::audit {

namespace {

std::int32_t count_of(Interval processors) {
  return processors.last - processors.first + 1;
}

}  // namespace

void HostsAway::note(const sim::HostRecord& record) {
  give_back(record.host, record.at);
  if (record.drains) {
    draining_.emplace(record.host, record);
  } else if (!record.is_up) {
    going_down_.push_back(record);
  }
  settle();
}

void HostsAway::settle() {
  if (hosts_.is_owed()) return;
  idle_of_draining_ = 0;
  std::erase_if(draining_, [this](const auto& each) {
    const auto& record = each.second;
    const auto held = hosts_.held_of(record.processors);
    if (held == 0) {
      going_down_.push_back(record);
    } else {
      idle_of_draining_ += count_of(record.processors) - held;
    }
    return held == 0;
  });
  for (const auto& record : std::exchange(going_down_, {})) take(record);
}

void HostsAway::take(const sim::HostRecord& record) {
  const auto processors = count_of(record.processors);
  const auto place = head_.start(processors, record.until);
  if (windows_) {
    windows_->take_down(system_job(record.host), processors, record.until);
  }
  held_[record.host] = {place, processors};
  processors_ += processors;
  if (watch_.takes) watch_.takes(record, place);
}

void HostsAway::give_back(std::int32_t host, Time now) {
  draining_.erase(host);
  const auto at = held_.find(host);
  if (at == held_.end()) return;
  head_.stop(at->second.place, now);
  if (windows_) windows_->leave(system_job(host));
  processors_ -= at->second.processors;
  held_.erase(at);
  if (watch_.gives) watch_.gives(host);
}

std::vector<std::int32_t> HostsAway::draining() const {
  std::vector<std::int32_t> all;
  all.reserve(draining_.size());
  for (const auto& [host, record] : draining_) all.push_back(host);
  return all;
}

}  // namespace berth::audit
