#include "engine/pack/renumber.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace berth::pack {

namespace {

struct Pair {
  int bin;
  int host;
  double kept;
};

class Matching {
 public:
  Matching(const Problem& problem, const Hosts& hosts)
      : problem_(problem), host_of_(problem.hosts, kNoHost) {
    for (int job = 0; job < problem.items.jobs(); ++job) add_job(hosts, job);
  }

  std::vector<int> run() {
    match_pairs();
    match_rest();
    while (exchange_two()) {
    }
    return host_of_;
  }

  [[nodiscard]] double kept_by(const std::vector<int>& host_of) const {
    double sum = 0;
    for (int bin = 0; bin < problem_.hosts; ++bin) sum += kept(bin, host_of[bin]);
    return sum;
  }

 private:
  // Of the tasks of a job only their number in a bin and on a host matters.
  void add_job(const Hosts& hosts, int job) {
    const auto& items = problem_.items;
    std::map<int, int> in_bin;
    std::map<int, int> on_host;
    for (int task = items.first(job); task < items.first(job + 1); ++task) {
      ++in_bin[hosts[task]];
      if (problem_.present[task] != kNoHost) ++on_host[problem_.present[task]];
    }
    for (const auto& [bin, tasks] : in_bin) {
      for (const auto& [host, now] : on_host) {
        kept_[{bin, host}] += std::min(tasks, now) * items.needs(job).memory;
      }
    }
  }

  void match_pairs() {
    std::vector<Pair> pairs;
    for (const auto& [place, memory] : kept_) {
      if (memory > 0) pairs.push_back({place.first, place.second, memory});
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
    for (int& place : host_of_) {
      if (place != kNoHost) continue;
      while (is_taken_[host]) ++host;
      place = host++;
    }
  }

  bool exchange_two() {
    for (int a = 0; a < problem_.hosts; ++a) {
      for (int b = a + 1; b < problem_.hosts; ++b) {
        const double now = kept(a, host_of_[a]) + kept(b, host_of_[b]);
        const double then = kept(a, host_of_[b]) + kept(b, host_of_[a]);
        if (then <= now + kCapEps) continue;
        std::swap(host_of_[a], host_of_[b]);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] double kept(int bin, int host) const {
    const auto found = kept_.find({bin, host});
    return found == kept_.end() ? 0 : found->second;
  }

  const Problem& problem_;
  std::map<std::pair<int, int>, double> kept_;  // by (bin, host)
  std::vector<int> host_of_;                    // by bin
  std::vector<bool> is_taken_;                  // by host
};

}  // namespace

Packing renumbered(const Problem& problem, Packing packing) {
  if (!packing.packed() || !has_present(problem)) return packing;
  Matching matching(problem, packing.hosts);
  std::vector<int> same(problem.hosts);
  for (int host = 0; host < problem.hosts; ++host) same[host] = host;
  const auto host_of = matching.run();
  // Exchanges of two find no better only among pairs.
  if (matching.kept_by(same) > matching.kept_by(host_of) + kCapEps) return packing;
  for (int& host : packing.hosts) host = host_of[host];
  return packing;
}

}  // namespace berth::pack
