#include "bindings/machines/devices_choice.hpp"

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/machine_calls.hpp"
#include "bindings/proposals.hpp"
#include "engine/machines/devices/best_host.hpp"

namespace berth::bindings::device_calls {

namespace {

using Remembered = BestHost::Remembered;

// What is remembered for one script, by function.
struct DevicesState {
  struct OfFunction {
    const void* function;
    int reference;  // it keeps the function, so that no other has its address
    std::vector<std::unique_ptr<BestHost>> by_need;
  };
  std::uint64_t model = 0;  // Devices::number() of the machine that it is about
  std::uint64_t used = 0;   // weights were remembered so often
  bool is_weighing = false;
  std::vector<OfFunction> all;
};

constexpr std::size_t kMostFunctions = 16;
constexpr std::uint64_t kCheckedEach = 64;  // of the remembered weights that are read
constexpr std::uint64_t kChecksEach = 8;    // choices by the tree, which reads few

DevicesState& devices_state(lua_State* lua) {
  const auto& shared = border(lua);
  return state_of<DevicesState>(shared, *shared.machine);
}

// Of arguments that are kept on the stack.
struct ChoiceRule {
  int weight = 0;  // stack index of the function; 0: there is none
  bool is_random = false;
  bool has_memo = false;
  bool has_random_ties = false;
  std::optional<DeviceRule> device = DeviceRule::kBest;  // nullopt: at random
};

struct WeighedHost {
  std::int32_t host;
  std::int64_t room;
  double weight;
  double tie;  // of equal weights the least comes first, then the lowest host
  std::int32_t device;
};

bool comes_before(const WeighedHost& a, const WeighedHost& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return a.tie != b.tie ? a.tie < b.tie : a.host < b.host;
}

// Pushes the field of the table at argument 3.
int push_rule_field(lua_State* lua, std::string_view name) {
  push_string(lua, name);
  return lua_rawget(lua, 3);
}

void read_device_rule(lua_State* lua, ChoiceRule& rule) {
  constexpr std::array<std::string_view, 4> kRules{"best", "first", "worst", "random"};
  if (push_rule_field(lua, "device") == LUA_TNIL) return;
  const bool is_text = lua_type(lua, -1) == LUA_TSTRING;
  const auto text = is_text ? read_text(lua, lua_gettop(lua)) : std::string_view();
  const auto at = std::find(kRules.begin(), kRules.end(), text);
  if (at == kRules.end()) {
    bad_argument(lua, 3, "device must be \"best\", \"first\", \"worst\" or \"random\"");
  }
  const auto number = at - kRules.begin();
  rule.device =
      number < 3 ? std::optional(static_cast<DeviceRule>(number)) : std::nullopt;
}

void read_ties(lua_State* lua, ChoiceRule& rule) {
  if (push_rule_field(lua, "ties") == LUA_TNIL) return;
  const bool is_text = lua_type(lua, -1) == LUA_TSTRING;
  const auto text = is_text ? read_text(lua, lua_gettop(lua)) : std::string_view();
  rule.has_random_ties = text == "random";
  if (text == "random" || text == "lowest") return;
  bad_argument(lua, 3, "ties must be \"lowest\" or \"random\"");
}

ChoiceRule read_choice_rule(lua_State* lua, DeviceRule usual) {
  constexpr std::array<std::string_view, 4> kOptions{"weight", "device", "memo",
                                                     "ties"};
  ChoiceRule rule;
  rule.device = usual;
  if (lua_isnoneornil(lua, 3)) return rule;
  if (lua_isfunction(lua, 3)) {
    rule.weight = 3;
    return rule;
  }
  if (!lua_istable(lua, 3)) bad_argument(lua, 3, "a function or a table expected");
  refuse_other_options(lua, 3, kOptions);
  read_device_rule(lua, rule);
  read_ties(lua, rule);
  push_rule_field(lua, "memo");
  rule.has_memo = lua_toboolean(lua, -1) != 0;
  const int type = push_rule_field(lua, "weight");
  const int at = lua_gettop(lua);
  if (type == LUA_TFUNCTION) {
    rule.weight = at;
  } else if (type == LUA_TSTRING && read_text(lua, at) == "random") {
    rule.is_random = true;
  } else if (type != LUA_TNIL) {
    bad_argument(lua, 3, "weight must be a function or \"random\"");
  }
  return rule;
}

lua_Integer trace_number(lua_State* lua, JobId job) {
  return simulation(lua).world().jobs().job(job).id;
}

// Calls the weight with host, job and hosts, the arguments of choose; it may only read.
Remembered weigh(lua_State* lua, const ChoiceRule& rule, std::int32_t host) {
  ++border(lua).crossings;
  lua_pushvalue(lua, rule.weight);
  lua_pushinteger(lua, host);
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, 1);
  int status = LUA_OK;
  devices_state(lua).is_weighing = true;
  {
    const sim::World::ReadingOnly reading(simulation(lua).parts().world);
    status = lua_pcall(lua, 3, 2, 0);
  }
  devices_state(lua).is_weighing = false;
  if (status != LUA_OK) lua_error(lua);
  const JobId job = read_job(lua, 2);
  const auto weight = exact_number(lua, -2);
  if (!weight) {
    luaL_error(lua,
               "choose: job %I: the weight must be a finite number, got %s for host %d",
               trace_number(lua, job), push_inexact(lua, -2), static_cast<int>(host));
  }
  const auto device = read_device(lua, lua_gettop(lua), {"choose", job, host});
  const Remembered made{0, *weight, device};
  lua_pop(lua, 2);
  return made;
}

// Forgets what was about another machine.
DevicesState& state_of_run(lua_State* lua, const Devices& machine) {
  auto& state = devices_state(lua);
  if (state.model == machine.number()) return state;
  for (const auto& each : state.all) luaL_unref(lua, LUA_REGISTRYINDEX, each.reference);
  state.all.clear();
  state.model = machine.number();
  return state;
}

// What is remembered of the weight at this stack index, for the need.
BestHost& remembered_of(lua_State* lua, int weight, const Devices& machine,
                        std::uint32_t need) {
  auto& state = state_of_run(lua, machine);
  const auto* function = lua_topointer(lua, weight);
  auto at = std::find_if(state.all.begin(), state.all.end(),
                         [&](const auto& each) { return each.function == function; });
  if (at == state.all.end()) {
    if (state.all.size() == kMostFunctions) state.model = 0;
    (void)state_of_run(lua, machine);
    lua_pushvalue(lua, weight);
    const int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    attempt(lua, [&] {
      state.all.push_back({function, reference, {}});
      state.all.back().by_need.resize(machine.needs().size());
    });
    at = std::prev(state.all.end());
  }
  auto& kept = at->by_need[need];
  if (kept == nullptr) {
    attempt(lua,
            [&] { kept = std::make_unique<BestHost>(machine.hosts().hosts().size()); });
    Guard::of(lua).hold(kept->bytes());
  }
  return *kept;
}

// Asks again, which must give the same.
void check_remembered(lua_State* lua, const ChoiceRule& rule, std::int32_t host,
                      const Remembered& kept) {
  const auto now = weigh(lua, rule, host);
  if (now.weight == kept.weight && now.device == kept.device) return;
  const bool is_weight = now.weight != kept.weight;
  const auto job = trace_number(lua, read_job(lua, 2));
  luaL_error(lua,
             "choose: memo: the %s of host %d for job %I was %f and is now %f, though "
             "nothing there has changed: it may depend on the host and on what the job "
             "needs alone",
             is_weight ? "weight" : "device", static_cast<int>(host), job,
             is_weight ? kept.weight : double(kept.device),
             is_weight ? now.weight : double(now.device));
}

// The hosts with room, in their order, and their weights.
std::span<WeighedHost> weigh_all(lua_State* lua, const Devices& machine, JobId job,
                                 const ChoiceRule& rule) {
  const auto hosts = machine.hosts().hosts().size();
  budget(lua).charge_each(hosts);
  auto* kept =
      rule.has_memo && rule.weight != 0
          ? &remembered_of(lua, rule.weight, machine, machine.needs().number(job))
          : nullptr;
  if (kept != nullptr) kept->make_stale();
  // In memory of Lua's own, which an error of the weight does not lose.
  auto* const first =
      static_cast<WeighedHost*>(lua_newuserdatauv(lua, hosts * sizeof(WeighedHost), 0));
  std::size_t found = 0;
  for (std::int32_t host = 0; std::cmp_less(host, hosts); ++host) {
    const auto room = machine.room_on(job, host);
    if (room == 0) continue;
    Remembered own;
    auto& value = kept == nullptr ? own : kept->of(host);
    if (rule.weight == 0) {
      if (rule.is_random) own.weight = uniform(Sandbox::of(lua).random());
    } else if (value.changes != machine.changes_on(host)) {
      const auto made = weigh(lua, rule, host);
      value = {machine.changes_on(host), made.weight, made.device};
    } else if (++devices_state(lua).used % kCheckedEach == 0) {
      check_remembered(lua, rule, host, value);
    }
    const auto tie = rule.has_random_ties ? uniform(Sandbox::of(lua).random()) : 0.0;
    first[found++] = {host, room, value.weight, tie, value.device};
  }
  return {first, found};
}

// The host of a job of one chunk by a weight that is remembered, and its device there;
// kNoHost: none has room.
HostSeat best_remembered(lua_State* lua, const Devices& machine, JobId job,
                         const ChoiceRule& rule) {
  const auto number = machine.needs().number(job);
  auto& kept = remembered_of(lua, rule.weight, machine, number);
  const bool is_first = kept.is_stale();
  budget(lua).charge_each(kept.due(machine) + 1);
  kept.look(machine, job, [&](std::int32_t host) { return weigh(lua, rule, host); });
  const auto best = kept.best();
  if (best == BestHost::kNoHost) return {{best, 0}};
  const bool is_due = !is_first && ++devices_state(lua).used % kChecksEach == 0;
  if (is_due) {
    const auto host = kept.next_in_turn();
    check_remembered(lua, rule, host, kept.of(host));
  }
  return {{best, 1}, kept.of(best).device};
}

// As many chunks as fit on each, larger weights first; by number of the host.
std::vector<HostSeat> fill_hosts(std::span<WeighedHost> all, std::int64_t chunks) {
  std::vector<HostSeat> seats;
  const auto seat = [&](const WeighedHost& each) {
    const auto here = std::min(chunks, each.room);
    if (here > 0) {
      seats.push_back({{each.host, static_cast<std::int32_t>(here)}, each.device});
    }
    chunks -= here;
  };
  if (chunks == 1) {
    seat(*std::min_element(all.begin(), all.end(), comes_before));
    return seats;
  }
  std::sort(all.begin(), all.end(), comes_before);
  for (const auto& each : all) seat(each);
  std::sort(seats.begin(), seats.end(),
            [](const HostSeat& a, const HostSeat& b) { return a.at.host < b.at.host; });
  return seats;
}

// One of the devices that have as much left, each as likely.
std::int32_t random_device(RandomEngine& engine, std::span<const std::int64_t> left,
                           std::int64_t ask) {
  const auto has = [&](std::int64_t each) { return each >= ask; };
  const auto able = std::count_if(left.begin(), left.end(), has);
  auto number = boost::random::uniform_int_distribution<std::int64_t>(1, able)(engine);
  std::int32_t device = -1;
  while (number > 0) number -= has(left[static_cast<std::size_t>(++device)]) ? 1 : 0;
  return device;
}

// The named device of the first share on each host, then by `rule`.
PickDevice pick_of(std::span<const HostSeat> seats, std::optional<DeviceRule> rule,
                   RandomEngine& engine) {
  PickDevice others = [&engine](std::int32_t, std::span<const std::int64_t> left,
                                std::int64_t ask) {
    return random_device(engine, left, ask);
  };
  if (rule) others = pick_by(*rule);
  return [seats, others, last = std::int32_t{-1}](std::int32_t host,
                                                  std::span<const std::int64_t> left,
                                                  std::int64_t ask) mutable {
    const bool is_first = host != last;
    last = host;
    const auto at = std::find_if(seats.begin(), seats.end(), [&](const HostSeat& each) {
      return each.at.host == host;
    });
    return is_first && at->device != kByRule ? at->device : others(host, left, ask);
  };
}

}  // namespace

const Devices& machine_with_devices(lua_State* lua) {
  const auto* found = capability<Devices>(simulation(lua).world().hosts());
  if (found == nullptr) no_family(lua, "devices");
  return *found;
}

std::shared_ptr<void> new_devices_state() { return std::make_shared<DevicesState>(); }

std::int32_t read_device(lua_State* lua, int at, const DeviceArgument& of) {
  if (lua_isnoneornil(lua, at)) return kByRule;
  const auto& machine = machine_with_devices(lua);
  const auto& need = machine.needs().of(of.job);
  const auto job = trace_number(lua, of.job);
  const int host = of.host;
  int is_whole = 0;
  const auto device = lua_tointegerx(lua, at, &is_whole);
  const auto left = machine.devices().left(host);
  if (need.share == 0) {
    luaL_error(lua,
               "%s: job %I: device %s of host %d is named, and the job needs no share: "
               "a device is named for a share alone",
               of.call, job, luaL_tolstring(lua, at, nullptr), host);
  }
  if (is_whole == 0 || device < 0 || device >= std::ssize(left)) {
    luaL_error(lua, "%s: job %I: there is no device %s on host %d", of.call, job,
               luaL_tolstring(lua, at, nullptr), host);
  }
  const auto ask = machine.devices().ask(need, host);
  if (left[static_cast<std::size_t>(device)] < ask) {
    luaL_error(lua,
               "%s: job %I: device %d of host %d has %I parts left, and a share takes "
               "%I",
               of.call, job, static_cast<int>(device), host,
               static_cast<lua_Integer>(left[static_cast<std::size_t>(device)]),
               static_cast<lua_Integer>(ask));
  }
  return static_cast<std::int32_t>(device);
}

int push_choice(lua_State* lua, JobId job, std::span<const HostSeat> seats,
                std::optional<DeviceRule> rule) {
  auto& engine = Sandbox::of(lua).random();
  const auto bytes = attempt(lua, [&] {
    std::vector<HostChunks> onto;
    onto.reserve(seats.size());
    for (const auto& each : seats) onto.push_back(each.at);
    auto placement =
        machine_with_devices(lua).place(job, onto, pick_of(seats, rule, engine));
    const auto& chunks = *placement.form_if<DevicePlaces>();
    const auto size = sizeof(Proposal) + chunks.chunks.size() * sizeof(DeviceChunk) +
                      chunks.devices.size() * sizeof(std::int32_t);
    keep_proposal(lua, job, std::move(placement), size);
    return size;
  });
  Guard::of(lua).hold(bytes);
  return push_last_proposal(lua);
}

int choose(lua_State* lua) {
  const auto& machine = machine_with_devices(lua);
  const JobId job = read_job(lua, 2);
  const auto rule = read_choice_rule(lua, machine.rule());
  if (devices_state(lua).is_weighing) luaL_error(lua, "choose: not within a weight");
  const bool is_remembered = rule.has_memo && rule.weight != 0 &&
                             !rule.has_random_ties && machine.needs().chunks(job) == 1;
  if (is_remembered) {
    const bool has_sums = machine.room().has_sums(machine.need(job));
    const auto seat =
        has_sums ? best_remembered(lua, machine, job, rule) : HostSeat{{0, 0}};
    if (seat.at.chunks == 0) return push_refusal(lua, Refusal::kBusy);
    return push_choice(lua, job, {&seat, 1}, rule.device);
  }
  if (!simulation(lua).world().fits(job)) return push_refusal(lua, Refusal::kBusy);
  const auto all = weigh_all(lua, machine, job, rule);
  // Also in memory of Lua's own.
  auto* const first =
      static_cast<HostSeat*>(lua_newuserdatauv(lua, all.size() * sizeof(HostSeat), 0));
  const auto count = attempt(lua, [&] {
    const auto seats = fill_hosts(all, machine.needs().chunks(job));
    std::copy(seats.begin(), seats.end(), first);
    return seats.size();
  });
  return push_choice(lua, job, {first, count}, rule.device);
}

}  // namespace berth::bindings::device_calls
