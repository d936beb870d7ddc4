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

TEST_SUITE("machines/network/embedding_calls") {
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

  TEST_CASE("a table given to embed is asked once, and the one in force stays") {
    const auto asks = [](const std::string& by) {
      const auto all = scene("'adaba'",
                             "if cluster:now() > 0 then return end "
                             "local network, job = cluster.network, queue:head() "
                             "local at = network:embed(job, { by = " +
                                 by +
                                 " }) print(at:vms(0), at:vms(1)) "
                                 "print(network:embed(job):vms(0))");
      CAPTURE(all.error);
      return all.error.empty() ? all.printed : all.error;
    };
    CHECK(asks("{ server_weight = function(server) return server end }") ==
          "0\t2\n2\n");
    CHECK(asks("{ server_weight = function(server) return -server end }") ==
          "2\t0\n2\n");
    CHECK(
        asks("{ weight = function(slots, of, net) return of == job and net == network "
             "and slots or nil end, fill = 'count_up', scope = 'core_only' }") ==
        "2\t0\n2\n");
  }

  TEST_CASE(
      "a wrong table given to embed is named, and a failing weight changes nothing") {
    const auto fails = [](const std::string& by, const std::string& why) {
      const auto all =
          scene("'adaba'", "cluster.network:embed(queue:head(), { by = " + by + " })");
      CAPTURE(all.error);
      return all.fails_with(why);
    };
    CHECK(fails("{}", "give either weight or server_weight"));
    CHECK(fails("{ wieght = print }", "by: there is no field 'wieght'"));
    CHECK(fails("{ weight = print, fill = 'most' }", "by: there is no fill 'most'"));
    CHECK(fails("{ weight = print, scope = 3 }", "by: there is no scope 'number'"));
    CHECK(fails("{ weight = function() end }", "a weight must be a finite number"));
    CHECK(fails("{ server_weight = function() return 0/0 end }",
                "a weight must be a finite number"));
    CHECK(fails("{ weight = function() error('no idea') end }", "no idea"));
    CHECK(fails("{ weight = function(_, job) cluster:start(job) return 0 end }",
                "a function passed in"));
    CHECK(fails("{ weight = function() while true do end end }", "work"));
    const auto caught =
        scene("'adaba'",
              "print(pcall(cluster.network.embed, cluster.network, queue:head(), "
              "{ by = { weight = function() error('x', 0) end } })) "
              "cluster:start_all(queue)");
    CHECK(caught.error.empty());
    CHECK(caught.printed.substr(0, 8) == "false\tx\n");
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
    CHECK(fails("'adabaa'", "test.lua: there is no embedding"));
  }
}
