#include "bindings/proposals.hpp"

#include <utility>

namespace berth::bindings {

namespace {

Proposals& proposals(lua_State* lua) {
  auto& kept = border(lua).proposals;
  const auto decision = simulation(lua).world().decision().number;
  if (kept.decision != decision) {
    kept.all.clear();
    kept.decision = decision;
    Guard::of(lua).release(std::exchange(kept.bytes, 0));
  }
  return kept;
}

}  // namespace

void keep_proposal(lua_State* lua, JobId job, Placement placement, std::size_t bytes) {
  const auto& asked = simulation(lua).world().jobs().job(job);
  auto& kept = proposals(lua);
  kept.all.push_back({job, asked.id, asked.demand(), std::move(placement)});
  kept.bytes += bytes;
}

int push_last_proposal(lua_State* lua) {
  push_decision_handle(lua, proposals(lua).all.size() - 1, Kind::kPlacement);
  return 1;
}

const Proposal& read_proposal(lua_State* lua, int at) {
  const auto number = read_of_decision(lua, at, Kind::kPlacement);
  const auto& all = proposals(lua).all;
  if (number >= all.size()) bad_argument(lua, at, "no such placement");
  return all[number];
}

}  // namespace berth::bindings
