// Drafts: what a `fill` works on.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bindings/machines/fractional_packing.hpp"

namespace berth::bindings {

namespace draft_calls {
namespace {

constexpr lua_Integer kAnyHost = -1;

Packings::Filling& filling(lua_State* lua, int at) {
  auto* desk = packings_at_hand(lua);
  auto& of_run = packings_kept(lua).of_run;
  if (desk == nullptr && of_run) desk = &*of_run;
  const auto number = read_of_decision(lua, at, draft_kind());
  if (desk == nullptr || desk->filling == nullptr || desk->filling->number != number) {
    luaL_error(lua, "this draft belongs to an earlier call: use it while it is filled");
  }
  return *desk->filling;
}

pack::Draft& self_draft(lua_State* lua) {
  ++border(lua).crossings;
  return filling(lua, 1).draft;
}

// A task, counted from 1.
int read_task(lua_State* lua, const pack::Draft& draft, int at) {
  const auto number = read_count(lua, at, 1);
  if (std::cmp_greater(number, draft.hosts().size())) {
    bad_argument(lua, at, lua_pushfstring(lua, "there is no task %I", number));
  }
  return static_cast<int>(number) - 1;
}

int read_host(lua_State* lua, const pack::Draft& draft, int at) {
  const auto host = read_count(lua, at, 0);
  if (host >= draft.problem().hosts) {
    bad_argument(lua, at, lua_pushfstring(lua, "there is no host %I", host));
  }
  return static_cast<int>(host);
}

int push_task(lua_State* lua, const pack::Draft& draft, int task) {
  lua_pushinteger(lua, task + 1);
  lua_pushnumber(lua, draft.cpu(task));
  lua_pushnumber(lua, draft.memory(task));
  return 3;
}

// --- walks over tasks ---

// An order is the number of a key, or kKeys and the number of a function's order.
constexpr lua_Integer kKeys = 4;
constexpr lua_Integer kByNumber = -1;

// Tasks by the function at stack index `at`, largest first.
lua_Integer own_order(lua_State* lua, Packings::Filling& filled, int at) {
  auto& draft = filled.draft;
  const auto count = draft.hosts().size();
  // A table of the script's, so that a raise leaves nothing behind.
  lua_createtable(lua, static_cast<int>(count), 0);
  const int keys = lua_gettop(lua);
  for (std::size_t task = 0; task < count; ++task) {
    lua_pushvalue(lua, at);
    lua_pushnumber(lua, draft.cpu(static_cast<int>(task)));
    lua_pushnumber(lua, draft.memory(static_cast<int>(task)));
    lua_call(lua, 2, 1);
    if (!exact_number(lua, -1)) {
      luaL_error(lua, "a key must be a finite number, got %s", push_inexact(lua, -1));
    }
    lua_rawseti(lua, keys, static_cast<lua_Integer>(task) + 1);
  }
  attempt(lua, [&] {
    std::vector<double> values(count);
    for (std::size_t task = 0; task < count; ++task) {
      lua_rawgeti(lua, keys, static_cast<lua_Integer>(task) + 1);
      values[task] = exact_number(lua, -1).value();
      lua_pop(lua, 1);
    }
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    filled.orders.push_back(std::move(order));
  });
  hold_for_decision(lua, count * sizeof(int));
  return kKeys + static_cast<lua_Integer>(filled.orders.size()) - 1;
}

lua_Integer read_order(lua_State* lua, Packings::Filling& filled, int at) {
  if (lua_isnoneornil(lua, at)) return kByNumber;
  if (lua_type(lua, at) == LUA_TFUNCTION) return own_order(lua, filled, at);
  return static_cast<lua_Integer>(read_key(lua, at));
}

const std::vector<int>& order_of(Packings::Filling& filled, lua_Integer order) {
  return order < kKeys ? filled.draft.order(static_cast<pack::Key>(order))
                       : filled.orders[static_cast<std::size_t>(order - kKeys)];
}

// Upvalues: draft, order, host or kAnyHost, place behind the last task shown.
int next_task(lua_State* lua) {
  ++border(lua).crossings;
  auto& filled = filling(lua, lua_upvalueindex(1));
  auto& draft = filled.draft;
  const auto order = lua_tointeger(lua, lua_upvalueindex(2));
  const auto host = static_cast<int>(lua_tointeger(lua, lua_upvalueindex(3)));
  const auto* tasks = order == kByNumber
                          ? nullptr
                          : attempt(lua, [&] { return &order_of(filled, order); });
  const auto count = draft.hosts().size();
  for (auto at = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(4)));
       at < count; ++at) {
    const int task = tasks == nullptr ? static_cast<int>(at) : (*tasks)[at];
    if (draft.hosts()[task] != pack::kNoHost) continue;
    if (host != kAnyHost && !draft.fits(task, host)) continue;
    lua_pushinteger(lua, static_cast<lua_Integer>(at) + 1);
    lua_replace(lua, lua_upvalueindex(4));
    return push_task(lua, draft, task);
  }
  Guard::of(lua).charge(lua, 1);
  lua_pushinteger(lua, static_cast<lua_Integer>(count));
  lua_replace(lua, lua_upvalueindex(4));
  return lua_pushnil(lua), 1;
}

int push_tasks(lua_State* lua, lua_Integer order, lua_Integer host) {
  lua_pushvalue(lua, 1);
  lua_pushinteger(lua, order);
  lua_pushinteger(lua, host);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_task, 4);
  return 1;
}

int tasks(lua_State* lua) {
  (void)self_draft(lua);
  return push_tasks(lua, read_order(lua, filling(lua, 1), 2), kAnyHost);
}

int fitting(lua_State* lua) {
  const int host = read_host(lua, self_draft(lua), 2);
  return push_tasks(lua, read_order(lua, filling(lua, 1), 3), host);
}

// --- walks over hosts ---

// Upvalues: draft, task or 0.  Arguments: nothing, and the last host shown.
int next_host(lua_State* lua) {
  ++border(lua).crossings;
  const auto& draft = filling(lua, lua_upvalueindex(1)).draft;
  const auto task = static_cast<int>(lua_tointeger(lua, lua_upvalueindex(2))) - 1;
  const auto from = lua_isnoneornil(lua, 2) ? 0 : read_count(lua, 2, 0) + 1;
  if (from > draft.problem().hosts) return lua_pushnil(lua), 1;
  for (auto host = static_cast<int>(from); host < draft.problem().hosts; ++host) {
    if (task >= 0 && !draft.fits(task, host)) continue;
    lua_pushinteger(lua, host);
    lua_pushnumber(lua, draft.free_cpu(host));
    lua_pushnumber(lua, draft.free_memory(host));
    return 3;
  }
  return lua_pushnil(lua), 1;
}

int hosts(lua_State* lua) {
  const auto& draft = self_draft(lua);
  const bool is_any = lua_isnoneornil(lua, 2);
  const lua_Integer task = is_any ? 0 : read_task(lua, draft, 2) + 1;
  lua_pushvalue(lua, 1);
  lua_pushinteger(lua, task);
  lua_pushcclosure(lua, next_host, 2);
  return 1;
}

// --- puts ---

int push_put(lua_State* lua, bool is_put) {
  if (is_put) return lua_pushboolean(lua, 1), 1;
  lua_pushnil(lua);
  lua_pushliteral(lua, "no_room");
  return 2;
}

int put(lua_State* lua) {
  auto& draft = self_draft(lua);
  const int task = read_task(lua, draft, 2);
  const int host = read_host(lua, draft, 3);
  const int now = draft.hosts()[task];
  if (now != pack::kNoHost) {
    bad_argument(lua, 2,
                 lua_pushfstring(lua, "it is on host %d; take it off first", now));
  }
  return push_put(lua, attempt(lua, [&] { return draft.put(task, host); }));
}

pack::Suits read_suits(lua_State* lua, int at) {
  static constexpr std::array<std::string_view, 3> kNames{"cosine", "dot", "norm"};
  const auto name = read_text(lua, at);
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    bad_argument(lua, at, "\"cosine\", \"dot\" or \"norm\" expected");
  }
  return static_cast<pack::Suits>(found - kNames.begin());
}

int choose(lua_State* lua) {
  const auto& draft = self_draft(lua);
  const int task = read_task(lua, draft, 2);
  const auto by = read_suits(lua, 3);
  const int host = attempt(lua, [&] { return draft.choose(task, by); });
  if (host == pack::kNoHost) return lua_pushnil(lua), 1;
  return lua_pushinteger(lua, host), 1;
}

int put_all(lua_State* lua) {
  auto& draft = self_draft(lua);
  const auto by = read_suits(lua, 3);
  auto& filled = filling(lua, 1);
  const auto order = read_order(lua, filled, 2);
  return push_put(lua, attempt(lua, [&] {
                    if (order != kByNumber)
                      return draft.put_all(order_of(filled, order), by);
                    std::vector<int> tasks(draft.hosts().size());
                    std::iota(tasks.begin(), tasks.end(), 0);
                    return draft.put_all(tasks, by);
                  }));
}

int take(lua_State* lua) {
  auto& draft = self_draft(lua);
  const int task = read_task(lua, draft, 2);
  if (draft.hosts()[task] == pack::kNoHost) bad_argument(lua, 2, "it is on no host");
  attempt(lua, [&] { draft.take(task); });
  return 0;
}

void refuse_placed(lua_State* lua, const pack::Draft& draft, int job) {
  const auto& items = draft.problem().items;
  for (int task = items.first(job); task < items.first(job + 1); ++task) {
    if (draft.hosts()[task] == pack::kNoHost) continue;
    luaL_error(lua, "keep: a task of the job is on a host already");
  }
}

// Of one job, or of all: its tasks where they are now.
int keep(lua_State* lua) {
  auto& draft = self_draft(lua);
  int first = 0;
  int last = draft.problem().items.jobs();
  if (!lua_isnoneornil(lua, 2)) {
    const auto found = filling(lua, 1).subject->find(read_packed_number(lua, 2));
    if (!found) bad_argument(lua, 2, "the draft does not have this job");
    first = *found;
    last = first + 1;
  }
  for (int job = first; job < last; ++job) {
    refuse_placed(lua, draft, job);
    if (!attempt(lua, [&] { return draft.keep(job); })) return push_put(lua, false);
  }
  return push_put(lua, true);
}

int free(lua_State* lua) {
  const auto& draft = self_draft(lua);
  const int host = read_host(lua, draft, 2);
  lua_pushnumber(lua, draft.free_cpu(host));
  lua_pushnumber(lua, draft.free_memory(host));
  return 2;
}

int load(lua_State* lua) {
  const auto& draft = self_draft(lua);
  return lua_pushnumber(lua, draft.load(read_host(lua, draft, 2))), 1;
}

int job(lua_State* lua) {
  const auto& draft = self_draft(lua);
  const int index = draft.problem().items.job(read_task(lua, draft, 2));
  return push_packed_number(lua, filling(lua, 1).subject->number(index)), 1;
}

int host(lua_State* lua) {
  const auto& draft = self_draft(lua);
  const int now = draft.hosts()[read_task(lua, draft, 2)];
  if (now == pack::kNoHost) return lua_pushnil(lua), 1;
  return lua_pushinteger(lua, now), 1;
}

constexpr std::array kDraft{
    Primitive{"yield", "", "number", "The yield that is tried.", "draft.yield == 1"},
    Primitive{"left", "", "integer", "Tasks that are not put.", "draft.left == 3"},
    Primitive{"tasks", "order?: string|fun(cpu: number, memory: number): number",
              "fun(): integer?, number?, number?",
              "Walk the tasks that are not put: task, CPU (need times yield), memory; "
              "by number, or largest first by a key as in packing:mcb.",
              "draft:tasks(\"max\")() == 1", tasks},
    Primitive{"hosts", "task?: integer", "fun(): integer?, number?, number?",
              "Walk the hosts: host, CPU and memory left; with a task, those on which "
              "it fits.",
              "draft:hosts(1)() == 0", hosts},
    Primitive{"fitting",
              "host: integer, order?: string|fun(cpu: number, memory: number): number",
              "fun(): integer?, number?, number?",
              "Walk the tasks that are not put and fit the host now, as draft:tasks.",
              "draft:fitting(0)() == 1", fitting},
    Primitive{"choose", "task: integer, by: string", "integer?",
              "The host with room for the task that suits it best, the first of "
              "equals; nil: none has room. by: \"cosine\", the largest between what "
              "the task asks for and what the host has left; \"dot\", the largest sum "
              "of their products; \"norm\", the least sum of squares of what would be "
              "left (Panigrahy et al. 2011). A walk over the hosts by a score in Lua "
              "takes many times as long.",
              "draft:choose(1, \"cosine\") == 0", choose},
    Primitive{"put_all",
              "order: string|nil|fun(cpu: number, memory: number): number, by: string",
              "true?, string? why",
              "Put each task that is not put, in an order as draft:tasks, on the host "
              "that draft:choose names; nil and \"no_room\" at the first that fits "
              "none.",
              "draft:put_all(\"max\", \"norm\")", put_all},
    Primitive{"put", "task: integer, host: integer", "true?, string? why",
              "Put a task on a host; nil and \"no_room\" if it does not fit.",
              "draft:put(1, 0)", put},
    Primitive{"take", "task: integer", "", "Take a task off its host.",
              "draft:put(1, 0) and draft:take(1) == nil", take},
    Primitive{"keep", "job?: Job", "true?, string? why",
              "Put the tasks of a job, or of all jobs, on the hosts where they are "
              "now; such a packing is not renumbered.",
              "draft:keep(job)", keep},
    Primitive{"free", "host: integer", "number, number",
              "CPU and memory left of a host.", "draft:free(1) == 1", free},
    Primitive{"load", "host: integer", "number",
              "The sum of full CPU needs put on a host.", "draft:load(0) == 0", load},
    Primitive{"job", "task: integer", "Job", "Whose task it is.",
              "draft:job(1).id == job.id", job},
    Primitive{"host", "task: integer", "integer?",
              "Where the task was put; nil if it was not.", "draft:host(1) == nil",
              host},
};

}  // namespace
}  // namespace draft_calls

std::span<const Primitive> draft_primitives() { return draft_calls::kDraft; }

int draft_member(lua_State* lua) {
  const auto& draft = draft_calls::self_draft(lua);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    const auto key = read_text(lua, 2);
    if (key == "yield") return lua_pushnumber(lua, draft.yield()), 1;
    if (key == "left") return lua_pushinteger(lua, draft.left()), 1;
  }
  static const Family& methods = object_family("Draft");
  push_family(lua, methods);
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, -2) == LUA_TNIL) {
    unknown_member(lua, 2, "a draft", Names(draft_calls::kDraft));
  }
  return 1;
}

}  // namespace berth::bindings
