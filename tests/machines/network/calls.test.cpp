// The family cluster.network: answers, refusals, and wrong calls that change nothing.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// On a star of two servers with two slots, a job of two VMs and one of four wait.
std::string said(const std::string& text) {
  const auto all = play(once("local network = cluster.network " + text), two_jobs(),
                        a_network_machine(4));
  CHECK(all.error.empty());
  return all.printed;
}

bool fails(const std::string& text, const std::string& why) {
  const auto all =
      play(once("local network = cluster.network "
                "local job = queue:head() local switch = network:switches()() " +
                text),
           two_jobs(), a_network_machine(4));
  CAPTURE(all.error);
  CHECK(all.fails_with(why));
  return all.fails_with(why);
}

}  // namespace

TEST_SUITE("machines/network/calls") {
  TEST_CASE("an embedding is shown before it is taken, and a start takes it") {
    CHECK(
        said("local job = queue:head() local at = network:embed(job) "
             "print(at.level, at.switch, at.reserved, at.hidden, at:vms(0), at:vms(1)) "
             "print(job.state, cluster:start(job, { place = at }), "
             "network:idle_slots(0))") ==
        "1\tedge 0\t0.0\ttrue\t2\t0\nwaiting\ttrue\t0\n");
  }

  TEST_CASE("a placement by hand reserves what the hose rule asks for") {
    CHECK(said("local job, edge = queue:head(), network:switches()() "
               "local at = network:place(job, edge, { [0] = 1, [1] = 1 }) "
               "print(at.reserved, network:left(at), cluster:start(job, at)) "
               "for server in network:servers(edge) do print(server, "
               "network:uplink(server), network:idle_slots(server)) end") ==
          "20.0\t100.0\ttrue\n0\t90.0\t1\n1\t90.0\t1\n");
  }

  TEST_CASE("a placement that has no room any more is refused") {
    CHECK(said("local job, edge = queue:head(), network:switches()() "
               "local wide for each in queue:all() do wide = each end "
               "local at = network:embed(wide) "
               "cluster:start(job) print(cluster:start(wide, at)) "
               "print(network:embed(wide)) print(network:embed(wide, { without = { job "
               "} }).level, "
               "network:embed(wide, { empty = true }):vms(1))"
               "print(network:place(wide, edge, { [0] = 2, [1] = 2 }))") ==
          "nil\tbusy\nnil\tno_embedding\n1\t2\nnil\tbusy\n");
  }

  TEST_CASE("another embedding is asked by its name") {
    CHECK(said("for _, name in ipairs({ 'oktopus', 'greedy', 'least_reserved' }) do "
               "print(network:embed(queue:head(), { by = name }).level) end") ==
          "0\n1\n1\n");
    CHECK(said("print(network:embed(queue:head(), { by = 'oktopus' }).switch)") ==
          "nil\n");
  }

  TEST_CASE("why a job does not start") {
    CHECK(said("local job = queue:head() local wide for each in queue:all() do wide = "
               "each end "
               "cluster:start(job) print(cluster:start(wide)) "
               "print(queue:why_not(wide))") ==
          "nil\tno_embedding\nno_embedding\t4\t2\tnil\n");
  }

  TEST_CASE("wrong calls say what they want") {
    fails("network:embed(7)", "a job expected");
    fails("network:embed(job, { by = 'adabaa' })", "did you mean 'adaba'?");
    fails("network:embed(job, { bye = 'adaba' })", "there is no option 'bye'");
    fails("network:embed(job, { without = { job } })", "does not run");
    fails("network:embed(job, { without = 3 })", "a list of jobs expected");
    fails("network:place(job, 7, {})", "a switch expected");
    fails("network:place(job, job, {})", "a switch expected");
    fails("network:place(job, switch, { [0] = 1 })", "not as many as the job asks for");
    fails("network:place(job, switch, { [0] = 0, [1] = 2 })",
          "the VMs of server 0 are no whole number >= 1");
    fails("network:place(job, switch, { [2] = 2 })", "there are 2 servers");
    fails("network:place(job, switch, { [0.5] = 2 })", "not a whole number");
    fails("network:switches(3)", "there are 1 levels");
    fails("network:left(job)", "placement");
    fails("print(network:embed(job).levle)", "did you mean 'level'?");
    fails("cluster:start(job, { place = 7 })", "a placement or a set of processors");
  }

  TEST_CASE("a placement of an earlier decision is refused") {
    const auto all = play(
        "local kept return { schedule = function(queue, cluster) "
        "if kept then print(kept.level) end "
        "kept = cluster.network:embed(queue:head()) cluster:wake_at(cluster:now() + 1) "
        "end }",
        two_jobs(), a_network_machine(4));
    CHECK(all.fails_with("this placement belongs to an earlier decision"));
  }
}
