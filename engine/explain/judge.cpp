#include "engine/explain/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/error.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/hosts/room_outlook.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

namespace {

std::string reach_of(const SharingModel& hosts, const Job& job, JobId id) {
  if (hosts.reasons() == nullptr) return {};
  const auto why = hosts.reasons()->why_unfit(id, job.demand());
  return why == nullptr ? std::string() : why->words();
}

}  // namespace

Judge::Brief Judge::brief(JobId job) {
  if (const auto bar = simulation_.actions().barred(job)) {
    return {why_of(bar->reason), std::nullopt};
  }
  // With several kinds the blocker is found kind by kind, as for the whole reason.
  if (world().hosts().kinds() == nullptr) {
    if (const auto no_room = simulation_.actions().why_not(job)) {
      if (is_kept_free(job)) return {why_of(no_room->reason), std::nullopt};
      const auto* freed = enough_for(no_room->needed);
      return {why_of(no_room->reason),
              freed == nullptr ? no_room->by : of_workload(freed->job)};
    }
  }
  const auto whole = reason(job, Detail::kBrief);
  return {whole.why, whole.blocker};
}

Reason Judge::reason(JobId job, Detail detail) {
  Reason reason;
  const auto& asked = world().jobs().job(job);
  reason.asked = asked.size;
  reason.idle = world().hosts().idle();
  reason.idle_before = idle_before();
  reason.ends = after(world().now(), planned_now(world(), job).span);
  if (const auto bar = simulation_.actions().barred(job)) {
    // A change of the job alone may be barred as well: no remedy is named.
    reason.why = why_of(bar->reason);
    reason.refusal = bar->reason;
    return reason;
  }
  if (const auto no_room = simulation_.actions().why_not(job)) {
    judge_room(job, *no_room, detail, reason);
  } else if (!judge_plans(job, reason) && !judge_book(job, reason)) {
    const bool is_suspended = world().jobs().state(job) == JobState::kSuspended;
    if (is_suspended) {
      reason.why = Why::kSuspended;
    } else if (!judge_looks(job, reason)) {
      judge_stop(job, reason);
    }
  }
  if (detail == Detail::kAll) name_remedies(job, reason);
  return reason;
}

std::int64_t Judge::idle_before() {
  if (idle_before_) return *idle_before_;
  auto before = world().hosts().idle() - notes_.freed();
  for (const JobId each : notes_.all_started()) before += world().jobs().job(each).size;
  idle_before_ = before;
  return before;
}

bool Judge::counts_tell() const { return world().hosts().traits().is_pool(); }

Duration Judge::span_of(Duration walltime) const {
  return std::max(walltime, world().machine().min_planned);
}

bool Judge::admits(JobId job, std::int64_t size, Duration walltime) {
  BERTH_ASSERT(counts_tell());
  if (size > world().hosts().idle()) return false;
  const Time ends = after(world().now(), span_of(walltime));
  const auto plans = simulation_.plans().all();
  const bool is_held = std::any_of(plans.begin(), plans.end(), [&](const Plan& plan) {
    return plan.job != job && ends > plan.start && size > plan.spare;
  });
  if (is_held) return false;
  read_book();
  return held_.empty() || least_until(job, ends) >= size;
}

// nullopt for a job of the system.
std::optional<JobId> Judge::of_workload(JobId job) const {
  return world().jobs().is_of_system(job) ? std::nullopt : std::optional(job);
}

// --- room ---

void Judge::read_releases() {
  if (has_freed_) return;
  has_freed_ = true;
  std::int64_t free = world().hosts().idle();
  freed_.reserve(world().running().size());
  for (const auto& each : world().running().releases(world().now())) {
    free += each.size;
    freed_.push_back({each.at, free, each.job});
  }
}

void Judge::judge_room(JobId job, const sim::WhyNot& why, Detail detail,
                       Reason& reason) {
  reason.why = why_of(why.reason);
  reason.refusal = why.reason;
  reason.asked = why.needed;
  reason.idle = why.available;
  if (why.by) reason.blocker = why.by;
  if (why.kind != "processors") reason.kind = why.kind;
  if (!reason.kind.empty()) reason.idle_before = reason.idle + started(reason.kind);
  const auto order = world().traits().default_order;
  if (detail == Detail::kAll) {
    const auto own = simulation_.place(job, order);
    for (const JobId each : notes_.all_started()) {
      reason.others.push_back({each, own < simulation_.place(each, order)});
    }
    reason.reach = reach_of(world().hosts(), world().jobs().job(job), job);
  }
  if (const auto* machine = world().hosts().kinds()) {
    return name_release(*machine, job, reason);
  }
  if (is_kept_free(job)) return name_start(job, reason);
  const auto* enough = enough_for(reason.asked);
  if (enough == nullptr) return;
  reason.at = enough->at;
  reason.blocker = of_workload(enough->job);
}

// Whether in a pool enough is idle, which the machine keeps free of the job.
// REQUIRES: the job does not fit.
bool Judge::is_kept_free(JobId job) const {
  const auto& hosts = world().hosts();
  const bool is_pool = hosts.kinds() == nullptr && hosts.traits().form == nullptr &&
                       !hosts.traits().shares_processors;
  return is_pool && world().jobs().job(job).size <= hosts.idle();
}

// When the job is expected to fit, as the machine has it.
void Judge::name_start(JobId job, Reason& reason) const {
  const auto demand = world().jobs().job(job).demand();
  const auto outlook = world().hosts().outlook(job, demand);
  if (outlook == nullptr || !outlook->seeks()) return;
  if (const auto found = outlook->seek()) reason.at = found->at;
}

// The end after which so many processors are free; nullptr: there never are.
const Judge::Freed* Judge::enough_for(std::int64_t size) {
  read_releases();
  const auto enough = std::lower_bound(
      freed_.begin(), freed_.end(), size,
      [](const Freed& each, std::int64_t asked) { return each.idle < asked; });
  return enough == freed_.end() ? nullptr : &*enough;
}

// How much of a kind the jobs hold that this pass started.
std::int64_t Judge::started(std::string_view kind) const {
  const auto& machine = *world().hosts().kinds();
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < machine.kinds().size(); ++i) {
    if (machine.kinds()[i].name != kind) continue;
    for (const JobId each : notes_.all_started()) sum += machine.need_in_all(each, i);
  }
  return sum;
}

// The end without which the job would not fit, by expected ends.
void Judge::name_release(const SeveralKinds& machine, JobId job, Reason& reason) const {
  RoomOutlook outlook(machine, job);
  for (const auto& each : world().running().releases(world().now())) {
    outlook.release(each.job);
    if (!outlook.fits()) continue;
    reason.at = each.at;
    reason.blocker = of_workload(each.job);
    return;
  }
}

// --- promises ---

bool Judge::judge_plans(JobId job, Reason& reason) const {
  const auto plans = simulation_.plans().all();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const sim::PlanId plan(world().decision().number, i);
    if (!simulation_.actions().why_not(job, plan)) continue;
    reason.why = Why::kWouldDelay;
    reason.blocker = plans[i].job;
    reason.at = plans[i].start;
    reason.spare = plans[i].spare;
    return true;
  }
  return false;
}

// The reservations of the jobs in the queue, and what is free beside them and the jobs
// that run.
void Judge::read_book() {
  if (has_book_) return;
  has_book_ = true;
  const auto* book = world().book_if_used();
  if (book == nullptr) return;
  simulation_.orders().all(0).for_each([&](const JobQueue::Member& each) {
    const auto start = book->of(each.place.job);
    if (!start) return;
    const auto end = after(*start, world().planned(each.place.job).span);
    held_.push_back({each.place.job, *start, end, each.size});
  });
  if (held_.empty()) return;
  std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) {
    return a.start != b.start ? a.start < b.start : a.job < b.job;
  });
  const Time now = world().now();
  std::map<Time, std::int64_t> change;
  change[now] += world().hosts().idle();
  for (const auto& each : world().running().releases(now)) {
    change[each.at] += each.size;
  }
  for (const auto& each : held_) {
    change[std::max(each.start, now)] -= each.size;
    change[std::max(each.end, now)] += each.size;
  }
  std::int64_t free = 0;
  for (const auto& [at, amount] : change) {
    free += amount;
    steps_.push_back({at, free});
  }
}

// Calls look(from, free) for each step, the job's own reservation left out, until it
// returns false.
template <class Look>
void Judge::walk(JobId job, const Look& look) {
  const auto own = std::find_if(held_.begin(), held_.end(),
                                [job](const Held& each) { return each.job == job; });
  for (const auto& step : steps_) {
    const bool is_own =
        own != held_.end() && own->start <= step.from && step.from < own->end;
    if (!look(step.from, step.free + (is_own ? own->size : 0))) return;
  }
}

// The first instant at which fewer than `size` are free; kNever: there is none.
Time Judge::short_from(JobId job, std::int64_t size) {
  Time found = kNever;
  walk(job, [&](Time from, std::int64_t free) {
    if (free < size) found = from;
    return found == kNever;
  });
  return found;
}

std::int64_t Judge::least_until(JobId job, Time end) {
  std::int64_t least = world().machine().processors;
  walk(job, [&](Time from, std::int64_t free) {
    if (from >= end) return false;
    least = std::min(least, free);
    return true;
  });
  return least;
}

// Of the reservations that hold what is missing then, the last in order would be late.
void Judge::name_colliding(JobId job, Time short_at, Reason& reason) const {
  const auto order = world().traits().default_order;
  const auto own = simulation_.place(job, order);
  std::optional<Place> last;
  for (const auto& each : held_) {
    const bool collides =
        each.job != job && each.start < *reason.ends && short_at < each.end;
    if (!collides) continue;
    const auto place = simulation_.place(each.job, order);
    reason.others.push_back({each.job, own < place});
    if (each.start <= short_at && (!last || *last < place)) last = place;
  }
  if (last) reason.blocker = last->job;
}

bool Judge::judge_book(JobId job, Reason& reason) {
  read_book();
  if (held_.empty()) return false;
  const auto own = std::find_if(held_.begin(), held_.end(),
                                [job](const Held& each) { return each.job == job; });
  const bool is_later = own != held_.end() && own->start > world().now();
  const Time end = *reason.ends;
  const Time short_at = short_from(job, reason.asked);
  const bool collides = short_at < end;
  if (!is_later && !collides) return false;
  if (collides) {
    reason.collides = short_at;
    name_colliding(job, short_at, reason);
  }
  if (is_later) {
    reason.why = Why::kLaterReservation;
    reason.at = own->start;
    reason.place = own - held_.begin() + 1;
    return true;
  }
  if (!reason.blocker) return false;
  reason.why = Why::kWouldDelay;
  const auto blocker = std::find_if(held_.begin(), held_.end(), [&](const Held& each) {
    return each.job == *reason.blocker;
  });
  reason.at = blocker->start;
  return true;
}

// --- what the policy looked at ---

bool Judge::judge_looks(JobId job, Reason& reason) const {
  const auto* look = notes_.look_at(job);
  if (look == nullptr) return false;
  reason.why = look->refusal ? Why::kRefused : Why::kDeclined;
  reason.refusal = look->refusal;
  reason.text = look->because;
  return true;
}

// Whether the policy stopped looking before it came to the job.
bool Judge::is_behind_stop(JobId job) const {
  const auto& stop = notes_.stop();
  if (!stop || stop->how == PassNotes::Stop::How::kNoMore) return false;
  if (stop->order > world().traits().fair_share()) return false;  // of one user
  return stop->at < simulation_.place(job, stop->order);
}

void Judge::judge_stop(JobId job, Reason& reason) const {
  reason.why = Why::kNotAsked;
  reason.text = notes_.line();
  if (!is_behind_stop(job)) return;
  const auto& stop = *notes_.stop();
  const bool is_depth = stop.how == PassNotes::Stop::How::kDepth;
  reason.why = is_depth ? Why::kDepth : Why::kOrder;
  reason.blocker = stop.at.job;
}

// --- what would have let it start ---

void Judge::name_remedies(JobId job, Reason& reason) {
  const bool is_waiting = world().jobs().state(job) == JobState::kWaiting;
  if (!is_waiting || !counts_tell() || is_behind_stop(job)) return;
  read_book();
  const Time now = world().now();
  const Time ends = *reason.ends;
  std::int64_t size = world().hosts().idle();
  Time latest = kNever;  // end, at the size asked for
  for (const auto& plan : simulation_.plans().all()) {
    if (plan.job == job) continue;
    if (ends > plan.start) size = std::min(size, plan.spare);
    if (reason.asked > plan.spare) latest = std::min(latest, plan.start);
  }
  if (!held_.empty()) {
    size = std::min(size, least_until(job, ends));
    latest = std::min(latest, short_from(job, reason.asked));
  }
  if (size >= 1 && size < reason.asked) reason.size = size;
  const bool fits = reason.asked <= world().hosts().idle();
  if (!fits || latest >= ends) return;
  const Duration walltime = (latest - now) / kSecond * kSecond;
  const bool is_long_enough = walltime > 0 && span_of(walltime) <= latest - now;
  if (is_long_enough) reason.walltime = walltime;
}

}  // namespace berth
