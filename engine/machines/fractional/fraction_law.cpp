#include "engine/machines/fractional/fraction_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace berth::audit {

namespace {

constexpr std::array kOfStart{kWholePlacement, kMemory, kShares, kShares};
constexpr std::array kOfShare{kWholePlacement, kMemory, kShares, kShares, kActionCount};
constexpr std::array kOfRepack{kMemory, kShares, kShares, kMemoryMoved, kMemoryMoved};

// Far above rounding.
constexpr double kEps = 1e-9;

// Tasks that are on another host than before; tasks of one job are alike.
std::int64_t tasks_moved(const TaskHosts& before, const TaskHosts& after) {
  auto was = before.hosts;
  auto is = after.hosts;
  std::sort(was.begin(), was.end());
  std::sort(is.begin(), is.end());
  std::vector<std::int32_t> left;
  std::set_difference(was.begin(), was.end(), is.begin(), is.end(),
                      std::back_inserter(left));
  return std::ssize(left);
}

}  // namespace

FractionLaw::FractionLaw(const sim::Machine& machine, std::span<const Job> jobs,
                         NeedsOfTasks needs)
    : Law({.of_start = kOfStart,
           .of_change = kOfShare,
           .of_bracket = kOfRepack,
           .guarantees_speed = false,
           .has_any_width = true,
           .most_moves = std::numeric_limits<std::int32_t>::max(),
           .reads = LawTerms::Reads::kAll},
          this),
      needs_(std::move(needs)),
      jobs_(jobs),
      hosts_(static_cast<std::size_t>(machine.processors)) {}

// Shares that take hold at this very instant may do so after other events of it.
std::vector<JobId> FractionLaw::come_to(Time at) {
  now_ = at;
  std::vector<JobId> late;
  while (!settling_.empty() && settling_.begin()->first < at) {
    const auto [settles, job] = *settling_.begin();
    settling_.erase(settling_.begin());
    const auto found = placed_.find(job);
    const bool counts = found != placed_.end() && found->second.settles == settles;
    if (counts) late.push_back(job);
  }
  return late;
}

// Host by host until each has as many tasks as its memory holds.
bool FractionLaw::never_fits(JobId job) {
  const auto memory = needs(job).memory_kib;
  if (memory > needs_.host_memory()) return true;
  std::int64_t left = jobs_[index(job)].size;
  if (memory == 0) return false;
  for (std::size_t host = 0; host < hosts_.size() && left > 0; ++host) {
    left -= needs_.host_memory() / memory;
  }
  return left > 0;
}

// A plain start: task by task onto the least loaded host with room.  Where even the
// empty hosts have too little CPU for all tasks, each takes what its part of the
// fullest host would be.
bool FractionLaw::fits_without(JobId job, std::span<const JobId> gone) {
  auto hosts = hosts_;
  for (const JobId each : gone) {
    const auto& held = placed_.at(each);
    for (const auto number : held.tasks.hosts) {
      auto& host = hosts[static_cast<std::size_t>(number)];
      host.cpu -= held.needs.cpu * held.tasks.yield;
      host.memory -= held.needs.memory_kib;
    }
  }
  auto wanted = needs(job);
  const double fullest = std::ceil(static_cast<double>(jobs_[index(job)].size) /
                                   static_cast<double>(hosts_.size()));
  wanted.cpu = std::min(wanted.cpu, 1 / fullest);
  return has_places(std::move(hosts), wanted, jobs_[index(job)].size);
}

// What a host has only grows: one without room for a task has none for those that
// follow.
bool FractionLaw::has_places(std::vector<Host> hosts, const TaskNeeds& wanted,
                             std::int32_t tasks) const {
  using Loaded = std::pair<double, std::size_t>;  // CPU, host
  std::vector<Loaded> open;
  const auto add_open = [&](std::size_t number) {
    const auto& host = hosts[number];
    const bool has_room = host.cpu + wanted.cpu <= 1 + kEps &&
                          host.memory + wanted.memory_kib <= needs_.host_memory();
    if (has_room) open.emplace_back(host.cpu, number);
    return has_room;
  };
  for (std::size_t number = 0; number < hosts.size(); ++number) add_open(number);
  std::make_heap(open.begin(), open.end(), std::greater<>());
  for (std::int32_t task = 0; task < tasks; ++task) {
    if (open.empty()) return false;
    std::pop_heap(open.begin(), open.end(), std::greater<>());
    const auto number = open.back().second;
    open.pop_back();
    hosts[number].cpu += wanted.cpu;
    hosts[number].memory += wanted.memory_kib;
    if (add_open(number)) std::push_heap(open.begin(), open.end(), std::greater<>());
  }
  return true;
}

Verdict FractionLaw::start(JobId job, const Placement* placement, bool) {
  if (auto fault = forbids(job, placement)) return fault;
  auto& placed = placed_[job];
  placed = {*placement->form_if<TaskHosts>(), needs(job)};
  set_times(job, placed);
  add(placed);
  affected_.push_back(job);
  return judge_hosts();
}

Verdict FractionLaw::change(const sim::ChangeRecord& record) {
  const JobId job = record.who.id;
  if (auto fault = forbids(job, record.placement)) return fault;
  auto& placed = placed_.at(job);
  if (const auto delay = needs_.settings().cap_delay; delay > 0 && !placed.frozen) {
    placed.kept = rate(job);
    placed.settles = after(now_, delay);
    settling_.emplace(placed.settles, job);
  }
  subtract(placed);
  const auto before =
      std::exchange(placed.tasks, *record.placement->form_if<TaskHosts>());
  set_times(job, placed);
  add(placed);
  affected_.push_back(job);
  const auto moved = tasks_moved(before, placed.tasks);
  moved_kib_ += moved * placed.needs.memory_kib;
  const bool is_told = record.effect == sim::ChangeRecord::Effect::kMigrates;
  if (is_told != (moved > 0)) {
    return Fault{kActionCount, "it counts as moved and is not, or the other way round"};
  }
  if (!is_repacking_ && moved > 0) {
    return Fault{kMemoryMoved, "it moves outside of a repacking"};
  }
  if (before == placed.tasks) {
    return Fault{kShares, "its share is told although nothing of it changed"};
  }
  return judge_hosts();
}

Verdict FractionLaw::note(const sim::MachineRecord& record) {
  using Bracket = sim::MachineRecord::Bracket;
  const auto* told = dynamic_cast<const RepackFact*>(record.fact);
  BERTH_ASSERT(told != nullptr);
  const bool is_over = record.bracket == Bracket::kEnds;
  if (is_over != is_repacking_) {
    return Fault{kShares, "a repacking begins inside another, or ends without one"};
  }
  is_repacking_ = !is_over;
  if (!is_over) {
    moved_kib_ = 0;
    return std::nullopt;
  }
  if (auto fault = judge_hosts()) return fault;
  double least = 1;
  for (const auto& [job, placed] : placed_) least = std::min(least, placed.tasks.yield);
  if (least != told->yield()) {
    return Fault{kShares, "the smallest yield that it tells is not that of the jobs"};
  }
  if (moved_kib_ != told->moved_kib()) {
    return Fault{kMemoryMoved,
                 "the memory moved that it tells is not that of the jobs"};
  }
  if (moved_kib_ > needs_.migration_budget()) {
    return Fault{kMemoryMoved, "it moves more memory than the machine allows"};
  }
  return std::nullopt;
}

void FractionLaw::leave(JobId job) {
  subtract(placed_.at(job));
  placed_.erase(job);
}

void FractionLaw::freeze(JobId job, bool frozen) {
  placed_.at(job).frozen = frozen;
  placed_.at(job).settles = 0;
  affected_.push_back(job);
}

double FractionLaw::rate(JobId job) const {
  const auto& placed = placed_.at(job);
  if (placed.frozen) return 0;
  if (now_ < placed.settles) return placed.kept;
  return needs_.rate(job, placed.tasks.yield, placed.times);
}

// Rates follow once a repacking is over.
std::vector<JobId> FractionLaw::take_affected() {
  if (is_repacking_) return {};
  return std::exchange(affected_, {});
}

Verdict FractionLaw::forbids(JobId job, const Placement* placement) const {
  const auto* tasks = placement == nullptr ? nullptr : placement->form_if<TaskHosts>();
  if (tasks == nullptr) return Fault{kWholePlacement, "its tasks have no hosts"};
  if (std::cmp_not_equal(tasks->hosts.size(), jobs_[index(job)].size)) {
    return Fault{kWholePlacement, "it has not one host for each task"};
  }
  const auto exists = [this](std::int32_t host) {
    return host >= 0 && std::cmp_less(host, hosts_.size());
  };
  if (!std::all_of(tasks->hosts.begin(), tasks->hosts.end(), exists)) {
    return Fault{kWholePlacement, "it is on a host that does not exist"};
  }
  if (!(tasks->yield >= 0 && tasks->yield <= 1)) {
    return Fault{kShares, "its yield is not from 0 to 1"};
  }
  return std::nullopt;
}

void FractionLaw::add(const Placed& placed) {
  for (const auto number : placed.tasks.hosts) {
    auto& host = at(number);
    if (host.tasks++ == 0) ++used_;
    host.cpu += placed.needs.cpu * placed.tasks.yield;
    host.memory += placed.needs.memory_kib;
    changed_.push_back(number);
  }
}

void FractionLaw::subtract(const Placed& placed) {
  for (const auto number : placed.tasks.hosts) {
    auto& host = at(number);
    host.cpu -= placed.needs.cpu * placed.tasks.yield;
    host.memory -= placed.needs.memory_kib;
    if (--host.tasks > 0) continue;
    --used_;
    host.cpu = 0;
  }
}

void FractionLaw::set_times(JobId job, Placed& placed) {
  if (needs_.has_error()) placed.times = ++times_[job];
}

Verdict FractionLaw::judge_hosts() {
  if (is_repacking_) return std::nullopt;
  auto changed = std::exchange(changed_, {});
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  if (is_thorough()) add_up_anew(changed);
  for (const auto number : changed) {
    const auto& host = at(number);
    if (host.memory > needs_.host_memory()) {
      return Fault{kMemory, "the tasks of a host need more memory than it has"};
    }
    if (host.cpu > 1 + kEps) {
      return Fault{kShares, "the shares of a host add up to more than 1"};
    }
  }
  return std::nullopt;
}

// Job by job, each task once, however many hosts are named.
void FractionLaw::add_up_anew(std::span<const std::int32_t> numbers) {
  for (const auto number : numbers) at(number).cpu = at(number).here = 0;
  for (const auto& [job, placed] : placed_) {
    for (const auto number : placed.tasks.hosts) {
      if (at(number).here != kNotAdded) ++at(number).here;
    }
    for (const auto number : placed.tasks.hosts) {
      auto& host = at(number);
      if (host.here <= 0) continue;
      host.cpu += std::exchange(host.here, 0) * placed.needs.cpu * placed.tasks.yield;
    }
  }
  for (const auto number : numbers) at(number).here = kNotAdded;
}

}  // namespace berth::audit
