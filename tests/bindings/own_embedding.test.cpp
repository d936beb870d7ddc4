// An embedding whose order of servers is written in Lua.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// On a network machine every policy has the parameter.
Played play_on_network(const std::string& text) {
  bindings::PolicyOptions options;
  options.of_machine =
      bindings::Parameter{"embedding", "", std::string("adaba"), {}, {}, {"adaba"}};
  options.limits.work_units = 100'000;
  return play(text, two_jobs(), a_network_machine(4), options);
}

// Runs a policy with this field `embedding`, whose pass does this.
Played scene(const std::string& embedding,
             const std::string& body = "cluster:start_all(queue)") {
  return play_on_network("return { embedding = " + embedding +
                         ", schedule = function(queue, cluster) " + body + " end }");
}

}  // namespace

TEST_SUITE("bindings/own_embedding") {
  TEST_CASE("the server with the largest weight comes first, by number among equals") {
    const auto vms =
        "local at = cluster.network:embed(queue:head()) "
        "if at then print(at:vms(0), at:vms(1)) end";
    CHECK(
        scene("{ server_weight = function(server) return server end }", vms).printed ==
        "0\t2\n");
    CHECK(
        scene("{ server_weight = function(server) return -server end }", vms).printed ==
        "2\t0\n");
    CHECK(scene("{ server_weight = function() return 7 end }", vms).printed ==
          "2\t0\n");
    CHECK(scene("{ weight = function(slots) return slots end }", vms).printed ==
          "2\t0\n");
  }

  TEST_CASE("a weight is given the job and the network") {
    const auto all = scene(
        "{ server_weight = function(server, job, network) "
        "print(server, job.size, network:idle_slots(server)) return 0 end }",
        "if cluster:now() == 0 then cluster:start(queue:head()) end");
    CHECK(all.error.empty());
    CHECK(all.printed.substr(0, 10) == "0\t2\t2\n1\t2\t");
  }

  TEST_CASE("a weight that is no finite number ends the run") {
    for (const auto* value : {"nil", "0/0", "1/0", "'7'", "{}"}) {
      CAPTURE(value);
      for (const auto* kind : {"weight", "server_weight"}) {
        const auto all = scene(std::string("{ ") + kind + " = function() return " +
                               value + " end }");
        CHECK(all.fails_with("a weight must be a finite number"));
      }
    }
  }

  TEST_CASE("a weight neither acts nor asks where jobs would be placed") {
    const auto fails = [](const std::string& act, const std::string& why) {
      const auto all = play_on_network(
          "local known return { embedding = { weight = function(_, job, network) "
          "if known then " +
          act +
          " end return 0 end }, schedule = function(queue, cluster) "
          "known = { queue, cluster } cluster:start_all(queue) end }");
      CAPTURE(all.error);
      return all.fails_with(why);
    };
    CHECK(fails("known[2]:start(job)", "a function passed in"));
    CHECK(fails("known[2]:reject(job)", "a function passed in"));
    CHECK(fails("network:embed(job)", "cannot ask where a job would be placed"));
    CHECK(fails("known[1]:why_not(job)", "cannot ask where a job would be placed"));
    CHECK(fails("while true do end", "weight"));
  }

  TEST_CASE("a wrong table says what it wants") {
    const auto fails = [](const std::string& embedding, const std::string& why) {
      const auto all = scene(embedding);
      CAPTURE(all.error);
      return all.fails_with(why);
    };
    CHECK(fails("{}", "give either weight or server_weight"));
    CHECK(fails("{ weight = print, server_weight = print }",
                "give either weight or server_weight"));
    CHECK(fails("{ weight = 7 }", "weight must be a function"));
    CHECK(fails("{ wieght = print }", "did you mean 'weight'?"));
    CHECK(fails("{ weight = print, fill = 'most' }", "fill must be"));
    CHECK(fails("{ weight = print, whole_server_first = 1 }",
                "whole_server_first must be true or false"));
    CHECK(fails("7", "embedding must be a name, or a table with a weight"));
    CHECK(fails("'adabaa'", "did you mean 'adaba'?"));
  }
}
