#pragma once
// `exclusive`: every processor serves one job at a time, at full speed; every other
// kind of resource is counted, machine-wide or host by host.
//
// Processors   are numbered host by host; a job gets the lowest (highest) idle ones, of
//              each of its hosts where there are hosts
//
//   operation        cost
//   fits, choose     O(1) in a pool of processors alone; else see HostRoom
//   take, leave      that, and the processors of the job

#include <boost/container/flat_set.hpp>
#include <memory>
#include <optional>

#include "engine/base/job_map.hpp"
#include "engine/base/job_pages.hpp"
#include "engine/hosts/processor_map.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/reserve/host_profiles.hpp"

namespace berth {

class Exclusive : public SharingModel,
                  public SeveralKinds,
                  public HasHostProfiles,
                  private Reasons {
 public:
  // A pool of processors alone.  REQUIRES: processors >= 1.
  Exclusive(std::int32_t processors, Pick pick);
  // A machine with more than that.  REQUIRES: `needs` knows every job that the
  // functions name, and its kinds are those of the machine.
  Exclusive(std::int32_t processors, const Resources& resources,
            std::shared_ptr<const Needs> needs, Pick pick);

  std::optional<Refusal> arrive(JobId job, const Demand& demand) override;
  // `where`: in a pool a set of processors to keep to, on hosts the processors
  // themselves.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override;
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job,
                                                 const Demand&) const override;
  void leave(JobId job, Affected&) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  // Cost of the first call: O(intervals).
  [[nodiscard]] const Placement& placement(JobId job) const override;

  // REQUIRES, of those that follow: a machine with more than processors.
  [[nodiscard]] std::span<const ResourceKind> kinds() const override {
    return kinds_->all;
  }
  [[nodiscard]] Need need(JobId job) const override { return kinds_->needs->of(job); }
  [[nodiscard]] const HostRoom& room() const override { return kinds_->room; }
  [[nodiscard]] bool spread(JobId job, std::vector<HostChunks>& onto) const override;
  [[nodiscard]] std::span<const HostChunks> hosts_of(JobId job) const override {
    return kinds_->hosts_of.at(job);
  }
  [[nodiscard]] Placement place(JobId job,
                                std::span<const HostChunks> onto) const override;
  [[nodiscard]] std::vector<HostChunks> chunks_of(
      JobId job, const Placement& placement) const override;
  [[nodiscard]] std::int64_t size_on(std::int32_t host,
                                     std::size_t kind) const override {
    return kinds_->empty.free_on(host, kind);
  }
  [[nodiscard]] std::string_view group(std::int32_t host) const override;
  [[nodiscard]] std::unique_ptr<HostProfiles> host_profiles(
      Time now, Budget& budget) const override;

 protected:
  // How a pool tells whether a job fits, and why not: by the number of idle processors;
  // by that, and why not by the functions of Reasons; or, where a job may not have all
  // that is idle, by fits() and by these.
  enum class Asks : std::uint8_t { kCount, kWhyNot, kEach };
  Exclusive(std::int32_t processors, Pick pick, Asks asks);
  [[nodiscard]] Shortage shortage(JobId job, const Demand&) const override;
  [[nodiscard]] IntervalSet idle_processors(Interval within) const {
    return map_.idle_processors(within);
  }
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected&) override;

 private:
  struct alignas(64) Allocation {  // one cache line
    ProcessorMap::Share share;
    mutable std::unique_ptr<Placement> placement;  // null until it is asked for
  };
  // What there is besides processors in one pool.
  struct Kinds {
    Kinds(std::int32_t processors, const Resources& resources,
          std::shared_ptr<const Needs> needs_of_jobs);
    std::vector<ResourceKind> all;
    std::vector<HostGroup> groups;
    std::vector<Interval> hosts;  // the processors of each; empty: a pool
    HostRoom room;
    HostRoom empty;
    std::shared_ptr<const Needs> needs;
    JobMap<std::vector<HostChunks>> hosts_of;  // of running jobs; empty in a pool
    // The job that was found to fit last, on hosts, until something changes; a job
    // that starts is asked about more than once.
    mutable std::optional<JobId> laid_out_job;
    mutable std::vector<HostChunks> laid_out;  // where it would sit
  };

  [[nodiscard]] bool has_hosts() const {
    return kinds_ != nullptr && !kinds_->hosts.empty();
  }
  [[nodiscard]] IntervalSet pick(IntervalSet idle, std::int64_t count) const {
    return pick_ == Pick::kLowest ? idle.take_lowest(count) : idle.take_highest(count);
  }
  [[nodiscard]] Interval host(std::int32_t number) const {
    return kinds_->hosts[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] bool lay_out(JobId job) const;
  [[nodiscard]] bool may_take(JobId job, const IntervalSet& processors) const;
  Allocation& new_allocation(JobId job);
  void take_kinds(JobId job, const Placement* placement);
  void take_on_hosts(JobId job, ProcessorMap::Share& share);

  ProcessorMap map_;
  Pick pick_;
  JobPages<Allocation> allocations_;
  boost::container::flat_set<JobId> frozen_;  // few or none
  std::unique_ptr<Kinds> kinds_;              // null: processors alone
};

}  // namespace berth
