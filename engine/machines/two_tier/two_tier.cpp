#include "engine/machines/two_tier/two_tier.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// The first `count` processors of an ordered set, of those in `where` if given; fewer
// if there are no more.
template <class Set>
std::vector<std::int32_t> first_of(const Set& set, std::int32_t count,
                                   const Placement* where) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (const auto& processor : set) {
    if (static_cast<std::int32_t>(numbers.size()) == count) break;
    if (where != nullptr && !where->processors().contains(processor.number)) continue;
    numbers.push_back(processor.number);
  }
  return numbers;
}

}  // namespace

TwoTier::TwoTier(std::int32_t processors, Pick pick, CpuNatures natures)
    : SharingModel(processors, {.fits_by_count = true,
                                .guarantees_speed = false,
                                .runs_without_expected_end = true,
                                .form = Placement::tag_of<TierSlots>()}),
      natures_(std::move(natures)),
      processors_(static_cast<std::size_t>(processors)) {
  // All are alike but for their rank: in its order each comes last.
  for (std::int32_t i = 0; i < processors; ++i) {
    const auto number = pick == Pick::kLowest ? i : processors - 1 - i;
    auto& processor = at(number);
    processor.number = number;
    processor.rank = pick == Pick::kLowest ? number : -number;
    foreground_.push_back(processor);
    if (usable(processor)) background_.push_back(processor);
  }
  set_idle(processors);
}

TwoTier::~TwoTier() {
  foreground_.clear();
  background_.clear();
}

Result<Placement, Refusal> TwoTier::choose(JobId job, const Demand& demand,
                                           const Placement* where) const {
  const auto* given = where == nullptr ? nullptr : where->form_if<TierSlots>();
  if (given != nullptr) {
    if (!are_free(*given)) return Refusal::kBusy;
    return *where;
  }
  if (!fits(job, demand)) return Refusal::kBusy;
  const auto wanted = demand.processors();
  TierSlots chosen{Tier::kForeground, first_of(foreground_, wanted, where)};
  if (std::cmp_less(chosen.processors.size(), wanted)) return Refusal::kBusy;
  return placement_of(std::move(chosen));
}

Result<Placement, Refusal> TwoTier::choose_background(const Demand& demand) const {
  if (demand.processors() > usable_background()) return kNoRoom;
  return placement_of(
      {Tier::kBackground, first_of(background_, demand.processors(), nullptr)});
}

void TwoTier::put(JobId job, const Demand& demand, const Placement* placement,
                  Affected& affected) {
  auto chosen =
      placement != nullptr ? *placement : choose(job, demand, nullptr).value();
  BERTH_ASSERT(are_free(*chosen.form_if<TierSlots>()));
  (void)nature(job, demand);
  const auto [entry, is_new] = allocations_.try_emplace(berth::index(job));
  BERTH_ASSERT(is_new);
  auto& taken = entry->second;
  taken.job = job;
  taken.placement = std::move(chosen);
  taken.nature = std::move(drawn_);
  drawn_for_.reset();
  ++changes_;
  occupy(taken, affected);
}

void TwoTier::leave(JobId job, Affected& affected) {
  auto& leaving = allocation_of(job);
  ++changes_;
  empty_slots(leaving, affected);
  name_affected(leaving, affected);
  allocations_.erase(berth::index(job));
}

void TwoTier::freeze(JobId job, Frozen frozen, Affected& affected) {
  auto& changed = allocation_of(job);
  ++changes_;
  changed.frozen = frozen == Frozen::kYes;
  name_affected(changed, affected);
  if (changed.slots().tier == Tier::kBackground) return;
  for (const auto number : changed.slots().processors) {
    if (auto* below = at(number).back.job) name_affected(*below, affected);
  }
}

double TwoTier::rate(JobId job) const {
  const auto& asked = allocation_of(job);
  if (asked.frozen) return 0.0;
  if (asked.slots().tier == Tier::kForeground) {
    const bool slowed =
        natures_.settings().fg_loss_when == LossWhen::kAlways || asked.shared > 0;
    return slowed ? 1.0 - asked.nature.loss : 1.0;
  }
  double slowest = 1.0;
  for (std::size_t i = 0; i < asked.slots().processors.size(); ++i) {
    slowest = std::min(slowest, process_rate(asked, i));
  }
  return slowest;
}

const Placement& TwoTier::placement(JobId job) const {
  return allocation_of(job).placement;
}

Result<Done, Refusal> TwoTier::can_promote(JobId job, const Demand& demand,
                                           Promotion how,
                                           const Placement* where) const {
  const auto& slots = allocation_of(job).slots();
  BERTH_ASSERT(slots.tier == Tier::kBackground);
  if (how != Promotion::kSwap) {
    if (where == nullptr && fits(job, demand)) return Done{};
    const auto choice = choose(job, demand, where);
    return choice ? Result<Done, Refusal>(Done{}) : choice.reason();
  }
  bool is_allowed = true;
  for (const auto number : slots.processors) {
    if (at(number).front.job != nullptr) return kForegroundBusy;
    is_allowed =
        is_allowed && (where == nullptr || where->processors().contains(number));
  }
  if (!is_allowed) return Refusal::kHeld;
  return Done{};
}

void TwoTier::promote(JobId job, const Demand& demand, Promotion how,
                      const Placement* where, Affected& affected) {
  auto& rising = allocation_of(job);
  BERTH_ASSERT(rising.slots().tier == Tier::kBackground);
  ++changes_;
  if (how == Promotion::kSwap) {
    swap_tiers(rising);
    return name_affected(rising, affected);
  }
  // Emptied first: the processors it leaves become better foreground choices.
  empty_slots(rising, affected);
  auto chosen = choose(job, demand, where);
  BERTH_ASSERT(static_cast<bool>(chosen));
  rising.placement = std::move(chosen.value());
  occupy(rising, affected);
}

void TwoTier::swap_tiers(Allocation& job) {
  job.placement = placement_of({Tier::kForeground, job.slots().processors});
  job.shared = 0;
  for (const auto number : job.slots().processors) {
    auto& processor = at(number);
    BERTH_ASSERT(processor.front.job == nullptr);
    processor.front = std::exchange(processor.back, {});
    index(processor);
  }
}

std::optional<double> TwoTier::declared_use(JobId job, const Demand& demand,
                                            std::size_t process) const {
  const auto& declared = nature(job, demand).declared;
  if (declared.empty()) return std::nullopt;
  return declared[process];
}

std::optional<double> TwoTier::use_above(JobId job, std::size_t process) const {
  if (!natures_.settings().cpu_usage_known) return std::nullopt;
  return at(allocation_of(job).slots().processors[process]).front.declared();
}

std::vector<JobId> TwoTier::jobs_above(JobId job) const {
  std::vector<JobId> jobs;
  for (const auto number : allocation_of(job).slots().processors) {
    if (const auto* above = at(number).front.job) jobs.push_back(above->job);
  }
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  return jobs;
}

IntervalSet TwoTier::idle_without(JobId job) const {
  std::vector<std::int32_t> idle;
  for (const auto& processor : foreground_) {
    const auto* below = processor.back.job;
    if (below == nullptr || below->job != job) {
      idle.push_back(processor.number);
    }
  }
  return set_of_numbers(std::move(idle));
}

TwoTier::Processor& TwoTier::at(std::int32_t number) {
  return processors_[static_cast<std::size_t>(number)];
}

const TwoTier::Processor& TwoTier::at(std::int32_t number) const {
  return processors_[static_cast<std::size_t>(number)];
}

const TwoTier::Allocation& TwoTier::allocation_of(JobId job) const {
  const auto found = allocations_.find(berth::index(job));
  BERTH_ASSERT(found != allocations_.end());
  return found->second;
}

TwoTier::Allocation& TwoTier::allocation_of(JobId job) {
  return const_cast<Allocation&>(std::as_const(*this).allocation_of(job));
}

const CpuNature& TwoTier::nature(JobId job, const Demand& demand) const {
  if (drawn_for_ != job) {
    drawn_ = natures_.of(job, demand);
    drawn_for_ = job;
  }
  return drawn_;
}

bool TwoTier::usable(const Processor& processor) const {
  if (processor.back.job != nullptr) return false;
  return processor.front.job == nullptr || !natures_.settings().cpu_usage_known ||
         processor.front.declared() < natures_.settings().bg_threshold;
}

// Puts the processor where it now belongs in both orders.
void TwoTier::index(Processor& processor) {
  const bool idle = processor.front.job == nullptr;
  const double below = processor.back.declared();
  if (processor.front_hook.is_linked() && (!idle || processor.front_use != below)) {
    foreground_.erase(foreground_.iterator_to(processor));
  }
  if (idle && !processor.front_hook.is_linked()) {
    processor.front_use = below;
    foreground_.insert(processor);
  }
  set_idle(static_cast<std::int64_t>(foreground_.size()));
  const bool open = usable(processor);
  const double above = processor.front.declared();
  if (processor.back_hook.is_linked() && (!open || processor.back_use != above)) {
    background_.erase(background_.iterator_to(processor));
  }
  if (open && !processor.back_hook.is_linked()) {
    processor.back_use = above;
    background_.insert(processor);
  }
}

// Whether each of them is empty and named once.
bool TwoTier::are_free(const TierSlots& slots) const {
  ++questions_;
  return std::all_of(
      slots.processors.begin(), slots.processors.end(), [&](std::int32_t number) {
        if (number < 0 || std::cmp_greater_equal(number, processors_.size())) {
          return false;
        }
        const auto& processor = at(number);
        const auto& slot =
            slots.tier == Tier::kForeground ? processor.front : processor.back;
        return slot.job == nullptr &&
               std::exchange(processor.named, questions_) != questions_;
      });
}

void TwoTier::occupy(Allocation& job, Affected& affected) {
  const auto& slots = job.slots();
  job.shared = 0;
  for (std::size_t i = 0; i < slots.processors.size(); ++i) {
    slots.tier == Tier::kForeground ? put_front(job, i, affected)
                                    : put_back(job, i, affected);
  }
  name_affected(job, affected);
}

void TwoTier::put_front(Allocation& job, std::size_t process, Affected& affected) {
  auto& processor = at(job.slots().processors[process]);
  BERTH_ASSERT(processor.front.job == nullptr);
  processor.front = {&job, process};
  if (auto* below = processor.back.job) {
    if (loses(processor.front)) ++job.shared;
    name_affected(*below, affected);
  }
  index(processor);
}

void TwoTier::put_back(Allocation& job, std::size_t process, Affected& affected) {
  auto& processor = at(job.slots().processors[process]);
  BERTH_ASSERT(processor.back.job == nullptr);
  processor.back = {&job, process};
  share(processor.front, +1, affected);
  index(processor);
}

void TwoTier::empty_slots(Allocation& job, Affected& affected) {
  const bool is_front = job.slots().tier == Tier::kForeground;
  for (const auto number : job.slots().processors) {
    auto& processor = at(number);
    (is_front ? processor.front : processor.back) = {};
    if (is_front) {
      if (auto* below = processor.back.job) name_affected(*below, affected);
    } else {
      share(processor.front, -1, affected);
    }
    index(processor);
  }
}

// Whether the process is slowed by one below it.  A process that leaves nothing idle
// stops the one below: under kActive that costs it nothing.
bool TwoTier::loses(const Slot& front) const {
  return natures_.settings().fg_loss_when != LossWhen::kActive ||
         front.job->nature.use[front.process] < 1.0;
}

void TwoTier::share(const Slot& front, std::int32_t more, Affected& affected) {
  if (front.job == nullptr || !loses(front)) return;
  auto& job = *front.job;
  job.shared += more;
  if (job.shared == 0 || job.shared == more) name_affected(job, affected);
}

// Each job once a change, however many of its processors are concerned.
void TwoTier::name_affected(Allocation& job, Affected& affected) {
  if (job.affected == changes_) return;
  job.affected = changes_;
  affected.push_back(job.job);
}

double TwoTier::process_rate(const Allocation& job, std::size_t process) const {
  const auto& above = at(job.slots().processors[process]).front;
  if (above.job == nullptr) return 1.0;
  const double idle =
      above.job->frozen ? 1.0 : 1.0 - above.job->nature.use[above.process];
  return background_rate(natures_.settings().bg_cap, job.nature.efficiency_of(process),
                         job.nature.use[process], idle);
}

}  // namespace berth
