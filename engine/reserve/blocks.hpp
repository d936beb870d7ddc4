#pragma once
// Processors that a machine keeps free of jobs for a time, as in a window of
// maintenance: claims of a calendar that belong to no job and never move.
//
// Some jobs may run inside.  What they claim then comes out of the block first: for all
// others the block holds what is left of it, and never less than nothing.
//
//   operation        time, b = blocks, u = claims of the jobs that b lets in
//   every one        O(b log n); of a job that is let in, O(u log n) a block

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/reserve/availability_profile.hpp"

namespace berth {

struct IdleBlock {
  Time from;
  Time to;
  std::int64_t processors;
  std::size_t number;  // among those of the machine
  bool is_open;        // some jobs may run inside
  friend bool operator==(const IdleBlock&, const IdleBlock&) = default;
};

// A job has claimed so much in a calendar.
struct JobClaim {
  JobId job;
  std::int64_t processors;
  Time from;
  Time to;
};

class IdleBlocks {
 public:
  virtual ~IdleBlocks() = default;
  // Those that are known now and end later.
  [[nodiscard]] virtual std::vector<IdleBlock> blocks(Time now) const = 0;
  // Whether the job may run inside.
  [[nodiscard]] virtual bool lets_in(JobId job, const IdleBlock& block) const = 0;
  // Whether they ask more of a start than that the job fits beside them, as they do by
  // walltimes where less is expected: then the first start >= `from` that they grant.
  [[nodiscard]] virtual bool differs() const { return false; }
  [[nodiscard]] virtual Time first_start(JobId, Time from) const { return from; }
};

// Capability of machines.
class HasIdleBlocks {
 public:
  virtual ~HasIdleBlocks() = default;
  // Null: the machine keeps nothing free.  It outlives the calendar.
  [[nodiscard]] virtual const IdleBlocks* blocks() const = 0;
};

// The blocks in a profile of processors.  Both outlive it, as does the budget.
class BlockClaims {
 public:
  BlockClaims(const IdleBlocks& blocks, AvailabilityProfile& profile, Budget& budget)
      : blocks_(blocks), profile_(profile), budget_(budget) {}

  // The profile holds these claims and nothing else: claims the blocks known now.
  void reset(Time now, std::span<const JobClaim> claims);
  // The machine has announced a block: claims it, too.
  void announced(Time now, std::span<const JobClaim> claims);
  // The profile has a further claim of a job (sign 1), or one less (-1).
  void note(const JobClaim& claim, int sign);
  // From now on, until close(), the profile is as this job sees it.
  void open(JobId job);
  void close();
  // Whether jobs may run inside of any block, or each is asked for a start: then what
  // is free differs from job to job.
  [[nodiscard]] bool are_open() const { return are_open_ || blocks_.differs(); }
  // See IdleBlocks.
  [[nodiscard]] Time first_start(JobId job, Time from) const {
    return blocks_.first_start(job, from);
  }

 private:
  struct RestPiece {
    Time from;
    Time to;
    std::int64_t processors;  // > 0
  };
  struct HeldBlock {
    IdleBlock block;
    std::map<Time, std::int64_t> changes;  // of what jobs inside claim
    std::vector<RestPiece> pieces;         // that are claimed now
  };
  [[nodiscard]] bool is_inside(const HeldBlock& held, const JobClaim& claim) const {
    return held.block.is_open && claim.from < held.block.to &&
           held.block.from < claim.to && blocks_.lets_in(claim.job, held.block);
  }
  static void add(HeldBlock& held, const JobClaim& claim, int sign);
  void work_out(HeldBlock& held) const;
  void put(const HeldBlock& held, int sign);

  const IdleBlocks& blocks_;
  AvailabilityProfile& profile_;
  Budget& budget_;
  std::vector<HeldBlock> held_;
  std::vector<HeldBlock*> opened_;
  bool are_open_ = false;
};

}  // namespace berth
