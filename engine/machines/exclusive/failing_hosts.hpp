#pragma once
// An exclusive machine whose hosts, or processors in a pool, go down and come back
// (docs/model.md#host-events), or that has windows (docs/model.md#windows).
//
// A host that is down is a job of the system that has all of it, up to its expected
// return: to plans and to the book it is a job that runs, and overruns where the host
// is late.  Who holds a part of it when it goes down is hit.  Of a host that drains
// that job has what no other holds, and more as they end (DrainedParts, HostWindows).
//
//   operation      cost, r = running jobs
//   hosts go down  O(r) an instant, and that of a start for each host
//   hosts drain    the same, and then that of a start for each as a job on it ends
//   a host is up   that of an end, and O(r) if it drains
// Memory           That of the source of events, and 64 bytes a window

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/hosts/host_event_source.hpp"
#include "engine/machines/exclusive/drained_parts.hpp"
#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/machines/exclusive/host_windows.hpp"
#include "engine/machines/exclusive/window_claims.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/machine_events.hpp"

namespace berth {

// Adds what each host needs to be down: all of what is on it, and of a pool its
// processor alone.  REQUIRES: `needs` has all jobs of the run.
void add_needs_of_hosts(const sim::Machine& machine, Needs& needs);

// Enough is idle for a job, and a window forbids its start: for maintenance, or for the
// jobs of some users.
inline constexpr WhyRecord kWindowWhy{
    kMachineRoomRank,
    "window",
    "kept by a window",
    "ReqNodeNotAvail",
    "It would run into a window of maintenance, or one has begun.",
    "beside the window"};
inline constexpr WhyRecord kUserWindowWhy{
    kMachineRoomRank,
    "user_window",
    "kept for other users",
    "Reservation",
    "It would run into a window that is kept for other users, or one has begun.",
    "beside the window"};
inline constexpr WhyRecord kHostsDownWhy{kMachineRoomRank, "hosts_down",
                                         "hosts are down", "ReqNodeNotAvail",
                                         "It would fit with the hosts that are down."};
inline constexpr RefusalWord kHostsDownWord{"hosts_down", kHostsDownWhy};
inline constexpr Refusal kHostsDown{kHostsDownWord};
inline constexpr RefusalWord kWindowWord{"window", kWindowWhy};
inline constexpr RefusalWord kUserWindowWord{"user_window", kUserWindowWhy};
inline constexpr Refusal kWindow{kWindowWord};
inline constexpr Refusal kUserWindow{kUserWindowWord};

class FailingHosts final : public Exclusive,
                           public sim::MachineEvents,
                           public HasIdleBlocks {
 public:
  // REQUIRES, of both: the machine has events or windows, and no windows if it is a
  // pool with further kinds.
  //
  // A pool of processors alone.
  explicit FailingHosts(const sim::Machine& machine);
  // REQUIRES: `needs` has those of the hosts behind the jobs (add_needs_of_hosts).
  FailingHosts(const sim::Machine& machine, std::shared_ptr<const Needs> needs);

  void begin(sim::Simulation& simulation) override;
  // `number`: 0 of what happens to the machine next, else 1 more than that of a job
  // which returns.
  bool happen(std::uint32_t number, sim::Simulation& simulation) override;
  void expect_anew(sim::Simulation& simulation) override;
  [[nodiscard]] bool is_in_book(std::uint32_t number) const override {
    return claim_of(static_cast<std::int32_t>(number)).is_in_book;
  }

  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override;
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job,
                                                 const Demand& demand) const override;
  [[nodiscard]] const IdleBlocks* blocks() const override {
    return windows_ == nullptr ? nullptr : windows_->blocks();
  }
  [[nodiscard]] std::int64_t room_on(JobId job, std::int32_t host) const override;
  [[nodiscard]] bool spread(JobId job, std::vector<HostChunks>& onto) const override;
  [[nodiscard]] std::unique_ptr<HostProfiles> host_profiles(
      Time now, Budget& budget) const override;
  void leave(JobId job, Affected& affected) override;
  // A job of the system needs what it holds of its host.
  [[nodiscard]] Need need(JobId job) const override;
  [[nodiscard]] std::span<const HostChunks> hosts_of(JobId job) const override;

 private:
  using Events = std::span<const HostEvent>;
  // What the machine itself has of a host that is not up.
  struct HeldOfHost {
    bool is_held = false;
    std::int32_t processors = 0;
    Time until = 0;                       // expected return, as told
    std::vector<std::int64_t> amounts{};  // by kind; empty: processors of a pool
  };
  struct WindowEvent {
    Time at;
    sim::WindowRecord::Event kind;
    const MachineWindow* window;
  };
  // What happens at one instant.
  struct InstantOfMachine {
    Events hosts{};
    std::span<const WindowEvent> windows{};
  };
  [[nodiscard]] Refusal unfit(JobId job, const Demand& demand) const override;
  [[nodiscard]] Shortage shortage(JobId job, const Demand& demand) const override;
  [[nodiscard]] bool would_fit_if_up(JobId job, const Demand& demand) const;
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected& affected) override;
  void add_windows(Time now);
  [[nodiscard]] Time next_instant() const;
  static void await(Time at, sim::Simulation& simulation);
  [[nodiscard]] InstantOfMachine take_instant(Time now);
  void change_windows(const InstantOfMachine& instant, sim::WindowRecord::Event kind,
                      sim::Simulation& simulation);
  void lose(std::span<const JobId> jobs, sim::Simulation& simulation);
  [[nodiscard]] HeldOfHost& held(std::int32_t host) {
    return held_[static_cast<std::size_t>(host)];
  }
  [[nodiscard]] SystemClaim claim_of(std::int32_t host) const;
  void set_state(const HostEvent& event);
  // The machine has what is idle of the host from now on.
  void seize(std::int32_t host);
  void take_idle(std::int32_t host);
  // It has nothing of the host.
  void let_go(std::int32_t host);
  [[nodiscard]] std::vector<std::int32_t> drained_of(JobId job) const;
  [[nodiscard]] std::int32_t left_by(JobId running) const;
  [[nodiscard]] Time later_end(JobId holder, Time until) const;
  template <class See>
  void for_each_on(const IntervalSet& processors, const See& see) const;
  void drain(Events events, sim::Simulation& simulation);
  void drain_parts(Events events, sim::Simulation& simulation);
  void take_down(Events events, sim::Simulation& simulation);
  void bring_up(const HostEvent& event, sim::Simulation& simulation);
  void hit_all(Events events, sim::Simulation& simulation);
  void announce(const HostEvent& event, sim::Simulation& simulation) const;

  std::vector<Interval> hosts_;
  std::unique_ptr<HostEventSource> source_{};  // null before the run
  // Hosts that are down before the first submit, until they have gone down.
  std::vector<HostEvent> at_begin_{};
  std::vector<WindowEvent> window_events_{};  // by time
  std::size_t next_window_ = 0;
  std::vector<HostEvent::Kind> states_;      // by host
  std::vector<HeldOfHost> held_;             // likewise
  std::set<std::int32_t> draining_{};        // hosts
  DrainedParts parts_{};                     // where processors are all that drains
  bool are_hosts_ = false;                   // else a pool
  sim::Simulation* simulation_ = nullptr;    // before the run
  const sim::World* world_ = nullptr;        // before the run
  sim::Simulation* checkpointed_ = nullptr;  // where jobs write checkpoints
  std::int64_t down_ = 0;                    // processors that the machine has
  std::unique_ptr<WindowRules> windows_{};   // null: there are none
  HostWindows* on_hosts_ = nullptr;          // the same where they are of hosts
};

}  // namespace berth
