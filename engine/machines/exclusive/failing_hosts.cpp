#include "engine/machines/exclusive/failing_hosts.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/simulation.hpp"

namespace berth {

namespace {

using HostKind = HostEvent::Kind;

// The hosts that are down when the run begins go down as it begins, by number.
std::vector<HostEvent> down_after(std::span<const HostEvent> events,
                                  std::size_t hosts) {
  std::vector<const HostEvent*> last(hosts, nullptr);
  for (const auto& event : events) {
    last[static_cast<std::size_t>(event.host)] = &event;
  }
  std::vector<HostEvent> down;
  down.reserve(hosts);
  for (const auto* event : last) {
    if (event == nullptr || event->kind == HostKind::kUp) continue;
    down.push_back(*event);
  }
  return down;
}

std::int64_t size_of(Interval processors) {
  return std::int64_t{processors.last} - processors.first + 1;
}

bool share_a_number(const IntervalSet& set, const IntervalSet& other) {
  auto b = other.intervals().begin();
  for (const auto& part : set.intervals()) {
    while (b != other.intervals().end() && b->last < part.first) ++b;
    if (b != other.intervals().end() && b->first <= part.last) return true;
  }
  return false;
}

}  // namespace

std::vector<Interval> hosts_of(const sim::Machine& machine) {
  std::vector<Interval> hosts;
  if (machine.resources.hosts.empty()) {
    hosts.reserve(static_cast<std::size_t>(machine.processors));
    for (std::int32_t i = 0; i < machine.processors; ++i) hosts.push_back({i, i});
    return hosts;
  }
  std::int32_t first = 0;
  for (const auto& group : machine.resources.hosts) {
    for (std::int32_t i = 0; i < group.count; ++i, first += group.processors) {
      hosts.push_back({first, first + group.processors - 1});
    }
  }
  return hosts;
}

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
    : Exclusive(machine.processors, machine.pick),
      all_(machine.life.events),
      hosts_(berth::hosts_of(machine)),
      until_(hosts_.size()) {}

FailingHosts::FailingHosts(const sim::Machine& machine,
                           std::shared_ptr<const Needs> needs)
    : Exclusive(machine.processors, machine.resources, std::move(needs), machine.pick),
      all_(machine.life.events),
      hosts_(berth::hosts_of(machine)),
      until_(hosts_.size()) {}

void FailingHosts::begin(sim::Simulation& simulation) {
  auto& agenda = simulation.parts().world.state().agenda;
  const Time now = simulation.world().now();
  const auto first =
      std::upper_bound(all_->begin(), all_->end(), now,
                       [](Time at, const HostEvent& event) { return at < event.at; });
  at_begin_ = down_after({all_->begin(), first}, hosts_.size());
  const auto add = [&](Events events) {
    agenda.add({std::max(now, events.front().at), EventKind::kOfMachine,
                static_cast<std::uint32_t>(instants_.size()), 0});
    instants_.push_back(events);
  };
  if (!at_begin_.empty()) add(at_begin_);
  for (auto at = first; at != all_->end();) {
    const auto end = std::find_if(
        at, all_->end(), [&](const HostEvent& event) { return event.at != at->at; });
    add({at, end});
    at = end;
  }
}

bool FailingHosts::happen(std::uint32_t number, sim::Simulation& simulation) {
  if (number >= instants_.size()) {
    come_back(simulation, JobId{number - static_cast<std::uint32_t>(instants_.size())});
    return true;
  }
  const auto events = instants_[number];
  const auto up = std::find_if(events.begin(), events.end(), [](const auto& event) {
    return event.kind != HostKind::kUp;
  });
  for (auto at = events.begin(); at != up; ++at) bring_up(*at, simulation);
  if (up != events.end()) take_down({up, events.end()}, simulation);
  auto& world = simulation.parts().world;
  set_down(simulation, down_);
  world.update_affected();
  return true;
}

FailingHosts::SystemClaim FailingHosts::claim_of(const HostEvent& event) const {
  const auto host = static_cast<std::size_t>(event.host);
  return {static_cast<std::uint32_t>(event.host),
          static_cast<std::int32_t>(size_of(hosts_[host])), until_[host]};
}

void FailingHosts::bring_up(const HostEvent& event, sim::Simulation& simulation) {
  const auto state = simulation.parts().world.state();
  const auto claim = claim_of(event);
  this->leave(state.jobs.system_job(claim.number), state.affected);
  give_back(simulation, claim);
  down_ -= claim.processors;
  announce(event, simulation);
}

// All hosts of the instant are down before the first job is hit, so that no job comes
// back between two of them.
void FailingHosts::take_down(Events events, sim::Simulation& simulation) {
  for (const auto& event : events) announce(event, simulation);
  hit_all(events, simulation);
  const auto state = simulation.parts().world.state();
  for (const auto& event : events) {
    const auto host = static_cast<std::size_t>(event.host);
    until_[host] = event.until;
    const auto claim = claim_of(event);
    const JobId system = state.jobs.system_job(claim.number);
    const Placement there(IntervalSet(hosts_[host].first, hosts_[host].last));
    Grant granted;
    const auto refusal = grant(system, Demand(claim.processors), &there, granted);
    BERTH_ASSERT(!refusal);
    take(granted, state.affected);
    hold(simulation, claim);
    down_ += claim.processors;
  }
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
  for (const auto& each : world.running().releases(world.now())) {
    if (world.jobs().is_of_system(each.job)) continue;
    world.decision().budget.charge();
    const auto& placement = this->placement(each.job);
    if (share_a_number(placement.processors(), lost)) hit_jobs.push_back(each.job);
  }
  std::sort(hit_jobs.begin(), hit_jobs.end());
  for (const JobId job : hit_jobs) {
    const auto returns = hit(simulation, job);
    if (!returns) continue;
    world.state().agenda.add({*returns, EventKind::kOfMachine,
                              static_cast<std::uint32_t>(instants_.size() + index(job)),
                              0});
  }
}

void FailingHosts::announce(const HostEvent& event, sim::Simulation& simulation) const {
  auto& world = simulation.parts().world;
  if (world.audience().wants<sim::HostRecord>()) {
    world.audience().tell(
        sim::HostRecord{world.now(), event.at, event.host, event.kind == HostKind::kUp,
                        event.until, hosts_[static_cast<std::size_t>(event.host)]});
  }
  if (!world.traits().has_on_host) return;
  world.state().decision.news.hosts.push_back(
      {event.host, event.kind == HostKind::kUp});
}

}  // namespace berth
