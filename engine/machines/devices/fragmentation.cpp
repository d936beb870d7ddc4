#include "engine/machines/devices/fragmentation.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/base/field_writer.hpp"

namespace berth {

namespace {

using Left = boost::container::small_vector<std::int64_t, 16>;

// Of two needs with as many jobs, the one whose key is larger comes first.
auto target_key(const DeviceNeed& need) {
  return std::tuple(need.amounts.front(), need.share, need.gpus, need.types,
                    need.may_use);
}

// Takes so many lowest wholly idle devices; false: there are fewer.
bool take_whole(Left& left, std::int32_t count, std::int64_t parts) {
  for (auto& each : left) {
    if (count == 0) break;
    if (each != parts) continue;
    each = 0;
    --count;
  }
  return count == 0;
}

// The parts of devices that have less than a chunk takes of each of `count` devices;
// all if fewer have as many.
std::int64_t unusable(std::span<const std::int64_t> left, std::int64_t take,
                      std::int32_t count) {
  std::int64_t below = 0;
  std::int64_t idle = 0;
  for (const auto each : left) {
    idle += each;
    if (each < take) {
      below += each;
    } else {
      --count;
    }
  }
  return count > 0 ? idle : below;
}

}  // namespace

Fragmentation::Fragmentation(std::shared_ptr<const DeviceHosts> hosts,
                             const std::vector<TargetNeed>& needs, double cover)
    : hosts_(std::move(hosts)) {
  std::map<decltype(target_key(DeviceNeed())), TargetNeed> by_key;
  std::int64_t jobs = 0;
  for (const auto& [need, count] : needs) {
    auto& entry = by_key.try_emplace(target_key(need), TargetNeed{need}).first->second;
    entry.jobs += count;
    jobs += count;
  }
  std::vector<TargetNeed> all;
  all.reserve(by_key.size());
  for (auto at = by_key.rbegin(); at != by_key.rend(); ++at) all.push_back(at->second);
  std::stable_sort(
      all.begin(), all.end(),
      [](const TargetNeed& a, const TargetNeed& b) { return a.jobs > b.jobs; });
  const auto wanted = cover / 100 * static_cast<double>(jobs);
  for (auto& each : all) {
    if (static_cast<double>(jobs_) >= wanted) break;
    jobs_ += each.jobs;
    target_.push_back(std::move(each));
  }
  jobs_ = std::max<std::int64_t>(1, jobs_);
}

std::optional<std::int64_t> Fragmentation::least_cpu() const {
  std::optional<std::int64_t> least;
  for (const auto& [need, jobs] : target_) {
    const auto cpu = need.amounts.front();
    if (need.gpus > 0) least = std::min(least.value_or(cpu), cpu);
  }
  return least;
}

std::int64_t Fragmentation::sum(const DeviceHost& host, std::int64_t cpu,
                                std::span<const std::int64_t> left) const {
  const auto idle = std::accumulate(left.begin(), left.end(), std::int64_t{0});
  if (idle == 0) return 0;
  if (target_.empty()) return idle;
  std::int64_t sum = 0;
  for (const auto& [need, jobs] : target_) {
    const bool may_go =
        need.gpus > 0 && need.allows(host.type) && need.amounts.front() <= cpu;
    const auto take =
        need.share > 0 ? hosts_->share_on(host, need.share) : hosts_->parts();
    sum += jobs * (may_go && take > 0 ? unusable(left, take, need.gpus) : idle);
  }
  return sum;
}

std::int64_t Fragmentation::sum(const DeviceRoom& room, std::int32_t host) const {
  return sum(hosts_->host(host), room.sums().free_on(host, 0), room.left(host));
}

std::optional<double> Fragmentation::with(const DeviceRoom& room, std::int32_t host,
                                          const DeviceNeed& need,
                                          std::optional<std::int32_t> device) const {
  if (room.room(need, host) == 0) return std::nullopt;
  const auto now = room.left(host);
  Left left(now.begin(), now.end());
  if (need.share > 0) {
    auto& taken = left[static_cast<std::size_t>(device.value_or(0))];
    taken -= room.ask(need, host);
    if (taken < 0) return std::nullopt;
  } else if (!take_whole(left, need.gpus, hosts_->parts())) {
    return std::nullopt;
  }
  const auto cpu = room.sums().free_on(host, 0) - need.amounts.front();
  return mean(sum(hosts_->host(host), cpu, {left.data(), left.size()}));
}

Fragmentation fragmentation_of(std::shared_ptr<const DeviceHosts> hosts,
                               const DeviceNeeds& needs,
                               const DeviceSettings& settings) {
  const auto target = settings.names_target_file() ? target_from_file(*hosts, settings)
                                                   : needs.of_source();
  return {std::move(hosts), target, settings.fragmentation_cover};
}

FragmentationTarget::FragmentationTarget(std::shared_ptr<const DeviceHosts> hosts,
                                         std::shared_ptr<const DeviceNeeds> needs,
                                         const DeviceSettings& settings)
    : hosts_(std::move(hosts)),
      needs_(std::move(needs)),
      cover_(settings.fragmentation_cover),
      now_(settings.target == kTargetOfArrived
               ? Fragmentation(hosts_, {}, cover_)
               : fragmentation_of(hosts_, *needs_, settings)) {
  if (settings.target == kTargetOfArrived) arrived_.resize(needs_->size());
}

bool FragmentationTarget::arrive(JobId job) {
  if (arrived_.empty()) return false;
  ++arrived_[needs_->number(job)];
  if (++arrivals_ < next_) return false;
  next_ *= 2;
  auto target = needs_->all();
  for (std::size_t i = 0; i < target.size(); ++i) target[i].jobs = arrived_[i];
  std::erase_if(target, [](const TargetNeed& each) { return each.jobs == 0; });
  now_ = Fragmentation(hosts_, target, cover_);
  return true;
}

void FragmentationFact::fields(FieldWriter& to) const {
  to.number("parts", static_cast<double>(sum_) / static_cast<double>(jobs_));
}

std::int64_t FragmentationNow::sum(const Fragmentation& of, const DeviceRoom& room,
                                   std::int32_t host, std::uint64_t changes) {
  auto& kept = kept_[static_cast<std::size_t>(host)];
  if (kept.changes != changes) kept = {changes, of.sum(room, host)};
  return kept.sum;
}

}  // namespace berth
