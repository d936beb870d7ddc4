#pragma once
// What the machine itself has of hosts that are not up, as the promise to the head of
// the queue and the windows have to count it: a host that is down from the hits of its
// instant on, one that drains once no job holds a part of it (docs/model.md#drains).
//
// Cost         O(log hosts) a host that goes down or comes back; O(running jobs) a host
//              that drains, when it begins to and as a job ends.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/audit/host_check.hpp"
#include "engine/audit/promises.hpp"
#include "engine/audit/window_check.hpp"
#include "engine/sim/record.hpp"

namespace berth::audit {

class HostsAway {
 public:
  // All outlive it.  `jobs`: of the workload.
  HostsAway(std::size_t jobs, HeadPromise& head, const HostCheck& hosts,
            std::optional<WindowCheck>& windows)
      : jobs_(jobs), head_(head), hosts_(hosts), windows_(windows) {}

  // JobTable::system_job.
  [[nodiscard]] JobId system_job(std::int32_t host) const {
    return JobId{static_cast<std::uint32_t>(jobs_ + static_cast<std::size_t>(host))};
  }
  // Is told what the machine takes, and the name that its job has in the promise, and
  // what it gives back.
  struct Watch {
    std::function<void(const sim::HostRecord&, std::uint32_t place)> takes;
    std::function<void(std::int32_t host)> gives;
  };
  void watch(Watch watch) { watch_ = std::move(watch); }

  // What happens to a host; HostCheck has been told.
  void note(const sim::HostRecord& record);
  // Jobs have given up what they held.
  void settle();

  // Whether running jobs hold a part of a host that drains.
  [[nodiscard]] bool any_drains() const { return !draining_.empty(); }
  // These hosts, by number.
  [[nodiscard]] std::vector<std::int32_t> draining() const;
  // Processors that the machine has, and those of hosts that drain which no job has.
  [[nodiscard]] std::int64_t processors() const { return processors_; }
  [[nodiscard]] std::int64_t idle_of_draining() const { return idle_of_draining_; }

 private:
  struct HeldHost {
    std::uint32_t place;  // in the promise
    std::int32_t processors;
  };
  void give_back(std::int32_t host, Time now);
  void take(const sim::HostRecord& record);

  std::size_t jobs_;
  HeadPromise& head_;
  const HostCheck& hosts_;
  std::optional<WindowCheck>& windows_;
  Watch watch_{};  // empty: none watches
  std::vector<sim::HostRecord> going_down_;
  std::map<std::int32_t, sim::HostRecord> draining_;
  std::map<std::int32_t, HeldHost> held_;
  std::int64_t processors_ = 0;
  std::int64_t idle_of_draining_ = 0;
};

}  // namespace berth::audit
