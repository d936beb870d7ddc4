#pragma once
// An exclusive machine whose hosts, or processors in a pool, go down and come back
// (docs/model.md#host-events).
//
// A host that is down is a job of the system that has all of it, up to its expected
// return: to plans and to the book it is a job that runs, and overruns where the host
// is late.  Who holds a part of it when it goes down is hit.
//
//   operation      cost, r = running jobs
//   hosts go down  O(r) an instant, and that of a start for each host
//   a host is up   that of an end
// Memory           24 bytes an event

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/hosts/host_events.hpp"
#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/machine_events.hpp"

namespace berth {

// The hosts of a machine, each as the range of its processors: of a pool every
// processor.
[[nodiscard]] std::vector<Interval> hosts_of(const sim::Machine& machine);

// Adds what each host needs to be down: all of what is on it, and of a pool its
// processor alone.  REQUIRES: `needs` has all jobs of the run.
void add_needs_of_hosts(const sim::Machine& machine, Needs& needs);

class FailingHosts final : public Exclusive, public sim::MachineEvents {
 public:
  // REQUIRES, of both: the machine has events.
  // A pool of processors alone.
  explicit FailingHosts(const sim::Machine& machine);
  // REQUIRES: `needs` has those of the hosts behind the jobs (add_needs_of_hosts).
  FailingHosts(const sim::Machine& machine, std::shared_ptr<const Needs> needs);

  void begin(sim::Simulation& simulation) override;
  // `number`: of an instant of events, or behind these that of a job that returns.
  bool happen(std::uint32_t number, sim::Simulation& simulation) override;

 private:
  using Events = std::span<const HostEvent>;
  [[nodiscard]] SystemClaim claim_of(const HostEvent& event) const;
  void take_down(Events events, sim::Simulation& simulation);
  void bring_up(const HostEvent& event, sim::Simulation& simulation);
  void hit_all(Events events, sim::Simulation& simulation);
  void announce(const HostEvent& event, sim::Simulation& simulation) const;

  std::shared_ptr<const std::vector<HostEvent>> all_;
  std::vector<HostEvent> at_begin_;  // hosts that are down before the first submit
  std::vector<Events> instants_;     // the events of each, by time
  std::vector<Interval> hosts_;
  std::vector<Time> until_;  // by host: the expected return, while it is down
  std::int64_t down_ = 0;    // processors
};

}  // namespace berth
