#include "engine/sim/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/hosts/speeds.hpp"
#include "engine/jobs/checkpoints.hpp"
#include "engine/jobs/own_estimates.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/share/shares.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/machine_events.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::sim {

namespace {

// Where each event has its own pass, an end of this instant may not be handled yet.
OverrunRule overrun_rule(const Machine& machine, const Settings& settings) {
  const bool is_whole = settings.pass == PassMode::kInstant;
  return {machine.overrun_grace, machine.overrun_growth,
          is_whole ? 0 : machine.min_planned};
}

// `ticks` after `now`, to the nearest tick; kNever beyond what a Time can hold.
Time later_by(Time now, double ticks) {
  if (ticks >= static_cast<double>(kNever - now)) return kNever;
  return after(now, std::max(Duration{0}, Duration{std::llround(ticks)}));
}

// No event is later: what is planned from it on lies before the end of the clock, since
// a walltime, a least duration and a delay are at most kMaxSeconds each.
constexpr Time kLastEvent =
    kNever - 4 * seconds(static_cast<std::int64_t>(kMaxSeconds));

void require_estimates(const Machine& machine, const SharingModel& model,
                       const std::string& label) {
  if (!model.traits().takes_estimates) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("{}: estimate: jobs of this machine (sharing = \"{}\") are "
                            "planned by their walltimes",
                            label, machine.sharing));
  }
}

std::unique_ptr<Checkpoints> checkpoints_of(const Machine& machine,
                                            std::span<const Job> jobs) {
  const auto& life = machine.life;
  if (!life.has_checkpoints()) return nullptr;
  return std::make_unique<Checkpoints>(life.checkpoints, jobs);
}

[[noreturn]] void refuse_late(const Job& job, const char* does) {
  throw Error(
      ErrorCode::kInput,
      fmt::format("job {} would {} later than {} s, which the clock cannot carry; "
                  "correct the times of the workload, or leave jobs out",
                  job.id, does, seconds_text(kLastEvent)));
}

}  // namespace

World::World(const Machine& machine, const Settings& settings,
             std::span<const Job> jobs, Policy& policy,
             std::unique_ptr<SharingModel> model)
    : machine_(std::make_unique<Machine>(machine)),
      settings_(std::make_unique<Settings>(settings)),
      traits_(policy.traits()),
      model_(std::move(model)),
      table_(jobs, traits_.orders.size()),
      agenda_(std::make_unique<Agenda>(settings.ties, table_)),
      running_(overrun_rule(machine, settings)),
      checkpoints_(checkpoints_of(machine, jobs)),
      plans_by_walltime_(model_->speeds() == nullptr && !traits_.has_estimate &&
                         checkpoints_ == nullptr),
      now_(jobs.empty() ? 0 : jobs.front().submit),
      decision_{policy.budget()} {
  model_->charge_to(decision_.budget);
  if (traits_.has_estimate) {
    require_estimates(machine, *model_, traits_.label);
    estimates_ = std::make_unique<OwnEstimates>(jobs.size(), running_.rule());
  }
  if (settings.shares && Shares::have_users(jobs)) {
    const auto* own = model_->kinds();
    const bool counts_others = own != nullptr && model_->traits().shares_processors;
    if (counts_others && settings.shares->charge != Charge::kProcessors) {
      throw Error(ErrorCode::kInput,
                  "shares.charge: on this machine users can be charged for processors "
                  "alone");
    }
    auto kinds = kinds_of(machine.processors, machine.resources);
    if (own != nullptr) kinds.assign(own->kinds().begin(), own->kinds().end());
    auto shares = std::make_unique<Shares>(*settings.shares, kinds);
    if (settings.keeps_usage || traits_.asks_for_users) shares_ = std::move(shares);
  }
  if (traits_.default_order == traits_.fair_share() && !shares_) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: order \"fair_share\": no job names a user", traits_.label));
  }
}

World::~World() = default;

const Shares* World::shares() const {
  return traits_.asks_for_users ? shares_.get() : nullptr;
}

// Where speed is not guaranteed, progress is hidden and all of the planned time counts.
World::Planned World::planned(JobId job, const Placement* there) const {
  const auto& entry = table_[job];
  const bool is_suspended = entry.state == JobState::kSuspended;
  if (plans_by_walltime_ && entry.progress == 0.0 && !is_suspended) {
    const auto whole = table_.job(job).planned(machine_->min_planned);
    return {0, whole, whole, whole};
  }
  const auto frozen = is_suspended ? machine_->migration_cost : Duration{0};
  if (model_->speeds() != nullptr) {
    return {frozen, std::max(machine_->min_planned, left_at_speed(job, there))};
  }
  const auto left = left_of(job, estimate(job));
  const auto span = after(frozen, left);
  if (!estimates_) return {frozen, left, span, span};
  return {frozen, left, span, after(frozen, left_of(job, table_.job(job).walltime))};
}

Duration World::left_of(JobId job, Duration whole) const {
  const auto& entry = table_[job];
  const auto least = machine_->min_planned;
  if (checkpoints_) {
    return checkpoints_->left(job, table_.job(job), entry, whole, least);
  }
  const auto planned = std::max(whole, least);
  if (entry.progress == 0.0 || !model_->traits().guarantees_speed) return planned;
  return std::max(least, planned - Duration{std::llround(entry.progress)});
}

Duration World::estimate(JobId job) const {
  const auto walltime = table_.job(job).walltime;
  return estimates_ ? estimates_->of(job, walltime) : walltime;
}

// The time that is left of a walltime where places differ in speed.
Duration World::left_at_speed(JobId job, const Placement* there) const {
  const auto& speeds = *model_->speeds();
  const auto& entry = table_[job];
  const auto walltime = table_.job(job).walltime;
  if (speeds.walltime_of() == WalltimeOf::kTime) {
    return std::max(Duration{0}, walltime - entry.used);
  }
  const auto work = std::max(0.0, static_cast<double>(walltime) - entry.progress);
  return std::llround(work / speeds.speed(job, there));
}

void World::refuse_phase(const char* action) const {
  const auto phase = decision_.phase;
  const char* where = phase == Phase::kHook ? "a hook"
                      : phase == Phase::kReading
                          ? "an order's key or a function passed in"
                          : "no decision";
  throw Error(ErrorCode::kPolicy, fmt::format("{}: not allowed in {}", action, where));
}

void World::refuse_state(JobId job, const char* action) const {
  const auto state = table_.state(job);
  const bool has_left = state == JobState::kFinished || state == JobState::kRejected ||
                        state == JobState::kFailed;
  throw Error(ErrorCode::kPolicy,
              fmt::format("{}: job {} {} {} (t={})", action, table_.job(job).id,
                          has_left ? "has already" : "is",
                          state == JobState::kRejected ? "been rejected" : name(state),
                          seconds_text(now_)));
}

void require_plans(const World& world, const char* action) {
  world.hosts().require_plans(action);
  if (world.settings().departures) return;
  throw Error(ErrorCode::kPolicy,
              fmt::format("{}: no job leaves (workload.departures = false): a plan has "
                          "no end to wait for",
                          action));
}

void World::make_book() {
  require_plans(*this, "book");
  const auto* kinds = model_->kinds();
  const auto* keeper = capability<HasIdleBlocks>(*model_);
  const auto* blocks = keeper == nullptr ? nullptr : keeper->blocks();
  if (kinds == nullptr && blocks == nullptr && !model_->traits().plans_by_count) {
    throw Error(ErrorCode::kPolicy,
                "book: this machine keeps no book: whether a job fits is not a matter "
                "of numbers of processors here (a plan of cluster:reserve says when "
                "it would)");
  }
  const auto* by_host = capability<HasHostProfiles>(*model_);
  auto profiles =
      by_host != nullptr ? by_host->host_profiles(now_, decision_.budget) : nullptr;
  // Where processes share processors, their numbers bound nothing.
  const std::int64_t processors = model_->traits().shares_processors
                                      ? std::numeric_limits<std::int32_t>::max()
                                      : machine_->processors;
  book_ = std::make_unique<ReservationBook>(
      Calendar(now_, processors, kinds, std::move(profiles), decision_.budget),
      running_.rule(), decision_.budget);
  const auto* events = capability<MachineEvents>(*model_);
  for (const auto& each : running_.releases(now_)) {
    const bool is_told =
        !table_.is_of_system(each.job) ||
        events->is_in_book(index(each.job) - static_cast<std::uint32_t>(table_.size()));
    if (!is_told) continue;
    const Request request{each.job, each.size, each.planned_end - now_};
    book_->started(request, now_, each.planned_end);
  }
  if (blocks != nullptr) book_->keep_free(*blocks, now_);
}

// When the machine kills the job; kNever: it does not.
Time World::limit_of(JobId job, const JobEntry& entry, const Run& how) const {
  const bool kills = machine_->overrun == Overrun::kKill && how.planned_end != kNever;
  if (!kills) return kNever;
  const auto& asked = table_.job(job);
  const auto left = model_->speeds() != nullptr
                        ? left_at_speed(job, &model_->placement(job))
                    : checkpoints_ ? checkpoints_->limit(job, asked) - entry.used
                                   : asked.walltime - entry.used;
  return after(how.unfreezes, std::max(Duration{0}, left));
}

void World::run(JobId job, const Run& how) {
  const auto& asked = table_.job(job);
  auto& entry = table_[job];
  entry.state = JobState::kRunning;
  entry.state_since = entry.settled = now_;
  entry.planned_end = how.planned_end;
  entry.limit = limit_of(job, entry, how);
  entry.version = next_version(entry.version);
  entry.frozen = how.unfreezes > now_;
  if (entry.frozen) {
    if (how.unfreezes > kLastEvent) refuse_late(asked, "go on");
    model_->freeze(job, Frozen::kYes, affected_);
    agenda_->add({how.unfreezes, EventKind::kUnfreeze, index(job), entry.version});
  }
  entry.rate = model_->rate(job);
  predict(job, entry);
  if (shares_) shares_->holds(asked, now_, needs_in_all(job));
  if (how.planned_end == kNever) {
    if (book_) book_->drop(job);
    return;
  }
  running_.insert(job, asked.size, how.planned_end);
  if (estimates_) {
    const auto more = left_of(job, asked.walltime) - left_of(job, estimate(job));
    estimates_->started(job, how.planned_end, after(how.planned_end, more));
  }
  if (book_) {
    book_->started({job, asked.size, how.planned_end - now_}, now_, how.planned_end);
  }
}

// Empty on a machine with one kind; good until the next call.
std::span<const std::int64_t> World::needs_in_all(JobId job) {
  const auto* machine = model_->kinds();
  if (machine == nullptr) return {};
  needs_.clear();
  for (std::size_t kind = 0; kind < machine->kinds().size(); ++kind) {
    needs_.push_back(machine->need_in_all(job, kind));
  }
  return needs_;
}

std::int64_t World::capacity() const { return machine_->processors - down_; }

void World::stop(JobId job) {
  auto& entry = table_[job];
  if (shares_) shares_->releases(table_.job(job), now_, needs_in_all(job));
  if (entry.planned_end != kNever) {
    running_.erase(job, entry.planned_end);
    if (estimates_) {
      const auto expected = estimates_->stopped(job, now_);
      if (book_) book_->expect(job, expected);
    }
    if (!entry.frozen) entry.used += now_ - entry.state_since;
  } else {
    entry.account.unlimited += now_ - entry.state_since;
  }
  if (entry.frozen) entry.account.frozen += now_ - entry.state_since;
  entry.frozen = false;
}

// Schedules the end at the present rate, or at the limit where the machine kills.  At a
// low rate an end may be behind the clock: the rate changes, or the job does not end.
void World::predict(JobId job, JobEntry& entry) {
  const auto& asked = table_.job(job);
  Time end = kNever;
  if (entry.rate == 1.0 && entry.progress == 0.0) {
    end = after(now_, asked.length);
  } else if (entry.rate > 0.0) {
    const double left = static_cast<double>(asked.length) - entry.progress;
    end = later_by(now_, left / entry.rate);
  }
  entry.ends_at_limit = entry.limit < end;
  end = std::min(end, entry.limit);
  if (end > kLastEvent) {
    const double left = static_cast<double>(asked.length) - entry.progress;
    if (left > static_cast<double>(kLastEvent - now_)) refuse_late(asked, "end");
    return;
  }
  agenda_->add({end, EventKind::kJobEnd, index(job), entry.version});
}

void World::update_rates() {
  for (const JobId job : affected_) {
    auto& entry = table_[job];
    if (entry.state != JobState::kRunning) continue;
    const double rate = model_->rate(job);
    if (rate == entry.rate) continue;
    entry.settle(now_);
    entry.rate = rate;
    agenda_->cancel(entry);
    predict(job, entry);
    if (audience_.wants<RateRecord>())
      audience_.tell(RateRecord{now_, subject(job), rate});
  }
  affected_.clear();
}

void World::tell_changes_of_book() {
  if (audience_.wants<ReservationRecord>()) {
    for (const auto& change : book_->changes()) {
      audience_.tell(ReservationRecord{now_, change.job, change.start});
    }
  }
  book_->clear_changes();
}

World::Planned planned_now(const World& world, JobId job, const Placement* there) {
  if (there != nullptr || world.hosts().speeds() == nullptr) {
    return world.planned(job, there);
  }
  const auto place = world.hosts().choose(job, world.jobs().job(job).demand(), nullptr);
  return world.planned(job, place ? &place.value() : nullptr);
}

}  // namespace berth::sim
