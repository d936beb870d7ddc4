#include "engine/machines/fractional/pack/search.hpp"

#include <algorithm>
#include <utility>

namespace berth::pack {

Packing search(const Problem& problem, Budget& budget, const Fill& fill,
               const SearchSettings& settings) {
  if (const auto why = cannot_fit(problem)) return failed(*why);
  Effort effort;
  Hosts hosts(problem.items.tasks(), kNoHost);
  Hosts best;
  const auto succeeds = [&](double yield) {
    ++effort.packs;
    budget.charge_each(1 + problem.items.tasks());
    return fill(yield, hosts);
  };
  double high = *relaxed_bound(problem);
  if (settings.test_upper_first && succeeds(high)) {
    return packed(problem, std::move(hosts), effort);
  }
  bool is_found = false;
  // Bounded: at most 30 yields, each of which is charged.
  for (double low = 0; high - low > settings.tolerance;) {
    const double middle = (low + high) / 2;
    if (succeeds(middle)) {
      best = hosts;
      is_found = true;
      low = middle;
    } else {
      high = middle;
    }
  }
  if (!is_found) return failed(Outcome::kNoPacking, effort);
  return packed(problem, std::move(best), effort);
}

Fill first_of(std::vector<Fill> fills) {
  return [fills = std::move(fills)](double yield, Hosts& hosts) {
    return std::any_of(fills.begin(), fills.end(),
                       [&](const Fill& fill) { return fill(yield, hosts); });
  };
}

}  // namespace berth::pack
