#include "engine/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/plain_locale.hpp"
#include "engine/hosts/sharing_models.hpp"
#include "engine/sim/tell.hpp"

namespace berth::sim {

namespace {

std::unique_ptr<SharingModel> make_model(const Machine& machine) {
  const auto* record = find_sharing_model(machine.sharing);
  if (record == nullptr) {
    throw Error(ErrorCode::kUsage,
                fmt::format("machine.sharing: there is no sharing model '{}'",
                            machine.sharing));
  }
  return record->make({machine.processors, machine.pick, machine.two_tier});
}

// Where each event has its pass, an end of this instant may be yet to come.
OverrunRule overrun_rule(const Machine& machine, const Settings& settings) {
  const bool is_whole = settings.pass == PassMode::kInstant;
  return {machine.overrun_grace, machine.overrun_growth,
          is_whole ? 0 : machine.min_planned};
}

}  // namespace

Simulation::Simulation(const Machine& machine, const Settings& settings,
                       std::span<const Job> jobs, Policy& policy)
    : Simulation(machine, settings, jobs, policy, make_model(machine)) {}

Simulation::Simulation(const Machine& machine, const Settings& settings,
                       std::span<const Job> jobs, Policy& policy,
                       std::unique_ptr<SharingModel> model)
    : machine_(machine),
      settings_(settings),
      policy_(policy),
      traits_(policy.traits()),
      model_(std::move(model)),
      tiers_(model_->tiers()),
      table_(jobs, traits_.orders.size()),
      events_(settings.ties),
      running_(overrun_rule(machine, settings)),
      queues_(traits_.orders.size() + (tiers_ != nullptr ? 2 : 1)),
      asked_keys_(traits_.orders.size()),
      refreshed_(traits_.orders.size(), Time{0}) {
  queues_.front().in_use = true;
  if (tiers_ != nullptr) queues_.back().in_use = true;
}

void Simulation::observe(Observer& observer) {
  BERTH_ASSERT(!begun_);
  watchers_.push_back({&observer, observer.wants()});
  wanted_ |= observer.wants();
}

bool Simulation::advance(Time until) {
  const PlainLocale locale;
  if (!begun_) begin();
  const bool whole_instants = settings_.pass == PassMode::kInstant;
  Time next = events_.next_at();
  while (next <= until && !over()) {
    come_to(next);
    do {
      apply_next();
      drop_void_events();
      next = events_.next_at();
    } while (whole_instants && next == now_);
    decide();
    drop_void_events();
    next = events_.next_at();
  }
  return !over();
}

void Simulation::finish() {
  if (!begun_) begin();
  const auto size = in_system_ > 0 && wanted<LeftRecord>() ? table_.size() : 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const JobId job{i};
    const auto state = table_.state(job);
    const bool runs = state == JobState::kRunning;
    if (!runs && !queues(state)) continue;
    tell(LeftRecord{now_, subject(job), runs ? Seated(*model_, job) : Seated(nullptr)});
  }
  for (const auto& watcher : watchers_) watcher.observer->finish(now_);
}

void Simulation::begin() {
  begun_ = true;
  if (table_.size() > 0) now_ = table_.job(JobId{0}).submit;
  if (wanted<CapacityRecord>()) tell(CapacityRecord{now_, capacity()});
  schedule_next_arrival();
}

void Simulation::forget_gone() {
  for (const JobId job : gone_) table_.forget(job);
  gone_.clear();
}

// Wake-ups alone keep nothing alive.
bool Simulation::over() const {
  return events_.empty() || (in_system_ == 0 && arrived_ == table_.size());
}

void Simulation::schedule(const Event& event) {
  if (may_hold_void_events_) drop_many_void_events();
  events_.push(event);
}

// A script that changes its mind for ever within one decision must not fill the memory
// with events that are void.
void Simulation::drop_many_void_events() {
  constexpr std::size_t kFew = 1024;
  constexpr std::size_t kVoidPerJob = 4;
  const auto pending = events_.size();
  if (pending <= kFew || pending <= kFew + kVoidPerJob * running_.size()) return;
  events_.drop_if([this](const Event& each) { return is_void(each); });
}

// Arrivals and ends first: which comes next cannot be foreseen, so it is asked once.
void Simulation::apply_next() {
  events_.pop_to([this](std::uint32_t job) { submit(JobId{job}); },
                 [this](const Event& event) {
                   if (event.kind == EventKind::kJobEnd) {
                     end(JobId{event.subject});
                   } else {
                     apply(event.kind, JobId{event.subject});
                   }
                 });
}

void Simulation::apply(EventKind kind, JobId job) {
  switch (kind) {
    case EventKind::kJobEnd:
    case EventKind::kJobSubmit: BERTH_ASSERT(false); return;
    case EventKind::kUnfreeze: return unfreeze(job);
    case EventKind::kCapacity: causes_ |= kCapacityChanged; return;
    case EventKind::kWake:
      wake_.reset();
      causes_ |= kWoken;
      return;
  }
}

void Simulation::schedule_next_arrival() {
  if (arrived_ == table_.size()) return;
  const auto next = static_cast<std::uint32_t>(arrived_);
  events_.push({table_.job(JobId{next}).submit, EventKind::kJobSubmit, next, 0});
  table_.fetch_ahead(JobId{next});
}

void Simulation::submit(JobId job) {
  ++arrived_;
  schedule_next_arrival();
  causes_ |= kSubmit;
  table_.admit(job);
  auto& entry = table_[job];
  if (table_.job(job).size > capacity()) {
    entry.state = JobState::kRejected;
    gone_.push_back(job);
    if (wanted<SubmitRecord>()) tell(SubmitRecord{now_, subject(job), 0.0});
    if (wanted<RejectRecord>()) tell(RejectRecord{now_, subject(job), true, {}});
    return;
  }
  entry.state = JobState::kWaiting;
  ++in_system_;
  ask_keys(job, JobState::kWaiting);
  enqueue(job);
  if (traits_.has_on_submit) submitted_.push_back(job);
  if (wanted<SubmitRecord>()) {
    const double key = place(job, traits_.default_order).key;
    tell(SubmitRecord{now_, {job, &table_.job(job), &entry}, key});
  }
}

void Simulation::end(JobId job) {
  auto& entry = table_[job];
  const bool background = in_background(job);
  if (entry.ends_at_limit) {
    settle(job);
  } else {  // the event is right; what rounding left is not work
    entry.progress = static_cast<double>(table_.job(job).length);
    entry.settled = now_;
  }
  entry.state = entry.ends_at_limit ? JobState::kFailed : JobState::kFinished;
  --in_system_;
  stop_running(job, entry);
  if (entry.frozen) {
    entry.account.frozen += now_ - entry.state_since;
    cancel_events(entry);
  }
  entry.state_since = now_;
  if (wanted<EndRecord>()) {
    tell(EndRecord{now_, {job, &table_.job(job), &entry}, Seated(*model_, job)});
  }
  model_->leave(job, touched_);
  if (book_ && !background) book_->stopped(job, now_);
  if (traits_.has_on_end) ended_.push_back(job);
  gone_.push_back(job);
  causes_ |= kEnd;
  if (tiers_ != nullptr) causes_ |= background ? kBackgroundEnd : kForegroundEnd;
  touch();
}

void Simulation::unfreeze(JobId job) {
  auto& entry = table_[job];
  entry.account.frozen += now_ - entry.state_since;
  entry.frozen = false;
  entry.state_since = now_;
  model_->freeze(job, Frozen::kNo, touched_);
  causes_ |= kUnfrozen;
  if (wanted<UnfreezeRecord>()) tell(UnfreezeRecord{now_, subject(job)});
  touch();
}

void Simulation::decide() {
  ++decision_;
  actions_ = 0;
  if (!ended_.empty() || !submitted_.empty()) run_hooks();
  if (!pass_may_be_left_out()) {
    run_pass();
    count_pass();
  } else {
    if (wanted<SparePassRecord>()) run_spare_pass();
    idle_passes_ = 0;  // left out, so it followed an event
  }
  plans_.clear();
  because_.clear();
  causes_ = 0;
}

void Simulation::run_hooks() {
  phase_ = kHook;
  if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
  for (const JobId job : ended_) policy_.on_end(*this, job);
  for (const JobId job : submitted_) {
    if (table_[job].state == JobState::kWaiting) policy_.on_submit(*this, job);
  }
  ended_.clear();
  submitted_.clear();
  phase_ = kOutside;
}

void Simulation::run_pass() {
  if (!traits_.orders.empty()) refresh_orders();
  phase_ = kDecision;
  policy_.schedule(*this);
  phase_ = kOutside;
  tell_book_changes();
  if (wanted<PassRecord>()) tell(PassRecord{now_, decision_, causes_, actions_});
}

// A pass that may be left out.  It makes no records of its own, so that watchers see the
// same with and without it.
void Simulation::run_spare_pass() {
  const auto drawn = policy_.drawn();
  tell(SparePassRecord{now_, decision_, false, false});
  const auto wanted = std::exchange(wanted_, wanted_ & ~kinds<PlanRecord>());
  phase_ = kDecision;
  policy_.schedule(*this);
  phase_ = kOutside;
  tell_book_changes();
  wanted_ = wanted;
  tell(SparePassRecord{now_, decision_, true, policy_.drawn() != drawn});
}

void Simulation::begin_order(std::size_t order) const {
  const auto& arrivals = queues_[0].members;
  std::vector<JobQueue::Member> members;
  members.reserve(arrivals.length());
  arrivals.for_each([&](const JobQueue::Member& each) {
    const JobId job = each.place.job;
    members.push_back({{table_.keys(job)[order - 1], job}, each.size, each.planned});
  });
  fill(queues_[order], members);
}

void Simulation::fill(Order& order, std::vector<JobQueue::Member>& members) {
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  order.members = {};
  for (const auto& each : members) order.members.insert(each);
  order.in_use = true;
}

void Simulation::refresh_orders() {
  const auto& orders = traits_.orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (!orders[i].refresh || now_ < after(refreshed_[i], *orders[i].refresh)) continue;
    refreshed_[i] = now_;
    std::vector<JobQueue::Member> members;
    const ReadingOnly reading(*this);
    const auto& arrivals = queues_[0].members;
    for (auto at = arrivals.head(); at; at = arrivals.next(&*at)) {
      const double key = policy_.key(*this, i, at->job);
      table_.keys(at->job)[i] = key;
      members.push_back(member(at->job, key));
      const bool is_default = traits_.default_order == i + 1;
      if (is_default && wanted<RekeyRecord>()) tell(RekeyRecord{now_, at->job, key});
    }
    if (queues_[i + 1].in_use) fill(queues_[i + 1], members);
  }
}

bool Simulation::pass_may_be_left_out() const {
  if (traits_.passes != Passes::kWhenAJobFits || (causes_ & kWoken) != 0) return false;
  return !queues_[0].members.has_up_to(model_->idle());
}

void Simulation::count_pass() {
  if ((causes_ & (kEnd | kSubmit)) != 0) {  // there are as many of those as jobs
    idle_passes_ = 0;
    return;
  }
  if (instant_ != now_) {
    instant_ = now_;
    passes_at_instant_ = 0;
  }
  ++passes_at_instant_;
  const bool only_woken = (causes_ & ~kWoken) == 0;
  const bool idles = actions_ == 0 && only_woken;
  idle_passes_ = idles || is_stuck() ? idle_passes_ + 1 : 0;
  if (passes_at_instant_ > settings_.passes_at_one_instant) {
    stand_still(passes_at_instant_,
                "at this instant; the policy wakes itself but does nothing");
  }
  if (idle_passes_ < settings_.idle_passes_in_a_row) return;
  stand_still(idle_passes_, idles ? "in a row without an action or an event; "
                                    "the policy wakes itself but does nothing"
                                  : "in a row without an event or a job that gets on; "
                                    "the policy suspends and starts jobs, no more");
}

// With tiers a job moves once at most, so moves alone cannot go on for ever.
bool Simulation::is_stuck() const {
  if (tiers_ != nullptr || (causes_ & ~(kWoken | kUnfrozen)) != 0) return false;
  const auto running = running_.releases(now_);
  return std::all_of(running.begin(), running.end(),
                     [this](const Release& each) { return table_[each.job].frozen; });
}

void Simulation::stand_still(std::int64_t passes, const char* how) const {
  throw Error(ErrorCode::kTime,
              fmt::format("{}: the run stands still at t={}: {} passes {}",
                          traits_.label, seconds_text(now_), passes, how));
}

}  // namespace berth::sim
