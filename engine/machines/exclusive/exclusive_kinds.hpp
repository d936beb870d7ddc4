#pragma once
// `exclusive` on a machine with several kinds of resource, or with hosts: every
// processor serves one job at a time, at full speed, and every other kind is counted.
//
// Processors   numbered host by host; a job gets the lowest (highest) idle ones of each
//              of its hosts
//
//   operation        cost
//   fits, choose     see HostRoom
//   take, leave      that, and the processors of the job

#include <boost/container/flat_set.hpp>
#include <memory>
#include <optional>

#include "engine/base/job_map.hpp"
#include "engine/hosts/processor_map.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/reserve/host_profiles.hpp"

namespace berth {

class ExclusiveKinds final : public SharingModel,
                             public SeveralKinds,
                             public HasHostProfiles,
                             private Reasons {
 public:
  // REQUIRES: `needs` knows every job that the functions name, and its kinds are those
  // of the machine.
  ExclusiveKinds(std::int32_t processors, const Resources& resources,
                 std::shared_ptr<const Needs> needs, Pick pick);

  std::optional<Refusal> arrive(JobId job, const Demand& demand) override;
  // `where`: in a pool a set of processors to keep to, on hosts the processors
  // themselves.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override;
  [[nodiscard]] std::unique_ptr<Outlook> outlook(JobId job,
                                                 const Demand&) const override;
  void leave(JobId job, Affected& affected) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override;

  [[nodiscard]] std::span<const ResourceKind> kinds() const override { return kinds_; }
  [[nodiscard]] Need need(JobId job) const override { return needs_->of(job); }
  [[nodiscard]] const HostRoom& room() const override { return room_; }
  [[nodiscard]] bool spread(JobId job, std::vector<HostChunks>& onto) const override;
  [[nodiscard]] std::span<const HostChunks> hosts_of(JobId job) const override;
  [[nodiscard]] Placement place(JobId job,
                                std::span<const HostChunks> onto) const override;
  [[nodiscard]] std::vector<HostChunks> chunks_of(
      JobId job, const Placement& placement) const override;
  [[nodiscard]] std::int64_t size_on(std::int32_t host,
                                     std::size_t kind) const override {
    return empty_.free_on(host, kind);
  }
  [[nodiscard]] std::string_view group(std::int32_t host) const override;
  [[nodiscard]] std::unique_ptr<HostProfiles> host_profiles(
      Time now, Budget& budget) const override;

 private:
  [[nodiscard]] Shortage shortage(JobId job, const Demand&) const override;
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected& affected) override;

  // Processors with consecutive numbers: a host, or the pool.
  struct Block {
    std::int32_t first;
    ProcessorMap idle;
  };
  // The move constructor of a small_vector may throw.
  struct Piece {  // NOLINT(bugprone-exception-escape)
    std::size_t block;
    ProcessorMap::Share share;
  };
  struct Allocation {
    std::vector<HostChunks> hosts;
    std::vector<Piece> pieces;
    mutable std::unique_ptr<Placement> placement;  // null until it is asked for
  };
  [[nodiscard]] bool is_pool() const { return room_.hosts() == 0; }
  [[nodiscard]] std::int32_t last_of(std::size_t block) const;
  void take_from(std::size_t block, std::int64_t processors, Piece& piece);
  [[nodiscard]] bool may_take(JobId job, const IntervalSet& processors) const;
  void put_by_rule(JobId job, Allocation& made);
  void put_there(JobId job, const IntervalSet& processors, Allocation& made);
  [[nodiscard]] bool lay_out(JobId job) const;
  void add(JobId job, Allocation allocation);

  std::vector<ResourceKind> kinds_;
  std::vector<HostGroup> groups_;
  HostRoom room_;
  HostRoom empty_;
  std::shared_ptr<const Needs> needs_;
  Pick pick_;
  std::vector<Block> blocks_;
  JobMap<std::unique_ptr<Allocation>> allocations_;
  boost::container::flat_set<JobId> frozen_;  // few or none
  // The job that was found to fit last, on hosts, until something changes; a job that
  // starts is asked about more than once.
  mutable std::optional<JobId> laid_out_job_;
  mutable std::vector<HostChunks> laid_out_;  // where it would sit
};

}  // namespace berth
