#include "engine/machines/network/tree/topology.hpp"

#include <doctest/doctest.h>

#include "engine/machines/network/tree/network_graph.hpp"
#include "tests/support/networks.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("machines/network/tree/topology") {
  TEST_CASE("numbers of a fat tree") {
    struct Row {
      std::int32_t k, servers, edges, aggregations, cores, links, slots;
    };
    for (const auto& row :
         {Row{4, 16, 8, 8, 4, 48, 128}, Row{6, 54, 18, 18, 9, 162, 432},
          Row{48, 27'648, 1'152, 1'152, 576, 82'944, 221'184}}) {
      CAPTURE(row.k);
      const auto tree = a_fat_tree(row.k, 8);
      CHECK(tree->servers() == row.servers);
      CHECK(tree->switches(1).size() == row.edges);
      CHECK(tree->switches(2).size() == row.aggregations);
      CHECK(tree->switches(3).size() == row.cores);
      CHECK(tree->links() == row.links);
      CHECK(tree->processors() == row.slots);
    }
  }

  TEST_CASE("every route of the arithmetic is a shortest path of the graph") {
    for (std::int32_t k = 2; k <= 8; k += 2) {
      CAPTURE(k);
      const auto tree = a_fat_tree(k, 8);
      const NetworkGraph graph(*tree);
      for (auto top = tree->servers(); top < tree->nodes(); ++top) {
        const auto far = graph.distances(top);
        const auto below = tree->below(top);
        for (auto server = below.first; server < below.last; ++server) {
          const auto route = tree->route(top, server);
          REQUIRE(std::cmp_equal(route.size(), far[static_cast<std::size_t>(server)]));
          REQUIRE(graph.way_up(server, top) == route);
          REQUIRE(tree->is_below(server, top));
        }
      }
    }
  }

  TEST_CASE("children of switches are their neighbours below") {
    const auto tree = a_fat_tree(6, 8);
    const NetworkGraph graph(*tree);
    for (auto top = tree->servers(); top < tree->nodes(); ++top) {
      std::int32_t children = 0;
      tree->for_each_child(top, [&](NetworkNode child, NetworkLink link) {
        CHECK(graph.link(top, child) == link);
        CHECK(tree->level(child) == tree->level(top) - 1);
        ++children;
      });
      CHECK(children == (tree->level(top) == 3 ? 6 : 3));
    }
  }

  TEST_CASE("a server of one pod is below no switch of another") {
    const auto tree = a_fat_tree(4, 8);
    const NetworkGraph graph(*tree);
    const auto aggregation = tree->switches(2).first;
    CHECK(tree->is_below(3, aggregation));
    CHECK_FALSE(tree->is_below(4, aggregation));
    CHECK_FALSE(graph.way_up(4, aggregation).has_value());
  }

  TEST_CASE("names") {
    const auto tree = a_fat_tree(4, 8);
    CHECK(tree->name(3) == "server 3");
    CHECK(tree->name(tree->switches(1).first) == "edge 0");
    CHECK(tree->name(tree->switches(2).first + 4) == "aggregation 4");
    CHECK(tree->name(tree->switches(3).first + 2) == "core 2");
    CHECK(a_star(3, 2, 10)->name(3) == "edge 0");
  }

  TEST_CASE("rates of the three layers") {
    const auto tree = Topology::fat_tree(4, 8, {1000, 500, 250});
    CHECK(tree.capacity(tree.route(tree.switches(3).first, 0)[0]) == 1000);
    CHECK(tree.capacity(tree.route(tree.switches(3).first, 0)[1]) == 500);
    CHECK(tree.capacity(tree.route(tree.switches(3).first, 0)[2]) == 250);
  }
}
