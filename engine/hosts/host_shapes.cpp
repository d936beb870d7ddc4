#include "engine/hosts/host_shapes.hpp"

#include <algorithm>

namespace berth {

std::vector<HostShapes::Shape>::iterator HostShapes::place_of(
    std::span<const std::int64_t> wanted) {
  return std::lower_bound(sorted_.begin(), sorted_.end(), wanted,
                          [this](Shape shape, std::span<const std::int64_t> right) {
                            const auto left = values(shape);
                            return std::lexicographical_compare(
                                left.begin(), left.end(), right.begin(), right.end());
                          });
}

HostShapes::Shape HostShapes::enter(std::span<const std::int64_t> wanted) {
  const auto is_it = [&](Shape shape) {
    const auto known = values(shape);
    return std::equal(known.begin(), known.end(), wanted.begin(), wanted.end());
  };
  // The hosts of a job are mostly alike, before it and after.
  const bool is_last = last_ < hosts_.size() && hosts_[last_] > 0 && is_it(last_);
  if (is_last) return ++hosts_[last_], last_;
  const auto at = place_of(wanted);
  if (at != sorted_.end() && is_it(*at)) {
    ++hosts_[*at];
    return last_ = *at;
  }
  if (unused_.empty()) {
    unused_.push_back(static_cast<Shape>(hosts_.size()));
    hosts_.push_back(0);
    values_.resize(values_.size() + width());
  }
  const auto shape = unused_.back();
  unused_.pop_back();
  std::copy(wanted.begin(), wanted.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(shape * width()));
  hosts_[shape] = 1;
  sorted_.insert(at, shape);
  return last_ = shape;
}

void HostShapes::leave(Shape shape) {
  if (--hosts_[shape] > 0) return;
  sorted_.erase(place_of(values(shape)));
  unused_.push_back(shape);
}

void HostShapes::add(std::int32_t partition, std::span<const std::int64_t> free) {
  anew_.assign(1, partition);
  anew_.insert(anew_.end(), free.begin(), free.end());
  shape_of_.push_back(enter(anew_));
}

void HostShapes::change(std::int32_t host, const Need& need, std::int64_t chunks) {
  auto& shape = shape_of_[static_cast<std::size_t>(host)];
  const auto before = values(shape);
  anew_.assign(before.begin(), before.end());
  for (std::size_t i = 0; i < on_hosts_.size(); ++i) {
    anew_[i + 1] += need[on_hosts_[i]] * chunks;
  }
  leave(shape);
  shape = enter(anew_);
}

void HostShapes::close(std::int32_t host) {
  auto& shape = shape_of_[static_cast<std::size_t>(host)];
  const auto before = values(shape);
  anew_.assign(before.begin(), before.end());
  anew_.front() = kClosedHost;
  leave(shape);
  shape = enter(anew_);
}

std::int64_t HostShapes::room(Shape shape, const Need& need) const {
  const auto of = values(shape);
  if (of[0] != kAnyPartition && of[0] != need.partition) return 0;
  std::int64_t room = need.chunks;
  for (std::size_t i = 0; i < on_hosts_.size() && room > 0; ++i) {
    const auto wanted = need[on_hosts_[i]];
    if (of[i + 1] < wanted) return 0;
    if (wanted > 0) room = std::min(room, of[i + 1] / wanted);
  }
  return room;
}

bool HostShapes::has_room(const Need& need) const {
  std::int64_t left = need.chunks;
  for (const auto shape : sorted_) {
    left -= room(shape, need) * hosts_[shape];
    if (left <= 0) return true;
  }
  return false;
}

}  // namespace berth
