#include "engine/audit/host_check.hpp"

#include <algorithm>

namespace berth::audit {

HostCheck::HostStands& HostCheck::stands(std::int32_t host) {
  const auto number = static_cast<std::size_t>(host);
  if (number >= hosts_.size()) hosts_.resize(number + 1);
  return hosts_[number];
}

void HostCheck::set(HostStands& host, HostEvent::Kind HostStands::*which,
                    HostEvent::Kind state) {
  differing_ -= host.should_be != host.is ? 1 : 0;
  host.*which = state;
  differing_ += host.should_be != host.is ? 1 : 0;
}

// What the machine says up to this instant.
void HostCheck::expect_up_to(Time now) {
  while (source_->has_until(now)) {
    for (const auto& event : source_->take()) {
      auto& host = stands(event.host);
      host.said[static_cast<std::size_t>(event.kind)] = event;
      set(host, &HostStands::should_be, event.kind);
    }
  }
}

Verdict HostCheck::come_to(Time now) {
  if (now == now_) return std::nullopt;
  if (source_ == nullptr) source_ = source_of(life_, now);
  now_ = now;
  if (!owed_.empty()) {
    return Fault{kHostsUp, "a job goes on over the loss of a host that it holds"};
  }
  if (differing_ != 0) {
    return Fault{kHostsUp, "a host is not as the events of the machine say"};
  }
  expect_up_to(now);
  return std::nullopt;
}

Verdict HostCheck::note(const sim::HostRecord& record) {
  ++judged_;
  using Kind = HostEvent::Kind;
  const auto kind = record.is_up    ? Kind::kUp
                    : record.drains ? Kind::kDrain
                                    : Kind::kDown;
  const HostEvent event{record.since, kind, record.host, record.until};
  auto& host = stands(event.host);
  const auto& said = host.said[static_cast<std::size_t>(event.kind)];
  const bool is_right = kind != host.is && said == event;
  if (!is_right) {
    return Fault{kHostsUp,
                 "a host goes down or up other than the machine's events say"};
  }
  const bool was_up = host.is == Kind::kUp;
  set(host, &HostStands::is, kind);
  if (record.is_up) {
    away_.erase(record.processors);
    return std::nullopt;
  }
  if (was_up) away_.insert(record.processors);
  if (record.drains) return std::nullopt;
  const IntervalSet gone(record.processors.first, record.processors.last);
  held_.for_each([&](JobId job, const IntervalSet& processors) {
    if (processors.overlaps(gone)) owed_.insert(job);
  });
  return std::nullopt;
}

Verdict HostCheck::start(JobId job, const Placement& placement) {
  ++judged_;
  if (!owed_.empty()) {
    return Fault{kHostsUp, "a job starts before those are hit whose host went down"};
  }
  if (placement.processors().overlaps(away_)) {
    return Fault{kHostsUp, "it was given a host that is not up"};
  }
  held_.insert(job, placement.processors());
  return std::nullopt;
}

std::int64_t HostCheck::held_of(Interval processors) const {
  std::int64_t all = 0;
  held_.for_each([&](JobId, const IntervalSet& held) {
    for (const auto& part : held.intervals()) {
      const auto first = std::max(part.first, processors.first);
      const auto last = std::min(part.last, processors.last);
      if (first <= last) all += std::int64_t{last} - first + 1;
    }
  });
  return all;
}

Verdict HostCheck::leave(JobId job, bool is_hit) {
  (void)held_.take(job);
  const bool was_owed = owed_.erase(job) > 0;
  if (!is_hit) return std::nullopt;
  ++judged_;
  if (was_owed) return std::nullopt;
  return Fault{kHostsUp, "it is hit although no host that it holds went down"};
}

}  // namespace berth::audit
