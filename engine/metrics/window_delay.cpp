#include "engine/metrics/window_delay.hpp"

#include <algorithm>
#include <utility>

namespace berth {

void WindowDelay::move_to(Time at) {
  const auto lacking = std::count_if(begun_.begin(), begun_.end(),
                                     [this](const auto& each) { return lacks(each); });
  sum_ += lacking * (at - now_);
  now_ = at;
}

bool WindowDelay::lacks(const BegunWindow& begun) const {
  if (!begun.window->hosts.empty()) return begun.outside > 0;
  auto free = capacity_ - used_;
  for (const auto& other : begun_) {
    if (&other != &begun) free -= other.window->rest(other.inside);
  }
  return begun.window->rest(begun.inside) > std::max(std::int64_t{0}, free);
}

void WindowDelay::count_in(BegunWindow& begun, const HeldPart& part, int sign) {
  if (begun.window->lets_in(part.user)) {
    begun.inside += sign * part.size;
  } else if (part.processors.overlaps(begun.processors)) {
    begun.outside += sign;
  }
}

void WindowDelay::count(const HeldPart& part, int sign) {
  used_ += sign * part.size;
  for (auto& begun : begun_) count_in(begun, part, sign);
}

void WindowDelay::on(const sim::StartRecord& record) {
  move_to(record.at);
  HeldPart part{record.who.job->user, record.who.job->size, {}};
  if (!hosts_.empty()) part.processors = (*record.placement).processors();
  count(part, 1);
  held_.insert_or_assign(record.who.id, std::move(part));
}

void WindowDelay::release(JobId job, Time at) {
  move_to(at);
  const auto found = held_.find(job);
  if (found == held_.end()) return;
  count(found->second, -1);
  held_.erase(found);
}

void WindowDelay::on(const sim::WindowRecord& record) {
  using Change = sim::WindowRecord::Event;
  move_to(record.at);
  if (record.event == Change::kEnds) {
    std::erase_if(begun_,
                  [&](const auto& each) { return each.window == record.window; });
  }
  if (record.event != Change::kBegins) return;
  BegunWindow begun{record.window, {}, 0, 0};
  for (const auto host : record.window->hosts) {
    begun.processors.insert(hosts_[static_cast<std::size_t>(host)]);
  }
  for (const auto& [job, part] : held_) count_in(begun, part, 1);
  begun_.push_back(std::move(begun));
}

void WindowDelay::on(const sim::CapacityRecord& record) {
  move_to(record.at);
  capacity_ = record.processors;
}

}  // namespace berth
