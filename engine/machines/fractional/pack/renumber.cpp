#include "engine/machines/fractional/pack/renumber.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace berth::pack {

namespace {

struct Pair {
  int bin;
  int host;
  double kept;
};

// How many tasks of one job are at each place; empty again after clear().
class Counts {
 public:
  explicit Counts(int places) : tasks_(static_cast<std::size_t>(places)) {}
  void add(int place) {
    if (tasks_[place]++ == 0) places_.push_back(place);
  }
  void clear() {
    // Bounded: as many places as add() was called for.
    for (const int place : places_) tasks_[place] = 0;
    places_.clear();
  }
  [[nodiscard]] int at(int place) const { return tasks_[place]; }
  [[nodiscard]] const std::vector<int>& places() const { return places_; }

 private:
  std::vector<int> tasks_;
  std::vector<int> places_;  // with a task
};

class Matching {
 public:
  Matching(const Problem& problem, Budget& budget, const Hosts& hosts)
      : problem_(problem),
        budget_(budget),
        kept_(static_cast<std::size_t>(problem.hosts)),
        by_host_(static_cast<std::size_t>(problem.hosts)),
        now_(static_cast<std::size_t>(problem.hosts)),
        of_a_(static_cast<std::size_t>(problem.hosts)),
        on_a_(static_cast<std::size_t>(problem.hosts)),
        host_of_(problem.hosts, kNoHost),
        bin_of_(problem.hosts),
        place_in_row_(static_cast<std::size_t>(problem.hosts), kNoPlace),
        in_bin_(problem.hosts),
        on_host_(problem.hosts) {
    // Bounded: add_job() charges each task.
    for (int job = 0; job < problem.items.jobs(); ++job) add_job(hosts, job);
    // Bounded: each pair once, for each of which add_to_row() charged.
    for (int bin = 0; bin < problem.hosts; ++bin) {
      std::sort(kept_[bin].begin(), kept_[bin].end());
      // Bounded: each pair once, for each of which add_to_row() charged.
      for (const auto& [host, memory] : kept_[bin]) {
        by_host_[host].emplace_back(bin, memory);
      }
    }
  }

  std::vector<int> run() {
    match_pairs();
    match_rest();
    // Bounded: each bin once, which match_rest() charged.
    for (int bin = 0; bin < problem_.hosts; ++bin) bin_of_[host_of_[bin]] = bin;
    // Bounded: exchange_two() charges what it looks at.
    while (exchange_two()) {
    }
    return host_of_;
  }

  [[nodiscard]] double kept_by(const std::vector<int>& host_of) const {
    double sum = 0;
    // Bounded: each pair at most once, for each of which add_to_row() charged.
    for (int bin = 0; bin < problem_.hosts; ++bin) sum += kept(bin, host_of[bin]);
    return sum;
  }

 private:
  // Of the tasks of a job only their number in a bin and on a host matters.
  void add_job(const Hosts& hosts, int job) {
    const auto& items = problem_.items;
    if (items.needs(job).memory == 0) return;  // it keeps nothing
    budget_.charge_each(items.needs(job).tasks);
    for (int task = items.first(job); task < items.first(job + 1); ++task) {
      in_bin_.add(hosts[task]);
      if (problem_.present[task] != kNoHost) on_host_.add(problem_.present[task]);
    }
    for (const int bin : in_bin_.places()) add_to_row(bin, items.needs(job).memory);
    in_bin_.clear();
    on_host_.clear();
  }

  void match_pairs() {
    budget_.charge_each(problem_.hosts);
    std::vector<Pair> pairs;
    // Bounded: each pair once, for each of which add_to_row() charged.
    for (int bin = 0; bin < problem_.hosts; ++bin) {
      for (const auto& [host, memory] : kept_[bin]) {
        if (memory > 0) pairs.push_back({bin, host, memory});
      }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.kept > b.kept; });
    is_taken_.assign(problem_.hosts, false);
    for (const auto& pair : pairs) {
      if (host_of_[pair.bin] != kNoHost || is_taken_[pair.host]) continue;
      host_of_[pair.bin] = pair.host;
      is_taken_[pair.host] = true;
    }
  }

  void match_rest() {
    int host = 0;
    budget_.charge_each(problem_.hosts);
    for (int& place : host_of_) {
      if (place != kNoHost) continue;
      // Bounded: each host once in all.
      while (is_taken_[host]) ++host;
      place = host++;
    }
  }

  bool exchange_two() {
    budget_.charge_each(problem_.hosts);
    for (int bin = 0; bin < problem_.hosts; ++bin) now_[bin] = kept(bin, host_of_[bin]);
    // Bounded: partner_of() charges the bins that it looks at.
    for (int a = 0; a < problem_.hosts; ++a) {
      for (const auto& [host, memory] : kept_[a]) of_a_[host] = memory;
      for (const auto& [bin, memory] : by_host_[host_of_[a]]) on_a_[bin] = memory;
      const int b = partner_of(a);
      for (const auto& each : kept_[a]) of_a_[each.first] = 0;
      for (const auto& each : by_host_[host_of_[a]]) on_a_[each.first] = 0;
      if (b == problem_.hosts) continue;
      std::swap(host_of_[a], host_of_[b]);
      std::swap(bin_of_[host_of_[a]], bin_of_[host_of_[b]]);
      return true;
    }
    return false;
  }

  // The first bin behind it with which to exchange hosts; as many as there are: none.
  // Such a bin has a host of which bin `a` keeps something, or keeps something of the
  // host of `a`: nothing is gained by any other.
  [[nodiscard]] int partner_of(int a) const {
    budget_.charge_each(1 + kept_[a].size() + by_host_[host_of_[a]].size());
    int first = problem_.hosts;
    const auto look_at = [&](int b) {
      if (b <= a || b >= first) return;
      if (of_a_[host_of_[b]] + on_a_[b] > now_[a] + now_[b] + kCapEps) first = b;
    };
    for (const auto& each : kept_[a]) look_at(bin_of_[each.first]);
    for (const auto& each : by_host_[host_of_[a]]) look_at(each.first);
    return first;
  }

  // To the row of a bin, what one job keeps in it: of each host once.
  void add_to_row(int bin, double memory) {
    auto& row = kept_[bin];
    const auto& hosts = on_host_.places();
    budget_.charge_each(1 + row.size() + hosts.size());
    // Bounded: the hosts of one bin, which are charged above.
    for (std::size_t i = 0; i < row.size(); ++i) place_in_row_[row[i].first] = i;
    for (const int host : hosts) {
      const double kept = std::min(in_bin_.at(bin), on_host_.at(host)) * memory;
      if (const auto place = place_in_row_[host]; place != kNoPlace) {
        row[place].second += kept;
      } else {
        row.emplace_back(host, kept);
      }
    }
    // Bounded: the hosts of one bin, which are charged above.
    for (const auto& each : row) place_in_row_[each.first] = kNoPlace;
  }
  [[nodiscard]] double kept(int bin, int host) const {
    // Bounded: the hosts of one bin.
    for (const auto& [at, memory] : kept_[bin]) {
      if (at == host) return memory;
    }
    return 0;
  }

  static constexpr auto kNoPlace = std::numeric_limits<std::size_t>::max();

  const Problem& problem_;
  Budget& budget_;
  // By bin: hosts with tasks of it, and their memory; the same by host.  A bin has few.
  std::vector<std::vector<std::pair<int, double>>> kept_;
  std::vector<std::vector<std::pair<int, double>>> by_host_;
  std::vector<double> now_;                // kept by bin, as numbered now
  std::vector<double> of_a_;               // scratch: of one bin, by host
  std::vector<double> on_a_;               // scratch: on one host, by bin
  std::vector<int> host_of_;               // by bin
  std::vector<int> bin_of_;                // by host, once every bin has one
  std::vector<std::size_t> place_in_row_;  // scratch: in the row of one bin, by host
  std::vector<bool> is_taken_;             // by host
  Counts in_bin_;
  Counts on_host_;
};

}  // namespace

Packing renumbered(const Problem& problem, Budget& budget, Packing packing) {
  if (!packing.packed() || !has_present(problem)) return packing;
  Matching matching(problem, budget, packing.hosts);
  budget.charge_each(problem.hosts + problem.items.tasks());
  std::vector<int> same(problem.hosts);
  for (int host = 0; host < problem.hosts; ++host) same[host] = host;
  const auto host_of = matching.run();
  // Exchanges of two find no better only among pairs.
  if (matching.kept_by(same) > matching.kept_by(host_of) + kCapEps) return packing;
  for (int& host : packing.hosts) host = host_of[host];
  return packing;
}

}  // namespace berth::pack
