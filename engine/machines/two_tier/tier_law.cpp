#include "engine/machines/two_tier/tier_law.hpp"

#include <algorithm>
#include <utility>

namespace berth::audit {

namespace {

constexpr std::array kOfStart{kWholePlacement, kTiers, kTiers};
constexpr std::array kOfChange{kWholePlacement, kTiers, kTiers, kTiers};

}  // namespace

TierLaw::TierLaw(const sim::Machine& machine, std::span<const Job> jobs,
                 CpuNatures natures, Processes processes)
    : Law({.of_start = kOfStart,
           .of_change = kOfChange,
           .guarantees_speed = false,
           .most_moves = 1},
          nullptr, this),
      natures_(std::move(natures)),
      jobs_(jobs),
      processes_(processes),
      processors_(static_cast<std::size_t>(machine.processors)) {}

Verdict TierLaw::start(JobId job, const Placement* placement, bool resumed) {
  const auto* slots = placement == nullptr ? nullptr : placement->form_if<TierSlots>();
  if (resumed && slots != nullptr && slots->tier == Tier::kBackground) {
    return Fault{kTiers, "a suspended job resumes in the foreground"};
  }
  return occupy(job, placement);
}

Verdict TierLaw::change(const sim::ChangeRecord& record) {
  const JobId job = record.who.id;
  const TierSlots before = placed(job).slots;
  if (before.tier != Tier::kBackground) {
    return Fault{kTiers, "only a job in the background can come to the foreground"};
  }
  leave(job);
  if (auto fault = occupy(job, record.placement)) return fault;
  const auto& after = placed(job).slots;
  const bool stays =
      set_of_numbers(before.processors) == set_of_numbers(after.processors);
  const bool swaps = record.effect == sim::ChangeRecord::Effect::kSwaps;
  if (after.tier != Tier::kForeground || (swaps && !stays)) {
    return Fault{kTiers,
                 "it is promoted to another tier or, by a swap, to other processors"};
  }
  return std::nullopt;
}

Verdict TierLaw::occupy(JobId job, const Placement* placement) {
  if (placement == nullptr) return Fault{kWholePlacement, "it runs on no processor"};
  const auto* slots = placement->form_if<TierSlots>();
  if (slots == nullptr) return Fault{kTiers, "it has slots in no tier"};
  if (auto fault = forbids(job, *slots)) return fault;
  const bool in_front = slots->tier == Tier::kForeground;
  for (std::size_t i = 0; i < slots->processors.size(); ++i) {
    auto& processor = processors_[static_cast<std::size_t>(slots->processors[i])];
    if (!processor.foreground && !processor.background) ++used_;
    (in_front ? processor.foreground : processor.background) = Process{job, i};
  }
  placed_[index(job)] = {*slots, nature_of(job), false};
  affect(*slots);
  return std::nullopt;
}

void TierLaw::leave(JobId job) {
  const auto at = placed_.find(index(job));
  const TierSlots slots = std::move(at->second.slots);
  placed_.erase(at);
  const bool in_front = slots.tier == Tier::kForeground;
  for (const auto number : slots.processors) {
    auto& processor = processors_[static_cast<std::size_t>(number)];
    (in_front ? processor.foreground : processor.background).reset();
    if (!processor.foreground && !processor.background) --used_;
  }
  affect(slots);
}

void TierLaw::freeze(JobId job, bool frozen) {
  auto& placed = placed_.at(index(job));
  placed.frozen = frozen;
  affect(placed.slots);
}

double TierLaw::rate(JobId job) const {
  const auto& asked = placed(job);
  if (asked.frozen) return 0.0;
  double slowest = 1.0;
  for (std::size_t i = 0; i < asked.slots.processors.size(); ++i) {
    slowest = std::min(slowest, process_rate(asked, i));
  }
  return slowest;
}

std::vector<JobId> TierLaw::take_affected() {
  for (const auto job : affected_) {
    const auto found = placed_.find(index(job));
    if (found != placed_.end()) found->second.is_affected = false;
  }
  return std::exchange(affected_, {});
}

Verdict TierLaw::forbids(JobId job, const TierSlots& slots) const {
  if (std::cmp_not_equal(slots.processors.size(), jobs_[index(job)].size)) {
    return Fault{kTiers, "it does not hold as many processors as it asked for"};
  }
  auto sorted = slots.processors;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return Fault{kTiers, "two of its processes are on one processor"};
  }
  if (sorted.front() < 0 || std::cmp_greater_equal(sorted.back(), processors_.size())) {
    return Fault{kTiers, "it is on a processor that does not exist"};
  }
  const bool in_front = slots.tier == Tier::kForeground;
  for (const auto number : slots.processors) {
    const auto& processor = processors_[static_cast<std::size_t>(number)];
    if ((in_front ? processor.foreground : processor.background).has_value()) {
      return Fault{kTiers, "it was given a slot that another job has"};
    }
    if (!in_front && !is_usable(processor)) {
      return Fault{kTiers,
                   "it starts below a process that declares the threshold or more"};
    }
  }
  return std::nullopt;
}

bool TierLaw::is_usable(const Processor& processor) const {
  if (processes_ == Processes::kUnnumbered) return true;
  if (!processor.foreground || !natures_.settings().cpu_usage_known) return true;
  const auto& above = placed(processor.foreground->job).nature;
  return above.declared_of(processor.foreground->number) <
         natures_.settings().bg_threshold;
}

bool TierLaw::is_slowed(const Placed& asked, std::size_t process,
                        const Processor& processor) const {
  switch (natures_.settings().fg_loss_when) {
    case LossWhen::kAlways: return true;
    case LossWhen::kShared: return processor.background.has_value();
    case LossWhen::kActive: break;
  }
  return processor.background && 1.0 - asked.nature.use[process] > 0;
}

double TierLaw::process_rate(const Placed& asked, std::size_t process) const {
  const auto& processor =
      processors_[static_cast<std::size_t>(asked.slots.processors[process])];
  if (asked.slots.tier == Tier::kForeground) {
    return is_slowed(asked, process, processor) ? 1.0 - asked.nature.loss : 1.0;
  }
  if (!processor.foreground) return 1.0;
  const auto& above = placed(processor.foreground->job);
  const double idle =
      above.frozen ? 1.0 : 1.0 - above.nature.use[processor.foreground->number];
  const double efficiency = asked.nature.efficiency_of(process);
  const double use = asked.nature.use[process];
  if (natures_.settings().bg_cap == BackgroundCap::kAfter) {
    return std::min(1.0, efficiency * idle / use);
  }
  return efficiency * std::min(1.0, idle / use);
}

void TierLaw::affect(const TierSlots& slots) {
  for (const auto number : slots.processors) {
    const auto& processor = processors_[static_cast<std::size_t>(number)];
    affect(processor.foreground);
    affect(processor.background);
  }
}

// Each job once, however many of its processes are concerned: a rate takes a step for
// each of them.
void TierLaw::affect(const std::optional<Process>& process) {
  if (!process) return;
  if (!affected_.empty() && affected_.back() == process->job) return;
  auto& concerned = placed_.at(index(process->job));
  if (std::exchange(concerned.is_affected, true)) return;
  affected_.push_back(process->job);
}

}  // namespace berth::audit
