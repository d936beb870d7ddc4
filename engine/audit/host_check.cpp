#include "engine/audit/host_check.hpp"

#include <algorithm>

namespace berth::audit {

namespace {

bool have_common(const IntervalSet& set, const IntervalSet& other) {
  for (const auto& part : set.intervals()) {
    const auto& all = other.intervals();
    const auto at = std::lower_bound(
        all.begin(), all.end(), part.first,
        [](const Interval& each, std::int32_t first) { return each.last < first; });
    if (at != all.end() && at->first <= part.last) return true;
  }
  return false;
}

}  // namespace

HostCheck::HostStands& HostCheck::stands(std::int32_t host) {
  const auto number = static_cast<std::size_t>(host);
  if (number >= hosts_.size()) hosts_.resize(number + 1);
  return hosts_[number];
}

void HostCheck::set(HostStands& host, bool HostStands::*which, bool is_down) {
  differing_ -= host.should_be_down != host.is_down ? 1 : 0;
  host.*which = is_down;
  differing_ += host.should_be_down != host.is_down ? 1 : 0;
}

// What the machine says up to this instant.
void HostCheck::expect_up_to(Time now) {
  while (source_->has_until(now)) {
    for (const auto& event : source_->take()) {
      auto& host = stands(event.host);
      host.said[static_cast<std::size_t>(event.kind)] = event;
      set(host, &HostStands::should_be_down, event.kind == HostEvent::Kind::kDown);
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
  const bool goes_down = !record.is_up;
  const HostEvent event{record.since, goes_down ? Kind::kDown : Kind::kUp, record.host,
                        record.until};
  auto& host = stands(event.host);
  const auto& said = host.said[static_cast<std::size_t>(event.kind)];
  const bool is_right = goes_down != host.is_down && said == event;
  if (!is_right) {
    return Fault{kHostsUp,
                 "a host goes down or up other than the machine's events say"};
  }
  set(host, &HostStands::is_down, goes_down);
  if (!goes_down) {
    down_.erase(record.processors);
    return std::nullopt;
  }
  down_.insert(record.processors);
  const IntervalSet gone(record.processors.first, record.processors.last);
  held_.for_each([&](JobId job, const IntervalSet& processors) {
    if (have_common(processors, gone)) owed_.insert(job);
  });
  return std::nullopt;
}

Verdict HostCheck::start(JobId job, const Placement& placement) {
  ++judged_;
  if (!owed_.empty()) {
    return Fault{kHostsUp, "a job starts before those are hit whose host went down"};
  }
  if (have_common(placement.processors(), down_)) {
    return Fault{kHostsUp, "it was given a host that is down"};
  }
  held_.insert(job, placement.processors());
  return std::nullopt;
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
