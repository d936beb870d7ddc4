#include "engine/machines/devices/devices.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/machines/devices/device_outlook.hpp"
#include "engine/machines/devices/device_profiles.hpp"

namespace berth {

namespace {

constexpr ModelTraits kDeviceTraits{.plans_by_count = false,
                                    .shares_processors = true,
                                    .form = Placement::tag_of<DevicePlaces>()};

// What else a chunk needs.
DeviceNeed without_devices(DeviceNeed need, std::size_t gpu) {
  need.amounts[gpu] = 0;
  need.gpus = 0;
  need.share = 0;
  return need;
}

constexpr std::size_t kLeastKept = 1024;  // of the last changes

std::uint64_t next_model_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// A job is as fast as its slowest chunk.
double speed_on(const DeviceHosts& hosts, const DeviceNeed& need,
                const DevicePlaces& places) {
  if (need.gpus == 0 || need.rates.empty()) return 1;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& chunk : places.chunks) {
    least = std::min(least, need.rate_on(hosts.host(chunk.host).type));
  }
  return least;
}

DeviceNeed of_any_type(DeviceNeed need) {
  need.may_use.clear();
  return need;
}

}  // namespace

Devices::Devices(std::shared_ptr<const DeviceHosts> hosts,
                 std::shared_ptr<const DeviceNeeds> needs, DeviceSettings settings)
    : SharingModel(std::ssize(hosts->hosts()), kDeviceTraits,
                   {this, this, hosts->speeds().empty() ? nullptr : this}),
      hosts_(std::move(hosts)),
      needs_(std::move(needs)),
      settings_(std::move(settings)),
      number_(next_model_number()),
      room_(hosts_),
      empty_(room_),
      jobs_on_(hosts_->hosts().size()),
      changes_(hosts_->hosts().size()),
      kept_(hosts_->hosts().size()) {
  if (settings_.target == kTargetOfArrived) (void)fragmentation();
}

const Fragmentation& Devices::fragmentation() const {
  if (target_ == nullptr) {
    target_ = std::make_unique<FragmentationTarget>(hosts_, needs_, settings_);
  }
  return target_->now();
}

double Devices::fragmentation_on(std::int32_t host) const {
  const auto& of = fragmentation();
  return of.mean(kept_.sum(of, room_, host, changes_on(host)));
}

std::int64_t Devices::fragments() const {
  const auto& of = fragmentation();
  std::int64_t sum = 0;
  const auto hosts = static_cast<std::int32_t>(hosts_->hosts().size());
  for (std::int32_t host = 0; host < hosts; ++host) {
    sum += kept_.sum(of, room_, host, changes_on(host));
  }
  return sum;
}

double Devices::fragmentation_now() const { return fragmentation().mean(fragments()); }

std::unique_ptr<const MachineFact> Devices::tell() const {
  if (target_ == nullptr) return nullptr;
  return std::make_unique<const FragmentationFact>(fragments(), fragmentation().jobs());
}

void Devices::note_change(std::int32_t host) {
  ++changes_[static_cast<std::size_t>(host)];
  if (changed_.size() >= kLeastKept + 4 * changes_.size()) {
    const auto dropped = changed_.size() / 2;
    changed_.erase(changed_.begin(), changed_.begin() + std::ssize(changed_) / 2);
    first_kept_ += dropped;
  }
  changed_.push_back(host);
}

void Devices::note_all_changed() {
  for (auto& each : changes_) ++each;
  first_kept_ += changed_.size() + 1;
  changed_.clear();
}

std::optional<std::span<const std::int32_t>> Devices::changed_since(
    std::uint64_t before) const {
  if (before < first_kept_) return std::nullopt;
  return std::span(changed_).subspan(static_cast<std::size_t>(before - first_kept_));
}

std::optional<Refusal> Devices::arrive(JobId job, const Demand& demand) {
  if (target_ != nullptr && target_->arrive(job)) note_all_changed();
  const auto is_too_wide = SharingModel::arrive(job, demand);
  if (is_too_wide || empty_.fits(need_of(job), needs_->chunks(job))) return is_too_wide;
  return Refusal::kTooBig;
}

// As many chunks as fit on each of these hosts, in their order; none if not all fit.
std::vector<HostChunks> Devices::kept_to(JobId job, const IntervalSet& hosts) const {
  std::vector<HostChunks> onto;
  std::int64_t left = needs_->chunks(job);
  for (const auto host : numbers_of(hosts)) {
    if (host >= std::ssize(hosts_->hosts()) || left == 0) break;
    const auto here = std::min(left, room_on(job, host));
    if (here > 0) onto.push_back({host, static_cast<std::int32_t>(here)});
    left -= here;
  }
  if (left > 0) onto.clear();
  return onto;
}

Result<Placement, Refusal> Devices::choose(JobId job, const Demand& demand,
                                           const Placement* where) const {
  std::vector<HostChunks> onto;
  if (where == nullptr) {
    if (!spread(job, onto)) return unfit(job, demand);
    return place(job, onto);
  }
  if (const auto* chunks = where->form_if<DevicePlaces>()) {
    const bool is_whole = std::ssize(chunks->chunks) == needs_->chunks(job);
    if (is_whole && room_.has(need_of(job), *chunks)) return *where;
    return Refusal::kBusy;
  }
  onto = kept_to(job, where->processors());
  if (onto.empty()) return Refusal::kBusy;
  return place(job, onto);
}

Placement Devices::place(JobId job, std::span<const HostChunks> onto,
                         const PickDevice& pick) const {
  auto chunks = room_.place(need_of(job), onto, pick);
  chunks.processes = needs_->processes(job);
  return placement_of(std::move(chunks));
}

std::vector<HostChunks> Devices::chunks_of(JobId, const Placement& placement) const {
  std::vector<HostChunks> onto;
  for (const auto& chunk : placement.form_if<DevicePlaces>()->chunks) {
    if (onto.empty() || onto.back().host != chunk.host) onto.push_back({chunk.host, 0});
    ++onto.back().chunks;
  }
  return onto;
}

std::unique_ptr<Outlook> Devices::outlook(JobId job, const Demand&) const {
  return std::make_unique<DeviceOutlook>(*this, job);
}

std::unique_ptr<HostProfiles> Devices::host_profiles(Time now, Budget& budget) const {
  return std::make_unique<DeviceProfiles>(*this, now, budget);
}

void Devices::put(JobId job, const Demand&, const Placement* placement, Affected&) {
  HeldDevices held;
  if (placement == nullptr) {
    const bool fits = spread(job, held.hosts);
    BERTH_ASSERT(fits);
    held.placement = place(job, held.hosts);
  } else {
    held.placement = *placement;
    held.hosts = chunks_of(job, *placement);
  }
  held.speed = speed_on(*hosts_, need_of(job), held.chunks());
  room_.take(need_of(job), held.chunks());
  auto idle = this->idle();
  for (const auto& at : held.hosts) {
    auto& jobs = jobs_on_[static_cast<std::size_t>(at.host)];
    if (jobs.empty()) --idle;
    jobs.insert(std::lower_bound(jobs.begin(), jobs.end(), job), job);
    note_change(at.host);
  }
  set_idle(idle);
  held_.insert(job, std::move(held));
}

void Devices::leave(JobId job, Affected&) {
  const auto held = held_.take(job);
  room_.give(need_of(job), held.chunks());
  auto idle = this->idle();
  for (const auto& at : held.hosts) {
    auto& jobs = jobs_on_[static_cast<std::size_t>(at.host)];
    jobs.erase(std::lower_bound(jobs.begin(), jobs.end(), job));
    if (jobs.empty()) ++idle;
    note_change(at.host);
  }
  set_idle(idle);
  if (!frozen_.empty()) frozen_.erase(job);
}

void Devices::freeze(JobId job, Frozen frozen, Affected& affected) {
  BERTH_ASSERT(held_.contains(job));
  if (frozen == Frozen::kYes) {
    frozen_.insert(job);
  } else {
    frozen_.erase(job);
  }
  affected.push_back(job);
}

double Devices::rate(JobId job) const {
  return !frozen_.empty() && frozen_.contains(job) ? 0.0 : held_.at(job).speed;
}

double Devices::speed(JobId job, const Placement* there) const {
  const auto* places = there == nullptr ? nullptr : there->form_if<DevicePlaces>();
  const auto& need = need_of(job);
  return places == nullptr ? need.slowest() : speed_on(*hosts_, need, *places);
}

// The first of these that holds: too little of a kind in all, on devices of other types
// it would fit, and but for devices it would fit.
Refusal Devices::unfit(JobId job, const Demand&) const {
  const auto& need = need_of(job);
  const auto chunks = needs_->chunks(job);
  if (need.gpus == 0 || !room_.sums().has_sums(need.plain(chunks))) {
    return Refusal::kBusy;
  }
  if (!need.may_use.empty() && room_.fits(of_any_type(need), chunks)) return kNoType;
  const bool lacks_devices = room_.fits(without_devices(need, hosts_->gpu()), chunks);
  return lacks_devices ? Refusal(kNoDevice) : Refusal::kBusy;
}

Shortage Devices::shortage(JobId job, const Demand& demand) const {
  const auto wanted = need(job);
  const auto kind = room_.sums().lacks(wanted);
  if (kind < kinds().size()) {
    return {need_in_all(job, kind), room().free(kind), kinds()[kind].name};
  }
  const auto& need = need_of(job);
  const auto hosts = static_cast<std::int32_t>(hosts_->hosts().size());
  if (unfit(job, demand) == kNoDevice && wanted.chunks == 1) {
    std::int64_t most = 0;
    for (std::int32_t host = 0; host < hosts; ++host) {
      most = std::max(most, room_.most_for(need, host));
    }
    return {wanted[hosts_->gpu()], most, kinds()[hosts_->gpu()].name};
  }
  std::int64_t chunks = 0;
  for (std::int32_t host = 0; host < hosts; ++host) chunks += room_on(job, host);
  return {wanted.chunks, chunks, "chunks"};
}

}  // namespace berth
