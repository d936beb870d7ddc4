#include "engine/machines/exclusive/failing_hosts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/hosts/host_ranges.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/simulation.hpp"

namespace berth {

namespace {

using HostKind = HostEvent::Kind;

using Spread = std::vector<HostChunks>;

// The events of the machine that are known by their numbers in the agenda.
constexpr std::uint32_t kNextInstant = 0;
std::uint32_t number_of_return(JobId job) { return kNextInstant + 1 + index(job); }
JobId job_of_return(std::uint32_t number) { return JobId{number - kNextInstant - 1}; }

// The hosts that are down when the run begins go down as it begins, by number.
std::vector<HostEvent> down_at(Time now, std::size_t hosts, HostEventSource& source) {
  std::vector<std::optional<HostEvent>> last(hosts);
  while (source.has_until(now)) {
    for (const auto& event : source.take()) {
      last[static_cast<std::size_t>(event.host)] = event;
    }
  }
  std::vector<HostEvent> down;
  down.reserve(hosts);
  for (const auto& event : last) {
    if (event && event->kind != HostKind::kUp) down.push_back(*event);
  }
  return down;
}

Refusal word_of(const MachineWindow& window) {
  return window.users.empty() ? kWindow : kUserWindow;
}

}  // namespace

void add_needs_of_hosts(const sim::Machine& machine, Needs& needs) {
  const auto kinds = kinds_of(machine.processors, machine.resources);
  std::vector<std::int64_t> amounts(kinds.size());
  if (machine.resources.hosts.empty()) {
    amounts.front() = 1;
    for (std::int32_t i = 0; i < machine.processors; ++i) needs.add(amounts, 1, -1);
    return;
  }
  for (const auto& group : machine.resources.hosts) {
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const auto& name = kinds[kind].name;
      amounts[kind] = name == "processors"       ? group.processors
                      : name == "memory"         ? group.memory
                      : !kinds[kind].is_on_hosts ? 0
                                                 : amount_of(group, name);
    }
    for (std::int32_t i = 0; i < group.count; ++i) {
      needs.add(amounts, 1, group.partition.value_or(-1));
    }
  }
}

FailingHosts::FailingHosts(const sim::Machine& machine)
    : Exclusive(machine.processors, machine.pick,
                machine.life.windows == nullptr ? Asks::kWhyNot : Asks::kEach),
      hosts_(host_ranges(machine.processors, machine.resources)),
      states_(hosts_.size()),
      held_(hosts_.size()) {
  if (machine.life.windows == nullptr) return;
  windows_ = std::make_unique<WindowClaims>(machine.life.windows);
}

FailingHosts::FailingHosts(const sim::Machine& machine,
                           std::shared_ptr<const Needs> needs)
    : Exclusive(machine.processors, machine.resources, std::move(needs), machine.pick),
      hosts_(host_ranges(machine.processors, machine.resources)),
      states_(hosts_.size()),
      held_(hosts_.size()),
      are_hosts_(!machine.resources.hosts.empty()) {
  auto all = machine.life.windows;
  const bool drains = are_hosts_ && machine.life.has_drains();
  if (all == nullptr && drains) all = std::make_shared<std::vector<MachineWindow>>();
  if (all == nullptr) return;
  auto windows = std::make_unique<HostWindows>(std::move(all), *this);
  on_hosts_ = windows.get();
  windows_ = std::move(windows);
}

void FailingHosts::begin(sim::Simulation& simulation) {
  simulation_ = &simulation;
  world_ = &simulation.world();
  const auto& life = world_->machine().life;
  if (life.has_checkpoints()) checkpointed_ = &simulation;
  const Time now = world_->now();
  source_ = source_of(life, now);
  at_begin_ = down_at(now, hosts_.size(), *source_);
  if (windows_ != nullptr) {
    windows_->begin(*world_, simulation.parts().world.state().estimates);
    add_windows(now);
  }
  await(at_begin_.empty() ? next_instant() : now, simulation);
}

// One that has begun before the run begins with it; one that has ended counts no more.
void FailingHosts::add_windows(Time now) {
  using Change = sim::WindowRecord::Event;
  for (const auto& window : windows_->all()) {
    if (window.to <= now) continue;
    const auto add = [&](Time at, Change kind) {
      window_events_.push_back({at, kind, &window});
    };
    if (window.announced > now) add(window.announced, Change::kAnnounced);
    add(std::max(now, window.from), Change::kBegins);
    add(window.to, Change::kEnds);
  }
  std::stable_sort(window_events_.begin(), window_events_.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
}

Time FailingHosts::next_instant() const {
  const Time window =
      next_window_ < window_events_.size() ? window_events_[next_window_].at : kNever;
  return std::min(source_->next_at(), window);
}

void FailingHosts::await(Time at, sim::Simulation& simulation) {
  if (at == kNever) return;
  auto& world = simulation.parts().world;
  const bool is_endless = world.machine().life.failures != nullptr;
  world.state().agenda.add({at, EventKind::kOfMachine, kNextInstant,
                            is_endless ? sim::Agenda::kEndless : 0});
}

FailingHosts::InstantOfMachine FailingHosts::take_instant(Time now) {
  InstantOfMachine instant;
  if (!at_begin_.empty()) {
    instant.hosts = at_begin_;
  } else if (source_->has_until(now)) {
    instant.hosts = source_->take();
  }
  const auto first = next_window_;
  const auto& all = window_events_;
  while (next_window_ < all.size() && all[next_window_].at == now) ++next_window_;
  instant.windows = std::span(all).subspan(first, next_window_ - first);
  return instant;
}

// In the order of the events of an instant: windows end, hosts come back, windows are
// announced, windows begin, hosts drain, hosts go down.
bool FailingHosts::happen(std::uint32_t number, sim::Simulation& simulation) {
  using Change = sim::WindowRecord::Event;
  if (number != kNextInstant) {
    come_back(simulation, job_of_return(number));
    return true;
  }
  const auto instant = take_instant(world_->now());
  const auto of_kind = [&](HostKind kind) {
    const auto [first, last] = std::equal_range(
        instant.hosts.begin(), instant.hosts.end(), HostEvent{0, kind, 0, 0},
        [](const auto& a, const auto& b) { return a.kind < b.kind; });
    return Events(first, last);
  };
  change_windows(instant, Change::kEnds, simulation);
  for (const auto& event : of_kind(HostKind::kUp)) bring_up(event, simulation);
  change_windows(instant, Change::kAnnounced, simulation);
  change_windows(instant, Change::kBegins, simulation);
  drain(of_kind(HostKind::kDrain), simulation);
  take_down(of_kind(HostKind::kDown), simulation);
  const bool any = !instant.hosts.empty();
  if (any) set_down(simulation, down_);
  at_begin_.clear();
  simulation.parts().world.update_affected();
  await(next_instant(), simulation);
  return any;
}

void FailingHosts::change_windows(const InstantOfMachine& instant,
                                  sim::WindowRecord::Event kind,
                                  sim::Simulation& simulation) {
  using Change = sim::WindowRecord::Event;
  auto& world = simulation.parts().world;
  for (const auto& [at, what, window] : instant.windows) {
    if (what != kind) continue;
    world.state().decision.causes |= sim::kWindowChanged;
    if (world.audience().wants<sim::WindowRecord>()) {
      world.audience().tell(sim::WindowRecord{at, what, window});
    }
    if (what == Change::kAnnounced) announce_loss(simulation);
    const bool hits = what == Change::kBegins && window->hits;
    if (hits) lose(windows_->hit_by(*window), simulation);
  }
}

void FailingHosts::put(JobId job, const Demand& demand, const Placement* placement,
                       Affected& affected) {
  Exclusive::put(job, demand, placement, affected);
  const bool begins = checkpointed_ != nullptr && !world_->jobs().is_of_system(job);
  if (begins) begin_attempt(*checkpointed_, job);
}

bool FailingHosts::fits(JobId job, const Demand& demand) const {
  if (!Exclusive::fits(job, demand)) return false;
  return windows_ == nullptr || windows_->in_the_way(job).window == nullptr;
}

bool FailingHosts::spread(JobId job, std::vector<HostChunks>& onto) const {
  const bool keeps = on_hosts_ != nullptr && !on_hosts_->kept_now(job).empty();
  return keeps ? on_hosts_->spread(job, onto) : Exclusive::spread(job, onto);
}

std::int64_t FailingHosts::room_on(JobId job, std::int32_t host) const {
  const HostChunks there{host, 1};
  const bool is_kept =
      on_hosts_ != nullptr && on_hosts_->keeper(job, {&there, 1}) != nullptr;
  return is_kept ? 0 : Exclusive::room_on(job, host);
}

Result<Placement, Refusal> FailingHosts::choose(JobId job, const Demand& demand,
                                                const Placement* where) const {
  if (windows_ != nullptr && !fits(job, demand)) return unfit(job, demand);
  if (on_hosts_ == nullptr) return Exclusive::choose(job, demand, where);
  const auto there = where == nullptr ? Spread() : chunks_of(job, *where);
  if (const auto* window = on_hosts_->keeper(job, there)) return word_of(*window);
  Spread onto;
  if (where == nullptr && spread(job, onto)) return place(job, onto);
  return Exclusive::choose(job, demand, where);
}

std::unique_ptr<Outlook> FailingHosts::outlook(JobId job, const Demand& demand) const {
  auto beside = windows_ == nullptr ? nullptr : windows_->outlook(job);
  if (beside != nullptr) return beside;
  if (parts_.empty()) return Exclusive::outlook(job, demand);
  return parts_.outlook(*this, job, demand,
                        [this](JobId running) { return left_by(running); });
}

std::unique_ptr<HostProfiles> FailingHosts::host_profiles(Time now,
                                                          Budget& budget) const {
  return on_hosts_ != nullptr ? on_hosts_->profiles(now, budget)
                              : Exclusive::host_profiles(now, budget);
}

Refusal FailingHosts::unfit(JobId job, const Demand& demand) const {
  if (windows_ == nullptr || !Exclusive::fits(job, demand)) {
    return would_fit_if_up(job, demand) ? kHostsDown : Refusal::kBusy;
  }
  return word_of(*windows_->in_the_way(job).window);
}

// Whether it would fit if what the machine has of hosts that are not up were idle.
bool FailingHosts::would_fit_if_up(JobId job, const Demand& demand) const {
  if (down_ == 0) return false;
  const auto later = Exclusive::outlook(job, demand);
  if (later == nullptr) return demand.processors() <= idle() + down_;
  for (std::uint32_t host = 0; host < held_.size(); ++host) {
    if (held_[host].processors > 0) later->release(world_->jobs().system_job(host));
  }
  return later->fits();
}

Shortage FailingHosts::shortage(JobId job, const Demand& demand) const {
  if (windows_ == nullptr || !Exclusive::fits(job, demand)) {
    return Exclusive::shortage(job, demand);
  }
  return {demand.processors(), windows_->in_the_way(job).left};
}

Need FailingHosts::need(JobId job) const {
  auto need = Exclusive::need(job);
  const bool is_of_system = world_ != nullptr && world_->jobs().is_of_system(job);
  if (!is_of_system || !are_hosts_) return need;
  need.amounts = held_[index(job) - world_->jobs().size()].amounts.data();
  return need;
}

std::span<const HostChunks> FailingHosts::hosts_of(JobId job) const {
  const bool is_of_system = world_ != nullptr && world_->jobs().is_of_system(job);
  const bool has_none =
      is_of_system && held_[index(job) - world_->jobs().size()].processors == 0;
  return has_none ? std::span<const HostChunks>() : Exclusive::hosts_of(job);
}

FailingHosts::SystemClaim FailingHosts::claim_of(std::int32_t host) const {
  const auto number = static_cast<std::uint32_t>(host);
  if (const auto* part = parts_.find(host)) return {number, 1, part->until};
  const auto& has = held_[number];
  // Reservations are kept away from a host that drains by its profile.
  const bool is_closed = are_hosts_ && states_[number] == HostKind::kDrain;
  return {number, has.processors, has.until, !is_closed};
}

void FailingHosts::seize(std::int32_t host) {
  auto& has = held(host);
  const auto* part = parts_.find(host);
  // The claim of a processor that its job leaves goes on if it ends when it did.
  const bool goes_on = part != nullptr && part->until == has.until;
  if (!goes_on) let_go(host);
  parts_.remove(host);
  has.is_held = true;
  take_idle(host);
  const auto claim = claim_of(host);
  if (!goes_on) hold(*simulation_, claim);
  down_ += claim.processors;
}

void FailingHosts::take_idle(std::int32_t host) {
  const auto state = simulation_->parts().world.state();
  const auto idle = idle_processors(hosts_[static_cast<std::size_t>(host)]);
  auto& has = held(host);
  has.processors = static_cast<std::int32_t>(idle.count());
  has.amounts.clear();
  for (std::size_t kind = 0; are_hosts_ && kind < kinds().size(); ++kind) {
    has.amounts.push_back(kinds()[kind].is_on_hosts ? room().free_on(host, kind) : 0);
  }
  if (has.processors == 0) return;
  const Placement there(idle);
  Grant made;
  const auto granted = grant(state.jobs.system_job(static_cast<std::uint32_t>(host)),
                             Demand(has.processors), &there, made);
  BERTH_ASSERT(granted);
  take(made, state.affected);
}

void FailingHosts::let_go(std::int32_t host) {
  auto& has = held(host);
  const bool is_part = parts_.find(host) != nullptr;
  if (!is_part && !has.is_held) return;
  const auto claim = claim_of(host);
  give_back(*simulation_, claim);
  if (is_part) return parts_.remove(host);
  const auto state = simulation_->parts().world.state();
  if (has.processors > 0) {
    Exclusive::leave(state.jobs.system_job(claim.number), state.affected);
  }
  down_ -= has.processors;
  has.is_held = false;
  has.processors = 0;
}

void FailingHosts::set_state(const HostEvent& event) {
  states_[static_cast<std::size_t>(event.host)] = event.kind;
  const bool drains = event.kind == HostKind::kDrain;
  if (drains) {
    draining_.insert(event.host);
  } else {
    draining_.erase(event.host);
  }
  if (on_hosts_ == nullptr) return;
  drains ? on_hosts_->drain(event.host, event.until) : on_hosts_->end_drain(event.host);
}

// Hosts that drain and of which the running job has a part, by number.
std::vector<std::int32_t> FailingHosts::drained_of(JobId job) const {
  if (draining_.empty()) return {};
  if (!are_hosts_) return parts_.of(job);
  std::vector<std::int32_t> all;
  for (const auto& at : hosts_of(job)) {
    if (draining_.contains(at.host)) all.push_back(at.host);
  }
  return all;
}

std::int32_t FailingHosts::left_by(JobId running) const {
  if (world_->jobs().is_of_system(running)) return 1;
  const auto drained = static_cast<std::int32_t>(parts_.of(running).size());
  return world_->jobs().job(running).size - drained;
}

void FailingHosts::leave(JobId job, Affected& affected) {
  const auto drained = drained_of(job);
  Exclusive::leave(job, affected);
  for (const auto host : drained) seize(host);
  if (!drained.empty()) set_down(*simulation_, down_);
}

// The answer is the planned end, of the two, whose expected end comes later.
Time FailingHosts::later_end(JobId holder, Time until) const {
  const auto& running = world_->running();
  const Time ends = world_->jobs()[holder].planned_end;
  const Time now = world_->now();
  const bool is_job =
      running.expected_end(ends, now) >= running.expected_end(until, now);
  return is_job ? ends : until;
}

void FailingHosts::expect_anew(sim::Simulation& simulation) {
  if (on_hosts_ != nullptr && !draining_.empty()) require_room_for_due(simulation);
  parts_.for_each([&](std::int32_t host, DrainedParts::Part& part) {
    const Time until = later_end(part.holder, held(host).until);
    if (until == part.until) return;
    expect(simulation, claim_of(host), until);
    part.until = until;
  });
}

// Calls see(job, placement) for each job that runs on some of these, by expected end.
template <class See>
void FailingHosts::for_each_on(const IntervalSet& processors, const See& see) const {
  std::vector<JobId> found;
  for (const auto& each : world_->running().releases(world_->now())) {
    if (world_->jobs().is_of_system(each.job)) continue;
    world_->decision().budget.charge();
    if (placement(each.job).processors().overlaps(processors))
      found.push_back(each.job);
  }
  for (const JobId job : found) see(job, placement(job).processors());
}

void FailingHosts::bring_up(const HostEvent& event, sim::Simulation& simulation) {
  const bool drained = draining_.contains(event.host);
  const auto claim = claim_of(event.host);
  const JobId system = world_->jobs().system_job(claim.number);
  const bool is_gain = !claim.is_in_book && claim.processors > 0;
  if (is_gain) announce_gain(simulation, system, claim.processors, claim.until);
  let_go(event.host);
  set_state(event);
  announce(event, simulation);
  if (!drained) return;
  const auto range = hosts_[static_cast<std::size_t>(event.host)];
  for_each_on(IntervalSet(range.first, range.last), [&](JobId job, const auto&) {
    if (!are_hosts_) return set_left(simulation, job, left_by(job));
    announce_gain(simulation, job, world_->jobs().job(job).size,
                  world_->jobs()[job].planned_end);
  });
}

void FailingHosts::drain(Events events, sim::Simulation& simulation) {
  for (const auto& event : events) {
    announce(event, simulation);
    set_state(event);
    held(event.host).until = event.until;
  }
  if (!are_hosts_) drain_parts(events, simulation);
  for (const auto& event : events) {
    if (parts_.find(event.host) == nullptr) seize(event.host);
  }
  if (!events.empty()) announce_loss(simulation);
}

// What jobs hold of these processors ends with them, or with the drain.
void FailingHosts::drain_parts(Events events, sim::Simulation& simulation) {
  if (events.empty() || world_->running().size() == 0) return;
  IntervalSet all;
  for (const auto& event : events) {
    all.insert(hosts_[static_cast<std::size_t>(event.host)]);
  }
  for_each_on(all, [&](JobId job, const IntervalSet& has) {
    std::vector<std::int32_t> drained;
    for (const auto& event : events) {
      if (!has.contains(event.host)) continue;
      parts_.add(event.host, {job, later_end(job, event.until)});
      drained.push_back(event.host);
    }
    set_left(simulation, job, left_by(job));
    for (const auto host : drained) hold(simulation, claim_of(host));
  });
}

// All hosts of the instant are down before the first job is hit, so that no job comes
// back between two of them.
void FailingHosts::take_down(Events events, sim::Simulation& simulation) {
  if (events.empty()) return;
  for (const auto& event : events) announce(event, simulation);
  hit_all(events, simulation);
  for (const auto& event : events) {
    let_go(event.host);
    set_state(event);
    held(event.host).until = event.until;
    seize(event.host);
  }
  announce_loss(simulation);
}

// By (submit, id).
void FailingHosts::hit_all(Events events, sim::Simulation& simulation) {
  IntervalSet lost;
  for (const auto& event : events) {
    lost.insert(hosts_[static_cast<std::size_t>(event.host)]);
  }
  auto& world = simulation.parts().world;
  // As the run begins nothing is asked of running jobs, because a host that is down
  // since long may be late already.
  if (world.running().size() == 0) return;
  std::vector<JobId> hit_jobs;
  for_each_on(lost, [&](JobId job, const auto&) { hit_jobs.push_back(job); });
  std::sort(hit_jobs.begin(), hit_jobs.end());
  lose(hit_jobs, simulation);
}

void FailingHosts::lose(std::span<const JobId> jobs, sim::Simulation& simulation) {
  for (const JobId job : jobs) {
    const auto returns = hit(simulation, job);
    if (!returns) continue;
    simulation.parts().world.state().agenda.add(
        {*returns, EventKind::kOfMachine, number_of_return(job), 0});
  }
}

void FailingHosts::announce(const HostEvent& event, sim::Simulation& simulation) const {
  auto& world = simulation.parts().world;
  if (world.audience().wants<sim::HostRecord>()) {
    world.audience().tell(sim::HostRecord{
        world.now(), event.at, event.host, event.kind == HostKind::kUp, event.until,
        hosts_[static_cast<std::size_t>(event.host)], event.kind == HostKind::kDrain});
  }
  if (!world.traits().has_on_host) return;
  world.state().decision.news.hosts.push_back(
      {event.host, event.kind == HostKind::kUp});
}

}  // namespace berth
