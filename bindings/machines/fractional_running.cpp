// What packings do in a running system: admission, and one atomic step to a packing.

#include <array>
#include <cmath>
#include <tuple>

#include "bindings/machines/fractional_packing.hpp"
#include "engine/machines/fractional/packing_actions.hpp"

namespace berth::bindings {

namespace {

Packings& self_in_run(lua_State* lua, const char* name) {
  auto& desk = self_packer(lua);
  if (desk.task() != nullptr) {
    luaL_error(lua, "%s: a packing study has no running system", name);
  }
  return desk;
}

// Pushes the list of all candidates for admission: of a view the running jobs first.
// How many of them are no candidates but run.
lua_Integer push_candidates(lua_State* lua) {
  lua_newtable(lua);
  const int list = lua_gettop(lua);
  const auto order = order_of(lua, 2);
  if (!order) {
    if (!lua_istable(lua, 2)) bad_argument(lua, 2, "a view or a list of jobs expected");
    const auto count = static_cast<lua_Integer>(lua_rawlen(lua, 2));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(lua, 2, i);
      lua_rawseti(lua, list, i);
    }
    return 0;
  }
  lua_Integer count = 0;
  const auto add = [&](JobId job) {
    push_job(lua, job);
    lua_rawseti(lua, list, ++count);
  };
  auto& machine = simulation(lua);
  for (const auto& each : machine.world().running().releases(machine.world().now())) {
    add(each.job);
  }
  const auto running = count;
  machine.queue(*order).for_each(
      [&](const JobQueue::Member& each) { add(each.place.job); });
  return running;
}

struct Admission {
  int list;             // stack index of all candidates
  lua_Integer running;  // of these: those that run
  double least_yield;
};

// Packs the running jobs and the first `count` others; leaves the packing on the stack,
// or nothing if there is none.
bool admits(lua_State* lua, Packings& desk, const Admission& of, lua_Integer count) {
  if (lua_isnil(lua, 3)) {
    lua_getfield(lua, 1, "mcb");
  } else {
    lua_pushvalue(lua, 3);
  }
  lua_pushvalue(lua, 1);
  lua_createtable(lua, static_cast<int>(of.running + count), 0);
  for (lua_Integer i = 1; i <= of.running + count; ++i) {
    lua_rawgeti(lua, of.list, i);
    lua_rawseti(lua, -2, i);
  }
  lua_call(lua, 2, 1);
  if (lua_isnil(lua, -1)) return lua_pop(lua, 1), false;
  const int at = lua_gettop(lua);
  if (!is_kind(lua, at, packing_kind())) {
    luaL_error(lua, "admit: pack must return a packing, or nil; got %s",
               luaL_typename(lua, at));
  }
  const auto& held = desk.held(read_of_decision(lua, at, packing_kind()));
  // Jobs that run stay admitted.
  if (count == 0 || held.packing.yield >= of.least_yield) return true;
  return lua_pop(lua, 1), false;
}

bool flag_option(lua_State* lua, int at, const char* name) {
  push_option(lua, at, name);
  const bool is_set = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  return is_set;
}

std::vector<Seat> seats_of(const Packings::Held& held) {
  const auto& [hosts, yields] = std::tie(held.packing.hosts, held.packing.yields);
  const auto& items = held.subject->problem->items;
  std::vector<Seat> seats;
  for (int job = 0; job < items.jobs(); ++job) {
    const JobId id{static_cast<std::uint32_t>(held.subject->number(job))};
    seats.push_back(
        {id,
         {{hosts.begin() + items.first(job), hosts.begin() + items.first(job + 1)},
          std::min(1.0, yields[static_cast<std::size_t>(job)])}});
  }
  return seats;
}

}  // namespace

// By doubling, then bisection, over the number of jobs admitted.
int admit_to_packing(lua_State* lua) {
  static constexpr std::array<std::string_view, 2> kOptions{"least_yield", "depth"};
  auto& desk = self_in_run(lua, "admit");
  lua_settop(lua, 4);
  const bool has_pack = lua_type(lua, 3) == LUA_TFUNCTION;
  if (!has_pack && !lua_isnil(lua, 3)) {
    bad_argument(lua, 3, "a function of packing and jobs expected");
  }
  check_options(lua, 4, kOptions);
  const double least = number_option(lua, 4, "least_yield", 0);
  const double depth = number_option(lua, 4, "depth", HUGE_VAL);
  const auto running = push_candidates(lua);
  const Admission of{lua_gettop(lua), running, least};
  const auto others = static_cast<lua_Integer>(lua_rawlen(lua, of.list)) - running;
  const auto limit =
      depth < static_cast<double>(others) ? static_cast<lua_Integer>(depth) : others;
  lua_pushnil(lua);  // the best packing so far
  const int best = lua_gettop(lua);
  lua_Integer low = -1;          // packs
  lua_Integer high = limit + 1;  // does not
  for (auto next = std::min<lua_Integer>(1, limit); high - low > 1;) {
    if (admits(lua, desk, of, next)) {
      lua_replace(lua, best);
      low = next;
    } else {
      high = next;
    }
    const bool doubles = high > limit;
    next = doubles ? std::min(std::max<lua_Integer>(1, 2 * low), limit)
                   : low + (high - low) / 2;
  }
  lua_settop(lua, best);
  return 1;
}

int apply_packing(lua_State* lua) {
  static constexpr std::array<std::string_view, 1> kOptions{"pause"};
  auto& desk = self_in_run(lua, "apply");
  auto& held = desk.held(read_of_decision(lua, 2, packing_kind()));
  check_options(lua, 3, kOptions);
  const auto left_out =
      flag_option(lua, 3, "pause") ? sim::LeftOut::kSuspended : sim::LeftOut::kWrong;
  if (held.is_applied) luaL_error(lua, "apply: this packing was applied already");
  return push_done(lua, [&] {
    auto done = sim::PackingActions(simulation(lua)).repack(seats_of(held), left_out);
    held.is_applied = static_cast<bool>(done);
    return done;
  });
}

}  // namespace berth::bindings
