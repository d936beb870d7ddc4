#include "engine/machines/fractional/pack/rounding.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/random_stream.hpp"

namespace berth::pack {

namespace {

// Index of the first weight at which the sum of those so far exceeds `x` times the sum
// of all.  REQUIRES: some weight is above 0.
int draw_index(const std::vector<double>& weights, double x) {
  const double target = x * std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  int last = 0;
  // Bounded: each host once, which draw_host() charges.
  for (std::size_t index = 0; index < weights.size(); ++index) {
    if (weights[index] <= 0) continue;
    sum += weights[index];
    last = static_cast<int>(index);
    if (sum > target) break;
  }
  return last;
}

// A host with room, drawn by these weights; kNoHost: there is none.  Hosts without room
// get weight 0.
int draw_host(std::vector<double>& weights, Budget& budget,
              const std::function<bool(int)>& has_room,
              const std::function<double()>& draw) {
  const auto is_open = [](double weight) { return weight > 0; };
  while (std::any_of(weights.begin(), weights.end(), is_open)) {
    budget.charge_each(3 * weights.size());
    const int host = draw_index(weights, draw());
    if (has_room(host)) return host;
    weights[host] = 0;
  }
  return kNoHost;
}

}  // namespace

Packing rounded(const Problem& problem, Budget& budget,
                const std::vector<double>& parts, double epsilon,
                const std::function<double()>& draw) {
  if (const auto why = cannot_fit(problem)) return failed(*why);
  const auto& items = problem.items;
  Hosts hosts(items.tasks(), kNoHost);
  std::vector<double> amounts(problem.hosts, 0);
  const double most = items.host_amount() + items.amount_slack();
  std::vector<double> weights(problem.hosts);
  for (int task = 0; task < items.tasks(); ++task) {
    budget.charge_each(problem.hosts);
    for (int host = 0; host < problem.hosts; ++host) {
      const double part = parts[static_cast<std::size_t>(task) * problem.hosts + host];
      weights[host] = part > kCapEps ? part : epsilon;
    }
    const double asked = items.amount(task);
    const auto has_room = [&](int host) { return amounts[host] + asked <= most; };
    const int host = draw_host(weights, budget, has_room, draw);
    if (host == kNoHost) return failed(Outcome::kNoPacking);
    hosts[task] = host;
    amounts[host] += asked;
  }
  return packed(problem, std::move(hosts));
}

std::function<double()> rounding_draws(std::uint64_t seed, std::int64_t instance) {
  return [engine = job_stream(seed, "packing.rounding", instance)]() mutable {
    return uniform(engine);
  };
}

}  // namespace berth::pack
