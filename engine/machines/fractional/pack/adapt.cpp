#include "engine/machines/fractional/pack/adapt.hpp"

#include <utility>

#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/renumber.hpp"

namespace berth::pack {

namespace {

Packing kept(const Problem& problem, Budget& budget, double allowance) {
  auto hosts = problem.present;
  hosts.resize(problem.items.tasks(), kNoHost);
  if (!place_rest(problem, budget, TaskOrder::kByMemory, hosts)) {
    return failed(Outcome::kNoPacking);
  }
  return improved(problem, budget, packed(problem, std::move(hosts)), allowance);
}

Packing repacked(const Problem& problem, Budget& budget, double allowance,
                 const SearchSettings& settings) {
  auto packing = renumbered(problem, budget, mcb(problem, budget, {}, settings));
  if (!packing.packed()) return packing;
  if (moved(problem, packing.hosts).amount > most_moved(problem, allowance)) {
    return failed(Outcome::kNoPacking, packing.effort);
  }
  return improved(problem, budget, std::move(packing), allowance);
}

// Of two packings.
bool is_better(const Problem& problem, const Packing& a, const Packing& b) {
  if (a.yield > b.yield + kCapEps) return true;
  if (a.yield < b.yield - kCapEps) return false;
  return moved(problem, a.hosts).memory < moved(problem, b.hosts).memory - kCapEps;
}

}  // namespace

Packing adapted(const Problem& problem, Budget& budget, double allowance,
                const SearchSettings& settings) {
  if (const auto why = cannot_fit(problem)) return failed(*why);
  auto near = kept(problem, budget, allowance);
  auto far = repacked(problem, budget, allowance, settings);
  const auto effort =
      Effort{.packs = far.effort.packs, .steps = near.effort.steps + far.effort.steps};
  const bool takes_far =
      far.packed() && (!near.packed() || is_better(problem, far, near));
  auto packing = takes_far ? std::move(far) : std::move(near);
  packing.effort = effort;
  return packing;
}

}  // namespace berth::pack
