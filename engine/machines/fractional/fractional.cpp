#include "engine/machines/fractional/fractional.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/packing_actions.hpp"

namespace berth {

namespace {

// Calls back with each host, ascending, and how many of the tasks it has, until
// `is_fine` says no; whether it never did.
template <class IsFine>
bool for_each_host(const TaskHosts& tasks, const IsFine& is_fine) {
  auto hosts = tasks.hosts;
  std::sort(hosts.begin(), hosts.end());
  for (auto first = hosts.begin(); first != hosts.end();) {
    const auto end =
        std::find_if(first, hosts.end(), [first](auto host) { return host != *first; });
    if (!is_fine(*first, static_cast<std::int64_t>(end - first))) return false;
    first = end;
  }
  return true;
}

// Progress is not hidden, since it is the integral of a yield that the policy sets; but
// a planned end would be wrong as soon as the yield changes.
constexpr ModelTraits kTraits{
    .plans_by_count = false,
    .guarantees_speed = false,
    .shares_processors = true,
    .form = Placement::tag_of<TaskHosts>(),
    .cannot_plan =
        "this machine shares hosts by fractions: how long a job runs depends "
        "on its yield, so that nothing can be planned"};

}  // namespace

// Which hosts have room once jobs have left.
class Fractional::Later final : public Outlook {
 public:
  Later(const Fractional& of, JobId job, const Demand& demand)
      : of_(of),
        tasks_(demand.processors()),
        needs_(of.plain(job, demand).needs),
        hosts_(of.hosts_) {}

  void release(JobId running) override {
    const auto& held = of_.allocation(running);
    for (const auto number : held.tasks().hosts) drop(running, held.needs, at(number));
    for (const auto number : numbers_of(held.placement.processors())) {
      at(number).cpu = of_.load(at(number));
    }
  }
  void keep(JobId) override { BERTH_ASSERT(false); }
  [[nodiscard]] bool fits() const override {
    return of_.room(hosts_, needs_, tasks_) == tasks_;
  }
  [[nodiscard]] bool fits_beside(JobId, const Demand&, const Placement*) override {
    BERTH_ASSERT(false);
    return false;
  }

 private:
  [[nodiscard]] Host& at(std::int32_t host) {
    return hosts_[static_cast<std::size_t>(host)];
  }

  const Fractional& of_;
  std::int64_t tasks_;
  TaskNeeds needs_;
  std::vector<Host> hosts_;
};

Fractional::Fractional(std::int32_t hosts, NeedsOfTasks needs)
    : SharingModel(hosts, kTraits, {this}),
      needs_(std::move(needs)),
      hosts_(static_cast<std::size_t>(hosts)) {}

std::optional<Refusal> Fractional::arrive(JobId job, const Demand& demand) {
  const auto memory = needs(job, demand).memory_kib;
  if (memory == 0) return std::nullopt;
  const auto tasks = needs_.host_memory() / memory * std::ssize(hosts_);
  return demand.processors() > tasks ? std::optional(Refusal::kTooBig) : std::nullopt;
}

// The least loaded host with room comes next, so that on empty hosts the tasks of a job
// spread evenly.
Fractional::Plain Fractional::plain(JobId job, const Demand& demand) const {
  auto full = needs(job, demand);
  const auto hosts = std::ssize(hosts_);
  const auto on_one_host = (demand.processors() + hosts - 1) / hosts;
  const double yield =
      std::min(1.0, 1.0 / (static_cast<double>(on_one_host) * full.cpu));
  full.cpu *= yield;
  return {full, yield};
}

// Loads only grow: a host without room for a task has none for those that follow, which
// are alike.  Of the hosts without a task as many as there are tasks suffice, by
// number.
std::optional<TaskHosts> Fractional::place(const Plain& start, std::int32_t tasks,
                                           const Placement* where) const {
  const auto& needs = start.needs;
  using Candidate = std::tuple<double, std::int32_t, std::int64_t>;  // CPU, host, KiB
  std::vector<Candidate> candidates;
  std::int32_t idle = 0;
  for (std::int32_t number = 0; std::cmp_less(number, hosts_.size()); ++number) {
    if (where != nullptr && !where->processors().contains(number)) continue;
    const auto& host = hosts_[static_cast<std::size_t>(number)];
    if (!has_room(host.cpu, host.memory, needs)) continue;
    if (host.tasks.empty() && ++idle > tasks) continue;
    candidates.emplace_back(host.cpu, number, host.memory);
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> least(
      std::greater<>(), std::move(candidates));
  TaskHosts placed{{}, start.yield};
  while (std::cmp_less(placed.hosts.size(), tasks)) {
    if (least.empty()) return std::nullopt;
    auto [cpu, host, memory] = least.top();
    least.pop();
    placed.hosts.push_back(host);
    cpu += needs.cpu;
    memory += needs.memory_kib;
    if (has_room(cpu, memory, needs)) least.emplace(cpu, host, memory);
  }
  return placed;
}

// Where its tasks go does not change how many find room.
std::int64_t Fractional::room(const std::vector<Host>& hosts, const TaskNeeds& needs,
                              std::int64_t most) const {
  std::int64_t tasks = 0;
  for (const auto& host : hosts) {
    auto [cpu, memory] = std::pair(host.cpu, host.memory);
    for (; tasks < most && has_room(cpu, memory, needs); ++tasks) {
      cpu += needs.cpu;
      memory += needs.memory_kib;
    }
    if (tasks == most) break;
  }
  return tasks;
}

Result<Placement, Refusal> Fractional::choose(JobId job, const Demand& demand,
                                              const Placement* where) const {
  const auto* given = where == nullptr ? nullptr : where->form_if<TaskHosts>();
  if (given != nullptr) {
    if (!has_room(needs(job, demand), *given)) return kNoPacking;
    return *where;
  }
  budget_->charge(demand.processors());
  auto found = place(plain(job, demand), demand.processors(), where);
  if (!found) return Refusal::kBusy;
  return placement_of(*std::move(found));
}

bool Fractional::fits(JobId job, const Demand& demand) const {
  return most_of(job, demand) == demand.processors();
}

std::unique_ptr<Outlook> Fractional::outlook(JobId job, const Demand& demand) const {
  return std::make_unique<Later>(*this, job, demand);
}

std::int64_t Fractional::most_of(JobId job, const Demand& demand) const {
  return room(hosts_, plain(job, demand).needs, demand.processors());
}

// Of several tasks on a host the shares are added in another order than in load().
bool Fractional::has_room(const TaskNeeds& needs, const TaskHosts& tasks) const {
  charge(tasks);
  return for_each_host(tasks, [&](std::int32_t number, std::int64_t count) {
    if (number < 0 || std::cmp_greater_equal(number, hosts_.size())) return false;
    const auto& host = hosts_[static_cast<std::size_t>(number)];
    const double cpu = host.cpu + needs.cpu * tasks.yield * static_cast<double>(count);
    return host.memory + needs.memory_kib * count <= needs_.host_memory() &&
           cpu <= 1 + 2 * kShareEps;
  });
}

void Fractional::put(JobId job, const Demand& demand, const Placement* placement,
                     Affected&) {
  BERTH_ASSERT(!allocations_.contains(index(job)));
  auto chosen =
      placement != nullptr ? *placement : choose(job, demand, nullptr).value();
  auto& held = allocations_[index(job)];
  held.placement = std::move(chosen);
  held.needs = needs(job, demand);
  count_share(job, held);
  seat(job, held);
  add_up(held.placement);
}

void Fractional::leave(JobId job, Affected&) {
  const auto& held = allocation(job);
  take_off(job, held);
  add_up(held.placement);
  allocations_.erase(index(job));
}

void Fractional::freeze(JobId job, Frozen frozen, Affected& affected) {
  auto& held = allocation(job);
  held.frozen = frozen == Frozen::kYes;
  held.settles = kNever;  // it goes on at its new rate
  affected.push_back(job);
}

double Fractional::rate(JobId job) const {
  const auto& held = allocation(job);
  if (held.frozen) return 0;
  if (held.settles != kNever) return held.kept;
  return needs_.rate(job, held.tasks().yield, held.times);
}

bool Fractional::can_share(JobId job, double yield) const {
  const auto& held = allocation(job);
  charge(held.tasks());
  const double change = held.needs.cpu * (yield - held.tasks().yield);
  return for_each_host(held.tasks(), [&](std::int32_t number, std::int64_t count) {
    double more = 0;
    for (std::int64_t i = 0; i < count; ++i) more += change;
    const auto& host = hosts_[static_cast<std::size_t>(number)];
    return more <= 0 || host.cpu + more <= 1 + kShareEps;
  });
}

bool Fractional::can_seat(std::span<const Seat> seats) const {
  std::vector<std::pair<double, std::int64_t>> used(hosts_.size());
  for (const auto& seat : seats) {
    charge(seat.place);
    const auto needs = needs_.of(seat.job, std::ssize(seat.place.hosts));
    for (const auto number : seat.place.hosts) {
      auto& [cpu, memory] = used[static_cast<std::size_t>(number)];
      cpu += needs.cpu * seat.place.yield;
      memory += needs.memory_kib;
    }
  }
  return std::all_of(used.begin(), used.end(), [this](const auto& host) {
    return host.first <= 1 + kShareEps && host.second <= needs_.host_memory();
  });
}

void Fractional::reseat(std::span<const Seat> seats, Time now, Affected& affected) {
  for (const auto& seat : seats) take_off(seat.job, allocation(seat.job));
  for (const auto& seat : seats) {
    auto& held = allocation(seat.job);
    keep_rate(seat.job, now, held);
    const auto before = std::exchange(held.placement, placement_of(seat.place));
    count_share(seat.job, held);
    this->seat(seat.job, held);
    add_up(before);
    affected.push_back(seat.job);
  }
  for (const auto& seat : seats) add_up(allocation(seat.job).placement);
}

void Fractional::settle(JobId job, Time now, Affected& affected) {
  auto& held = allocation(job);
  if (held.settles > now) return;
  held.settles = kNever;
  affected.push_back(job);
}

void Fractional::happen_to(JobId job, sim::Simulation& simulation) {
  sim::PackingActions(simulation).settle(job);
}

double Fractional::load(const Host& host) const {
  double sum = 0;
  for (const auto& [job, count] : host.tasks) {
    const auto& held = allocation(job);
    for (std::int32_t i = 0; i < count; ++i) sum += held.needs.cpu * held.tasks().yield;
  }
  return sum;
}

// Asks whether to go on before each walk over the tasks of a job, of which a job may
// have millions.
void Fractional::charge(const TaskHosts& tasks) const {
  budget_->charge_each(tasks.hosts.size());
}

void Fractional::seat(JobId job, const Allocation& held) {
  charge(held.tasks());
  for (const auto number : held.tasks().hosts) {
    auto& host = at(number);
    if (host.tasks.empty()) set_idle(idle() - 1);
    const bool is_first = host.tasks.empty() || host.tasks.back().job != job;
    if (is_first) host.tasks.push_back({job, 0});
    ++host.tasks.back().count;
    host.memory += held.needs.memory_kib;
  }
}

void Fractional::take_off(JobId job, const Allocation& held) {
  charge(held.tasks());
  for (const auto number : held.tasks().hosts) {
    auto& host = at(number);
    drop(job, held.needs, host);
    if (host.tasks.empty()) set_idle(idle() + 1);
  }
}

void Fractional::drop(JobId job, const TaskNeeds& needs, Host& host) {
  const auto found = std::find_if(host.tasks.begin(), host.tasks.end(),
                                  [&](const auto& each) { return each.job == job; });
  BERTH_ASSERT(found != host.tasks.end());
  if (--found->count == 0) host.tasks.erase(found);
  host.memory -= needs.memory_kib;
}

// Sums that were kept by adding and subtracting would drift.
void Fractional::add_up(const Placement& placement) {
  charge(*placement.form_if<TaskHosts>());
  for (const auto number : numbers_of(placement.processors())) {
    auto& host = at(number);
    host.cpu = load(host);
    BERTH_ASSERT(host.memory <= needs_.host_memory());
  }
}

void Fractional::count_share(JobId job, Allocation& held) {
  if (needs_.has_error()) held.times = ++times_[index(job)];
}

// A change that settles at this very instant has settled.
void Fractional::keep_rate(JobId job, Time now, Allocation& held) {
  if (cap_delay() == 0 || held.frozen) return;
  if (held.settles <= now) held.settles = kNever;
  held.kept = rate(job);
  held.settles = after(now, cap_delay());
}

std::int64_t moved_tasks(const TaskHosts& before, const TaskHosts& after) {
  BERTH_ASSERT(before.hosts.size() == after.hosts.size());
  auto was = before.hosts;
  auto is = after.hosts;
  std::sort(was.begin(), was.end());
  std::sort(is.begin(), is.end());
  std::vector<std::int32_t> stay;
  std::set_intersection(was.begin(), was.end(), is.begin(), is.end(),
                        std::back_inserter(stay));
  return static_cast<std::int64_t>(was.size() - stay.size());
}

}  // namespace berth
