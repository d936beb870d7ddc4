// Machines with hosts: cluster.hosts.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bindings/kinds.hpp"
#include "bindings/machine_calls.hpp"
#include "bindings/proposals.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/sim/machine_events.hpp"

namespace berth::bindings {

std::int32_t read_host(lua_State* lua, int at) {
  const auto number = read_count(lua, at, 0);
  const auto count = simulation(lua).world().hosts().kinds()->room().hosts();
  if (static_cast<std::size_t>(number) >= count) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "there is no host %I: hosts are 0 to %I",
                                 static_cast<lua_Integer>(number),
                                 static_cast<lua_Integer>(count) - 1));
  }
  return static_cast<std::int32_t>(number);
}

namespace hosts_calls {
namespace {

// REQUIRES: the run has the family.
const SeveralKinds& hosts(lua_State* lua) {
  ++border(lua).crossings;
  return *simulation(lua).world().hosts().kinds();
}

int count(lua_State* lua) {
  const auto number = hosts(lua).room().hosts();
  return lua_pushinteger(lua, static_cast<lua_Integer>(number)), 1;
}

int group(lua_State* lua) {
  const auto& machine = hosts(lua);
  push_string(lua, machine.group(read_host(lua, 2)));
  return 1;
}

int size(lua_State* lua) {
  const auto& machine = hosts(lua);
  const auto host = read_host(lua, 2);
  const auto kind = read_kind_if_any(lua, 3);
  const bool is_here = machine.kinds()[kind].is_on_hosts;
  return push_amount(lua, kind, is_here ? machine.size_on(host, kind) : 0);
}

int idle(lua_State* lua) {
  const auto& machine = hosts(lua);
  const auto host = read_host(lua, 2);
  const auto kind = read_kind_if_any(lua, 3);
  const bool is_here = machine.kinds()[kind].is_on_hosts;
  return push_amount(lua, kind, is_here ? machine.room().free_on(host, kind) : 0);
}

int state(lua_State* lua) {
  (void)hosts(lua);
  const auto host = read_host(lua, 2);
  const auto& world = simulation(lua).world();
  const bool is_away = expected_back(world, host).has_value();
  const auto* events = capability<sim::MachineEvents>(world.hosts());
  // What the machine has of a host that drains is not what keeps reservations away.
  const bool is_down = is_away && events->is_in_book(static_cast<std::uint32_t>(host));
  push_string(lua, is_down ? "down" : is_away ? "drain" : "up");
  return 1;
}

int back_at(lua_State* lua) {
  (void)hosts(lua);
  const auto host = read_host(lua, 2);
  const auto back = expected_back(simulation(lua).world(), host);
  return push_seconds(lua, back.value_or(kNever)), 1;
}

int room(lua_State* lua) {
  const auto& machine = hosts(lua);
  const JobId job = read_job(lua, 2);
  const auto host = read_host(lua, 3);
  return lua_pushinteger(lua, machine.room_on(job, host)), 1;
}

struct Weighed {
  std::int32_t host;
  std::int64_t room;
  double weight;
};

// Calls the rule, argument 3, with the host; it may only read.
double weigh(lua_State* lua, std::int32_t host) {
  ++border(lua).crossings;
  lua_pushvalue(lua, 3);
  lua_pushinteger(lua, host);
  int status = LUA_OK;
  {
    const sim::World::ReadingOnly reading(simulation(lua).parts().world);
    status = lua_pcall(lua, 1, 1, 0);
  }
  if (status != LUA_OK) lua_error(lua);
  const auto weight = exact_number(lua, -1);
  if (!weight) {
    luaL_error(lua, "choose: the rule must give a finite number, got %s for host %d",
               push_inexact(lua, -1), static_cast<int>(host));
  }
  lua_pop(lua, 1);
  return *weight;
}

// As many chunks as fit on each, in this order; empty: not all of them fit.
std::vector<HostChunks> fill(std::span<const Weighed> order, std::int64_t chunks) {
  std::vector<HostChunks> onto;
  for (const auto& each : order) {
    const auto here = std::min(chunks, each.room);
    if (here == 0) break;
    onto.push_back({each.host, static_cast<std::int32_t>(here)});
    chunks -= here;
  }
  std::sort(onto.begin(), onto.end(),
            [](const HostChunks& a, const HostChunks& b) { return a.host < b.host; });
  return onto;
}

// Larger weights first, ties by number.
void put_in_order(std::span<Weighed> all) {
  std::sort(all.begin(), all.end(), [](const Weighed& a, const Weighed& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.host < b.host;
  });
}

int choose(lua_State* lua) {
  const auto* calls = border(lua).machine;
  if (calls != nullptr && calls->choose_hosts != nullptr) {
    return calls->choose_hosts(lua);
  }
  const auto& machine = hosts(lua);
  const JobId job = read_job(lua, 2);
  const bool has_rule = !lua_isnoneornil(lua, 3);
  if (lua_istable(lua, 3)) {
    bad_argument(lua, 3, "a function expected: hosts of this machine take no options");
  }
  if (has_rule && !lua_isfunction(lua, 3)) bad_argument(lua, 3, "a function expected");
  if (!simulation(lua).world().fits(job)) {
    lua_pushnil(lua);
    push_string(lua, name(Refusal::kBusy));
    return 2;
  }
  // In memory of Lua's own, which an error of the rule does not lose.
  const auto count = machine.room().hosts();
  auto* const first =
      static_cast<Weighed*>(lua_newuserdatauv(lua, count * sizeof(Weighed), 0));
  std::size_t found = 0;
  for (std::int32_t host = 0; static_cast<std::size_t>(host) < count; ++host) {
    const auto room = machine.room_on(job, host);
    if (room == 0) continue;
    first[found++] = {host, room, has_rule ? weigh(lua, host) : 0.0};
  }
  const auto bytes = attempt(lua, [&] {
    const std::span all(first, found);
    put_in_order(all);
    auto placement = machine.place(job, fill(all, machine.need(job).chunks));
    const auto intervals = placement.processors().intervals().size();
    const auto size = sizeof(Proposal) + intervals * sizeof(Interval);
    keep_proposal(lua, job, std::move(placement), size);
    return size;
  });
  Guard::of(lua).hold(bytes);
  return push_last_proposal(lua);
}

constexpr std::array kPrimitives{
    Primitive{"count", "", "integer", "Number of hosts, which are numbered from 0.",
              "cluster.hosts:count() == 2", count},
    Primitive{"group", "host: integer", "string", "Name of the group of a host.",
              "cluster.hosts:group(0) == \"host\"", group},
    Primitive{
        "size", "host: integer, kind?: string|integer", "number",
        "Amount that the host has (default: processors); 0 of machine-wide kinds.",
        "cluster.hosts:size(1) == 2", size},
    Primitive{"idle", "host: integer, kind?: string|integer", "number",
              "Idle amount of the host (default: processors); 0 of machine-wide kinds.",
              "cluster.hosts:idle(1) == 2", idle},
    Primitive{"state", "host: integer", "\"up\"|\"drain\"|\"down\"",
              "Whether the host is up, or takes no job as those on it run on, or is "
              "down.",
              "cluster.hosts:state(1) == \"up\"", state},
    Primitive{"back_at", "host: integer", "seconds?",
              "When a host that drains or is down is expected back, later once that "
              "has passed; nil of one that is up.",
              "cluster.hosts:back_at(1) == nil", back_at},
    Primitive{"room", "job: Job, host: integer", "integer",
              "Chunks of the job that fit on the host now; 0 where its partition may "
              "not go.",
              "cluster.hosts:room(job, 0) == 2", room},
    Primitive{
        "choose", "job: Job, rule?: fun(host: integer): number",
        "Placement?, refusal? why",
        "Where the job would sit: hosts by weight, larger first, ties by number, as "
        "many chunks as fit on each; without a rule by number. The rule is called once "
        "for each host with room.",
        "cluster:start(job, cluster.hosts:choose(job, function(host) return host end))",
        choose},
};

}  // namespace
}  // namespace hosts_calls

std::span<const Primitive> hosts_primitives() {
  static const auto kAll = [] {
    std::vector<Primitive> all(hosts_calls::kPrimitives.begin(),
                               hosts_calls::kPrimitives.end());
    for (const auto& calls : machine_calls()) {
      all.insert(all.end(), calls.of_hosts.begin(), calls.of_hosts.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace berth::bindings
