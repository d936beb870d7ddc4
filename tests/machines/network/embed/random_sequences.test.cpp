// Random sequences on the model: what is idle always equals what the placements leave.

#include <doctest/doctest.h>

#include "engine/base/random_stream.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/machines/network/embed/frame.hpp"
#include "engine/machines/network/slots.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

std::int64_t draw(RandomEngine& engine, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(uniform(engine) *
                                           static_cast<double>(most - least + 1));
}

// Jobs of 1 to 12 VMs on a fat tree, placed by an embedding that now and then throws.
class Sequence {
 public:
  Sequence(std::uint64_t seed, std::int32_t k)
      : engine_(random_stream(seed, "test.sequence")),
        jobs_(make_jobs()),
        model_(settings_of(k), seed, std::make_shared<JobColumns>(jobs_)) {
    FrameSettings failing;
    failing.server_weights = [this](const ClusterRequest&,
                                    std::span<const NetworkNode> servers,
                                    std::span<double> weights) {
      if (fails_) throw std::runtime_error("a weight failed");
      for (std::size_t i = 0; i < servers.size(); ++i) weights[i] = servers[i] % 3;
    };
    model_.use(make_frame(failing));
    for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
      if (!model_.arrive(JobId{i}, demand(JobId{i}))) waiting_.push_back(JobId{i});
    }
  }

  void step() {
    fails_ = draw(engine_, 0, 9) == 0;
    try {
      if (!running_.empty() && draw(engine_, 0, 3) == 0) {
        end(pick(running_));
      } else if (!running_.empty() && !waiting_.empty() && draw(engine_, 0, 3) == 0) {
        swap(pick(waiting_));
      } else if (!waiting_.empty()) {
        start(pick(waiting_));
      }
    } catch (const std::runtime_error&) {
    }
    fails_ = false;
  }

  // All sums, slots and residuals are those of the placements, and no others.
  [[nodiscard]] bool is_consistent() const {
    const auto& network = model_.network();
    Network anew(std::make_shared<Topology>(network.topology()), network.hose());
    std::int64_t idle = network.topology().processors();
    for (const JobId job : running_) {
      anew.take(model_.request(job, demand(job)), model_.placement(job));
      idle -= demand(job).processors();
    }
    return anew == network && model_.idle() == idle && network.idle_slots() == idle &&
           has_right_index();
  }

  // The buckets and the searches by them, from the idle slots of each server.
  [[nodiscard]] bool has_right_index() const {
    const auto& network = model_.network();
    const auto& topology = network.topology();
    for (NetworkNode server = 0; server < topology.servers(); ++server) {
      const auto at = static_cast<std::size_t>(server);
      for (std::int32_t idle = 0; idle <= topology.most_slots(); ++idle) {
        const bool is_in = (network.servers_with(idle, at / 64) >> (at % 64) & 1) != 0;
        if (is_in != (network.idle(server) == idle)) return false;
      }
    }
    for (std::int32_t idle = 1; idle <= topology.most_slots(); ++idle) {
      std::optional<NetworkNode> first;
      for (auto server = topology.servers() - 1; server >= 0; --server) {
        if (network.idle(server) >= idle) first = server;
      }
      if (network.first_server(idle) != first) return false;
    }
    return has_right_sums();
  }
  [[nodiscard]] bool has_right_sums() const {
    const auto& network = model_.network();
    const auto& topology = network.topology();
    std::int32_t group = 0;
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      std::int32_t idle = 0;
      const auto [first, last] = topology.below(top);
      for (auto server = first; server < last; ++server) idle += network.idle(server);
      if (network.idle_below(top) != idle) return false;
      const auto of = topology.group(top);
      if (of != group && of != group + 1) return false;
      group = of;
      const auto tops = topology.switches_of(group);
      if (top < tops.first || top >= tops.last) return false;
      if (network.next_group(group, idle) != group) return false;
      const auto next = network.next_group(group, idle + 1);
      if (next == group) return false;
    }
    return group + 1 == topology.groups();
  }

  void end_all() {
    while (!running_.empty()) end(running_.back());
  }

 private:
  static std::vector<Job> make_jobs() {
    std::vector<Job> jobs;
    for (std::int64_t i = 0; i < 60; ++i) {
      jobs.push_back(a_job(i + 1, 0, static_cast<std::int32_t>(1 + i * 5 % 12), 9));
    }
    return jobs;
  }
  static SlotsSettings settings_of(std::int32_t k) {
    SlotsSettings settings;
    settings.k = k;
    settings.slots = 4;
    settings.link_rate = 500;
    settings.rule = BandwidthRule::kNormal;
    settings.bandwidth_mean = 100;
    settings.bandwidth_cv = 0.8;
    return settings;
  }

  [[nodiscard]] Demand demand(JobId job) const { return jobs_[index(job)].demand(); }
  JobId pick(const std::vector<JobId>& from) {
    const auto last = static_cast<std::int64_t>(from.size()) - 1;
    return from[static_cast<std::size_t>(draw(engine_, 0, last))];
  }
  static void move(JobId job, std::vector<JobId>& from, std::vector<JobId>& to) {
    from.erase(std::find(from.begin(), from.end(), job));
    to.push_back(job);
  }

  void start(JobId job) {
    if (!model_.fits(job, demand(job))) return;
    model_.allocate(job, demand(job), affected_);
    move(job, waiting_, running_);
  }
  void end(JobId job) {
    model_.leave(job, affected_);
    move(job, running_, waiting_);
  }
  // As start with instead_of.
  void swap(JobId job) {
    std::vector<JobId> leaving;
    for (const JobId each : running_) {
      if (draw(engine_, 0, 1) == 0) leaving.push_back(each);
    }
    const auto later = model_.outlook(job, demand(job));
    for (const JobId each : leaving) later->release(each);
    if (!later->fits()) return;
    for (const JobId each : leaving) end(each);
    start(job);
  }

  RandomEngine engine_;
  std::vector<Job> jobs_;
  Slots model_;
  std::vector<JobId> waiting_;
  std::vector<JobId> running_;
  Affected affected_;
  bool fails_ = false;
};

}  // namespace

TEST_SUITE("machines/network/embed/random_sequences") {
  TEST_CASE("1,000 sequences leave nothing reserved that no placement holds") {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      CAPTURE(seed);
      Sequence sequence(seed, static_cast<std::int32_t>(2 + 2 * (seed % 4)));
      for (int i = 0; i < 40; ++i) {
        sequence.step();
        REQUIRE(sequence.is_consistent());
      }
      sequence.end_all();
      REQUIRE(sequence.is_consistent());
    }
  }
}
