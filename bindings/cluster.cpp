// The cluster: everyday questions and actions (api 3.3).

#include <array>

#include "bindings/families.hpp"
#include "bindings/value.hpp"
#include "engine/base/spelling.hpp"
#include "engine/sim/backfill.hpp"

namespace berth::bindings {

namespace {

sim::Simulation& cluster(lua_State* lua) {
  auto& shared = border(lua);
  ++shared.crossings;
  require_self(lua, shared.cluster_table, "cluster");
  if (shared.simulation == nullptr) no_simulation(lua);
  return *shared.simulation;
}

int now(lua_State* lua) {
  push_seconds(lua, cluster(lua).now());
  return 1;
}

int idle(lua_State* lua) {
  const auto amount = cluster(lua).hosts().idle();
  if (!lua_isnoneornil(lua, 2)) read_kind(lua, 2);
  lua_pushinteger(lua, amount);
  return 1;
}

int size(lua_State* lua) {
  const auto amount = cluster(lua).capacity();
  if (!lua_isnoneornil(lua, 2)) read_kind(lua, 2);
  lua_pushinteger(lua, amount);
  return 1;
}

int used_fraction(lua_State* lua) {
  const auto& machine = cluster(lua);
  read_kind(lua, 2);
  const auto used = machine.capacity() - machine.hosts().idle();
  lua_pushnumber(lua,
                 static_cast<double>(used) / static_cast<double>(machine.capacity()));
  return 1;
}

int need_fraction(lua_State* lua) {
  const auto& machine = cluster(lua);
  const auto needed = machine.jobs().job(read_job(lua, 2)).size;
  read_kind(lua, 3);
  lua_pushnumber(lua,
                 static_cast<double>(needed) / static_cast<double>(machine.capacity()));
  return 1;
}

int kinds(lua_State* lua) {
  (void)cluster(lua);
  lua_pushinteger(lua, 1);
  return 1;
}

// Nobody can expect their end, so they come behind all others, by id.
void add_background(const sim::Simulation& machine, std::vector<JobId>& jobs) {
  if (machine.tiers() == nullptr) return;
  const auto& line = machine.queue(machine.candidates());
  for (auto at = line.head(); at; at = line.next(&*at)) {
    if (machine.in_background(at->job)) jobs.push_back(at->job);
  }
}

int running(lua_State* lua) {
  const auto& machine = cluster(lua);
  return push_walk(lua, [&] {
    Snapshot snapshot;
    for (const auto& release : machine.running().releases(machine.now()))
      snapshot.jobs.push_back(release.job);
    add_background(machine, snapshot.jobs);
    return snapshot;
  });
}

void refuse_other_options(lua_State* lua, int at) {
  static constexpr std::array<std::string_view, 2> kOptions{"under", "place"};
  lua_pushnil(lua);
  while (lua_next(lua, at) != 0) {
    lua_pop(lua, 1);
    const bool is_text = lua_type(lua, -1) == LUA_TSTRING;
    const std::string_view key =
        is_text ? lua_tostring(lua, -1) : luaL_typename(lua, -1);
    if (is_text && (key == kOptions[0] || key == kOptions[1])) continue;
    const auto near = nearest(key, kOptions);
    bad_argument(lua, at,
                 lua_pushfstring(lua,
                                 near.empty() ? "there is no option '%s'"
                                              : "there is no option '%s' (did you "
                                                "mean '%s'?)",
                                 key.data(), near.data()));
  }
}

// `where` of start: nothing, a set of processors, or { place = ..., under = plan }.
sim::StartOptions read_where(lua_State* lua, int at) {
  sim::StartOptions options;
  if (lua_isnoneornil(lua, at) || is_kind(lua, at, Kind::kSet)) {
    options.within = read_room(lua, at);
    return options;
  }
  if (!lua_istable(lua, at)) {
    bad_argument(lua, at, "a set of processors or { under = plan } expected");
  }
  refuse_other_options(lua, at);
  lua_pushliteral(lua, "under");
  lua_rawget(lua, at);
  const bool right = lua_isnil(lua, -1) || is_kind(lua, lua_gettop(lua), Kind::kPlan);
  if (!right) bad_argument(lua, at, "under: a plan expected");
  if (!lua_isnil(lua, -1)) options.under = read_plan(lua, lua_gettop(lua));
  lua_pushliteral(lua, "place");
  lua_rawget(lua, at);
  if (lua_isnil(lua, -1)) return options;
  if (!is_kind(lua, lua_gettop(lua), Kind::kSet)) {
    bad_argument(lua, at, "place: this machine has no network");
  }
  options.within = read_room(lua, lua_gettop(lua));
  return options;
}

int start(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  const auto options = read_where(lua, 3);
  std::optional<Refusal> refusal;
  attempt(lua, [&] {
    const auto answer = machine.start(job, options);
    if (!answer) refusal = answer.reason();
  });
  if (refusal) return push_refusal(lua, *refusal);
  lua_pushboolean(lua, 1);
  return 1;
}

std::optional<JobId> head_of(const JobQueue& queue) {
  const auto head = queue.head();
  return head ? std::optional(head->job) : std::nullopt;
}

// Starts what `next` shows until one is refused, which it returns.
template <class Next>
std::optional<JobId> start_while_granted(sim::Simulation& machine, const Next& next) {
  std::optional<JobId> job = next();
  while (job && machine.start(*job)) job = next();
  return job;
}

std::optional<JobId> start_members(sim::Simulation& machine, std::size_t order) {
  const auto& members = machine.queue(order);
  return start_while_granted(machine, [&] { return head_of(members); });
}

std::optional<JobId> start_due(sim::Simulation& machine, std::size_t order) {
  auto due = sim::Selection::due(order);
  return start_while_granted(machine, [&] { return due.next(machine); });
}

std::optional<JobId> start_shown(sim::Simulation& machine, Walk& walk) {
  return start_while_granted(machine, [&] { return next(walk, machine); });
}

template <class Work>
int push_refused(lua_State* lua, const Work& work) {
  std::optional<JobId> refused;
  attempt(lua, [&] { refused = work(); });
  push_job(lua, refused);
  return 1;
}

int start_all(lua_State* lua) {
  auto& machine = cluster(lua);
  if (const auto order = order_of(lua, 2)) {
    return push_refused(lua, [&] { return start_members(machine, *order); });
  }
  const auto& shared = border(lua);
  if (lua_topointer(lua, 2) == shared.book_table) {
    const auto order = shared.traits->default_order;
    return push_refused(lua, [&] { return start_due(machine, order); });
  }
  auto& walk = read_walk(lua, 2);
  return push_refused(lua, [&] { return start_shown(machine, walk); });
}

int suspend(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  attempt(lua, [&] { machine.suspend(job); });
  return 0;
}

int reject(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  attempt(lua, [&] { machine.reject(job); });
  return 0;
}

int wake_at(lua_State* lua) {
  auto& machine = cluster(lua);
  std::optional<Time> time;
  if (!lua_isnoneornil(lua, 2)) time = read_seconds(lua, 2);
  attempt(lua, [&] { machine.wake_at(time); });
  return 0;
}

struct NamedCause {
  std::string_view name;
  sim::Causes causes;
};
constexpr std::array kCauses{
    NamedCause{"submit", sim::kSubmit},
    NamedCause{"end", sim::kEnd},
    NamedCause{"foreground_end", sim::kForegroundEnd},
    NamedCause{"background_end", sim::kBackgroundEnd},
    NamedCause{"unfrozen", sim::kUnfrozen},
    NamedCause{"wake", sim::kWoken},
    NamedCause{"capacity", sim::kCapacityChanged},
};

int happened(lua_State* lua) {
  const auto causes = cluster(lua).causes();
  const auto asked = read_text(lua, 2);
  for (const auto& cause : kCauses) {
    if (cause.name != asked) continue;
    lua_pushboolean(lua, (causes & cause.causes) != 0);
    return 1;
  }
  bad_argument(
      lua, 2,
      lua_pushfstring(lua,
                      "there is no kind of event '%s': submit, end, "
                      "foreground_end, background_end, unfrozen, wake, capacity",
                      asked.data()));
}

int because(lua_State* lua) {
  auto& machine = cluster(lua);
  const auto text = read_text(lua, 2);
  attempt(lua, [&] { machine.because(text); });
  return 0;
}

int random(lua_State* lua) {
  (void)cluster(lua);
  return push_random(lua, Sandbox::of(lua).random(), 2);
}

int has(lua_State* lua) {
  (void)cluster(lua);
  const auto asked = read_text(lua, 2);
  for (const std::string_view family : {"tiers", "network", "packing", "shares"}) {
    if (family != asked) continue;
    const bool here = family == "tiers" && simulation(lua).tiers() != nullptr;
    return lua_pushboolean(lua, here), 1;
  }
  bad_argument(lua, 2, "tiers, network, packing or shares expected");
}

int share(lua_State* lua) {
  (void)cluster(lua);
  return luaL_error(lua, "this machine has no fractional shares");
}

int reserve(lua_State* lua) {
  auto& machine = cluster(lua);
  const JobId job = read_job(lua, 2);
  Result<sim::PlanId, Refusal> answer = Refusal::kTooBig;
  attempt(lua, [&] { answer = machine.reserve(job); });
  if (!answer) return push_refusal(lua, answer.reason());
  push_plan(lua, answer.value());
  return 1;
}

int backfill(lua_State* lua) {
  auto& machine = cluster(lua);
  const auto order = order_of(lua, 2);
  if (!order) bad_argument(lua, 2, "a view expected");
  const auto depth = read_count_or_all(lua, 3);
  std::optional<sim::PlanId> plan;
  attempt(lua, [&] { plan = sim::backfill(machine, *order, depth); });
  if (!plan) return lua_pushnil(lua), 1;
  push_plan(lua, *plan);
  return 1;
}

int book(lua_State* lua) {
  (void)cluster(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, border(lua).book);
  return 1;
}

constexpr std::array kPrimitives{
    Primitive{"now", "", "seconds", "The time.", "cluster:now() == 0", now},
    Primitive{"idle", "kind?: string|integer", "integer",
              "What is idle (default kind: processors).", "cluster:idle() == 4", idle},
    Primitive{"size", "kind?: string|integer", "integer", "What the machine has.",
              "cluster:size() == 4", size},
    Primitive{"used_fraction", "kind: string|integer", "number",
              "Part of the capacity that is in use.",
              "cluster:used_fraction(\"processors\") == 0", used_fraction},
    Primitive{"need_fraction", "job: Job, kind: string|integer", "number",
              "Part of the capacity that the job asks for.",
              "cluster:need_fraction(job, 1) == 0.5", need_fraction},
    Primitive{"kinds", "", "integer", "How many kinds of resource there are.",
              "cluster:kinds() == 1", kinds},
    Primitive{
        "running", "", "Selection",
        "Running jobs by (expected_end, id), as they are at the call; background jobs, "
        "whose end nobody can expect, come last.",
        "(function() cluster:start(job); for j in cluster:running() do return j == job "
        "end end)()",
        running},
    Primitive{"start", "job: Job, where?: Processors|table", "true?, refusal? why",
              "Start a waiting job, or resume a suspended one, now: all of it or none.",
              "cluster:start(job) == true and job.state == \"running\"", start},
    Primitive{
        "start_all", "jobs: View|Selection|Book", "Job?",
        "Start the members of a view, what a selection shows, or who is due in the "
        "book, in order, until one is refused: that one; nil if all were started.",
        "cluster:start_all(queue).size == 4 and cluster:idle() == 2", start_all},
    Primitive{
        "suspend", "job: Job", "",
        "Take a running job off the machine; its progress is kept and it returns to "
        "its place in the queue.",
        "not pcall(cluster.suspend, cluster, job)", suspend},
    Primitive{"reject", "job: Job", "", "A waiting job leaves for good.",
              "(function() cluster:reject(job) return queue:length() == 1 end)()",
              reject},
    Primitive{"wake_at", "time?: seconds", "",
              "A pass at `time`, later than now; the last call counts, nil clears.",
              "not pcall(cluster.wake_at, cluster, cluster:now())", wake_at},
    Primitive{"happened", "kind: event", "boolean",
              "Whether events of this kind led to this pass.",
              "cluster:happened(\"submit\")", happened},
    Primitive{
        "because", "text: string", "",
        "Reason (at most 120 bytes) attached to the next action of this decision.",
        "cluster:because(\"it fits\") == nil", because},
    Primitive{"random", "m?: integer, n?: integer", "number",
              "As math.random, from the policy's own stream.", "cluster:random(6) <= 6",
              random},
    Primitive{"has", "family: string", "boolean",
              "Whether the machine has tiers, network, packing or shares.",
              "cluster:has(\"network\") == false", has},
    Primitive{"reserve", "job: Job", "Plan?, refusal? why",
              "When the job could start by what is expected now; nothing is changed.",
              "cluster:reserve(job).start == cluster:now()", reserve},
    Primitive{
        "backfill", "view: View, depth?: integer", "Plan?",
        "A pass of EASY: start members in order until one is refused, reserve for it, "
        "and start whoever behind it does not delay it; only the first `depth` behind "
        "it are tried (nil, -1: all). The reservation; nil if there is none.",
        "cluster:backfill(queue).job.size == 4 and cluster:idle() == 2", backfill},
    Primitive{"book", "", "Book",
              "The policy's own reservations, kept between decisions.",
              "cluster:book() == cluster:book()", book},
    Primitive{"share", "job: Job, yield: number", "",
              "Give all tasks of a job this yield at once (fractional machines).",
              "not pcall(cluster.share, cluster, job, 1)", share},
    Primitive{"params", "", "table",
              "The policy's parameters with the values in force.",
              "type(cluster.params) == \"table\""},
    Primitive{"tiers", "", "Tiers", "Two-tier machines.", "cluster.tiers ~= nil"},
    Primitive{"network", "", "Network", "Machines with a network.",
              "cluster.network ~= nil"},
    Primitive{"packing", "", "Packing", "Machines with fractional shares.",
              "cluster.packing ~= nil"},
    Primitive{"shares", "", "Shares", "Fair shares of users.", "cluster.shares ~= nil"},
};

}  // namespace

std::span<const Primitive> cluster_primitives() { return kPrimitives; }

}  // namespace berth::bindings
