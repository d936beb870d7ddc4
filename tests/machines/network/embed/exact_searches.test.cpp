// Exact searches against all placements there are, and embeddings against each other.

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "engine/base/random_stream.hpp"
#include "engine/machines/network/embed/has_place.hpp"
#include "engine/machines/network/embed/occupancy.hpp"
#include "engine/machines/network/embed/refused_requests.hpp"
#include "tests/support/networks.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

std::int64_t draw(RandomEngine& engine, std::int64_t least, std::int64_t most) {
  return boost::random::uniform_int_distribution<std::int64_t>(least, most)(engine);
}

// A tree of up to three levels and five servers.
std::shared_ptr<const Topology> a_small_tree(RandomEngine& engine) {
  std::vector<TreeNode> nodes{{"root", -1, 0, 0}};
  std::vector<std::int32_t> switches{0};
  for (auto more = draw(engine, 0, 2); more > 0; --more) {
    const auto parent = switches[static_cast<std::size_t>(
        draw(engine, 0, static_cast<std::int64_t>(switches.size()) - 1))];
    switches.push_back(static_cast<std::int32_t>(nodes.size()));
    nodes.push_back(
        {fmt::format("s{}", nodes.size()), parent, draw(engine, 20, 120) * kMbit, 0});
  }
  const auto server = [&](std::int32_t parent) {
    nodes.push_back({"", parent, draw(engine, 20, 120) * kMbit,
                     static_cast<std::int32_t>(draw(engine, 1, 3))});
  };
  for (const auto each : switches) server(each);
  for (auto more = draw(engine, 0, 2); more > 0; --more) {
    server(switches[static_cast<std::size_t>(
        draw(engine, 0, static_cast<std::int64_t>(switches.size()) - 1))]);
  }
  return std::make_shared<Topology>(Topology::tree(nodes));
}

// Fills a part of the network with clusters that stay.
void fill(Network& network, RandomEngine& engine) {
  const auto first_fit = an_embedding("first_fit");
  for (auto more = draw(engine, 0, 3); more > 0; --more) {
    const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 1, 3)),
                                 draw(engine, 0, 40) * kMbit, 100 * kMbit};
    if (const auto found = first_fit->find(network, request, budget)) {
      network.take(request, network.placement(request, *found));
    }
  }
}

struct Best {
  bool any = false;
  std::int32_t level = 0;
  Occupancy congestion;        // least, of the lowest level
  std::int64_t reserved = -1;  // least, of all levels
};

Occupancy congestion_of(const Network& network, const ClusterRequest& request,
                        const Embedded& where) {
  const auto& topology = network.topology();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(topology.links()), 0);
  for (const auto& [server, vms] : where.vms) {
    for (const auto link : topology.route(where.top, server)) {
      counts[static_cast<std::size_t>(link)] += vms;
    }
  }
  Occupancy worst;
  for (NetworkLink link = 0; link < topology.links(); ++link) {
    const auto need = hose_need(counts[static_cast<std::size_t>(link)], request.vms,
                                request.bandwidth);
    const auto capacity = topology.capacity(link);
    if (need > 0) {
      worst =
          std::max(worst, Occupancy{capacity - network.left(link) + need, capacity});
    }
  }
  return worst;
}

// Tries every number of VMs on every server below every switch.
class Everything {
 public:
  Everything(const Network& network, const ClusterRequest& request)
      : network_(network), request_(request) {
    const auto& topology = network.topology();
    for (auto top = topology.servers(); top < topology.nodes(); ++top) {
      Embedded where{top, {}};
      place(where, topology.below(top).first, request.vms);
    }
  }
  [[nodiscard]] const Best& best() const { return best_; }

 private:
  void place(Embedded& where, NetworkNode server, std::int32_t left) {
    if (left == 0) return judge(where);
    if (server == network_.topology().below(where.top).last) return;
    place(where, server + 1, left);
    for (std::int32_t vms = 1; vms <= std::min(left, network_.idle(server)); ++vms) {
      where.vms.push_back({server, vms});
      place(where, server + 1, left - vms);
      where.vms.pop_back();
    }
  }
  void judge(const Embedded& where) {
    if (network_.shortage(request_, where)) return;
    const auto level = network_.topology().level(where.top);
    const auto congestion = congestion_of(network_, request_, where);
    const auto reserved = network_.reserved(request_, where);
    if (!best_.any || level < best_.level ||
        (level == best_.level && congestion < best_.congestion)) {
      best_.level = level;
      best_.congestion = congestion;
    }
    if (!best_.any || reserved < best_.reserved) best_.reserved = reserved;
    best_.any = true;
  }

  const Network& network_;
  const ClusterRequest& request_;
  Best best_;
};

}  // namespace

TEST_SUITE("machines/network/embed/exact_searches") {
  TEST_CASE("greedy and least_reserved find what trying everything finds") {
    auto engine = random_stream(1, "test.exact");
    const auto greedy = an_embedding("greedy");
    const auto least = an_embedding("least_reserved");
    int placed = 0;
    for (int i = 0; i < 1000; ++i) {
      CAPTURE(i);
      Network network(a_small_tree(engine), Hose::kSubtree);
      fill(network, engine);
      const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 1, 7)),
                                   draw(engine, 0, 80) * kMbit, 100 * kMbit};
      const auto best = Everything(network, request).best();
      const auto congested = greedy->find(network, request, budget);
      const auto cheapest = least->find(network, request, budget);
      REQUIRE(congested.has_value() == best.any);
      REQUIRE(cheapest.has_value() == best.any);
      REQUIRE(has_place(network, request, budget) == best.any);
      if (!best.any) continue;
      ++placed;
      CHECK(network.topology().level(congested->top) == best.level);
      CHECK(congestion_of(network, request, *congested) == best.congestion);
      CHECK(network.reserved(request, *cheapest) == best.reserved);
    }
    CHECK(placed > 300);
    CHECK(placed < 950);
  }

  TEST_CASE("no embedding places what the exact search refuses, or reserves less") {
    auto engine = random_stream(2, "test.exact");
    const auto least = an_embedding("least_reserved");
    for (int i = 0; i < 300; ++i) {
      CAPTURE(i);
      Network network(i % 2 == 0 ? a_fat_tree(4, 3, 100) : a_small_tree(engine),
                      Hose::kSubtree);
      for (int more = 0; more < 5; ++more) fill(network, engine);
      const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 1, 12)),
                                   draw(engine, 0, 90) * kMbit, 100 * kMbit};
      const auto cheapest = least->find(network, request, budget);
      CHECK(has_place(network, request, budget) == cheapest.has_value());
      for (const auto& record : embeddings()) {
        CAPTURE(record.name);
        const auto found = record.make({})->find(network, request, budget);
        if (!found) continue;
        REQUIRE(cheapest.has_value());
        CHECK(!network.shortage(request, *found));
        CHECK(network.reserved(request, *cheapest) <=
              network.reserved(request, *found));
      }
    }
  }

  TEST_CASE("what asks for no less than a request without a place has none either") {
    auto engine = random_stream(4, "test.exact");
    int covered = 0;
    for (int i = 0; i < 200; ++i) {
      CAPTURE(i);
      Network network(i % 2 == 0 ? a_fat_tree(4, 3, 100) : a_small_tree(engine),
                      Hose::kSubtree);
      RefusedRequests refused;
      for (int more = 0; more < 40; ++more) {
        if (more % 10 == 0) fill(network, engine);  // takes more of it
        const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 1, 12)),
                                     draw(engine, 0, 90) * kMbit, 100 * kMbit};
        const bool is_covered = refused.covers(request);
        covered += is_covered ? 1 : 0;
        const bool has_one = has_place(network, request, budget);
        REQUIRE_FALSE((is_covered && has_one));
        if (is_covered || has_one) continue;
        refused.add(request);
        CHECK(refused.covers(request));
        CHECK(refused.covers({request.vms + 1, request.bandwidth, 100 * kMbit}));
      }
    }
    CHECK(covered > 1000);
  }

  TEST_CASE("whether there is a place is known of millions of VMs") {
    // The link of a server carries 32 of its 64 VMs, or all of them.
    const auto star = std::make_shared<Topology>(Topology::star(150'000, 64, 32));
    Network network(star, Hose::kSubtree);
    Budget own;
    CHECK(has_place(network, {150'000 * 32, 1, 1}, own));
    CHECK_FALSE(has_place(network, {150'000 * 32 + 1, 1, 1}, own));
    CHECK(has_place(network, {64, 1, 1}, own));
    CHECK(own.charged() < 100 * star->nodes());
  }

  TEST_CASE("a greedy search of all levels is never more congested") {
    auto engine = random_stream(3, "test.exact");
    const auto lowest = an_embedding("greedy");
    const auto global = an_embedding("greedy", {GreedyScope::kGlobal});
    int better = 0;
    for (int i = 0; i < 300; ++i) {
      Network network(a_small_tree(engine), Hose::kSubtree);
      fill(network, engine);
      const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 2, 6)),
                                   draw(engine, 1, 60) * kMbit, 100 * kMbit};
      const auto one = lowest->find(network, request, budget);
      const auto all = global->find(network, request, budget);
      REQUIRE(one.has_value() == all.has_value());
      if (!one) continue;
      const auto of_one = congestion_of(network, request, *one);
      const auto of_all = congestion_of(network, request, *all);
      CHECK(!(of_one < of_all));
      better += of_all < of_one ? 1 : 0;
    }
    CHECK(better > 0);
  }

  TEST_CASE("sets of one word and of many find the same") {
    const auto greedy = an_embedding("greedy");
    Network network(a_fat_tree(6, 8), Hose::kSubtree);
    const ClusterRequest of_63{63, 90 * kMbit, 100 * kMbit};
    const ClusterRequest of_64{64, 90 * kMbit, 100 * kMbit};
    for (const auto& request : {of_63, of_64}) {
      const auto found = greedy->find(network, request, budget);
      REQUIRE(found.has_value());
      CHECK(!network.shortage(request, *found));
      std::int32_t vms = 0;
      for (const auto& each : found->vms) vms += each.vms;
      CHECK(vms == request.vms);
    }
  }

  // What k = 6 and k = 4 take while they are empty, as 1000/q.
  TEST_CASE("the largest bandwidth that an empty fat tree takes") {
    constexpr std::array<std::pair<std::int32_t, std::int64_t>, 19> kOf6{{{9, 1},
                                                                          {10, 2},
                                                                          {12, 2},
                                                                          {15, 3},
                                                                          {16, 3},
                                                                          {17, 3},
                                                                          {20, 4},
                                                                          {24, 4},
                                                                          {25, 5},
                                                                          {30, 5},
                                                                          {32, 6},
                                                                          {40, 7},
                                                                          {48, 8},
                                                                          {54, 9},
                                                                          {64, 11},
                                                                          {72, 12},
                                                                          {80, 14},
                                                                          {100, 17},
                                                                          {128, 22}}};
    constexpr std::array<std::pair<std::int32_t, std::int64_t>, 9> kOf4{{{9, 1},
                                                                         {10, 2},
                                                                         {12, 3},
                                                                         {16, 4},
                                                                         {20, 5},
                                                                         {24, 6},
                                                                         {32, 8},
                                                                         {64, 16},
                                                                         {128, 32}}};
    const auto takes = [](const Network& network, std::string_view name,
                          std::int32_t vms, std::int64_t bandwidth) {
      return an_embedding(name)
          ->find(network, {vms, bandwidth, bandwidth}, budget)
          .has_value();
    };
    const auto check = [&](std::int32_t k, auto& rows) {
      const Network network(a_fat_tree(k, 8), Hose::kSubtree);
      for (const auto& row : rows) {
        const auto vms = row.first;
        const auto q = row.second;
        CAPTURE(vms);
        for (const auto name : {"first_fit", "least_reserved"}) {
          CHECK(takes(network, name, vms, 1'000'000 / q));
          if (q > 1) CHECK_FALSE(takes(network, name, vms, 1'000'000 / (q - 1)));
        }
      }
    };
    check(6, kOf6);
    check(4, kOf4);
    const Network network(a_fat_tree(6, 8), Hose::kSubtree);
    CHECK(takes(network, "first_fit", 8, 1'000'000'000));
    CHECK_FALSE(takes(network, "first_fit", 9, 1'000'001));
  }

  TEST_CASE("what is given back is as it was before") {
    auto engine = random_stream(4, "test.exact");
    for (int i = 0; i < 200; ++i) {
      CAPTURE(i);
      const auto k = static_cast<std::int32_t>(2 * draw(engine, 1, 4));
      const auto topology = a_fat_tree(k, 4, 300);
      Network network(topology, i % 3 == 0 ? Hose::kPerPath : Hose::kSubtree);
      const auto adaba = an_embedding("adaba");
      std::vector<std::pair<ClusterRequest, Placement>> held;
      for (int step = 0; step < 60; ++step) {
        if (!held.empty() && draw(engine, 0, 2) == 0) {
          const auto which = static_cast<std::ptrdiff_t>(
              draw(engine, 0, static_cast<std::int64_t>(held.size()) - 1));
          network.give(held[static_cast<std::size_t>(which)].first,
                       held[static_cast<std::size_t>(which)].second);
          held.erase(held.begin() + which);
        } else {
          const ClusterRequest request{static_cast<std::int32_t>(draw(engine, 1, 12)),
                                       draw(engine, 0, 200) * kMbit, 200 * kMbit};
          if (const auto found = adaba->find(network, request, budget)) {
            held.emplace_back(request, network.placement(request, *found));
            network.take(request, held.back().second);
          }
        }
        Network anew(topology, network.hose());
        for (const auto& [request, placement] : held) anew.take(request, placement);
        REQUIRE(anew == network);
      }
      for (const auto& [request, placement] : held) network.give(request, placement);
      CHECK(network == Network(topology, network.hose()));
    }
  }
}
