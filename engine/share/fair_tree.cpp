#include "engine/share/fair_tree.hpp"

#include <algorithm>
#include <limits>

#include "engine/jobs/label.hpp"

namespace berth {

namespace {

struct Sum {
  double weight = 0;
  double usage = 0;
  void add(double more_weight, double more_usage) {
    weight += more_weight;
    usage += more_usage;
  }
};

// Up to a constant factor, a power of two, that keeps the least usage among much of it
// apart from none.
double level(double weight, double usage, const Sum& siblings) {
  if (usage <= 0) return std::numeric_limits<double>::infinity();
  return weight / siblings.weight / (usage * 0x1p80 / siblings.usage);
}

struct Ranked {
  double group;  // levels, highest first
  double own;
  std::size_t user;
  [[nodiscard]] bool equals(const Ranked& other) const {
    return group == other.group && own == other.own;
  }
};

}  // namespace

std::vector<std::int64_t> fair_tree(
    const std::vector<TreeUser>& users,
    const std::map<std::int32_t, double>& group_weights) {
  const auto weight_of = [&](std::int32_t group) {
    const auto at = group_weights.find(group);
    return at == group_weights.end() ? 1.0 : at->second;
  };
  std::map<std::int32_t, Sum, LabelLess> groups;
  for (const auto& user : users) groups[user.group].add(user.weight, user.usage);
  Sum all;
  for (const auto& [group, sum] : groups) all.add(weight_of(group), sum.usage);

  std::vector<Ranked> ranked;
  ranked.reserve(users.size());
  for (std::size_t i = 0; i < users.size(); ++i) {
    const auto& user = users[i];
    const auto& siblings = groups.at(user.group);
    ranked.push_back({level(weight_of(user.group), siblings.usage, all),
                      level(user.weight, user.usage, siblings), i});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.group != b.group ? a.group > b.group : a.own > b.own;
  });
  std::vector<std::int64_t> before(users.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (!ranked[i].equals(ranked[first])) first = i;
    before[ranked[i].user] = static_cast<std::int64_t>(first);
  }
  return before;
}

}  // namespace berth
