// What packers hold (see packing.hpp), and calls of a script's functions from inside.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bindings/machines/fractional_packing.hpp"
#include "engine/base/error.hpp"
#include "engine/machines/fractional/packing_actions.hpp"

namespace berth::bindings {

namespace {

pack::Problem part_of(const pack::Problem& instance, const std::vector<int>& jobs) {
  pack::Problem part;
  std::vector<pack::JobNeeds> needs;
  for (const int job : jobs) {
    needs.push_back(instance.items.needs(job));
    if (instance.present.empty()) continue;
    const auto present = instance.present.begin();
    part.present.insert(part.present.end(), present + instance.items.first(job),
                        present + instance.items.first(job + 1));
  }
  part.items = pack::Items(std::move(needs), instance.items.host_units());
  part.hosts = instance.hosts;
  return part;
}

}  // namespace

Packings::Packings(sim::Simulation& simulation)
    : simulation_(&simulation),
      number_(simulation.world().decision().number),
      host_memory_(sim::PackingActions(simulation).host_gib()) {}

std::optional<int> Packings::Subject::find(int number) const {
  if (is_whole) return number;
  const auto found = std::lower_bound(jobs.begin(), jobs.end(), number);
  if (found == jobs.end() || *found != number) return std::nullopt;
  return static_cast<int>(found - jobs.begin());
}

const Packings::Subject& Packings::subject(std::vector<int>& numbers) {
  if (task_ != nullptr && std::cmp_equal(numbers.size(), task_->problem.items.jobs())) {
    return whole_;
  }
  std::sort(numbers.begin(), numbers.end());
  Subject part;
  part.jobs = numbers;
  if (task_ != nullptr) {
    part.part = part_of(task_->problem, numbers);
  } else {
    std::vector<JobId> ids;
    ids.reserve(numbers.size());
    for (const int number : numbers) {
      ids.push_back(JobId{static_cast<std::uint32_t>(number)});
    }
    part.part = sim::PackingActions(*simulation_).problem(ids);
  }
  auto& kept = parts_.emplace_back(std::move(part));
  kept.problem = &kept.part;
  return kept;
}

std::size_t Packings::keep(Held held) {
  held_.push_back(std::move(held));
  return held_.size() - 1;
}

namespace {

// Those of a run are of one decision.
void renew_packings(lua_State* lua) {
  auto& kept = packings_kept(lua).of_run;
  auto& machine = simulation(lua);
  const auto decision = machine.world().decision().number;
  if (kept && kept->number() == decision) return;
  attempt(lua, [&] { kept.emplace(machine); });
}

}  // namespace

Packings& packings_in_use(lua_State* lua) {
  auto* const at_hand = packings_at_hand(lua);
  return at_hand != nullptr ? *at_hand : *packings_kept(lua).of_run;
}

Packings& packings(lua_State* lua) {
  if (packings_at_hand(lua) == nullptr) renew_packings(lua);
  auto& desk = packings_in_use(lua);
  if (desk.is_inside) {
    luaL_error(lua, "a fill or a key may only use its own draft and its arguments");
  }
  return desk;
}

int read_packed_number(lua_State* lua, int at) {
  if (packings_at_hand(lua) != nullptr) return read_item(lua, at);
  return static_cast<int>(index(read_job(lua, at)));
}

void push_packed_number(lua_State* lua, int number) {
  if (packings_at_hand(lua) != nullptr) return push_item(lua, number);
  push_job(lua, JobId{static_cast<std::uint32_t>(number)});
}

void call_inside(lua_State* lua, Packings& desk, int arguments, int results) {
  std::optional<sim::World::ReadingOnly> reading;
  if (auto* machine = border(lua).simulation; machine != nullptr) {
    reading.emplace(machine->parts().world);
  }
  desk.is_inside = true;
  const int status = lua_pcall(lua, arguments, results, 0);
  desk.is_inside = false;
  if (status == LUA_ERRMEM) Guard::of(lua).note_memory_error();
  if (status != LUA_OK) throw ScriptFailed{};
}

double key_inside(lua_State* lua, Packings& desk, int at, double cpu, double memory) {
  ++border(lua).crossings;
  lua_pushvalue(lua, at);
  lua_pushnumber(lua, cpu);
  lua_pushnumber(lua, memory);
  call_inside(lua, desk, 2, 1);
  const auto key = exact_number(lua, -1);
  if (!key) throw NoNumber{};
  lua_pop(lua, 1);
  return *key;
}

std::size_t keep_packing(Packings& desk, const Packings::Subject& subject,
                         pack::Packing packing) {
  if (packing.packed()) return desk.keep({&subject, std::move(packing)});
  desk.failure = std::move(packing);
  return kNoPacking;
}

int push_kept(lua_State* lua, std::size_t number, Ended ended) {
  auto& guard = Guard::of(lua);
  if (ended == Ended::kHost) raise_kept(lua);
  if (guard.tripped() != Trip::kNone) guard.raise(lua);
  if (ended == Ended::kScript) return lua_error(lua);
  if (ended == Ended::kNumber) {
    return luaL_error(lua, "a key must be a finite number, got %s",
                      push_inexact(lua, -1));
  }
  guard.charge(lua, 1);
  if (number == kNoPacking) {
    lua_pushnil(lua);
    lua_pushliteral(lua, "no_packing");
    return 2;
  }
  require_handle(lua, number, " placements or packings in one decision");
  const auto& packing = packings_in_use(lua).held(number).packing;
  hold_for_decision(lua, sizeof(packing) + packing.hosts.size() * sizeof(int) +
                             packing.yields.size() * sizeof(double));
  return push_decision_handle(lua, number, packing_kind()), 1;
}

}  // namespace berth::bindings
