#include "engine/machines/devices/devices_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/base/error.hpp"

namespace berth::audit {

namespace {

constexpr std::array kOfDeviceStart{kWholePlacement, kDeviceParts,  kWholeDevices,
                                    kDeviceShares,   kHostsAllowed, kHostAmounts};
constexpr std::array kOfDeviceNote{kFragmentation};

LawTerms terms_of(const DeviceSpeeds& speeds) {
  LawTerms terms{.of_start = kOfDeviceStart,
                 .of_bracket = kOfDeviceNote,
                 .has_any_width = true,
                 .reads = LawTerms::Reads::kAll};
  if (!speeds.empty()) terms.speeds = {speeds.walltime_of(), kDeviceSpeeds};
  return terms;
}

}  // namespace

DevicesLaw::DevicesLaw(std::shared_ptr<const DeviceHosts> hosts,
                       std::shared_ptr<const DeviceNeeds> needs,
                       const DeviceSettings& settings)
    : Law(terms_of(hosts->speeds()), this),
      machine_(std::move(hosts)),
      needs_(std::move(needs)),
      settings_(settings) {
  const auto kinds = machine_->kinds();
  for (const auto& kind : kinds) free_.push_back(kind.capacity);
  std::int32_t number = 0;
  hosts_.reserve(machine_->hosts().size());
  for (const auto& host : machine_->hosts()) {
    CountedHost made;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      made.whole.push_back(kinds[kind].is_on_hosts ? machine_->amount_on(number, kind)
                                                   : 0);
    }
    made.free = made.whole;
    made.devices.resize(static_cast<std::size_t>(host.devices));
    hosts_.push_back(std::move(made));
    ++number;
  }
}

// Made when it is first asked for, which is not too late: where the target hangs on
// arrivals, that is at the first of them.
FragmentationTarget& DevicesLaw::target() {
  if (target_ == nullptr) {
    target_ = std::make_unique<FragmentationTarget>(machine_, needs_, settings_);
  }
  return *target_;
}

void DevicesLaw::arrive(JobId job) {
  if (settings_.target == kTargetOfArrived) (void)target().arrive(job);
}

Verdict DevicesLaw::note(const sim::MachineRecord& record) {
  const auto* told = dynamic_cast<const FragmentationFact*>(record.fact);
  BERTH_ASSERT(told != nullptr);
  const auto& of = target().now();
  std::int64_t sum = 0;
  for (std::size_t host = 0; host < hosts_.size(); ++host) sum += fragments(host, of);
  if (sum == told->sum()) return std::nullopt;
  return fault(kFragmentation,
               fmt::format("the machine counts {} idle parts that its target cannot "
                           "use, and there are {}",
                           of.mean(told->sum()), of.mean(sum)));
}

namespace {

// Parts of devices with less than `take` left; all if fewer than `wanted` have as much.
std::int64_t of_no_use(std::span<const std::int64_t> left, std::int64_t take,
                       std::int32_t wanted) {
  std::int64_t idle = 0;
  std::int64_t of_use = 0;
  std::int32_t able = 0;
  for (const auto parts : left) {
    idle += parts;
    if (parts < take) continue;
    of_use += parts;
    ++able;
  }
  return able >= wanted ? idle - of_use : idle;
}

}  // namespace

// Idle parts of a host that chunks of the target could not use, over its jobs; where it
// is empty no part is of use.
std::int64_t DevicesLaw::fragments(std::size_t number, const Fragmentation& of) const {
  const auto& host = hosts_[number];
  const auto& shape = machine_->host(static_cast<std::int32_t>(number));
  boost::container::small_vector<std::int64_t, 16> left;
  for (const auto& claims : host.devices) left.push_back(this->left(claims));
  const auto idle = std::accumulate(left.begin(), left.end(), std::int64_t{0});
  if (of.needs() == 0) return idle;
  std::int64_t sum = 0;
  for (const auto& [need, jobs] : of.target()) {
    const auto take =
        need.share > 0 ? machine_->share_on(shape, need.share) : machine_->parts();
    const bool may_go = need.gpus > 0 && need.allows(shape.type) && take > 0 &&
                        need.amounts.front() <= host.free.front();
    sum +=
        jobs * (may_go ? of_no_use({left.data(), left.size()}, take, need.gpus) : idle);
  }
  return sum;
}

Verdict DevicesLaw::fault(const Rule& rule, std::string what) {
  what_ = std::move(what);
  return Fault{rule, what_};
}

Verdict DevicesLaw::start(JobId job, const Placement* placement, bool) {
  const auto* chunks =
      placement == nullptr ? nullptr : placement->form_if<DevicePlaces>();
  if (chunks == nullptr) {
    return fault(kWholePlacement, "it was given no hosts and devices");
  }
  if (auto wrong = judge(job, *chunks)) return wrong;
  const auto hosts = placement_of(*chunks).processors();
  if (placement->processors() != hosts) {
    return fault(kWholePlacement,
                 fmt::format("its hosts are {} and its devices are on {}",
                             placement->processors().text(), hosts.text()));
  }
  count(job, *chunks, 1);
  if (auto wrong = judge_amounts(*chunks)) {
    count(job, *chunks, -1);
    return wrong;
  }
  held_.insert(job, {*chunks});
  return std::nullopt;
}

Verdict DevicesLaw::judge(JobId job, const DevicePlaces& chunks) {
  if (std::ssize(chunks.chunks) != needs_->chunks(job)) {
    return fault(kHostAmounts, fmt::format("it has {} chunks and asked for {}",
                                           chunks.chunks.size(), needs_->chunks(job)));
  }
  Verdict wrong;
  each_chunk(chunks, [&](const DeviceChunk& chunk, Numbers devices) {
    if (!wrong) wrong = judge_host(job, chunk.host);
    if (!wrong) wrong = judge_devices(job, chunk, devices);
  });
  return wrong;
}

Verdict DevicesLaw::judge_host(JobId job, std::int32_t number) const {
  if (number < 0 || number >= std::ssize(hosts_)) {
    return Fault{kHostsAllowed, "it sits on a host that does not exist"};
  }
  const auto& need = needs_->of(job);
  if (!need.allows(machine_->host(number).type)) {
    return Fault{kHostsAllowed, "it sits on a host without devices of its types"};
  }
  const auto partition = machine_->partition(number);
  if (partition && *partition != need.partition) {
    return Fault{kHostsAllowed, "it sits on a host that its partition may not use"};
  }
  return std::nullopt;
}

Verdict DevicesLaw::judge_devices(JobId job, const DeviceChunk& chunk,
                                  Numbers devices) {
  const auto& need = needs_->of(job);
  const auto& rule = need.share > 0 ? kDeviceShares : kWholeDevices;
  if (std::ssize(devices) != need.gpus) {
    return fault(rule, fmt::format("a chunk has {} devices and asked for {}",
                                   devices.size(), need.gpus));
  }
  const auto there = std::ssize(at(chunk.host).devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i] >= there) {
      return fault(rule, fmt::format("device {} of host {} does not exist; it has {}, "
                                     "numbered from 0",
                                     devices[i], chunk.host, there));
    }
    if (i > 0 && devices[i] <= devices[i - 1]) {
      return fault(rule, fmt::format("a chunk has device {} of host {} twice",
                                     devices[i], chunk.host));
    }
  }
  if (need.share == 0) {
    return chunk.parts == 0 ? Verdict()
                            : fault(rule, "it was given a share and asked for none");
  }
  const auto parts = machine_->share_on(machine_->host(chunk.host), need.share);
  if (parts == 0) {
    return fault(kHostsAllowed,
                 fmt::format("no slice of host {} is as large as a share "
                             "of {} parts",
                             chunk.host, need.share));
  }
  if (chunk.parts == parts) return std::nullopt;
  return fault(rule,
               fmt::format("a share of {} parts takes {} on host {}, and it has {}",
                           need.share, parts, chunk.host, chunk.parts));
}

// Once the chunks have been counted.
Verdict DevicesLaw::judge_amounts(const DevicePlaces& chunks) {
  const auto kinds = machine_->kinds();
  Verdict wrong;
  const auto judge_device = [&](const DeviceChunk& chunk, std::int32_t device) {
    const auto& claims = at(chunk.host).devices[static_cast<std::size_t>(device)];
    const auto parts = left(claims);
    if (chunk.parts == 0 && claims.size() > 1) {
      wrong = fault(
          kWholeDevices,
          fmt::format("device {} of host {} is not its own alone", device, chunk.host));
    } else if (parts < 0) {
      wrong = fault(kDeviceParts,
                    fmt::format("{} more parts of device {} of host {} in use than it "
                                "has",
                                -parts, device, chunk.host));
    }
  };
  each_chunk(chunks, [&](const DeviceChunk& chunk, Numbers devices) {
    for (const auto device : devices) {
      if (!wrong) judge_device(chunk, device);
    }
    for (std::size_t kind = 0; kind < kinds.size() && !wrong; ++kind) {
      const auto free =
          kinds[kind].is_on_hosts ? at(chunk.host).free[kind] : free_[kind];
      if (free >= 0 || kind == machine_->gpu()) continue;
      wrong =
          fault(kHostAmounts, fmt::format("{}: {} more in use on host {} than there is",
                                          kinds[kind].name, -free, chunk.host));
    }
  });
  return wrong;
}

void DevicesLaw::count(JobId job, const DevicePlaces& chunks, int sign) {
  const auto& need = needs_->of(job);
  const auto kinds = machine_->kinds();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (!kinds[kind].is_on_hosts) free_[kind] -= sign * need.amounts[kind];
  }
  each_chunk(chunks, [&](const DeviceChunk& chunk, Numbers devices) {
    auto& host = at(chunk.host);
    host.chunks += sign;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (kinds[kind].is_on_hosts) host.free[kind] -= sign * need.amounts[kind];
    }
    for (const auto device : devices) {
      const auto parts = chunk.parts > 0 ? chunk.parts : machine_->parts();
      count_parts({job, parts}, sign, host.devices[static_cast<std::size_t>(device)]);
    }
  });
}

void DevicesLaw::count_parts(const PartsOfJob& parts, int sign,
                             std::vector<PartsOfJob>& on) {
  if (sign > 0) return on.push_back(parts);
  on.erase(std::find_if(on.begin(), on.end(),
                        [&](const PartsOfJob& each) { return each.job == parts.job; }));
}

void DevicesLaw::leave(JobId job) { count(job, held_.take(job).chunks, -1); }

void DevicesLaw::freeze(JobId job, bool frozen) { held_.at(job).frozen = frozen; }

double DevicesLaw::speed(JobId job) const {
  const auto& need = needs_->of(job);
  std::vector<double> of_chunks;
  of_chunks.reserve(held_.at(job).chunks.chunks.size());
  for (const auto& chunk : held_.at(job).chunks.chunks) {
    of_chunks.push_back(need.rate_on(machine_->host(chunk.host).type));
  }
  return *std::min_element(of_chunks.begin(), of_chunks.end());
}

std::int64_t DevicesLaw::used() const {
  return std::count_if(hosts_.begin(), hosts_.end(),
                       [](const CountedHost& host) { return host.chunks > 0; });
}

std::int64_t DevicesLaw::left(const std::vector<PartsOfJob>& claims) const {
  auto left = machine_->parts();
  for (const auto& each : claims) left -= each.parts;
  return left;
}

bool DevicesLaw::never_fits(JobId job) { return !has_room(job, true); }

bool DevicesLaw::fits_without(JobId job, std::span<const JobId> gone) {
  for (const JobId each : gone) count(each, held_.at(each).chunks, -1);
  const bool fits = has_room(job, false);
  for (const JobId each : gone) count(each, held_.at(each).chunks, 1);
  return fits;
}

bool DevicesLaw::has_room(JobId job, bool when_empty) {
  const auto& need = needs_->of(job);
  const auto kinds = machine_->kinds();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto free = when_empty ? kinds[kind].capacity : free_[kind];
    if (!kinds[kind].is_on_hosts && need.amounts[kind] > free) return false;
  }
  std::int64_t chunks = 0;
  for (std::size_t host = 0; host < hosts_.size(); ++host) {
    chunks += room(job, host, when_empty);
    if (chunks >= needs_->chunks(job)) return true;
  }
  return false;
}

std::int64_t DevicesLaw::room(JobId job, std::size_t number, bool when_empty) const {
  const auto& need = needs_->of(job);
  if (judge_host(job, static_cast<std::int32_t>(number))) return 0;
  const auto& host = hosts_[number];
  std::int64_t room = std::numeric_limits<std::int64_t>::max();
  for (std::size_t kind = 0; kind < need.amounts.size(); ++kind) {
    const auto wanted = need.amounts[kind];
    const bool counts = machine_->kinds()[kind].is_on_hosts && kind != machine_->gpu();
    if (!counts || wanted == 0) continue;
    const auto free = when_empty ? host.whole[kind] : host.free[kind];
    room = std::min(room, std::max<std::int64_t>(0, free) / wanted);
  }
  if (need.gpus == 0) return room;
  const auto take =
      machine_->share_on(machine_->host(std::int32_t(number)), need.share);
  std::int64_t on_devices = 0;
  for (const auto& claims : host.devices) {
    const auto parts = when_empty ? machine_->parts() : left(claims);
    if (need.share == 0) {
      on_devices += parts == machine_->parts() ? 1 : 0;
    } else if (take > 0) {
      on_devices += std::max<std::int64_t>(0, parts) / take;
    }
  }
  return std::min(room, need.share == 0 ? on_devices / need.gpus : on_devices);
}

}  // namespace berth::audit
