#include "engine/hosts/two_tier.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// The first `count` processors of an ordered set, of those `within` if given; fewer if
// there are no more.
template <class Set>
std::vector<std::int32_t> first_of(const Set& set, std::int32_t count,
                                   const IntervalSet* within) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (const auto& processor : set) {
    if (static_cast<std::int32_t>(numbers.size()) == count) break;
    if (within != nullptr && !within->contains(processor.number)) continue;
    numbers.push_back(processor.number);
  }
  return numbers;
}

}  // namespace

TwoTier::TwoTier(std::int32_t processors, Pick pick, const TwoTierSettings& settings)
    : SharingModel(0),
      settings_(settings),
      processors_(static_cast<std::size_t>(processors)) {
  for (std::int32_t i = 0; i < processors; ++i) {
    auto& processor = at(i);
    processor.number = i;
    processor.rank = pick == Pick::kLowest ? i : -i;
    index(processor);
  }
}

TwoTier::~TwoTier() {
  foreground_.clear();
  background_.clear();
}

Result<Placement, Refusal> TwoTier::choose(const Needs& needs,
                                           const IntervalSet* within) const {
  if (needs.processors > idle()) return Refusal::kBusy;
  TierSeat chosen{Tier::kForeground, first_of(foreground_, needs.processors, within)};
  if (std::cmp_less(chosen.processors.size(), needs.processors)) return Refusal::kBusy;
  return Placement(std::move(chosen));
}

Result<Placement, Refusal> TwoTier::choose_background(const Needs& needs) const {
  if (needs.processors > usable_background()) return Refusal::kNoRoom;
  return Placement(
      TierSeat{Tier::kBackground, first_of(background_, needs.processors, nullptr)});
}

void TwoTier::take(JobId job, const Needs& needs, const Placement& placement,
                   Touched& touched) {
  require_free(needs, std::get<TierSeat>(placement));
  (void)nature(needs);
  const auto [entry, is_new] = seats_.try_emplace(berth::index(job));
  BERTH_ASSERT(is_new);
  auto& taken = entry->second;
  taken.job = job;
  taken.placement = placement;
  taken.nature = std::move(drawn_);
  drawn_for_.reset();
  ++changes_;
  sit(taken, touched);
}

void TwoTier::leave(JobId job, Touched& touched) {
  auto& leaving = seat_of(job);
  ++changes_;
  empty_slots(leaving, touched);
  touch(leaving, touched);
  seats_.erase(berth::index(job));
}

void TwoTier::freeze(JobId job, Frozen frozen, Touched& touched) {
  auto& changed = seat_of(job);
  ++changes_;
  changed.frozen = frozen == Frozen::kYes;
  touch(changed, touched);
  if (changed.slots().tier == Tier::kBackground) return;
  for (const auto number : changed.slots().processors) {
    if (auto* below = at(number).back.seat) touch(*below, touched);
  }
}

double TwoTier::rate(JobId job) const {
  const auto& asked = seat_of(job);
  if (asked.frozen) return 0.0;
  if (asked.slots().tier == Tier::kForeground) {
    const bool slowed = settings_.fg_loss_when == LossWhen::kAlways || asked.shared > 0;
    return slowed ? 1.0 - asked.nature.loss : 1.0;
  }
  double slowest = 1.0;
  for (std::size_t i = 0; i < asked.slots().processors.size(); ++i) {
    slowest = std::min(slowest, process_rate(asked, i));
  }
  return slowest;
}

const Placement& TwoTier::placement(JobId job) const { return seat_of(job).placement; }

Tier TwoTier::tier(JobId job) const { return seat_of(job).slots().tier; }

Result<Done, Refusal> TwoTier::can_swap(JobId job, const IntervalSet* within) const {
  const auto& slots = seat_of(job).slots();
  BERTH_ASSERT(slots.tier == Tier::kBackground);
  bool allowed = true;
  for (const auto number : slots.processors) {
    if (at(number).front.seat != nullptr) return Refusal::kForegroundBusy;
    allowed = allowed && (within == nullptr || within->contains(number));
  }
  if (!allowed) return Refusal::kHeld;
  return Done{};
}

// NOLINTNEXTLINE(bugprone-exception-escape): tiers, not values, are swapped
void TwoTier::swap(JobId job, Touched& touched) {
  auto& rising = seat_of(job);
  ++changes_;
  auto& slots = std::get<TierSeat>(rising.placement);
  slots.tier = Tier::kForeground;
  rising.shared = 0;
  for (std::size_t i = 0; i < slots.processors.size(); ++i) {
    auto& processor = at(slots.processors[i]);
    BERTH_ASSERT(processor.front.seat == nullptr);
    processor.front = std::exchange(processor.back, {});
    index(processor);
  }
  touch(rising, touched);
}

Result<Done, Refusal> TwoTier::can_move(const Needs& needs,
                                        const IntervalSet* within) const {
  if (needs.processors > idle()) return Refusal::kBusy;
  if (within == nullptr) return Done{};
  const auto found = first_of(foreground_, needs.processors, within).size();
  if (std::cmp_less(found, needs.processors)) return Refusal::kBusy;
  return Done{};
}

void TwoTier::move(JobId job, const Needs& needs, const IntervalSet* within,
                   Touched& touched) {
  auto& moving = seat_of(job);
  BERTH_ASSERT(moving.slots().tier == Tier::kBackground);
  ++changes_;
  empty_slots(moving, touched);
  auto chosen = choose(needs, within);
  BERTH_ASSERT(static_cast<bool>(chosen));
  moving.placement = std::move(chosen.value());
  sit(moving, touched);
}

std::optional<double> TwoTier::declared_use(const Needs& needs,
                                            std::size_t process) const {
  const auto& declared = nature(needs).declared;
  if (declared.empty()) return std::nullopt;
  return declared[process];
}

std::optional<double> TwoTier::above(JobId job, std::size_t process) const {
  if (!settings_.cpu_usage_known) return std::nullopt;
  return at(seat_of(job).slots().processors[process]).front.declared();
}

std::vector<JobId> TwoTier::jobs_above(JobId job) const {
  std::vector<JobId> jobs;
  for (const auto number : seat_of(job).slots().processors) {
    if (const auto* above = at(number).front.seat) jobs.push_back(above->job);
  }
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  return jobs;
}

IntervalSet TwoTier::idle_without(JobId job) const {
  TierSeat idle{Tier::kForeground, {}};
  for (const auto& processor : foreground_) {
    const auto* below = processor.back.seat;
    if (below == nullptr || below->job != job) {
      idle.processors.push_back(processor.number);
    }
  }
  return processors_of(Placement(std::move(idle)));
}

TwoTier::Processor& TwoTier::at(std::int32_t number) {
  return processors_[static_cast<std::size_t>(number)];
}

const TwoTier::Processor& TwoTier::at(std::int32_t number) const {
  return processors_[static_cast<std::size_t>(number)];
}

const TwoTier::Seat& TwoTier::seat_of(JobId job) const {
  const auto found = seats_.find(berth::index(job));
  BERTH_ASSERT(found != seats_.end());
  return found->second;
}

TwoTier::Seat& TwoTier::seat_of(JobId job) {
  return const_cast<Seat&>(std::as_const(*this).seat_of(job));
}

const CpuNature& TwoTier::nature(const Needs& needs) const {
  if (drawn_for_ != needs.number) {
    drawn_ = cpu_nature(settings_, needs);
    drawn_for_ = needs.number;
  }
  return drawn_;
}

bool TwoTier::usable(const Processor& processor) const {
  if (processor.back.seat != nullptr) return false;
  return processor.front.seat == nullptr || !settings_.cpu_usage_known ||
         processor.front.declared() < settings_.bg_threshold;
}

// Puts the processor where it now belongs in both orders.
void TwoTier::index(Processor& processor) {
  const bool idle = processor.front.seat == nullptr;
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

// One free slot of the tier for each process; asked before anything changes.
void TwoTier::require_free(const Needs& needs, const TierSeat& slots) {
  BERTH_ASSERT(std::cmp_equal(slots.processors.size(), needs.processors));
  ++changes_;
  for (const auto number : slots.processors) {
    BERTH_ASSERT(number >= 0 && std::cmp_less(number, processors_.size()));
    auto& processor = at(number);
    BERTH_ASSERT(processor.named != changes_);
    processor.named = changes_;
    const bool front = slots.tier == Tier::kForeground;
    BERTH_ASSERT((front ? processor.front : processor.back).seat == nullptr);
  }
}

void TwoTier::sit(Seat& seat, Touched& touched) {
  const auto& slots = seat.slots();
  seat.shared = 0;
  for (std::size_t i = 0; i < slots.processors.size(); ++i) {
    slots.tier == Tier::kForeground ? put_front(seat, i, touched)
                                    : put_back(seat, i, touched);
  }
  touch(seat, touched);
}

void TwoTier::put_front(Seat& seat, std::size_t process, Touched& touched) {
  auto& processor = at(seat.slots().processors[process]);
  BERTH_ASSERT(processor.front.seat == nullptr);
  processor.front = {&seat, process};
  if (auto* below = processor.back.seat) {
    ++seat.shared;
    touch(*below, touched);
  }
  index(processor);
}

void TwoTier::put_back(Seat& seat, std::size_t process, Touched& touched) {
  auto& processor = at(seat.slots().processors[process]);
  BERTH_ASSERT(processor.back.seat == nullptr);
  processor.back = {&seat, process};
  if (auto* above = processor.front.seat) share(*above, +1, touched);
  index(processor);
}

void TwoTier::empty_slots(Seat& seat, Touched& touched) {
  const bool is_front = seat.slots().tier == Tier::kForeground;
  for (const auto number : seat.slots().processors) {
    auto& processor = at(number);
    (is_front ? processor.front : processor.back) = {};
    if (is_front) {
      if (auto* below = processor.back.seat) touch(*below, touched);
    } else if (auto* above = processor.front.seat) {
      share(*above, -1, touched);
    }
    index(processor);
  }
}

void TwoTier::share(Seat& seat, std::int32_t more, Touched& touched) {
  seat.shared += more;
  if (seat.shared == 0 || seat.shared == more) touch(seat, touched);
}

// Each job once a change, however many of its processors are concerned.
void TwoTier::touch(Seat& seat, Touched& touched) {
  if (seat.touched == changes_) return;
  seat.touched = changes_;
  touched.push_back(seat.job);
}

double TwoTier::process_rate(const Seat& seat, std::size_t process) const {
  const auto& above = at(seat.slots().processors[process]).front;
  if (above.seat == nullptr) return 1.0;
  const double idle =
      above.seat->frozen ? 1.0 : 1.0 - above.seat->nature.use[above.process];
  return background_rate(settings_.bg_cap, seat.nature.efficiency_of(process),
                         seat.nature.use[process], idle);
}

}  // namespace berth
