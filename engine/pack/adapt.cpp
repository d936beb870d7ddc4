#include "engine/pack/adapt.hpp"

#include <utility>

#include "engine/pack/bin_packer.hpp"
#include "engine/pack/greedy.hpp"
#include "engine/pack/improve.hpp"
#include "engine/pack/renumber.hpp"

namespace berth::pack {

namespace {

Packing kept(const Problem& problem, double budget) {
  auto hosts = problem.present;
  hosts.resize(problem.items.tasks(), kNoHost);
  if (!place_rest(problem, TaskOrder::kByMemory, hosts)) {
    return failed(Outcome::kNoPacking);
  }
  return improved(problem, packed(problem, std::move(hosts)), budget);
}

Packing repacked(const Problem& problem, double budget,
                 const SearchSettings& settings) {
  auto packing = renumbered(problem, mcb(problem, {}, settings));
  if (!packing.packed()) return packing;
  if (moved(problem, packing.hosts).memory > budget + kCapEps) {
    return failed(Outcome::kNoPacking, packing.effort);
  }
  return improved(problem, std::move(packing), budget);
}

// Of two packings.
bool is_better(const Problem& problem, const Packing& a, const Packing& b) {
  if (a.yield > b.yield + kCapEps) return true;
  if (a.yield < b.yield - kCapEps) return false;
  return moved(problem, a.hosts).memory < moved(problem, b.hosts).memory - kCapEps;
}

}  // namespace

Packing adapted(const Problem& problem, double budget, const SearchSettings& settings) {
  if (const auto why = cannot_fit(problem)) return failed(*why);
  auto near = kept(problem, budget);
  auto far = repacked(problem, budget, settings);
  const auto effort =
      Effort{.packs = far.effort.packs, .steps = near.effort.steps + far.effort.steps};
  const bool takes_far =
      far.packed() && (!near.packed() || is_better(problem, far, near));
  auto packing = takes_far ? std::move(far) : std::move(near);
  packing.effort = effort;
  return packing;
}

}  // namespace berth::pack
