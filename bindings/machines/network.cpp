// Machines with a network: cluster.network, and placements.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "bindings/machine_calls.hpp"
#include "bindings/machines/network_embedding.hpp"
#include "bindings/proposals.hpp"
#include "engine/base/spelling.hpp"
#include "engine/machines/network/networked.hpp"

namespace berth::bindings {

namespace cluster_network {
namespace {

constexpr double kKbitPerMbit = 1000.0;

// What this family keeps for one policy.
struct Kept {
  const Networked* network = nullptr;  // of the run; null: not asked for yet
  std::map<std::string, std::unique_ptr<Embedding>, std::less<>> embeddings;
  // Those with an order in Lua; what weighs is on the stack of `lua`.
  std::map<EmbeddingTable, std::unique_ptr<Embedding>> own_embeddings;
  lua_State* lua = nullptr;
  std::vector<ServerVms> vms;  // of the call at hand
};

Kept& kept(lua_State* lua) {
  static const auto& calls = *calls_of("slots");
  return state_of<Kept>(border(lua), calls);
}

const Networked& networked(lua_State* lua) {
  auto& all = kept(lua);
  if (all.network == nullptr) {
    all.network = capability<Networked>(std::as_const(simulation(lua).world().hosts()));
  }
  if (all.network == nullptr) no_family(lua, "network");
  return *all.network;
}
const Topology& topology(lua_State* lua) { return networked(lua).network().topology(); }

void push_mbits(lua_State* lua, std::int64_t kbits) {
  lua_pushnumber(lua, static_cast<double>(kbits) / kKbitPerMbit);
}

// Keeps the placement; its bytes.
int keep_found(lua_State* lua, JobId job, Placement&& placement) {
  const auto servers = cluster_of(placement).vms.size();
  const auto bytes = sizeof(Proposal) + sizeof(VirtualCluster) +
                     servers * (sizeof(ServerVms) + sizeof(Interval));
  keep_proposal(lua, job, std::move(placement), bytes);
  return static_cast<int>(bytes);
}

JobId read_present_job(lua_State* lua, int at) {
  const JobId job = read_job(lua, at);
  if (!simulation(lua).world().jobs().holds(job))
    bad_argument(lua, at, "this job has left");
  return job;
}

NetworkNode read_server(lua_State* lua, int at) {
  const auto server = read_count(lua, at, 0);
  const lua_Integer servers = topology(lua).servers();
  if (server >= servers) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "there are %I servers, from 0", servers));
  }
  return static_cast<NetworkNode>(server);
}

Kind switch_kind() {
  static const auto kKind = kind_of(calls_of("slots")->handles.front());
  return kKind;
}

NetworkNode read_switch(lua_State* lua, int at) {
  const auto number = read_number(lua, at, switch_kind());
  const auto& all = topology(lua);
  const bool is_one = number && *number >= static_cast<std::uint64_t>(all.servers()) &&
                      *number < static_cast<std::uint64_t>(all.nodes());
  if (!is_one) bad_argument(lua, at, "a switch expected");
  return static_cast<NetworkNode>(*number);
}

// --- embed ---

// Where a call of embed finds its arguments on the stack; the function that weighs
// follows them.
constexpr int kEmbedNetwork = 1;
constexpr int kEmbedJob = 2;
constexpr int kEmbedOptions = 3;
constexpr int kEmbedWeight = 4;

// The script's error is on top of the stack.
struct WeightFailed {};
struct WeightNotFinite {
  std::int32_t thing;  // what the function gave for it is on top of the stack
};

double weight_of(lua_State* lua, std::int32_t thing) {
  ++border(lua).crossings;
  lua_pushvalue(lua, kEmbedWeight);
  lua_pushinteger(lua, thing);
  lua_pushvalue(lua, kEmbedJob);
  lua_pushvalue(lua, kEmbedNetwork);
  const int status = lua_pcall(lua, 3, 1, 0);
  if (status == LUA_ERRMEM) Guard::of(lua).note_memory_error();
  if (status != LUA_OK) throw WeightFailed{};
  const auto weight = exact_number(lua, -1);
  if (!weight) throw WeightNotFinite{thing};
  lua_pop(lua, 1);
  return *weight;
}

void weigh(lua_State* lua, std::span<const std::int32_t> things,
           std::span<double> weights) {
  for (std::size_t i = 0; i < things.size(); ++i)
    weights[i] = weight_of(lua, things[i]);
}

// Of the table on top.
Embedding* read_own(lua_State* lua) {
  auto& all = kept(lua);
  const auto table = read_embedding_table(lua, kEmbedOptions, kEmbedWeight);
  attempt(lua, [&] {
    auto& embedding = all.own_embeddings[table];
    if (embedding != nullptr) return;
    embedding = make_own_embedding(
        table.frame(), table.what,
        [&all](const ClusterRequest&, std::span<const std::int32_t> things,
               std::span<double> weights) { weigh(all.lua, things, weights); },
        Weights::kDropped);
  });
  return all.own_embeddings.find(table)->second.get();
}

Embedding* read_by(lua_State* lua, int at) {
  if (lua_istable(lua, -1)) return read_own(lua);
  const auto name = read_text(lua, -1);
  auto& known = kept(lua).embeddings;
  if (const auto found = known.find(name); found != known.end()) {
    return found->second.get();
  }
  if (find_embedding(name) == nullptr) {
    Names names;
    for (const auto& record : embeddings()) names.add(record.name);
    const auto near = nearest(name, names.all());
    bad_argument(lua, at,
                 lua_pushfstring(lua,
                                 near.empty() ? "by: there is no embedding '%s'"
                                              : "by: there is no embedding '%s' "
                                                "(did you mean '%s'?)",
                                 lua_tostring(lua, -1), near.data()));
  }
  const auto& machine = networked(lua);
  attempt(lua, [&] { known.emplace(name, machine.other(name)); });
  return known.find(name)->second.get();
}

void require_running(lua_State* lua, int at, std::span<const JobId> jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (simulation(lua).world().jobs().state(jobs[i]) != JobState::kRunning) {
      bad_argument(lua, at, "without: a job of the list does not run");
    }
    if (std::find(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(i),
                  jobs[i]) != jobs.begin() + static_cast<std::ptrdiff_t>(i)) {
      bad_argument(lua, at, "without: a job is named twice");
    }
  }
}

void refuse_other_keys(lua_State* lua, int at) {
  static constexpr std::array<std::string_view, 3> kKeys{"by", "without", "empty"};
  lua_pushnil(lua);
  while (lua_next(lua, at) != 0) {
    lua_pop(lua, 1);
    const bool is_text = lua_type(lua, -1) == LUA_TSTRING;
    const std::string_view key =
        is_text ? lua_tostring(lua, -1) : luaL_typename(lua, -1);
    if (is_text && std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    bad_argument(lua, at, lua_pushfstring(lua, "there is no option '%s'", key.data()));
  }
}

EmbedOptions read_options(lua_State* lua, int at) {
  EmbedOptions options;
  if (lua_isnoneornil(lua, at)) return options;
  if (!lua_istable(lua, at)) {
    bad_argument(lua, at,
                 "{ by = name or table, without = jobs, empty = true } expected");
  }
  refuse_other_keys(lua, at);
  lua_pushliteral(lua, "by");
  if (lua_rawget(lua, at) != LUA_TNIL) options.by = read_by(lua, at);
  lua_pushliteral(lua, "empty");
  lua_rawget(lua, at);
  options.empty = lua_toboolean(lua, -1) != 0;
  lua_pushliteral(lua, "without");
  if (lua_rawget(lua, at) != LUA_TNIL) {
    options.without = read_job_list(lua, lua_gettop(lua), at, "without");
    require_running(lua, at, options.without);
  }
  return options;
}

int embed(lua_State* lua) {
  auto& machine = simulation(lua);
  const auto& network = networked(lua);
  const JobId job = read_present_job(lua, 2);
  lua_settop(lua, kEmbedWeight);
  const auto options = read_options(lua, kEmbedOptions);
  kept(lua).lua = lua;
  bool has_failed = false;
  std::int32_t not_finite = -1;
  const int bytes = attempt(lua, [&] {
    const sim::World::ReadingOnly reading(machine.parts().world);
    try {
      auto found =
          network.embed(job, machine.world().jobs().job(job).demand(), options);
      return found ? keep_found(lua, job, std::move(*found)) : 0;
    } catch (const WeightFailed&) {
      has_failed = true;
    } catch (const WeightNotFinite& weight) {
      not_finite = weight.thing;
    }
    return 0;
  });
  if (Guard::of(lua).tripped() != Trip::kNone) Guard::of(lua).raise(lua);
  if (has_failed) return lua_error(lua);
  if (not_finite >= 0) {
    return luaL_error(lua, "a weight must be a finite number, got %s for %d",
                      push_inexact(lua, -1), static_cast<int>(not_finite));
  }
  if (bytes == 0) return push_refusal(lua, kNoEmbedding);
  Guard::of(lua).hold(static_cast<std::size_t>(bytes));
  return push_last_proposal(lua);
}

// --- place ---

// Reads { [server] = VMs, ... } into the border's list; the number of VMs.
std::int64_t read_vms(lua_State* lua, int at, NetworkNode top,
                      std::vector<ServerVms>& to) {
  std::int64_t sum = 0;
  lua_pushnil(lua);
  while (lua_next(lua, at) != 0) {
    lua_pushvalue(lua, -2);
    const auto server = read_server(lua, lua_gettop(lua));
    lua_pop(lua, 1);
    int is_whole = 0;
    const auto vms = lua_tointegerx(lua, -1, &is_whole);
    if (lua_type(lua, -1) != LUA_TNUMBER || is_whole == 0 || vms < 1) {
      bad_argument(lua, at,
                   lua_pushfstring(lua, "the VMs of server %d are no whole number >= 1",
                                   static_cast<int>(server)));
    }
    lua_pop(lua, 1);
    if (!topology(lua).is_below(server, top)) {
      bad_argument(lua, at,
                   lua_pushfstring(lua, "server %d is not below this switch",
                                   static_cast<int>(server)));
    }
    sum += std::min<std::int64_t>(vms, 1'000'000'000);
    attempt(lua, [&] {
      to.push_back({server, static_cast<std::int32_t>(
                                std::min<std::int64_t>(vms, 1'000'000'000))});
    });
  }
  return sum;
}

int refuse_links(lua_State* lua, const Network::Shortage& shortage) {
  const auto [lower, upper] = topology(lua).ends(shortage.link);
  push_refusal(lua, kNoEmbedding);
  push_string(lua, topology(lua).name(lower));
  lua_pushliteral(lua, " - ");
  push_string(lua, topology(lua).name(upper));
  lua_concat(lua, 3);
  push_mbits(lua, shortage.needed);
  push_mbits(lua, shortage.left);
  return 5;
}

int place(lua_State* lua) {
  auto& machine = simulation(lua);
  const auto& host = networked(lua);
  const JobId job = read_present_job(lua, 2);
  const auto top = read_switch(lua, 3);
  if (!lua_istable(lua, 4)) bad_argument(lua, 4, "{ [server] = VMs, ... } expected");
  auto& vms = kept(lua).vms;
  vms.clear();
  const auto demand = machine.world().jobs().job(job).demand();
  if (read_vms(lua, 4, top, vms) != demand.processors()) {
    bad_argument(lua, 4, "the VMs are not as many as the job asks for");
  }
  const auto& network = host.network();
  const bool is_idle = std::all_of(vms.begin(), vms.end(), [&](const ServerVms& each) {
    return network.idle(each.server) >= each.vms;
  });
  if (!is_idle) return push_refusal(lua, Refusal::kBusy);
  Network::Shortage shortage{};
  const int bytes = attempt(lua, [&] {
    const Embedded where{top, vms};
    const auto request = host.request(job, demand);
    if (const auto lacks = network.shortage(request, where))
      return shortage = *lacks, 0;
    return keep_found(lua, job, network.placement(request, where));
  });
  if (bytes == 0) return refuse_links(lua, shortage);
  Guard::of(lua).hold(static_cast<std::size_t>(bytes));
  return push_last_proposal(lua);
}

// --- servers and switches ---

// Upvalues: the next number, the number behind the last.
template <class Push>
int walk_numbers(lua_State* lua, const Push& push) {
  const auto next = lua_tointeger(lua, lua_upvalueindex(1));
  if (next >= lua_tointeger(lua, lua_upvalueindex(2))) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, next + 1);
  lua_replace(lua, lua_upvalueindex(1));
  push(next);
  return 1;
}
int next_server(lua_State* lua) {
  return walk_numbers(lua, [lua](lua_Integer at) { lua_pushinteger(lua, at); });
}
int next_switch(lua_State* lua) {
  return walk_numbers(lua, [lua](lua_Integer at) {
    push_handle(lua, static_cast<std::uint64_t>(at), switch_kind());
  });
}
int push_numbers(lua_State* lua, NodeRange range, lua_CFunction next) {
  lua_pushinteger(lua, range.first);
  lua_pushinteger(lua, range.last);
  lua_pushcclosure(lua, next, 2);
  return 1;
}

int servers(lua_State* lua) {
  const auto range = lua_isnoneornil(lua, 2) ? NodeRange{0, topology(lua).servers()}
                                             : topology(lua).below(read_switch(lua, 2));
  return push_numbers(lua, range, next_server);
}

int switches(lua_State* lua) {
  const auto& all = topology(lua);
  if (lua_isnoneornil(lua, 2)) {
    return push_numbers(lua, {all.servers(), all.nodes()}, next_switch);
  }
  const auto level = read_count(lua, 2, 1);
  if (level > all.levels()) {
    const lua_Integer levels = all.levels();
    bad_argument(lua, 2, lua_pushfstring(lua, "there are %I levels", levels));
  }
  return push_numbers(lua, all.switches(static_cast<std::int32_t>(level)), next_switch);
}

int slots(lua_State* lua) {
  const bool is_any = lua_isnoneornil(lua, 2);
  lua_pushinteger(lua, is_any ? topology(lua).most_slots()
                              : topology(lua).slots(read_server(lua, 2)));
  return 1;
}

int idle_slots(lua_State* lua) {
  lua_pushinteger(lua, networked(lua).network().idle(read_server(lua, 2)));
  return 1;
}

int idle_below(lua_State* lua) {
  lua_pushinteger(lua, networked(lua).network().idle_below(read_switch(lua, 2)));
  return 1;
}

// The link of a server has its number.
int uplink(lua_State* lua) {
  push_mbits(lua, networked(lua).network().left(read_server(lua, 2)));
  return 1;
}

int link_rate(lua_State* lua) {
  const auto server = lua_isnoneornil(lua, 2) ? NetworkNode{0} : read_server(lua, 2);
  push_mbits(lua, topology(lua).capacity(server));
  return 1;
}

int largest_request(lua_State* lua) {
  push_mbits(lua, networked(lua).largest_request());
  return 1;
}

// --- placements ---

const VirtualCluster& read_cluster(lua_State* lua, int at) {
  const auto* cluster = read_proposal(lua, at).placement.form_if<VirtualCluster>();
  if (cluster == nullptr) bad_argument(lua, at, "this placement is not on a network");
  return *cluster;
}

int left(lua_State* lua) {
  const auto& found = read_proposal(lua, 2);
  const auto& cluster = read_cluster(lua, 2);
  auto& machine = simulation(lua);
  const auto& host = networked(lua);
  const auto least = attempt(lua, [&] {
    return host.network().least_left(
        host.request(found.job, machine.world().jobs().job(found.job).demand()),
        {cluster.node, cluster.vms});
  });
  if (!least) return lua_pushnil(lua), 1;
  return push_mbits(lua, *least), 1;
}

int vms(lua_State* lua) {
  const auto& cluster = read_cluster(lua, 1);
  const auto server = read_server(lua, 2);
  const auto at = std::find_if(cluster.vms.begin(), cluster.vms.end(),
                               [&](const auto& each) { return each.server == server; });
  lua_pushinteger(lua, at == cluster.vms.end() ? 0 : at->vms);
  return 1;
}

// Upvalues: the placement, the next place in it.
int next_vms(lua_State* lua) {
  const auto& cluster = read_cluster(lua, lua_upvalueindex(1));
  const auto next = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(2)));
  if (next >= cluster.vms.size()) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, static_cast<lua_Integer>(next) + 1);
  lua_replace(lua, lua_upvalueindex(2));
  lua_pushinteger(lua, cluster.vms[next].server);
  lua_pushinteger(lua, cluster.vms[next].vms);
  return 2;
}

int servers_of(lua_State* lua) {
  (void)read_cluster(lua, 1);
  lua_pushvalue(lua, 1);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_vms, 2);
  return 1;
}

#define PLACED "cluster.network:embed(job)"

constexpr std::array kPrimitives{
    Primitive{
        "embed", "job: Job, options?: table", "Placement?, refusal? why",
        "Where the embedding in force would put the job, or the one that `by` names "
        "or describes, as the field `embedding`; on the network `without` the jobs of "
        "a list, or on the `empty` one.",
        PLACED ".level == 1", embed},
    Primitive{"place", "job: Job, switch: Switch, vms: table",
              "Placement?, refusal? why, string? link, number? needed, number? left",
              "A placement by hand, { [server] = VMs, ... } below a switch.",
              "cluster:start(job, { place = cluster.network:place(job, "
              "cluster.network:switches()(), { [0] = 1, [1] = 1 }) })",
              place},
    Primitive{"servers", "switch?: Switch", "fun(): integer?",
              "The servers, or those below a switch, ascending; for loops.",
              "cluster.network:servers()() == 0", servers},
    Primitive{"switches", "level?: integer", "fun(): Switch?",
              "The switches, or those of a level, ascending; for loops.",
              "tostring(cluster.network:switches(1)()) == \"edge 0\"", switches},
    Primitive{"slots", "server?: integer", "integer",
              "Slots of a server; without one, of the server that has most.",
              "cluster.network:slots() == 2", slots},
    Primitive{"idle_slots", "server: integer", "integer", "Idle slots of a server.",
              "cluster.network:idle_slots(1) == 2", idle_slots},
    Primitive{"idle_below", "switch: Switch", "integer",
              "Idle slots of all servers below a switch.",
              "cluster.network:idle_below(cluster.network:switches()()) == 4",
              idle_below},
    Primitive{"uplink", "server: integer", "number",
              "Mb/s that are left on the link of a server.",
              "cluster.network:uplink(0) == 100", uplink},
    Primitive{"link_rate", "server?: integer", "number",
              "Mb/s of the link of a server; without one, of the first.",
              "cluster.network:link_rate() == 100", link_rate},
    Primitive{
        "left", "placement: Placement", "number?",
        "Least that is left, in Mb/s, on the links that the placement uses; nil if "
        "it uses none.",
        "cluster.network:left(" PLACED ") == nil", left},
    Primitive{"largest_request", "", "number",
              "The largest bandwidth that has arrived, in Mb/s.",
              "cluster.network:largest_request() == job.bandwidth", largest_request},
};

constexpr std::array kPlacement{
    Primitive{"level", "", "integer",
              "Level of its switch: 1 for an edge switch, and so on; 0: it is in one "
              "server.",
              PLACED ".level == 1"},
    Primitive{"switch", "", "Switch?",
              "Where its virtual switch sits; nil if it is in one server at level 0.",
              "tostring(" PLACED ".switch) == \"edge 0\""},
    Primitive{"reserved", "", "number", "Mb/s on all links together.",
              PLACED ".reserved == 0"},
    Primitive{"hidden", "", "boolean", "Whether nothing is reserved.",
              PLACED ".hidden == true"},
    Primitive{"vms", "server: integer", "integer", "Its VMs on a server.",
              PLACED ":vms(0) == 2", vms},
    Primitive{"servers", "", "fun(): integer?, integer?",
              "Its servers with their VMs, ascending; for loops.",
              PLACED ":servers()() == 0", servers_of},
};

bool push_placement_field(lua_State* lua, const VirtualCluster& cluster,
                          std::string_view key) {
  if (key == "level") return lua_pushinteger(lua, cluster.level), true;
  if (key == "reserved") return push_mbits(lua, cluster.reserved), true;
  if (key == "hidden") return lua_pushboolean(lua, cluster.reserved == 0 ? 1 : 0), true;
  if (key != "switch") return false;
  if (cluster.level == 0) return lua_pushnil(lua), true;
  push_handle(lua, static_cast<std::uint64_t>(cluster.node), switch_kind());
  return true;
}

int placement_member(lua_State* lua) {
  ++border(lua).crossings;
  const auto& cluster = read_cluster(lua, 1);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    const auto key = read_text(lua, 2);
    if (push_placement_field(lua, cluster, key)) return 1;
    for (const auto& primitive : kPlacement) {
      if (primitive.name == key) return lua_pushcfunction(lua, primitive.call), 1;
    }
  }
  unknown_member(lua, 2, "a placement", Names(kPlacement));
}

std::string switch_text(const Border& shared, std::uint64_t number) {
  const auto* running = shared.simulation;
  const auto* host =
      running == nullptr ? nullptr : capability<Networked>(running->world().hosts());
  if (host == nullptr) return "switch";
  const auto& all = host->network().topology();
  if (number >= static_cast<std::uint64_t>(all.nodes())) return "switch";
  return std::string(all.name(static_cast<NetworkNode>(number)));
}

void push_bandwidth(const JobFieldAt& at) {
  const auto& network = networked(at.lua);
  push_mbits(at.lua, attempt(at.lua, [&] {
               return network.bandwidth(at.id, at.job.demand());
             }));
}

constexpr std::array kObjects{Family{
    "Placement", "placement", "Where a job would be put on a network.", kPlacement}};
constexpr std::array kFamilies{
    Family{"Network", "cluster.network",
           "Servers with slots, and the links between them (machines with a network).",
           kPrimitives, [](const sim::World& world) {
             return capability<Networked>(world.hosts()) != nullptr;
           }}};
constexpr std::array kOfJob{JobField{
    {"bandwidth", "", "number?", "Mb/s of each VM; nil on a machine without a network.",
     "job.bandwidth == nil"},
    push_bandwidth}};
constexpr std::array kHandles{HandleKind{"switch", nullptr, switch_text}};

}  // namespace
}  // namespace cluster_network

MachineCalls network_calls() {
  MachineCalls calls{"slots"};
  calls.objects = cluster_network::kObjects;
  calls.families = cluster_network::kFamilies;
  calls.of_job = cluster_network::kOfJob;
  calls.handles = cluster_network::kHandles;
  calls.hooks = embedding_hooks();
  calls.placement_member = cluster_network::placement_member;
  calls.state = []() -> std::shared_ptr<void> {
    return std::make_shared<cluster_network::Kept>();
  };
  return calls;
}

}  // namespace berth::bindings
