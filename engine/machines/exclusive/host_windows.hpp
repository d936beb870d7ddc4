#pragma once
// What the windows of hosts keep from jobs: in its time a window has all of its hosts,
// and a job of others that starts sits on none that a window has before its planned
// end.  A host that drains is kept from all jobs until it is expected back.
//
//   operation     time, w = known windows, h = hosts, r = running jobs, e = their
//                 expected ends
//   kept          O(w), and O(h log h) where a window keeps hosts
//   spread        that of HostRoom, and O(log h) a host
//   outlook       that of RoomOutlook; seek() O(e) copies of HostShapes

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/hosts/several_kinds.hpp"
#include "engine/machines/exclusive/window_rules.hpp"
#include "engine/reserve/host_profiles.hpp"

namespace berth {

class HostWindows final : public WindowRules {
 public:
  // The machine outlives it.
  HostWindows(std::shared_ptr<const std::vector<MachineWindow>> all,
              const SeveralKinds& machine)
      : WindowRules(std::move(all)), machine_(machine) {}

  // The host drains, and is expected back then; or it does so no more.
  void drain(std::int32_t host, Time until) { drains_[host] = until; }
  void end_drain(std::int32_t host) { drains_.erase(host); }

  // Sorted: the hosts that a known window keeps from the job for some of the time that
  // it is planned to run if it starts now.  None before the run.  Valid until the next
  // call.
  [[nodiscard]] std::span<const std::int32_t> kept_now(JobId job) const;
  // SeveralKinds::spread beside the hosts that are kept now.
  [[nodiscard]] bool spread(JobId job, std::vector<HostChunks>& onto) const;
  // See HasHostProfiles.
  [[nodiscard]] std::unique_ptr<HostProfiles> profiles(Time now, Budget& budget) const;
  // The first window that keeps one of these from the job now; null: none does.
  [[nodiscard]] const MachineWindow* keeper(JobId job,
                                            std::span<const HostChunks> onto) const;

  [[nodiscard]] WindowWay in_the_way(JobId job) const override;
  // All that may not run inside and have a part of a host of the window.
  [[nodiscard]] std::vector<JobId> hit_by(const MachineWindow& window) const override;

 private:
  [[nodiscard]] bool may_delay(JobId job) const override {
    return !drains_.empty() || WindowRules::may_delay(job);
  }
  [[nodiscard]] std::unique_ptr<Outlook> make_outlook(JobId job) const override;
  // When the host is expected back; no later than now if it does not drain.
  [[nodiscard]] Time drained_until(std::int32_t host) const;
  // The same for [from, to).
  [[nodiscard]] std::span<const std::int32_t> kept(JobId job, Time from, Time to) const;
  // The first start >= `start` at which neither a drain nor a known window keeps the
  // host from the job for so long.
  [[nodiscard]] Time first_free(JobId job, std::int32_t host, Duration length,
                                Time start) const;
  template <class Is>
  [[nodiscard]] const MachineWindow* first_keeper(JobId job, const Is& is) const;
  // The chunks of the job for which there is room beside the hosts that are kept now,
  // no more than it has; `onto`: where.
  std::int64_t lay_out(JobId job, std::vector<HostChunks>& onto) const;
  class HostWindowOutlook;
  class WindowProfiles;

  const SeveralKinds& machine_;
  boost::container::flat_map<std::int32_t, Time> drains_;  // expected returns, as told
  mutable std::vector<std::int32_t> kept_;                 // scratch
  mutable std::vector<HostChunks> onto_;                   // scratch
};

}  // namespace berth
