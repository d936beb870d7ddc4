// Embeddings on a fat tree in a steady state, against the frame written down plainly
// (tests/support/plain_frame.hpp), which must give the same placements.
//
// bench_embedding [REPEATS] : medians of that many interleaved runs, 7 unless given.
// User and system CPU of this thread.  Sizes are exponential with mean 12, 1 to 64;
// clusters leave at random, so that 85 % of the slots stay in use; releases count.
// Where bandwidth binds the line above says how many requests are refused.

#include "engine/machines/network/embed/embedding.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/works.hpp"
#include "engine/base/random_stream.hpp"
#include "tests/support/plain_frame.hpp"

using namespace berth;

namespace {

Budget budget;  // without limits

using Find =
    std::function<std::optional<Embedded>(const Network&, const ClusterRequest&)>;

// A network in a steady state, and the requests that come.
class Steady {
 public:
  // `size`: of every cluster; 0: drawn.
  Steady(std::int32_t k, std::int64_t bandwidth, std::int32_t size = 0)
      : topology_(std::make_shared<Topology>(
            Topology::fat_tree(k, 8, {1'000'000, 1'000'000, 1'000'000}))),
        network_(topology_, Hose::kSubtree),
        bandwidth_(bandwidth),
        size_(size),
        engine_(random_stream(1, "bench.embedding")) {
    const auto first_fit = find_embedding("first_fit")->make({});
    const Find find = [&](const Network& network, const ClusterRequest& request) {
      return first_fit->find(network, request, budget);
    };
    draw(topology_->processors() / 6);
    (void)run(find, topology_->processors() / 6);
  }

  // Draws so many requests, and which clusters leave, ahead of run().
  void draw(int requests) {
    requests_.clear();
    leaving_.clear();
    next_request_ = 0;
    next_leaving_ = 0;
    for (int i = 0; i < requests; ++i) {
      requests_.push_back(next());
      leaving_.push_back(uniform(engine_));
    }
  }
  // A hash of the placements of the next requests, so many.  REQUIRES: they are drawn.
  std::uint64_t run(const Find& find, int requests) {
    std::uint64_t hash = 0;
    const auto most_idle = topology_->processors() * 15 / 100;
    for (int i = 0; i < requests; ++i) {
      while (network_.idle_slots() < most_idle && !held_.empty()) release();
      const auto request = requests_[next_request_++];
      auto found = find(network_, request);
      if (!found) {
        ++refused_;
        hash = hash * 31 + 1;
        if (!held_.empty()) release();
        continue;
      }
      for (const auto& [server, vms] : found->vms) {
        hash = hash * 31 + static_cast<std::uint64_t>(server * 64 + vms);
      }
      held_.push_back({request, network_.placement(request, *std::move(found))});
      network_.take(request, held_.back().placement);
    }
    return hash;
  }
  [[nodiscard]] std::int64_t refused() const { return refused_; }

 private:
  struct Held {
    ClusterRequest request;
    Placement placement;
  };

  ClusterRequest next() {
    const double drawn = std::ceil(-12 * std::log1p(-uniform(engine_)));
    const double size = size_ > 0 ? size_ : drawn;
    const auto part = uniform(engine_);
    return {static_cast<std::int32_t>(std::clamp(size, 1.0, 64.0)),
            std::llround(static_cast<double>(bandwidth_) * (0.1 + 0.9 * part)),
            bandwidth_};
  }
  void release() {
    const auto last = static_cast<double>(held_.size());
    const auto drawn = leaving_[next_leaving_++ % leaving_.size()];
    const auto which = static_cast<std::size_t>(drawn * last);
    network_.give(held_[which].request, held_[which].placement);
    std::swap(held_[which], held_.back());
    held_.pop_back();
  }

  std::shared_ptr<const Topology> topology_;
  Network network_;
  std::int64_t bandwidth_;
  std::int32_t size_;
  RandomEngine engine_;
  std::vector<Held> held_;
  std::vector<ClusterRequest> requests_;
  std::size_t next_request_ = 0;
  std::vector<double> leaving_;  // which of those that are held, as a part of all
  std::size_t next_leaving_ = 0;
  std::int64_t refused_ = 0;
};

struct Measured {
  double seconds = 0;
  std::uint64_t hash = 0;
};

Measured measure(const Steady& from, const Find& find, int requests) {
  auto copy = from;
  copy.draw(requests + requests / 10);
  (void)copy.run(find, requests / 10);  // caches
  const double before = bench::cpu_seconds();
  const auto hash = copy.run(find, requests);
  return {bench::cpu_seconds() - before, hash};
}

Find indexed(std::string_view name) {
  std::shared_ptr<Embedding> made = find_embedding(name)->make({});
  return [made](const Network& network, const ClusterRequest& request) {
    return made->find(network, request, budget);
  };
}

Find plain(std::string_view name) {
  return [frame = test::plain_frame(name)](const Network& network,
                                           const ClusterRequest& request) {
    return frame.find(network, request);
  };
}

// Both in turns; the line says what one request costs.
void row(const std::string& name, double goal, const std::function<Measured()>& slow,
         const std::function<Measured()>& fast, bool same, int repeats) {
  bench::Seconds slow_seconds;
  bench::Seconds fast_seconds;
  bool is_same = true;
  for (int i = 0; i < repeats; ++i) {
    const auto a = slow();
    const auto b = fast();
    slow_seconds.push_back(a.seconds);
    fast_seconds.push_back(b.seconds);
    is_same = is_same && (!same || a.hash == b.hash);
  }
  bench::print_ratio({name, goal}, slow_seconds, fast_seconds,
                     same ? bench::verdict(is_same) : "");
}

// Embeddings a second over jobs a second of list EASY.
void beside_list_easy(const Steady& network, int requests, int repeats) {
  const auto work = bench::kth();
  const auto list = bench::list_easy(work);
  const auto oktopus = indexed("oktopus");
  bench::Seconds of_jobs;
  bench::Seconds of_embeddings;
  for (int i = 0; i < repeats; ++i) {
    of_jobs.push_back(list.seconds() * requests /
                      static_cast<double>(work.jobs.size()));
    of_embeddings.push_back(measure(network, oktopus, requests).seconds);
  }
  bench::print_ratio({"list EASY, a job / Oktopus, k = 48, a request", 0.5}, of_jobs,
                     of_embeddings, "");
}

double resident_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// REQUIRES: nothing larger was built before.
void build(int repeats) {
  bench::Seconds seconds;
  const double before_all = resident_mib();
  for (int i = 0; i < repeats; ++i) {
    const double before = bench::cpu_seconds();
    const Network network(std::make_shared<Topology>(Topology::fat_tree(
                              48, 8, {1'000'000, 1'000'000, 1'000'000})),
                          Hose::kSubtree);
    seconds.push_back(bench::cpu_seconds() - before);
  }
  fmt::print("building k = 48: {:.4f} s (goal 0.3), {:.1f} MiB (goal 64)\n",
             bench::median(seconds), resident_mib() - before_all);
}

// Runs on a whole machine with a network.
void whole_runs(int repeats) {
  const auto many = bench::clusters(48, 20'000);
  const auto exclusive = bench::without_network(many);
  bench::compare({"fcfs on slots, k = 48 / on as many processors", 4},
                 bench::lua(many, "fcfs"), bench::lua(exclusive, "fcfs"), repeats);
  for (const std::int32_t k : {6, 48}) {
    const auto work = bench::clusters(k, 20'000);
    bench::compare({fmt::format("AdaBa as a weight in Lua / native, k = {}", k), 1.6},
                   bench::lua(work, "bench/adaba_in_lua.lua"), bench::lua(work, "fcfs"),
                   repeats);
  }
  const auto nasa = bench::nasa_on_network();
  if (!nasa) return;
  const auto bgmbf = bench::lua(*nasa, "bgmbf");
  const auto kth = bench::kth();
  const auto list = bench::list_easy(kth);
  bench::compare({"bgmbf on " + nasa->name + ", auditor on / off", 2},
                 bench::audited_lua(*nasa, "bgmbf"), bgmbf, repeats);
  bench::Seconds of_run;
  bench::Seconds of_list;
  for (int i = 0; i < repeats; ++i) {
    of_run.push_back(bgmbf.seconds());
    of_list.push_back(list.seconds());
  }
  fmt::print(
      "bgmbf on {}: {:.4f} s, while list EASY does {:.1f} M jobs/s (goal 0.25 s "
      "at 5 M)\n",
      nasa->name, bench::median(of_run),
      static_cast<double>(bench::kth().jobs.size()) / bench::median(of_list) / 1e6);
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 7;
  constexpr std::int64_t kSlotsBind = 10'000;
  constexpr int kPlain = 2'000;
  constexpr int kNarrow = 20;
  constexpr int kMany = 20'000;
  build(repeats);
  const Steady large(48, kSlotsBind);
  const Steady middle(24, kSlotsBind);
  const Steady small(6, kSlotsBind);
  Steady narrow(48, 400'000);
  const auto refused_before = narrow.refused();
  narrow.draw(1'000);
  (void)narrow.run(indexed("first_fit"), 1'000);
  fmt::print("bandwidth binds: {:.0f} % refused\n",
             static_cast<double>(narrow.refused() - refused_before) / 10);
  bench::print_heading("plain, or large", "indexed, or small");
  for (const std::string name : {"first_fit", "adaba", "oktopus"}) {
    const auto fast = indexed(name);
    row(
        name + ", k = 48: plain / indexed", 20,
        [&] { return measure(large, plain(name), kPlain); },
        [&] { return measure(large, fast, kPlain); }, true, repeats);
    row(
        name + ": k = 48 / k = 6", 2.5, [&] { return measure(large, fast, kMany); },
        [&] { return measure(small, fast, kMany); }, false, repeats);
    row(
        name + ": k = 48 / k = 24", 1.3, [&] { return measure(large, fast, kMany); },
        [&] { return measure(middle, fast, kMany); }, false, repeats);
    row(
        name + ", bandwidth binds, k = 48: plain / indexed", 4,
        [&] { return measure(narrow, plain(name), kNarrow); },
        [&] { return measure(narrow, fast, kNarrow); }, true, repeats);
  }
  beside_list_easy(large, kMany, repeats);
  const Steady sixteen(6, kSlotsBind, 16);
  row(
      "greedy / first fit, k = 6, N = 16", 150,
      [&] { return measure(sixteen, indexed("greedy"), 200); },
      [&] { return measure(sixteen, indexed("first_fit"), 200); }, false, repeats);
  whole_runs(repeats);
}
