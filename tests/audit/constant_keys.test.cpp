// P2: a key of an order without a refresh has the same value whenever it is computed.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/audit/auditor.hpp"
#include "tests/support/audits.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Verdict {
  std::string violation;
  std::int64_t judged = 0;  // keys
};

// Four processors: job 1 holds all of them until 10, jobs 2 and 3 wait meanwhile.
Verdict verdict(const std::string& orders, const std::string& schedule,
                audit::Thoroughness thoroughness = audit::Thoroughness::kFull) {
  const std::vector jobs{a_job(1, 0, 4, 10), a_job(7, 1, 2, 5), a_job(8, 4, 2, 5)};
  const auto policy =
      policy_of("return { orders = { " + orders +
                " }, schedule = function(queue, cluster) " + schedule + " end }");
  const auto machine = a_machine(4);
  audit::Auditor auditor({machine, {}, jobs, policy->traits()}, law_of(machine, jobs),
                         thoroughness);
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  simulation.audience().observe(auditor);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    return {in_short(failure.violation()), 0};
  }
  return {"", auditor.checked()["P2"]};
}

const std::string kAgeing =
    "score = function(job, cluster) return job.submit - cluster:now() end";
const std::string kFcfs = "cluster:start_all(queue)";

}  // namespace

TEST_SUITE("audit/constant_keys") {
  TEST_CASE("a key of the job alone is the same when its job leaves the queue") {
    const auto found = verdict("wide = function(job) return -job.size end", kFcfs);
    CHECK(found.violation.empty());
    CHECK(found.judged == 3);
  }

  TEST_CASE("a key that ages without a refresh is found, with both values") {
    CHECK(verdict(kAgeing, kFcfs).violation ==
          "P2 at t=10, job 7: order 'score' of job 7 was 0 and is -9 now: give it "
          "refresh = \"every_pass\"");
  }

  TEST_CASE("a key that a table of the script decides is found") {
    CHECK(
        verdict("odd = function(job) n = (n or 0) + 1 return n end", kFcfs).violation ==
        "P2 at t=0, job 1: order 'odd' of job 1 was 1 and is 2 now: "
        "give it refresh = \"every_pass\"");
  }

  TEST_CASE("it is found at a rejection, and of a job left at the end of the run") {
    CHECK(verdict(kAgeing,
                  "if cluster:now() == 4 then cluster:reject(queue:head()) else " +
                      kFcfs + " end")
              .violation.find("P2 at t=4, job 7") == 0);
    CHECK(verdict(kAgeing, "if cluster:now() == 0 then " + kFcfs + " end")
              .violation.find("P2 at t=10, job 7") == 0);
  }

  TEST_CASE("with a refresh a key may change") {
    for (const auto* refresh : {"'every_pass'", "5"}) {
      const auto found = verdict(
          fmt::format("score = {{ refresh = {}, key = function(job, cluster) return "
                      "job.submit - cluster:now() end }}",
                      refresh),
          kFcfs);
      CHECK(found.violation.empty());
      CHECK(found.judged == 0);
    }
  }

  TEST_CASE("a light audit computes no key again") {
    const auto light = verdict(kAgeing, kFcfs, audit::Thoroughness::kLight);
    CHECK(light.violation.empty());
    CHECK(light.judged == 0);
  }
}
