#pragma once
// Capability of machines that have several kinds of resource, or hosts.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/hosts/host_room.hpp"

namespace berth {

class SeveralKinds {
 public:
  virtual ~SeveralKinds() = default;

  [[nodiscard]] virtual std::span<const ResourceKind> kinds() const = 0;
  [[nodiscard]] virtual Need need(JobId job) const = 0;
  // What is free now.
  [[nodiscard]] virtual const HostRoom& room() const = 0;
  // Chunks of the job that fit on the host now; 0 where it may not go.
  [[nodiscard]] virtual std::int64_t room_on(JobId job, std::int32_t host) const {
    return room().room(need(job), host);
  }
  // The hosts that the job would get by the machine's rule; false: it does not fit now,
  // and what `onto` holds is arbitrary.  In a pool true, and none.
  [[nodiscard]] virtual bool spread(JobId job, std::vector<HostChunks>& onto) const = 0;
  // Where a running job sits; nothing in a pool.  Valid until it leaves.
  [[nodiscard]] virtual std::span<const HostChunks> hosts_of(JobId job) const = 0;
  // The processors that these chunks would get now.  REQUIRES: they fit there.
  [[nodiscard]] virtual Placement place(JobId job,
                                        std::span<const HostChunks> onto) const = 0;
  // The hosts of a placement of the job, with its whole chunks there; in a pool none.
  [[nodiscard]] virtual std::vector<HostChunks> chunks_of(
      JobId job, const Placement& placement) const = 0;
  // What a host has of a kind that is on hosts.
  [[nodiscard]] virtual std::int64_t size_on(std::int32_t host,
                                             std::size_t kind) const = 0;
  // Name of the group of a host.  REQUIRES: there is the host.
  [[nodiscard]] virtual std::string_view group(std::int32_t host) const = 0;

  // Of this kind, in all.
  [[nodiscard]] std::int64_t need_in_all(JobId job, std::size_t kind) const {
    const auto wanted = need(job);
    return wanted[kind] * (kinds()[kind].is_on_hosts ? wanted.chunks : 1);
  }
};

}  // namespace berth
