#pragma once
// Exclusive processors on a machine with several kinds of resource: no more in use of
// any kind than there is, on each host and machine-wide (C1); every job holds as many
// processors as it asked for, in whole chunks, each on one host of its partition (C7).
//
// Everything is counted here anew, host by host.  Hosts that have the same amounts free
// are counted together when it is asked what fits.
//
// Cost         O(hosts of the job) a start and an end, O(1) a rate; of what fits
// O(kinds
//              of host states), and O(1) for each host of the jobs that are gone.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/hosts/host_room.hpp"
#include "engine/machines/exclusive/exclusive_law.hpp"

namespace berth::audit {

class KindsLaw final : public ExclusiveLaw, public FitLaw {
 public:
  // REQUIRES: the machine has several kinds or hosts; the jobs outlive the law.
  KindsLaw(const sim::Machine& machine, std::span<const Job> jobs,
           std::shared_ptr<const Needs> needs);

  [[nodiscard]] bool tells_expected_fit() const override { return true; }
  [[nodiscard]] bool never_fits(JobId job) override;
  [[nodiscard]] bool fits_without(JobId job, std::span<const JobId> gone) override {
    return fits_beside(job, gone, {});
  }
  [[nodiscard]] bool fits_beside(JobId job, std::span<const JobId> gone,
                                 std::span<const std::int32_t> hosts) override;
  [[nodiscard]] Verdict start(JobId job, const Placement* placement,
                              bool resumed) override;
  void leave(JobId job) override;
  [[nodiscard]] std::span<const std::int64_t> amounts(JobId job) override;

 private:
  static LawTerms uncountable();
  struct Host {
    std::int32_t first;  // processor
    std::int32_t last;
    std::int32_t partition;          // -1: any
    std::vector<std::int64_t> free;  // by kind; 0 for machine-wide ones
  };
  // A partition and amounts, of hosts that have both.
  using HostState = std::pair<std::int32_t, std::vector<std::int64_t>>;
  // Finds the state of a host without a copy of its amounts.
  struct StateOrder {
    using is_transparent = void;
    static auto key(const HostState& state) {
      return std::tie(state.first, state.second);
    }
    static auto key(const Host& host) { return std::tie(host.partition, host.free); }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return key(a) < key(b);
    }
  };
  using HostStates = std::map<HostState, std::int64_t, StateOrder>;  // how many hosts
  // Chunks on a host.
  using Spread = std::vector<HostChunks>;

  [[nodiscard]] Verdict find_chunks(JobId job, const IntervalSet& processors,
                                    Spread& onto) const;
  // Takes what the job needs, or nothing.
  [[nodiscard]] Verdict take(JobId job, const Spread& onto);
  [[nodiscard]] Verdict overfull(const Spread& onto);
  void give(JobId job, const Spread& onto, int sign);
  void count(const Host& host, int sign);
  // As give(), but alike_ stays as it was.
  void lend(const Need& need, const Spread& onto, int sign);
  // Chunks of the job for which a host in this state has room, of those that count.
  [[nodiscard]] std::int64_t room(const Need& need, std::int32_t partition,
                                  std::span<const std::int64_t> free) const;
  [[nodiscard]] std::int64_t room_in(const HostStates& hosts, const Need& need) const;
  // Gives back what these jobs have; how much more room there is for chunks then.
  std::int64_t room_gained(const Need& need, std::span<const JobId> gone);
  [[nodiscard]] bool has_amounts(const Need& need,
                                 std::span<const std::int64_t> free) const;

  std::vector<ResourceKind> kinds_;
  std::shared_ptr<const Needs> needs_;
  std::vector<Host> hosts_;            // empty: a pool
  HostStates alike_;                   // all hosts, by what they have free
  HostStates empty_;                   // all hosts as they are when nothing runs
  std::vector<std::int64_t> whole_;    // of the whole machine, by kind
  std::vector<std::int64_t> free_;     // of that now
  JobMap<Spread> spread_;              // of running jobs
  std::string what_;                   // the last fault, in words
  std::vector<std::int64_t> amounts_;  // of the last job asked about
};

}  // namespace berth::audit
