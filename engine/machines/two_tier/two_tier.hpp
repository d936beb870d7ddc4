#pragma once
// `two_tier`: every processor has a foreground slot, whose process comes first, and a
// background slot, whose process runs on what the other leaves.
//
// A job is in one tier and has one process on each of its processors.  Its rate is that
// of its slowest process:
//   foreground  1, less its loss while the background slot below is occupied (or as
//               `fg_loss_when` says)
//   background  1 below an empty slot, else efficiency * min(1, idle / use), where idle
//               is what the process above leaves, or all while that one is frozen
//
// Order        Foreground slots are filled by declared use of the process below,
//              background slots by declared use of the process above: least first, 0
//              for an empty slot, ties by number as `pick` says.  The i-th process of
//              the job gets the i-th slot (see cpu_nature.hpp).
// Source       Liu et al. 2012, algorithm 2 (Dispatch) and 3.2;
//              docs/model.md#two-tier.
//
//   operation               cost, n = processes of the job, P = processors
//   choose                  O(n), restricted O(P)
//   take, leave, promote    O(n log P); neighbours that did not change cost nothing
//   rate                    O(1) in the foreground, O(n) in the background

#include <boost/intrusive/set.hpp>
#include <unordered_map>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/hosts/pick.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/two_tier/cpu_nature.hpp"
#include "engine/machines/two_tier/tiers.hpp"

namespace berth {

class TwoTier final : public SharingModel, public Tiers {
 public:
  // REQUIRES: processors >= 1.
  TwoTier(std::int32_t processors, Pick pick, CpuNatures natures);
  ~TwoTier() override;

  // Foreground slots.  `where`: a set of processors to keep to.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId, const Demand& demand) const override {
    return demand.processors() <= idle();
  }
  void leave(JobId job, Affected& affected) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override;

  [[nodiscard]] Result<Placement, Refusal> choose_background(
      const Demand& demand) const override;
  [[nodiscard]] std::int64_t usable_background() const override {
    return static_cast<std::int64_t>(background_.size());
  }
  [[nodiscard]] Result<Done, Refusal> can_promote(
      JobId job, const Demand& demand, Promotion how,
      const Placement* where) const override;
  void promote(JobId job, const Demand& demand, Promotion how, const Placement* where,
               Affected& affected) override;
  [[nodiscard]] std::optional<double> use_above(JobId job,
                                                std::size_t process) const override;
  [[nodiscard]] std::vector<JobId> jobs_above(JobId job) const override;
  [[nodiscard]] IntervalSet idle_without(JobId job) const override;
  [[nodiscard]] std::optional<double> declared_use(JobId job, const Demand& demand,
                                                   std::size_t process) const override;

 private:
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected& affected) override;
  struct Allocation {
    JobId job;
    Placement placement;
    CpuNature nature;
    bool frozen = false;
    std::int32_t shared = 0;     // foreground: processors with a slot below that slows
    std::uint64_t affected = 0;  // the change that last named it affected
    [[nodiscard]] const TierSlots& slots() const {
      return *placement.form_if<TierSlots>();
    }
  };
  struct Slot {
    Allocation* job = nullptr;  // null: empty
    std::size_t process = 0;
    [[nodiscard]] double declared() const {
      return job == nullptr ? 0.0 : job->nature.declared_of(process);
    }
  };
  using Hook = boost::intrusive::set_member_hook<boost::intrusive::optimize_size<true>>;
  struct Processor {
    std::int32_t number = 0;
    std::int32_t rank = 0;  // ties: smallest first
    Slot front;
    Slot back;
    double front_use = 0;  // of the process below: key of the idle foreground slot
    double back_use = 0;   // of the process above: key of the usable background slot
    mutable std::uint64_t named = 0;  // the question that named it last
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
  [[nodiscard]] const Allocation& allocation_of(JobId job) const;
  [[nodiscard]] Allocation& allocation_of(JobId job);
  [[nodiscard]] const CpuNature& nature(JobId job, const Demand& demand) const;
  [[nodiscard]] bool usable(const Processor& processor) const;
  [[nodiscard]] bool are_free(const TierSlots& slots) const;
  void index(Processor& processor);
  void occupy(Allocation& job, Affected& affected);
  void put_front(Allocation& job, std::size_t process, Affected& affected);
  void put_back(Allocation& job, std::size_t process, Affected& affected);
  void swap_tiers(Allocation& job);
  void empty_slots(Allocation& job, Affected& affected);
  [[nodiscard]] bool loses(const Slot& front) const;
  void share(const Slot& front, std::int32_t more, Affected& affected);
  void name_affected(Allocation& job, Affected& affected);
  [[nodiscard]] double process_rate(const Allocation& job, std::size_t process) const;

  CpuNatures natures_;
  std::vector<Processor> processors_;
  FrontSet foreground_;  // processors whose foreground slot is idle
  BackSet background_;   // processors whose background slot is usable
  std::unordered_map<std::uint32_t, Allocation> allocations_;  // never walked
  std::uint64_t changes_ = 0;
  mutable std::uint64_t questions_ = 0;
  // The last nature drawn: `choose` and `take` of one job follow each other.
  mutable std::optional<JobId> drawn_for_;
  mutable CpuNature drawn_;
};

}  // namespace berth
