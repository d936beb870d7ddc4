#include "engine/machines/network/network_law.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "engine/jobs/job_columns.hpp"
#include "engine/machines/network/hose_flow.hpp"
#include "engine/machines/sharing_models.hpp"
#include "tests/support/builders.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

const std::vector<Job>& jobs() {
  static const std::vector kJobs{a_job(1, 0, 4, 9), a_job(2, 0, 4, 9),
                                 a_job(3, 0, 2, 9)};
  return kJobs;
}

// A star of two servers with four slots; its links carry 100 Mb/s, each VM asks for 25.
sim::Machine machine(double link_rate = 100) {
  auto made = default_machine("slots", 1);
  SlotsSettings settings;
  settings.topology = NetworkShape::kStar;
  settings.servers = 2;
  settings.slots = 4;
  settings.link_rate = link_rate;
  settings.rule = BandwidthRule::kGiven;
  settings.bandwidth = 25;
  made.model_settings = settings;
  made.processors = 8;
  return made;
}

constexpr JobId kOne{0};
constexpr JobId kNext{1};
constexpr JobId kPair{2};
constexpr NetworkNode kEdge = 2;

// Below the one switch.
Placement below(std::vector<ServerVms> vms, IntervalSet slots, std::int64_t reserved) {
  VirtualCluster cluster;
  cluster.node = kEdge;
  cluster.level = 1;
  cluster.name = "edge 0";
  cluster.vms = std::move(vms);
  cluster.reserved = reserved;
  return placement_of(std::move(slots), std::move(cluster));
}
IntervalSet slots(std::int32_t first, std::int32_t last) { return {first, last}; }
IntervalSet slots(const Interval& a, const Interval& b) {
  IntervalSet both(a.first, a.last);
  both.insert(b);
  return both;
}
// Two VMs on each server.
Placement halves(std::int32_t from, std::int64_t reserved = 100'000) {
  return below({{0, 2}, {1, 2}}, slots({from, from + 1}, {from + 4, from + 5}),
               reserved);
}

std::string start(Law& law, JobId job, const Placement& placement) {
  const auto verdict = law.start(job, &placement, false);
  return verdict ? std::string(verdict->rule.code) : "";
}

}  // namespace

TEST_SUITE("machines/network/network_law") {
  TEST_CASE("a link carries its capacity and not one kbit/s more") {
    const auto enough = make_law(machine(100), jobs(), 1);
    CHECK(start(*enough, kOne, halves(0)).empty());
    CHECK(start(*enough, kNext, halves(2)).empty());
    const auto short_of_one = make_law(machine(99.999), jobs(), 1);
    CHECK(start(*short_of_one, kOne, halves(0)).empty());
    CHECK(start(*short_of_one, kNext, halves(2)) == "C6");
  }

  TEST_CASE("a reservation that is off by one kbit/s is found") {
    const auto law = make_law(machine(), jobs(), 1);
    CHECK(start(*law, kOne, halves(0, 99'999)) == "C6");
    CHECK(start(*law, kOne, halves(0, 100'001)) == "C6");
    CHECK(start(*law, kOne, halves(0)).empty());
  }

  TEST_CASE("a slot has one VM, and lies on the server of its VM") {
    const auto law = make_law(machine(), jobs(), 1);
    CHECK(start(*law, kOne, halves(0)).empty());
    CHECK(start(*law, kNext, halves(1)) == "C4");
    CHECK(start(*law, kPair, below({{0, 2}}, slots(2, 3), 0)).empty());
    CHECK(start(*law, kNext, below({{0, 2}, {1, 2}}, slots({6, 7}, {4, 5}), 100'000)) ==
          "C4");
  }

  TEST_CASE("what a job held is free when it has left, and not before") {
    const auto law = make_law(machine(), jobs(), 1);
    CHECK(start(*law, kOne, halves(0)).empty());
    CHECK(start(*law, kNext, halves(2)).empty());
    CHECK(law->used() == 8);
    law->leave(kOne);
    CHECK(law->used() == 4);
    law->leave(kNext);
    CHECK(start(*law, kOne, halves(2)).empty());
    CHECK(start(*law, kNext, halves(0)).empty());
  }

  TEST_CASE("all VMs of a job are placed, below its switch") {
    const auto law = make_law(machine(), jobs(), 1);
    CHECK(start(*law, kOne, below({{0, 3}}, slots(0, 2), 0)) == "C7");
    CHECK(start(*law, kOne, below({{0, 2}, {0, 2}}, slots(0, 3), 0)) == "C7");
    CHECK(start(*law, kOne, Placement(IntervalSet(0, 3))) == "C7");
    VirtualCluster zero;
    zero.name = "server 0";
    zero.vms = {{1, 2}};
    const auto in_server = placement_of(slots(4, 5), zero);
    CHECK(start(*law, kPair, in_server) == "C7");
  }

  TEST_CASE("what was reserved by the hose rule carries the traffic of any two parts") {
    const std::vector<ReservedLink> links{{0, kEdge, 50'000}, {1, kEdge, 50'000}};
    const std::vector<ServerVms> vms{{0, 2}, {1, 2}};
    const auto flow = [&](std::vector<std::int32_t> part) {
      return largest_flow(links, vms, part, 25'000);
    };
    CHECK(flow({2, 0}) == 50'000);
    CHECK(flow({1, 1}) == 50'000);
    CHECK(flow({1, 0}) == 25'000);
    CHECK(flow({0, 0}) == 0);
    const std::vector<ReservedLink> less{{0, kEdge, 49'999}, {1, kEdge, 50'000}};
    CHECK(largest_flow(less, vms, std::vector<std::int32_t>{2, 0}, 25'000) == 49'999);
  }

  // The smallest cut: a set of nodes with all that is offered in it and not wanted in
  // it.
  TEST_CASE("the largest flow on a tree is the smallest of all cuts") {
    std::mt19937 random(3);
    const auto draw = [&](std::int32_t below) {
      return static_cast<std::int32_t>(random() % static_cast<unsigned>(below));
    };
    for (int i = 0; i < 300; ++i) {
      CAPTURE(i);
      const std::int32_t nodes = 2 + draw(6);
      // The upper end of each link has a larger number; some links are left out.
      std::vector<ReservedLink> links;
      for (std::int32_t node = 0; node + 1 < nodes; ++node) {
        if (draw(6) == 0) continue;
        links.push_back({node, node + 1 + draw(nodes - node - 1), draw(5)});
      }
      std::vector<ServerVms> vms;
      std::vector<std::int32_t> part;
      for (std::int32_t node = 0; node < nodes; ++node) {
        vms.push_back({node, draw(5)});
        part.push_back(vms.back().vms > 0 ? draw(vms.back().vms + 1) : 0);
      }
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (unsigned cut = 0; cut < 1U << static_cast<unsigned>(nodes); ++cut) {
        const auto is_in = [&](NetworkNode node) {
          return (cut >> static_cast<unsigned>(node) & 1U) != 0;
        };
        std::int64_t crosses = 0;
        for (const auto& [lower, upper, reserved] : links) {
          if (is_in(lower) != is_in(upper)) crosses += reserved;
        }
        for (std::int32_t node = 0; node < nodes; ++node) {
          const auto at = static_cast<std::size_t>(node);
          crosses += is_in(node) ? vms[at].vms - part[at] : part[at];
        }
        least = std::min(least, crosses);
      }
      CHECK(largest_flow(links, vms, part, 1) == least);
    }
  }

  TEST_CASE("a thorough law proves the placements of 200 random clusters") {
    std::vector<Job> many;
    for (std::int64_t i = 0; i < 200; ++i) {
      many.push_back(a_job(i + 1, 0, static_cast<std::int32_t>(1 + i * 7 % 30), 9));
    }
    auto fat_tree = default_machine("slots", 1);
    SlotsSettings settings;
    settings.rule = BandwidthRule::kNormal;
    settings.bandwidth_mean = 60;
    fat_tree.model_settings = settings;
    const auto model = make_model(fat_tree, many, 3);
    const auto law = make_law(fat_tree, many, 3);
    law->be_thorough();
    Affected affected;
    std::int32_t started = 0;
    for (std::uint32_t i = 0; i < many.size(); ++i) {
      const JobId job{i};
      if (model->arrive(job, many[i].demand())) continue;
      law->fit()->arrive(job);
      while (!model->fits(job, many[i].demand())) {
        for (std::uint32_t other = 0; other < i; ++other) {
          if (!law->is_placed(JobId{other})) continue;
          model->leave(JobId{other}, affected);
          law->leave(JobId{other});
          break;
        }
      }
      model->allocate(job, many[i].demand(), affected);
      CHECK_FALSE(law->start(job, &model->placement(job), false).has_value());
      ++started;
    }
    CHECK(started > 150);
  }
}
