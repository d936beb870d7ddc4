#pragma once
// `two_tier`: every processor has a foreground slot, whose process comes first, and a
// background slot, whose process runs on what the other leaves.
//
// A job sits in one tier with one process on each of its processors.  It is as fast as
// its slowest process:
//   foreground  1, less its loss while somebody sits below
//   background  1 below an empty slot, else efficiency * min(1, idle / use), where idle
//               is what the process above leaves, or all while that one is frozen
//
// Order        Foreground slots are filled by declared use of the process below,
//              background slots by declared use of the process above; least first, 0
//              for an empty slot, equal ones by number as `pick` says.  The i-th
//              process of the job gets the i-th (see cpu_nature.hpp).
// Source       Liu et al. 2012, algorithm 2 (Dispatch) and 3.2; spec: two-tier 1, 4.
//
//   operation               cost, n = processes of the job, P = processors
//   choose...               O(n), with `within` O(P)
//   take, leave, swap       O(n log P); what did not change costs nothing
//   rate                    O(1) in the foreground, O(n) in the background

#include <boost/intrusive/set.hpp>
#include <unordered_map>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/hosts/cpu_nature.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth {

class TwoTier final : public SharingModel {
 public:
  // REQUIRES: processors >= 1.
  TwoTier(std::int32_t processors, Pick pick, const TwoTierSettings& settings);
  ~TwoTier() override;

  // Foreground slots.
  [[nodiscard]] Result<Placement, Refusal> choose(
      const Needs& needs, const IntervalSet* within) const override;
  [[nodiscard]] std::optional<Refusal> refuses(const Needs& needs) const override {
    return needs.processors > idle() ? std::optional(Refusal::kBusy) : std::nullopt;
  }
  // Background slots that are empty, below nobody or a process that declares less than
  // the threshold.  kNoRoom if they are too few.
  [[nodiscard]] Result<Placement, Refusal> choose_background(const Needs& needs) const;
  [[nodiscard]] std::int64_t usable_background() const {
    return static_cast<std::int64_t>(background_.size());
  }

  void take(JobId job, const Needs& needs, const Placement& placement,
            Touched& touched) override;
  void leave(JobId job, Touched& touched) override;
  void freeze(JobId job, Frozen frozen, Touched& touched) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override;
  [[nodiscard]] TwoTier* tiers() override { return this; }

  // REQUIRES of all below that name a seated job: it sits on the machine.
  [[nodiscard]] Tier tier(JobId job) const;
  // Whether the foreground slots of all its processors are idle: kForegroundBusy; and
  // among those it may use: kHeld.  REQUIRES: it sits in the background.
  [[nodiscard]] Result<Done, Refusal> can_swap(JobId job,
                                               const IntervalSet* within) const;
  // To the foreground in place.  REQUIRES: can_swap.
  // NOLINTNEXTLINE(bugprone-exception-escape): tiers, not values, are swapped
  void swap(JobId job, Touched& touched);
  // Whether enough foreground slots are idle, on the processors `within` alone if
  // given: kBusy.
  [[nodiscard]] Result<Done, Refusal> can_move(const Needs& needs,
                                               const IntervalSet* within) const;
  // Out of the background and onto foreground slots of the machine's choice.
  // REQUIRES: it sits in the background, can_move.
  void move(JobId job, const Needs& needs, const IntervalSet* within, Touched& touched);

  // Declared use of a process, counted from 0; nullopt if the user says nothing.
  [[nodiscard]] std::optional<double> declared_use(const Needs& needs,
                                                   std::size_t process) const;
  // Declared use of the process above; 0 if nobody sits there, nullopt if unknown.
  // REQUIRES: the job sits in the background.
  [[nodiscard]] std::optional<double> above(JobId job, std::size_t process) const;
  // The jobs above its processes, by id, each once.  REQUIRES: as above.
  [[nodiscard]] std::vector<JobId> jobs_above(JobId job) const;
  // Processors with an idle foreground slot on which it has no process.
  [[nodiscard]] IntervalSet idle_without(JobId job) const;

 private:
  struct Seat {
    JobId job;
    Placement placement;
    CpuNature nature;
    bool frozen = false;
    std::int32_t shared = 0;  // foreground: processors with somebody below
    std::uint64_t touched = 0;
    [[nodiscard]] const TierSeat& slots() const {
      return std::get<TierSeat>(placement);
    }
  };
  struct Slot {
    Seat* seat = nullptr;
    std::size_t process = 0;
    [[nodiscard]] double declared() const {
      return seat == nullptr ? 0.0 : seat->nature.declared_of(process);
    }
  };
  using Hook = boost::intrusive::set_member_hook<boost::intrusive::optimize_size<true>>;
  struct Processor {
    std::int32_t number = 0;
    std::int32_t rank = 0;  // ties: smallest first
    Slot front;
    Slot back;
    double front_use = 0;     // of the process below: key of the idle foreground slot
    double back_use = 0;      // of the process above: key of the usable background slot
    std::uint64_t named = 0;  // the change that named it last
    Hook front_hook;
    Hook back_hook;
  };
  struct ByFront {
    bool operator()(const Processor& a, const Processor& b) const {
      return a.front_use != b.front_use ? a.front_use < b.front_use : a.rank < b.rank;
    }
  };
  struct ByBack {
    bool operator()(const Processor& a, const Processor& b) const {
      return a.back_use != b.back_use ? a.back_use < b.back_use : a.rank < b.rank;
    }
  };
  using FrontSet = boost::intrusive::set<
      Processor, boost::intrusive::compare<ByFront>,
      boost::intrusive::member_hook<Processor, Hook, &Processor::front_hook>>;
  using BackSet = boost::intrusive::set<
      Processor, boost::intrusive::compare<ByBack>,
      boost::intrusive::member_hook<Processor, Hook, &Processor::back_hook>>;

  [[nodiscard]] Processor& at(std::int32_t number);
  [[nodiscard]] const Processor& at(std::int32_t number) const;
  [[nodiscard]] const Seat& seat_of(JobId job) const;
  [[nodiscard]] Seat& seat_of(JobId job);
  [[nodiscard]] const CpuNature& nature(const Needs& needs) const;
  [[nodiscard]] bool usable(const Processor& processor) const;
  void require_free(const Needs& needs, const TierSeat& slots);
  void index(Processor& processor);
  void sit(Seat& seat, Touched& touched);
  void put_front(Seat& seat, std::size_t process, Touched& touched);
  void put_back(Seat& seat, std::size_t process, Touched& touched);
  void empty_slots(Seat& seat, Touched& touched);
  void share(Seat& seat, std::int32_t more, Touched& touched);
  void touch(Seat& seat, Touched& touched);
  [[nodiscard]] double process_rate(const Seat& seat, std::size_t process) const;

  TwoTierSettings settings_;
  std::vector<Processor> processors_;
  FrontSet foreground_;  // processors whose foreground slot is idle
  BackSet background_;   // processors whose background slot is usable
  std::unordered_map<std::uint32_t, Seat> seats_;  // looked up only, never walked
  std::uint64_t changes_ = 0;
  // What was drawn last: choosing and taking ask one after the other.
  mutable std::optional<std::int64_t> drawn_for_;
  mutable CpuNature drawn_;
};

}  // namespace berth
