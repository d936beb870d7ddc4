#pragma once
// `fractional`: hosts are shared by fractions.  A job has as many tasks as the trace
// gives it processors; each is on one host, several of a job may be on the same.
//
// A plain start gives full needs (yield 1), or the largest yield at which the empty
// machine has room, if that is less: task by task to the least loaded host with room
// for CPU and memory, ties by number.  The rate of a job is its yield, less what the
// settings take (task_needs.hpp).
//
// idle() is of hosts without a task, and bounds nothing: a host with tasks may have
// room for more, and a job may have more tasks than there are hosts.
//
//   operation                 cost; n = tasks of the job, H = hosts, t = tasks, all of
//                             its hosts together, j = jobs on one of them
//   choose                    O((n + H) log H)
//   fits, shortage            O(n + H)
//   take, leave, share        O(n (log n + j) + t)
//   reseat                    that of leave and take, for each job named
//
// Source       Stillwell, Schanzenbach, Vivien, Casanova 2009;
// docs/model.md#fractional.

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/machines/fractional/fractions.hpp"
#include "engine/sim/machine_events.hpp"

namespace berth {

class Fractional final : public SharingModel,
                         public Fractions,
                         private Reasons,
                         public sim::MachineEvents {
 public:
  // REQUIRES: hosts >= 1.
  Fractional(std::int32_t hosts, NeedsOfTasks needs);

  void charge_to(Budget& budget) override { budget_ = &budget; }
  // kTooBig: the hosts have too little memory for its tasks, even when all are empty.
  std::optional<Refusal> arrive(JobId job, const Demand& demand) override;
  // `where`: a set of hosts to keep to.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override;
  // Knows which jobs leave, and nothing of those that come.
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job,
                                                 const Demand& demand) const override;
  void leave(JobId job, Affected&) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override {
    return allocations_.at(index(job)).placement;
  }

  [[nodiscard]] TaskNeeds needs(JobId job, const Demand& demand) const override {
    return needs_.of(job, demand.processors());
  }
  [[nodiscard]] std::int64_t host_memory() const override {
    return needs_.host_memory();
  }
  [[nodiscard]] std::int64_t migration_budget() const override {
    return needs_.migration_budget();
  }
  [[nodiscard]] bool can_share(JobId job, double yield) const override;
  [[nodiscard]] bool can_seat(std::span<const Seat> seats) const override;
  void reseat(std::span<const Seat> seats, Time now, Affected& affected) override;
  [[nodiscard]] Duration cap_delay() const override {
    return needs_.settings().cap_delay;
  }
  void settle(JobId job, Time now, Affected& affected) override;
  // A share that was set a while ago takes hold.
  void happen_to(JobId job, sim::Simulation& simulation) override;

 private:
  class Later;

  [[nodiscard]] Shortage shortage(JobId job, const Demand& demand) const override {
    return {demand.processors(), most_of(job, demand)};
  }
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected& affected) override;
  struct Allocation {
    Placement placement;
    TaskNeeds needs;
    bool frozen = false;
    std::int64_t times = 0;  // its share was set
    Time settles = kNever;   // until then it keeps `kept`; kNever: it is settled
    double kept = 0;
    [[nodiscard]] const TaskHosts& tasks() const {
      return *placement.form_if<TaskHosts>();
    }
  };
  struct Host {
    double cpu = 0;           // sum of shares, added up anew at each change
    std::int64_t memory = 0;  // KiB in use
    // By job, in the order in which they came; a job is in here once.
    struct Tasks {
      JobId job;
      std::int32_t count;
    };
    std::vector<Tasks> tasks{};
  };

  // So many tasks of the job could be placed now.
  [[nodiscard]] std::int64_t most_of(JobId job, const Demand& demand) const;
  [[nodiscard]] const Allocation& allocation(JobId job) const {
    return allocations_.at(index(job));
  }
  [[nodiscard]] Allocation& allocation(JobId job) {
    return allocations_.at(index(job));
  }
  [[nodiscard]] bool has_room(double cpu, std::int64_t memory,
                              const TaskNeeds& needs) const {
    return memory + needs.memory_kib <= needs_.host_memory() &&
           cpu + needs.cpu <= 1 + kShareEps;
  }
  // Whether the tasks have room there with this yield.
  [[nodiscard]] bool has_room(const TaskNeeds& needs, const TaskHosts& tasks) const;
  // What each task of the job takes at a plain start, and the yield of that.
  struct Plain {
    TaskNeeds needs;
    double yield;
  };
  [[nodiscard]] Plain plain(JobId job, const Demand& demand) const;
  [[nodiscard]] std::optional<TaskHosts> place(const Plain& start, std::int32_t tasks,
                                               const Placement* where) const;
  // How many such tasks the hosts have room for, up to `most`.
  [[nodiscard]] std::int64_t room(const std::vector<Host>& hosts,
                                  const TaskNeeds& needs, std::int64_t most) const;
  [[nodiscard]] Host& at(std::int32_t host) {
    return hosts_[static_cast<std::size_t>(host)];
  }
  [[nodiscard]] double load(const Host& host) const;
  void seat(JobId job, const Allocation& held);
  void take_off(JobId job, const Allocation& held);
  void add_up(const Placement& placement);
  // A task of the job leaves the host.
  static void drop(JobId job, const TaskNeeds& needs, Host& host);
  void count_share(JobId job, Allocation& held);
  void keep_rate(JobId job, Time now, Allocation& held);

  void charge(const TaskHosts& tasks) const;

  Budget unlimited_;
  Budget* budget_ = &unlimited_;
  NeedsOfTasks needs_;
  std::vector<Host> hosts_;
  std::unordered_map<std::uint32_t, Allocation> allocations_;  // looked up only
  std::unordered_map<std::uint32_t, std::int64_t> times_;      // with errors: by job
};

}  // namespace berth
