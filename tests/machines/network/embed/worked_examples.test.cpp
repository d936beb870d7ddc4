// Numbers worked out by hand and by two programs written apart from each other.

#include <doctest/doctest.h>

#include <array>

#include "engine/machines/network/embed/adaba.hpp"
#include "tests/support/networks.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::array<std::string_view, 4> kOfTheFrame{"adaba", "best_fit", "first_fit",
                                                      "oktopus"};

std::string ask(std::string_view embedding, std::int32_t vms, std::int64_t bandwidth) {
  return Tenants(a_fat_tree(6, 8), embedding).ask(vms, bandwidth);
}

// A star of six servers with two slots each and links of 100, after some requests.
Tenants figure_3(std::string_view embedding) {
  auto made = a_loaded_star({{1, 70}, {2, 100}, {1, 70}, {2, 100}, {1, 50}, {2, 100}},
                            2, 100, embedding);
  made.seen(60);
  return made;
}

}  // namespace

TEST_SUITE("machines/network/embed/worked_examples") {
  TEST_CASE("what a link needs is the smaller side times the bandwidth") {
    constexpr std::array<std::int64_t, 9> kOf8{0, 1, 2, 3, 4, 3, 2, 1, 0};
    constexpr std::array<std::int64_t, 10> kOf9{0, 1, 2, 3, 4, 4, 3, 2, 1, 0};
    for (std::size_t m = 0; m < kOf8.size(); ++m) {
      CHECK(hose_need(static_cast<std::int64_t>(m), 8, 10) == kOf8[m] * 10);
    }
    for (std::size_t m = 0; m < kOf9.size(); ++m) {
      CHECK(hose_need(static_cast<std::int64_t>(m), 9, 10) == kOf9[m] * 10);
    }
    CHECK(hose_need(8, 24, 125) == 1000);
    CHECK(hose_need(8, 24, 126) > 1000);
  }

  TEST_CASE("AdaBa prefers emptier servers the larger the request") {
    const Network network(a_fat_tree(6, 8), Hose::kSubtree);
    constexpr std::array<std::size_t, 8> kBest{1, 1, 2, 3, 4, 5, 6, 7};
    for (std::size_t i = 0; i < kBest.size(); ++i) {
      const auto bandwidth = static_cast<std::int64_t>(10 + 100 * i);
      std::array<std::int32_t, 9> rank{};
      rank_by_adaba(network, {8, bandwidth, 800}, rank);
      CAPTURE(bandwidth);
      CHECK(rank[kBest[i]] == 0);
    }
  }

  TEST_CASE("AdaBa ranks everything the wrong way round for the smallest request") {
    const Network network(a_fat_tree(6, 8), Hose::kSubtree);
    std::array<std::int32_t, 9> rank{};
    rank_by_adaba(network, {8, 10, 800}, rank);
    CHECK(rank == std::array<std::int32_t, 9>{0, 0, 1, 2, 3, 4, 5, 6, 7});
    rank_by_adaba(network, {8, 0, 0}, rank);
    CHECK(rank[1] == 0);
    CHECK(rank[8] == 7);
  }

  TEST_CASE("a small request on a star is kept off the empty servers by AdaBa") {
    struct Row {
      std::string_view embedding;
      std::string small;
      std::array<std::string, 3> large;
    };
    const std::array rows{
        Row{"adaba",
            "node star; 0:1 2:1 4:1 (30)",
            {"node star; 1:2", "node star; 3:2", "node star; 5:2"}},
        Row{"best_fit",
            "node star; 0:1 2:1 4:1 (30)",
            {"node star; 1:2", "node star; 3:2", "node star; 5:2"}},
        Row{"best_fit_anywhere",
            "node star; 0:1 2:1 4:1 (30)",
            {"node star; 1:2", "node star; 3:2", "node star; 5:2"}},
        Row{"first_fit",
            "node star; 0:1 1:2 (20)",
            {"node star; 2:1 3:1 (120)", "node star; 5:2", "rejected"}},
        Row{"oktopus_counting",
            "node star; 0:1 1:2 (20)",
            {"node star; 2:1 3:1 (120)", "node star; 5:2", "rejected"}},
        Row{"greedy",
            "node star; 1:2 3:1 (20)",
            {"node star; 5:2", "node star; 0:1 2:1 (120)", "rejected"}},
        Row{"greedy_by_vm",
            "node star; 1:2 3:1 (20)",
            {"node star; 5:2", "node star; 0:1 3:1 (120)", "rejected"}},
        Row{"oktopus",
            "node star; 0:1 1:2 (20)",
            {"server 3; 3:2", "server 5; 5:2", "rejected"}},
        Row{"least_reserved",
            "node star; 0:1 1:2 (20)",
            {"node star; 3:2", "node star; 5:2", "rejected"}},
    };
    for (const auto& row : rows) {
      CAPTURE(row.embedding);
      auto star = figure_3(row.embedding);
      CHECK(star.put("small", 3, 10) == row.small);
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(star.put(fmt::format("large {}", i), 2, 60) == row.large[i]);
      }
    }
  }

  TEST_CASE("placements on the empty fat tree, k = 6") {
    for (const auto name : kOfTheFrame) {
      CAPTURE(name);
      CHECK(ask(name, 16, 100) == "edge 0; 0:8 1:8 (1600)");
      CHECK(ask(name, 24, 125) == "edge 0; 0:8 1:8 2:8 (3000)");
      CHECK(ask(name, 24, 126) == "core 0; 0:7 9:7 18:7 27:3 (9072)");
      CHECK(ask(name, 20, 200) == "core 0; 0:5 9:5 18:5 27:5 (12000)");
      CHECK(ask(name, 9, 500) == "edge 0; 0:8 1:1 (1000)");
    }
    CHECK(ask("oktopus", 8, 1000) == "server 0; 0:8");
    CHECK(ask("adaba", 8, 1000) == "edge 0; 0:8");
    CHECK(ask("greedy", 16, 100) == "edge 0; 0:6 1:6 2:4 (1600)");
    CHECK(ask("greedy", 24, 125) == "edge 0; 0:8 1:8 2:8 (3000)");
    CHECK(ask("greedy", 24, 126) == "aggregation 0; 0:6 1:6 2:6 3:6 (4536)");
    CHECK(ask("greedy", 20, 200) == "aggregation 0; 0:5 1:5 2:5 3:5 (6000)");
    CHECK(ask("greedy", 8, 1000) == "edge 0; 0:8");
    CHECK(ask("greedy", 9, 500) == "edge 0; 0:8 1:1 (1000)");
    CHECK(ask("least_reserved", 16, 100) == "edge 0; 0:8 1:8 (1600)");
    CHECK(ask("least_reserved", 24, 126) == "aggregation 0; 0:7 1:7 2:7 3:3 (3780)");
    CHECK(ask("least_reserved", 20, 200) == "aggregation 0; 0:5 1:5 2:5 3:5 (6000)");
    CHECK(ask("least_reserved", 8, 1000) == "edge 0; 0:8");
    CHECK(ask("least_reserved", 9, 500) == "edge 0; 0:8 1:1 (1000)");
  }

  TEST_CASE("the whole fat tree of k = 6 takes one cluster of 432 VMs at 5 Mb/s") {
    for (const auto name :
         {"adaba", "best_fit", "first_fit", "oktopus", "greedy", "least_reserved"}) {
      CAPTURE(name);
      Tenants tenants(a_fat_tree(6, 8), name);
      const auto where = tenants.put("all", 432, 5);
      CHECK(where.starts_with("core 0; 0:8 1:8 2:8"));
      CHECK(tenants.reserved() == 6480);
      CHECK(tenants.network().idle_slots() == 0);
      std::int64_t least = 1000 * kMbit;
      for (NetworkLink link = 0; link < 162; ++link) {
        least = std::min(least, tenants.network().left(link));
      }
      CHECK(least == (1000 - 360) * kMbit);
    }
  }

  TEST_CASE("comparators found by search reject what the frame takes") {
    CHECK(ask("oktopus_counting", 8, 1000) == "rejected");
    CHECK(ask("greedy_by_vm", 8, 1000) == "rejected");
    CHECK(ask("best_fit_anywhere", 8, 1000) == "core 0; 0:8");
    for (const auto name : {"best_fit_anywhere", "oktopus_counting"}) {
      CHECK(ask(name, 9, 500) == "core 0; 0:2 9:2 18:2 27:2 36:1 (13500)");
    }
    CHECK(ask("greedy_by_vm", 9, 500) == "core 0; 0:2 9:2 18:2 27:1 36:1 45:1 (13500)");
    CHECK(ask("best_fit_anywhere", 24, 125) == "core 0; 0:8 9:8 18:8 (9000)");
    CHECK(ask("greedy_by_vm", 16, 100).starts_with("edge 0; 0:6 1:5 2:5"));
  }

  TEST_CASE("eight requests in a session without releases") {
    struct Row {
      std::string_view embedding;
      std::array<std::string, 8> where;
      std::int64_t reserved;
    };
    const std::string f_late = "aggregation 0; 1:2 3:8 4:8 5:8 6:4";
    const std::array rows{
        Row{"adaba",
            {"edge 0; 0:5", "edge 0; 1:3", "edge 0; 0:2", "edge 0; 2:8", "edge 0; 1:4",
             "aggregation 0; 0:1 1:1 3:8 4:8 5:8 6:4 (1680)", "edge 2; 6:4 7:8 (960)",
             "edge 2; 8:1"},
            2640},
        Row{"best_fit",
            {"edge 0; 0:5", "edge 0; 0:3", "edge 0; 1:2", "edge 0; 1:1 2:7 (1600)",
             "edge 0; 1:4", "aggregation 0; 1:1 2:1 3:8 4:8 5:8 6:4 (1680)",
             "edge 2; 6:4 7:8 (960)", "edge 2; 8:1"},
            4240},
        Row{"first_fit",
            {"edge 0; 0:5", "edge 0; 0:3", "edge 0; 1:2", "edge 0; 1:1 2:7 (1600)",
             "edge 0; 1:4", "aggregation 0; 1:1 2:1 3:8 4:8 5:8 6:4 (1680)",
             "edge 2; 6:4 7:8 (960)", "edge 2; 8:1"},
            4240},
        Row{"oktopus",
            {"server 0; 0:5", "server 0; 0:3", "server 1; 1:2", "server 2; 2:8",
             "server 1; 1:4", f_late + " (1680)", "edge 2; 6:4 7:8 (960)",
             "server 8; 8:1"},
            2640},
        Row{"greedy",
            {"edge 0; 0:5", "edge 0; 0:3", "edge 0; 1:2", "edge 0; 2:8", "edge 0; 1:4",
             f_late + " (1680)", "edge 2; 6:2 7:8 8:2 (960)", "edge 2; 6:1"},
            2640},
    };
    constexpr std::array<std::pair<std::int32_t, std::int64_t>, 8> kRequests{
        {{5, 100},
         {3, 800},
         {2, 80},
         {8, 800},
         {4, 400},
         {30, 40},
         {12, 120},
         {1, 900}}};
    for (const auto& row : rows) {
      CAPTURE(row.embedding);
      Tenants tenants(a_fat_tree(6, 8), row.embedding);
      for (std::size_t i = 0; i < kRequests.size(); ++i) {
        CHECK(tenants.put(fmt::format("{}", i), kRequests[i].first,
                          kRequests[i].second) == row.where[i]);
      }
      CHECK(tenants.reserved() == row.reserved);
      CHECK(tenants.network().idle_slots() == 367);
    }
  }

  TEST_CASE("the links that one cluster of the session uses") {
    Tenants tenants(a_fat_tree(6, 8), "adaba");
    for (const auto& [vms, bandwidth] :
         {std::pair{5, 100}, {3, 800}, {2, 80}, {8, 800}, {4, 400}}) {
      (void)tenants.put("before", vms, bandwidth);
    }
    (void)tenants.put("f", 30, 40);
    const auto used = [&](NetworkLink link) {
      return 1000 - tenants.network().left(link) / kMbit;
    };
    CHECK(used(0) == 40);
    CHECK(used(1) == 40);
    CHECK(used(2) == 0);
    CHECK(used(3) == 320);
    CHECK(used(4) == 320);
    CHECK(used(5) == 320);
    CHECK(used(6) == 160);
    const auto route = tenants.network().topology();
    CHECK(used(route.route(54 + 18, 0)[1]) == 80);
    CHECK(used(route.route(54 + 18, 3)[1]) == 240);
    CHECK(used(route.route(54 + 18, 6)[1]) == 160);
  }

  TEST_CASE("a session with releases, k = 4") {
    struct Row {
      std::string_view embedding;
      std::string d;
      std::string g;
      std::string h;
      std::int64_t reserved;
    };
    const std::string with_2 = "core 0; 1:1 2:1 6:2 7:4 8:4 9:4 10:4 (2800)";
    const std::string with_3 = "core 0; 1:1 3:1 6:2 7:4 8:4 9:4 10:4 (2800)";
    const std::array rows{
        Row{"adaba", "edge 1; 3:4", with_2, "aggregation 2; 4:4 5:3 6:2 (3250)", 6950},
        Row{"best_fit", "edge 1; 2:1 3:3 (1200)", with_3,
            "aggregation 2; 4:4 5:3 6:2 (3250)", 8150},
        Row{"first_fit", "edge 1; 2:1 3:3 (1200)", with_3,
            "aggregation 2; 4:4 5:4 6:1 (2750)", 7650},
        Row{"oktopus", "server 3; 3:4", with_2, "aggregation 2; 4:4 5:4 6:1 (2750)",
            6450},
        Row{"greedy", "edge 1; 3:4",
            "core 0; 2:1 6:2 7:1 8:4 9:3 10:4 11:3 12:2 (2600)",
            "aggregation 3; 4:3 5:3 6:2 7:1 (3750)", 7250},
        Row{"least_reserved", "edge 1; 3:4",
            "core 0; 1:1 2:1 6:2 8:4 9:4 10:4 11:4 (2400)",
            "aggregation 2; 4:4 5:4 6:1 (2750)", 6050},
    };
    for (const auto& row : rows) {
      CAPTURE(row.embedding);
      const bool hides = row.embedding == "oktopus";
      Tenants tenants(a_fat_tree(4, 4), row.embedding);
      CHECK(tenants.put("a", 6, 300) == "edge 0; 0:4 1:2 (1200)");
      CHECK(tenants.put("b", 3, 900) == (hides ? "server 2; 2:3" : "edge 1; 2:3"));
      CHECK(tenants.put("c", 10, 100) == "aggregation 2; 4:4 5:4 6:2 (1400)");
      CHECK(tenants.put("d", 4, 600) == row.d);
      tenants.give("a");
      CHECK(tenants.put("e", 5, 450) == "edge 0; 0:4 1:1 (900)");
      CHECK(tenants.put("f", 2, 1000) == (hides ? "server 1; 1:2" : "edge 0; 1:2"));
      CHECK(tenants.put("g", 20, 50) == row.g);
      tenants.give("c");
      CHECK(tenants.put("h", 9, 250) == row.h);
      CHECK(tenants.reserved() == row.reserved);
      CHECK(tenants.network().idle_slots() == 21);
    }
  }

  TEST_CASE("more bandwidth may pass where less does not") {
    const auto on_star = [](std::string_view name, std::int64_t bandwidth) {
      return a_loaded_star({{1, 40}, {4, 30}, {1, 10}}, 4, 100, name).ask(3, bandwidth);
    };
    CHECK(on_star("first_fit", 40) == "rejected");
    CHECK(on_star("first_fit", 41) == "node star; 1:3");
    CHECK(on_star("greedy", 40) == "node star; 1:3");
    CHECK(on_star("greedy", 41) == "node star; 1:3");
  }
}
