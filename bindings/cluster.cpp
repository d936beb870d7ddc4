// The cluster: questions about the machine, and actions.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "bindings/kinds.hpp"
#include "bindings/machine_calls.hpp"
#include "bindings/proposals.hpp"
#include "engine/base/spelling.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/jobs/label.hpp"
#include "engine/sim/backfill.hpp"
#include "engine/sim/machine.hpp"

namespace berth::bindings {

namespace cluster_calls {
namespace {

[[gnu::always_inline]] inline sim::Simulation& cluster(lua_State* lua) {
  auto& shared = border(lua);
  ++shared.crossings;
  require_self(lua, shared.cluster_table, "cluster");
  if (shared.simulation == nullptr) no_simulation(lua);
  return *shared.simulation;
}

int now(lua_State* lua) {
  push_seconds(lua, cluster(lua).world().now());
  return 1;
}

int idle(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const auto kind = read_kind_if_any(lua, 2);
  return push_amount(lua, kind, idle_of(world, kind));
}

int used(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const auto kind = read_kind_if_any(lua, 2);
  return push_amount(lua, kind, up_of(world, kind) - idle_of(world, kind));
}

int capacity(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const auto kind = read_kind_if_any(lua, 2);
  return push_amount(lua, kind, up_of(world, kind));
}

int size(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const auto kind = read_kind_if_any(lua, 2);
  return push_amount(lua, kind, capacity_of(world, kind));
}

int need(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const JobId job = read_job(lua, 2);
  const auto kind = read_kind_if_any(lua, 3);
  return push_amount(lua, kind, need_of(world, job, kind));
}

int chunk(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const JobId job = read_job(lua, 2);
  const auto kind = read_kind_if_any(lua, 3);
  const auto* machine = world.hosts().kinds();
  return push_amount(
      lua, kind,
      machine == nullptr ? world.jobs().job(job).size : machine->need(job)[kind]);
}

int push_fraction(lua_State* lua, std::int64_t amount, std::int64_t capacity) {
  lua_pushnumber(
      lua, capacity == 0 ? 0.0
                         : static_cast<double>(amount) / static_cast<double>(capacity));
  return 1;
}

int used_fraction(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const auto kind = read_kind(lua, 2);
  const auto up = up_of(world, kind);
  return push_fraction(lua, up - idle_of(world, kind), up);
}

int need_fraction(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const JobId job = read_job(lua, 2);
  const auto kind = read_kind(lua, 3);
  return push_fraction(lua, need_of(world, job, kind), capacity_of(world, kind));
}

int kinds(lua_State* lua) {
  const auto count = kind_count(cluster(lua).world());
  return lua_pushinteger(lua, static_cast<lua_Integer>(count)), 1;
}

int kind(lua_State* lua) {
  const auto& world = cluster(lua).world();
  push_string(lua, kind_name(world, read_kind(lua, 2)));
  return 1;
}

// Those of which an end is expected by it, then the others by (submit, id); all by
// (submit, id) where nothing can be planned.
std::vector<JobId> running_jobs(sim::Simulation& machine) {
  std::vector<JobId> jobs;
  for (const auto& release :
       machine.world().running().releases(machine.world().now())) {
    if (!machine.world().jobs().is_of_system(release.job)) jobs.push_back(release.job);
  }
  const auto& traits = machine.world().hosts().traits();
  if (!traits.cannot_plan.empty()) std::sort(jobs.begin(), jobs.end());
  if (!traits.runs_without_expected_end) return jobs;
  const auto candidates = machine.orders().all(machine.world().traits().candidates());
  candidates.for_each([&](const JobQueue::Member& each) {
    const JobId job = each.place.job;
    if (machine.world().jobs().runs_without_expected_end(job)) jobs.push_back(job);
  });
  return jobs;
}

int running(lua_State* lua) {
  auto& machine = cluster(lua);
  return push_walk(lua, [&] { return sim::Selection::listed(running_jobs(machine)); });
}

}  // namespace
}  // namespace cluster_calls

void refuse_other_options(lua_State* lua, int at,
                          std::span<const std::string_view> known) {
  // The order in which the keys come differs between processes.
  std::optional<std::string_view> first;
  bool is_named = true;
  lua_pushnil(lua);
  while (lua_next(lua, at) != 0) {
    lua_pop(lua, 1);
    if (lua_type(lua, -1) != LUA_TSTRING) {
      is_named = false;
      continue;
    }
    const auto key = read_text(lua, -1);
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    if (!first || key < *first) first = key;
  }
  if (!is_named) {
    lua_pushliteral(lua, "options have names:");
    for (const auto name : known) {
      lua_pushfstring(lua, name == known.front() ? " %s" : ", %s", name.data());
      lua_concat(lua, 2);
    }
    bad_argument(lua, at, lua_tostring(lua, -1));
  }
  if (!first) return;
  const auto near = nearest(*first, known);
  const char* shown = push_short(lua, *first);
  bad_argument(lua, at,
               near.empty() ? lua_pushfstring(lua, "there is no option '%s'", shown)
                            : lua_pushfstring(lua,
                                              "there is no option '%s' (did you mean "
                                              "'%s'?)",
                                              shown, near.data()));
}

namespace cluster_calls {
namespace {

// The list of jobs that make way, if there is one.
void read_instead_of(lua_State* lua, int at, sim::StartOptions& options) {
  lua_pushliteral(lua, "instead_of");
  if (lua_rawget(lua, at) == LUA_TNIL) return lua_pop(lua, 1);
  options.instead_of = read_job_list(lua, lua_gettop(lua), at, "instead_of");
  lua_pop(lua, 1);
}

// `where` of start: nothing, a set of processors, or a table of options.
sim::StartOptions read_where(lua_State* lua, int at) {
  sim::StartOptions options;
  if (lua_isnoneornil(lua, at) || is_kind(lua, at, Kind::kSet)) {
    options.where = read_room(lua, at);
    return options;
  }
  if (is_kind(lua, at, Kind::kPlacement)) {
    options.place = &read_proposal(lua, at);
    return options;
  }
  if (!lua_istable(lua, at)) {
    bad_argument(lua, at, "a set of processors or { under = plan } expected");
  }
  static constexpr std::array<std::string_view, 3> kOptions{"under", "place",
                                                            "instead_of"};
  refuse_other_options(lua, at, kOptions);
  lua_pushliteral(lua, "under");
  lua_rawget(lua, at);
  const bool right = lua_isnil(lua, -1) || is_kind(lua, lua_gettop(lua), Kind::kPlan);
  if (!right) bad_argument(lua, at, "under: a plan expected");
  if (!lua_isnil(lua, -1)) options.under = read_plan(lua, lua_gettop(lua));
  read_instead_of(lua, at, options);
  lua_pushliteral(lua, "place");
  lua_rawget(lua, at);
  if (lua_isnil(lua, -1)) return options;
  if (options.instead_of) {
    bad_argument(lua, at, "place and instead_of exclude each other");
  }
  if (is_kind(lua, lua_gettop(lua), Kind::kPlacement)) {
    options.place = &read_proposal(lua, lua_gettop(lua));
    return options;
  }
  if (!is_kind(lua, lua_gettop(lua), Kind::kSet)) {
    bad_argument(lua, at, "place: a placement or a set of processors expected");
  }
  options.where = read_room(lua, lua_gettop(lua));
  return options;
}

int start(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  const auto options = read_where(lua, 3);
  return push_done(lua, [&] { return machine.actions().start(job, options); });
}

std::optional<JobId> head_of(const QueueView& queue) {
  const auto head = queue.head();
  return head ? std::optional(head->job) : std::nullopt;
}

// Starts the jobs given by `next` until one is refused; returns that one.
template <class Next>
std::optional<JobId> start_while_granted(sim::Simulation& machine, const Next& next) {
  std::optional<JobId> job = next();
  while (job && machine.actions().start(*job)) job = next();
  return job;
}

std::optional<JobId> start_members(sim::Simulation& machine, std::size_t order) {
  const auto members = machine.queue(order);
  return start_while_granted(machine, [&] { return head_of(members); });
}

std::optional<JobId> start_due(sim::Simulation& machine, std::size_t order) {
  auto due = sim::Selection::due(order);
  return start_while_granted(machine, [&] { return due.next(machine); });
}

std::optional<JobId> start_shown(sim::Simulation& machine, sim::Selection& walk) {
  return start_while_granted(machine, [&] { return walk.next(machine); });
}

int start_all(lua_State* lua) {
  auto& machine = cluster(lua);
  const auto& shared = border(lua);
  const bool is_selection = lua_isfunction(lua, 2);  // it begins with a function
  const auto order = is_selection ? std::nullopt : order_of(lua, 2);
  if (order) {
    push_job(lua, attempt(lua, [&] { return start_members(machine, *order); }));
  } else if (!is_selection && lua_topointer(lua, 2) == shared.book_table) {
    const auto by_default = shared.traits->default_order;
    push_job(lua, attempt(lua, [&] { return start_due(machine, by_default); }));
  } else {
    auto& walk = read_walk(lua, 2);
    push_job(lua, attempt(lua, [&] { return start_shown(machine, walk); }));
  }
  return 1;
}

int suspend(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  attempt(lua, [&] { machine.actions().suspend(job); });
  return 0;
}

int reject(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  attempt(lua, [&] { machine.actions().reject(job); });
  return 0;
}

// Beyond 2^51 ticks a script sees several instants as one number of seconds: one that
// it sees as now then stands for the next tick.  What is reserved behind many long jobs
// may start later than any time in a file, up to the end of the clock; what is later
// than any event is never.
std::optional<Time> read_wake(lua_State* lua, Time now) {
  constexpr double kExact = 2'251'799'813;  // 2^51 ticks
  constexpr double kLastEvent = 8.8e12;
  constexpr double kEndOfClock = 9.3e12;
  if (lua_isnoneornil(lua, 2)) return std::nullopt;
  const double time = exact_number(lua, 2).value_or(0);
  if (!(time > kExact && time < kEndOfClock)) return read_seconds(lua, 2);
  if (time > kLastEvent) return std::nullopt;
  const Time tick{std::llround(time * static_cast<double>(kSecond))};
  const bool seems_now = tick <= now && time >= std::nextafter(to_seconds(now), 0.0);
  return seems_now ? now + 1 : tick;
}

int wake_at(lua_State* lua) {
  auto& machine = cluster(lua);
  const auto time = read_wake(lua, machine.world().now());
  attempt(lua, [&] { machine.actions().wake_at(time); });
  return 0;
}

int happened(lua_State* lua) {
  const auto causes = cluster(lua).world().decision().causes;
  const auto asked = read_text(lua, 2);
  for (const auto& [name, cause] : sim::named_causes()) {
    if (name != asked) continue;
    lua_pushboolean(lua, (causes & cause) != 0);
    return 1;
  }
  bad_argument(lua, 2,
               lua_pushfstring(lua,
                               "there is no kind of event '%s': submit, end, "
                               "foreground_end, background_end, unfrozen, wake, host",
                               push_short(lua, asked)));
}

int because(lua_State* lua) {
  auto& machine = cluster(lua);
  const auto text = read_text(lua, 2);
  attempt(lua, [&] { machine.actions().because(text); });
  return 0;
}

int random(lua_State* lua) {
  (void)cluster(lua);
  std::int64_t low = 1;
  const int last = std::min(lua_gettop(lua), 3);
  for (int at = 2; at <= last; ++at) {
    const auto bound = read_count(lua, at, LUA_MININTEGER);
    const bool is_any = at == 2 && last == 2 && bound == 0;  // of all integers
    if (at == last && bound < low && !is_any)
      bad_argument(lua, at, "interval is empty");
    low = bound;
  }
  return push_random(lua, Sandbox::of(lua).random(), 2);
}

// A name that is near a known one is a misspelling; other names belong to families that
// this build does not have.
int has(lua_State* lua) {
  const auto& world = cluster(lua).world();
  const auto asked = read_text(lua, 2);
  const char* near = nullptr;
  for (const auto& family : border(lua).families) {
    const auto name = family.name();
    if (name == asked) return lua_pushboolean(lua, family.serves(world)), 1;
    if (!nearest(asked, std::span(&name, 1)).empty()) near = name.data();
  }
  if (near == nullptr) return lua_pushboolean(lua, 0), 1;
  bad_argument(lua, 2,
               lua_pushfstring(lua, "there is no family '%s' (did you mean '%s'?)",
                               push_short(lua, asked), near));
}

// { keep = n } of reserve; 0 if there is none.
std::int64_t read_keep(lua_State* lua, int at) {
  static constexpr std::array<std::string_view, 1> kOptions{"keep"};
  if (lua_isnoneornil(lua, at)) return 0;
  if (!lua_istable(lua, at)) bad_argument(lua, at, "{ keep = processors } expected");
  refuse_other_options(lua, at, kOptions);
  lua_pushliteral(lua, "keep");
  if (lua_rawget(lua, at) == LUA_TNIL) return 0;
  int is_whole = 0;
  const auto keep = lua_tointegerx(lua, -1, &is_whole);
  const bool right = lua_type(lua, -1) == LUA_TNUMBER && is_whole != 0 && keep >= 0;
  if (!right) bad_argument(lua, at, "keep: a whole number, 0 or more, expected");
  return keep;
}

int reserve(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  const auto keep = read_keep(lua, 3);
  return push_made(lua, [&] { return machine.actions().reserve(job, keep); });
}

int backfill(lua_State* lua) {
  auto& machine = cluster(lua);
  const auto order = order_of(lua, 2);
  if (!order) bad_argument(lua, 2, "a view expected");
  const auto depth = read_depth(lua, 3);
  require_plan(lua);
  const auto plan = attempt(lua, [&] { return sim::backfill(machine, *order, depth); });
  if (!plan) return lua_pushnil(lua), 1;
  push_plan(lua, *plan);
  return 1;
}

int book(lua_State* lua) {
  (void)cluster(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, border(lua).book);
  return 1;
}

template <class Number>
void push_numbers(lua_State* lua, const std::vector<std::int32_t>& numbers,
                  const Number& number) {
  lua_createtable(lua, static_cast<int>(numbers.size()), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushinteger(lua, number(numbers[i]));
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
}

void push_window(lua_State* lua, const MachineWindow& window) {
  lua_createtable(lua, 0, 6);
  push_string(lua, window.name);
  lua_setfield(lua, -2, "name");
  push_seconds(lua, window.from);
  lua_setfield(lua, -2, "from");
  push_seconds(lua, window.to);
  lua_setfield(lua, -2, "to");
  lua_pushinteger(lua, window.processors);
  lua_setfield(lua, -2, "processors");
  push_numbers(lua, window.hosts, [](std::int32_t host) { return host; });
  lua_setfield(lua, -2, "hosts");
  push_numbers(lua, window.users, label_number);
  lua_setfield(lua, -2, "users");
}

int windows(lua_State* lua) {
  const auto& world = cluster(lua).world();
  std::vector<const MachineWindow*> known;
  if (const auto& all = world.machine().life.windows) {
    world.decision().budget.charge_each(all->size());
    for (const auto& each : *all) {
      if (each.is_known(world.now())) known.push_back(&each);
    }
  }
  std::stable_sort(known.begin(), known.end(),
                   [](const auto* a, const auto* b) { return a->from < b->from; });
  lua_createtable(lua, static_cast<int>(known.size()), 0);
  for (std::size_t i = 0; i < known.size(); ++i) {
    push_window(lua, *known[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

constexpr std::array kPrimitives{
    Primitive{"now", "", "seconds", "The time.", "cluster:now() == 0", now},
    Primitive{"idle", "kind?: string|integer", "integer",
              "Idle amount of one kind of resource (default: processors).",
              "cluster:idle() == 4", idle},
    Primitive{"size", "kind?: string|integer", "integer",
              "Amount that the machine has (default: processors).",
              "cluster:size() == 4", size},
    Primitive{"capacity", "kind?: string|integer", "integer",
              "Amount that the machine has on hosts that are up and in no window that "
              "has begun (default: processors).",
              "cluster:capacity() == 4", capacity},
    Primitive{
        "windows", "", "table",
        "The windows that are announced and have not ended, by their beginnings: of "
        "each name, from, to, processors, and lists of its hosts (in a pool none) and "
        "users (of maintenance none).",
        "#cluster:windows() == 0", windows},
    Primitive{"used", "kind?: string|integer", "integer",
              "Amount in use (default: processors).", "cluster:used() == 0", used},
    Primitive{"need", "job: Job, kind?: string|integer", "integer",
              "What the job asks for in all (default: processors).",
              "cluster:need(job) == 2", need},
    Primitive{"chunk", "job: Job, kind?: string|integer", "integer",
              "What one of its equal chunks asks for; of machine-wide kinds the whole.",
              "cluster:chunk(job) == 2", chunk},
    Primitive{"kind", "number: integer", "string", "Name of a kind, by its number.",
              "cluster:kind(1) == \"processors\"", kind},
    Primitive{"used_fraction", "kind: string|integer", "number",
              "The part of the capacity that is in use.",
              "cluster:used_fraction(\"processors\") == 0", used_fraction},
    Primitive{"need_fraction", "job: Job, kind: string|integer", "number",
              "The part of the capacity that the job requests.",
              "cluster:need_fraction(job, 1) == 0.5", need_fraction},
    Primitive{"kinds", "", "integer", "Number of kinds of resource.",
              "cluster:kinds() == 1", kinds},
    Primitive{
        "running", "", "Selection",
        "Running jobs by (expected_end, id), as of the call; jobs without an expected "
        "end come last.",
        "(function() cluster:start(job); for j in cluster:running() do return j == job "
        "end end)()",
        running},
    Primitive{"start", "job: Job, where?: Processors|Placement|table",
              "true?, refusal? why",
              "Start a waiting job or resume a suspended one now, whole or not at all; "
              "options: place, under, instead_of.",
              "cluster:start(job) == true and job.state == \"running\"", start},
    Primitive{"start_all", "jobs: View|Selection|Book", "Job?",
              "Start the members of a view, a selection, or those due in the book, in "
              "order, until one is refused; returns that one, nil if all were started.",
              "cluster:start_all(queue).size == 4 and cluster:idle() == 2", start_all},
    Primitive{
        "suspend", "job: Job", "",
        "Suspend a running job; it keeps its progress and its place in the queue.",
        "not pcall(cluster.suspend, cluster, job)", suspend},
    Primitive{"reject", "job: Job", "", "Remove a waiting job for good.",
              "(function() cluster:reject(job) return queue:length() == 1 end)()",
              reject},
    Primitive{
        "wake_at", "time?: seconds", "",
        "Request a pass at `time`, later than now; the last call counts, nil "
        "cancels. Beyond 2^51 ticks (71 years) what reads as now is the next tick.",
        "not pcall(cluster.wake_at, cluster, cluster:now())", wake_at},
    Primitive{"happened", "kind: event", "boolean",
              "Whether events of this kind led to this pass.",
              "cluster:happened(\"submit\")", happened},
    Primitive{
        "because", "text: string", "",
        "Attach a reason (at most 120 bytes) to the next action of this decision.",
        "cluster:because(\"it fits\") == nil", because},
    Primitive{"random", "m?: integer, n?: integer", "number",
              "As math.random, from the policy's own stream.", "cluster:random(6) <= 6",
              random},
    Primitive{"has", "family: string", "boolean",
              "Whether the machine has this family of calls, such as \"tiers\".",
              "cluster:has(\"tiers\") == false", has},
    Primitive{
        "reserve", "job: Job, options?: table", "Plan?, refusal? why",
        "Earliest start of the job by expected ends; changes nothing. With { keep "
        "= n } on a pool: with n more processors idle, beyond which the spare is "
        "counted.",
        "cluster:reserve(job).spare == 2 and cluster:reserve(job, { keep = 1 "
        "}).spare == 1",
        reserve},
    Primitive{
        "backfill", "view: View, depth?: integer", "Plan?",
        "A pass of EASY: start members in order until one is refused, make a plan for "
        "it, and start the members behind it that the plan admits, among the first "
        "`depth` behind it (nil, -1: all); returns the plan, nil if there is none.",
        "cluster:backfill(queue).job.size == 4 and cluster:idle() == 2", backfill},
    Primitive{"book", "", "Book",
              "The policy's own reservations, kept between decisions.",
              "cluster:book() == cluster:book()", book},
    Primitive{"params", "", "table", "The policy's parameters and their values.",
              "type(cluster.params) == \"table\""},
};

}  // namespace
}  // namespace cluster_calls

std::span<const Primitive> cluster_primitives() {
  static const auto kAll = [] {
    std::vector<Primitive> all(cluster_calls::kPrimitives.begin(),
                               cluster_calls::kPrimitives.end());
    for (const auto& calls : machine_calls()) {
      all.insert(all.end(), calls.of_cluster.begin(), calls.of_cluster.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace berth::bindings
