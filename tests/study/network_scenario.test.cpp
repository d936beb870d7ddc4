// Scenarios with a network that are wrong, each named before anything runs.

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "study/inputs/workload_source.hpp"
#include "study/scenario/scenario_reader.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

// The error of a scenario with these keys of [machine.network]; "" if there is none.
std::string error_of(const std::string& network,
                     const std::string& machine = "sharing = \"slots\"",
                     const std::string& workload = "") {
  try {
    const auto scenario = study::read_scenario(
        "s.toml", "[machine]\n" + machine + "\n" + network +
                      "\n[workload]\nmodel = \"tenants\"\njobs = 5\n" + workload +
                      "\n[run]\npolicies = [\"fcfs\"]\n");
    (void)study::load_workload(scenario, {}, test::unlimited());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string of_network(const std::string& key) {
  return error_of("[machine.network]\n" + key);
}

bool has(const std::string& text, std::string_view part) {
  CAPTURE(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_SUITE("study/network_scenario") {
  TEST_CASE("a right scenario has the slots of its network as processors") {
    CHECK(of_network("k = 4").empty());
    CHECK(error_of("[machine.network]\nk = 4", "sharing = \"slots\"\nprocessors = 128")
              .empty());
  }

  TEST_CASE("numbers out of range are named at their place") {
    for (const auto* key :
         {"k = 5", "k = 0", "k = 66", "slots = 0", "slots = 65", "link_rate = 0",
          "link_rate = -1", "link_rate = 1e10", "edge_rate = 0", "servers = 0"}) {
      CAPTURE(key);
      const std::string name(key, std::string_view(key).find(' '));
      has(of_network(key), "s.toml:4:");
      has(of_network(key), "machine.network." + name);
    }
  }

  TEST_CASE("names that are none come with the nearest one") {
    has(of_network("embedding = \"adabaa\""), "adaba");
    has(of_network("topology = \"fattree\""), "fat_tree");
    has(of_network("embeding = \"adaba\""), "embedding");
  }

  TEST_CASE("a network and a machine that disagree are refused") {
    has(error_of("[machine.network]\nk = 4", "sharing = \"slots\"\nprocessors = 127"),
        "[machine.network] has 128 of them");
    has(error_of("[machine.network]\nk = 4", "processors = 128"),
        "[machine.network] and workload.bandwidth are for");
    has(error_of(""), "needs [machine.network]");
    has(of_network("topology = \"tree\""), "needs a file");
    has(of_network("hose = \"per_path\"\nembedding = \"greedy\""), "per_path");
    has(of_network("hose = \"per_path\"\nembedding = \"least_reserved\""), "per_path");
  }

  TEST_CASE("a bandwidth that rounds to nothing is refused") {
    has(error_of("[machine.network]\nk = 4", "sharing = \"slots\"",
                 "bandwidth = 0.0001"),
        "rounds to 0 kbit/s");
    CHECK(error_of("[machine.network]\nk = 4", "sharing = \"slots\"", "bandwidth = 0")
              .empty());
  }
}
