#include "engine/audit/tier_law.hpp"

#include <algorithm>
#include <utility>

namespace berth::audit {

TierLaw::TierLaw(const sim::Machine& machine, std::span<const Job> jobs)
    : machine_(machine),
      jobs_(jobs),
      processors_(static_cast<std::size_t>(machine.processors)) {}

std::optional<std::string_view> TierLaw::seat(JobId job, const Placement& placement) {
  const auto* seat = std::get_if<TierSeat>(&placement);
  if (seat == nullptr) return "it sits in no tier";
  if (const auto why = forbidden(job, *seat)) return why;
  const bool front = seat->tier == Tier::kForeground;
  for (std::size_t i = 0; i < seat->processors.size(); ++i) {
    auto& processor = processors_[static_cast<std::size_t>(seat->processors[i])];
    if (!processor.front && !processor.back) ++used_;
    (front ? processor.front : processor.back) = Occupant{job, i};
  }
  const auto& asked = jobs_[index(job)];
  seats_[index(job)] = {*seat, cpu_nature(machine_.two_tier, asked.needs()), false};
  concern(*seat);
  return std::nullopt;
}

void TierLaw::unseat(JobId job) {
  const auto sitting = seats_.find(index(job));
  const TierSeat seat = std::move(sitting->second.seat);
  seats_.erase(sitting);
  for (const auto number : seat.processors) {
    auto& processor = processors_[static_cast<std::size_t>(number)];
    (seat.tier == Tier::kForeground ? processor.front : processor.back).reset();
    if (!processor.front && !processor.back) --used_;
  }
  concern(seat);
}

void TierLaw::freeze(JobId job, bool frozen) {
  auto& sitting = seats_.at(index(job));
  sitting.frozen = frozen;
  concern(sitting.seat);
}

double TierLaw::rate(JobId job) const {
  const auto& sitting = seats_.at(index(job));
  if (sitting.frozen) return 0.0;
  double slowest = 1.0;
  for (std::size_t i = 0; i < sitting.seat.processors.size(); ++i) {
    slowest = std::min(slowest, process_rate(sitting, i));
  }
  return slowest;
}

std::vector<JobId> TierLaw::take_concerned() { return std::exchange(concerned_, {}); }

std::optional<std::string_view> TierLaw::forbidden(JobId job,
                                                   const TierSeat& seat) const {
  if (std::cmp_not_equal(seat.processors.size(), jobs_[index(job)].size)) {
    return "it does not hold as many processors as it asked for";
  }
  auto sorted = seat.processors;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return "two of its processes sit on one processor";
  }
  if (sorted.front() < 0 || sorted.back() >= machine_.processors) {
    return "it sits on a processor that does not exist";
  }
  const bool front = seat.tier == Tier::kForeground;
  for (const auto number : seat.processors) {
    const auto& processor = processors_[static_cast<std::size_t>(number)];
    if (front ? processor.front.has_value() : processor.back.has_value()) {
      return "it was given a slot in which another job sits";
    }
    if (!front && !open_below(processor)) {
      return "it starts below a process that declares the threshold or more";
    }
  }
  return std::nullopt;
}

bool TierLaw::open_below(const Processor& processor) const {
  if (!processor.front || !machine_.two_tier.cpu_usage_known) return true;
  const auto& nature = seats_.at(index(processor.front->job)).nature;
  return nature.declared_of(processor.front->process) < machine_.two_tier.bg_threshold;
}

double TierLaw::process_rate(const Sitting& sitting, std::size_t process) const {
  const auto& settings = machine_.two_tier;
  const auto& processor =
      processors_[static_cast<std::size_t>(sitting.seat.processors[process])];
  if (sitting.seat.tier == Tier::kForeground) {
    const bool slowed =
        settings.fg_loss_when == LossWhen::kAlways || processor.back.has_value();
    return slowed ? 1.0 - sitting.nature.loss : 1.0;
  }
  if (!processor.front) return 1.0;
  const auto& above = seats_.at(index(processor.front->job));
  const double idle =
      above.frozen ? 1.0 : 1.0 - above.nature.use[processor.front->process];
  const double efficiency = sitting.nature.efficiency_of(process);
  const double use = sitting.nature.use[process];
  if (settings.bg_cap == BackgroundCap::kAfter) {
    return std::min(1.0, efficiency * idle / use);
  }
  return efficiency * std::min(1.0, idle / use);
}

void TierLaw::concern(const TierSeat& seat) {
  for (const auto number : seat.processors) {
    const auto& processor = processors_[static_cast<std::size_t>(number)];
    if (processor.front) concerned_.push_back(processor.front->job);
    if (processor.back) concerned_.push_back(processor.back->job);
  }
}

}  // namespace berth::audit
