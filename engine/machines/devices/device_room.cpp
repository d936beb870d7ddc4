#include "engine/machines/devices/device_room.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// So many lowest wholly idle devices, which are idle no longer.
void pick_whole(std::vector<std::int64_t>& left, std::int32_t count, std::int64_t parts,
                DevicePlaces& to) {
  for (std::size_t device = 0; device < left.size() && count > 0; ++device) {
    if (left[device] != parts) continue;
    left[device] = 0;
    to.devices.push_back(static_cast<std::int32_t>(device));
    --count;
  }
  BERTH_ASSERT(count == 0);
}

// -1: none has as much left.
std::int32_t device_by(DeviceRule rule, std::span<const std::int64_t> left,
                       std::int64_t ask) {
  std::int32_t best = -1;
  std::int64_t most = 0;
  for (std::int32_t device = 0; device < std::ssize(left); ++device) {
    const auto here = left[static_cast<std::size_t>(device)];
    if (here < ask) continue;
    const bool is_better = best < 0 || (rule == DeviceRule::kBest && here < most) ||
                           (rule == DeviceRule::kWorst && here > most);
    if (!is_better) continue;
    best = device;
    most = here;
  }
  return best;
}

// Takes so many parts of each; false: one of them has not as many.
bool take_devices(std::vector<std::int64_t>& left,
                  std::span<const std::int32_t> devices, std::int64_t parts) {
  for (const auto device : devices) {
    const bool has_parts =
        device < std::ssize(left) && left[static_cast<std::size_t>(device)] >= parts;
    if (!has_parts) return false;
    left[static_cast<std::size_t>(device)] -= parts;
  }
  return true;
}

}  // namespace

PickDevice pick_by(DeviceRule rule) {
  return [rule](std::int32_t, std::span<const std::int64_t> left, std::int64_t ask) {
    return device_by(rule, left, ask);
  };
}

std::int64_t room_on_devices(const DeviceHosts& hosts, const DeviceNeed& need,
                             const DeviceHost& host,
                             std::span<const std::int64_t> left) {
  if (need.share == 0) {
    return std::count(left.begin(), left.end(), hosts.parts()) / need.gpus;
  }
  const auto ask = hosts.share_on(host, need.share);
  if (ask == 0) return 0;
  std::int64_t room = 0;
  for (const auto each : left) room += std::max<std::int64_t>(0, each) / ask;
  return room;
}

DevicePlaces places_on(const DeviceHosts& hosts, const DeviceNeed& need,
                       const HostChunks& at, std::vector<std::int64_t> left,
                       const PickDevice& pick) {
  DevicePlaces to;
  const auto ask = need.share > 0 ? hosts.share_on(hosts.host(at.host), need.share) : 0;
  for (std::int32_t i = 0; i < at.chunks; ++i) {
    to.chunks.push_back({at.host, need.gpus, ask});
    if (need.share == 0) {
      pick_whole(left, need.gpus, hosts.parts(), to);
      continue;
    }
    const auto device = pick(at.host, left, ask);
    BERTH_ASSERT(device >= 0 && left[static_cast<std::size_t>(device)] >= ask);
    to.devices.push_back(device);
    left[static_cast<std::size_t>(device)] -= ask;
  }
  return to;
}

DeviceRoom::DeviceRoom(std::shared_ptr<const DeviceHosts> hosts)
    : hosts_(std::move(hosts)),
      sums_(hosts_->kinds(), hosts_->amounts()),
      left_(static_cast<std::size_t>(hosts_->devices()), hosts_->parts()) {}

std::int64_t DeviceRoom::ask(const DeviceNeed& need, std::int32_t host) const {
  if (need.share == 0) return need.gpus * hosts_->parts();
  return hosts_->share_on(hosts_->host(host), need.share);
}

std::int64_t DeviceRoom::most_for(const DeviceNeed& need, std::int32_t host) const {
  const auto all = left(host);
  if (all.empty() || !need.allows(hosts_->host(host).type)) return 0;
  if (need.share > 0) return *std::max_element(all.begin(), all.end());
  return std::count(all.begin(), all.end(), hosts_->parts()) * hosts_->parts();
}

std::int64_t DeviceRoom::room(const DeviceNeed& need, std::int32_t host) const {
  if (!need.allows(hosts_->host(host).type)) return 0;
  const auto room = sums_.room(need.plain(1), host);
  return need.gpus == 0 || room == 0
             ? room
             : std::min(room,
                        room_on_devices(*hosts_, need, hosts_->host(host), left(host)));
}

// Calls put(HostChunks) for each host that the job would get; false: it does not fit.
template <class Put>
bool DeviceRoom::lay_out(const DeviceNeed& need, std::int32_t chunks,
                         const Put& put) const {
  const auto plain = need.plain(chunks);
  if (!sums_.has_sums(plain)) return false;
  std::int64_t left = chunks;
  const auto hosts = sums_.hosts();
  for (auto at = sums_.next(0, plain); at < hosts; at = sums_.next(at + 1, plain)) {
    const auto host = static_cast<std::int32_t>(at);
    const auto here = std::min(left, room(need, host));
    if (here == 0) continue;
    put(HostChunks{host, static_cast<std::int32_t>(here)});
    left -= here;
    if (left == 0) return true;
  }
  return false;
}

bool DeviceRoom::fits(const DeviceNeed& need, std::int32_t chunks) const {
  return lay_out(need, chunks, [](const HostChunks&) {});
}

bool DeviceRoom::spread(const DeviceNeed& need, std::int32_t chunks,
                        std::vector<HostChunks>& onto) const {
  onto.clear();
  return lay_out(need, chunks, [&](const HostChunks& at) { onto.push_back(at); });
}

DevicePlaces DeviceRoom::place(const DeviceNeed& need, std::span<const HostChunks> onto,
                               const PickDevice& pick) const {
  DevicePlaces made;
  for (const auto& at : onto) {
    const auto all = left(at.host);
    made.append(places_on(*hosts_, need, at, {all.begin(), all.end()}, pick));
  }
  return made;
}

bool DeviceRoom::has(const DeviceNeed& need, const DevicePlaces& chunks) const {
  if (!sums_.has_sums(need.plain(static_cast<std::int32_t>(chunks.chunks.size())))) {
    return false;
  }
  bool is_right = true;
  std::int32_t host = -1;
  std::int64_t room = 0;
  std::vector<std::int64_t> free;  // of the devices of that host
  each_chunk(chunks, [&](const auto& chunk, std::span<const std::int32_t> own) {
    if (chunk.host != host) {
      is_right =
          is_right && chunk.host > host && chunk.host < std::ssize(hosts_->hosts());
      if (!is_right) return;
      host = chunk.host;
      room = this->room(need, host);
      const auto all = left(host);
      free.assign(all.begin(), all.end());
    }
    const auto parts = need.share > 0 ? ask(need, host) : 0;
    is_right = is_right && --room >= 0 && chunk.parts == parts &&
               chunk.devices == need.gpus &&
               take_devices(free, own, parts > 0 ? parts : hosts_->parts());
  });
  return is_right;
}

// What is needed machine-wide is counted with the first chunk.
void DeviceRoom::change(const DeviceNeed& need, const DevicePlaces& chunks, int sign) {
  auto amounts = need.amounts;
  each_chunk(chunks, [&](const auto& chunk, std::span<const std::int32_t> own) {
    const auto taken = chunk.parts > 0 ? chunk.parts : hosts_->parts();
    amounts[hosts_->gpu()] = taken * chunk.devices;
    const HostChunks at{chunk.host, 1};
    const Need plain{amounts.data(), 1, need.partition};
    sign < 0 ? sums_.take(plain, {&at, 1}) : sums_.give(plain, {&at, 1});
    const auto& host = hosts_->host(chunk.host);
    for (const auto device : own)
      left_[DeviceHosts::device(host, device)] += sign * taken;
    for (std::size_t kind = 0; kind < amounts.size(); ++kind) {
      if (!hosts_->kinds()[kind].is_on_hosts) amounts[kind] = 0;
    }
  });
}

}  // namespace berth
