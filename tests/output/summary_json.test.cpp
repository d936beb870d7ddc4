#include "engine/output/summary_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace berth {

namespace {

using nlohmann::ordered_json;

Summary small_summary() {
  Summary summary;
  summary.jobs.submitted = 4;
  summary.jobs.rejected_by_machine = 1;
  summary.jobs.finished = 2;
  summary.jobs.failed = 1;
  summary.jobs.outlived_walltime = 1;
  summary.finished_digest = 255;
  summary.schedule_hash = 0x29f51f37374d5bdf;
  summary.metrics = {{"mean_wait", 89.5, "s", 2}, {"mean_slowdown", {}, "ratio", 0}};
  summary.users = {{-1, 2, 1, 89.5, 2.5, 402.0}, {3, 1, 0, {}, {}, 600.0}};
  summary.counts.failures = 1;
  summary.counts.passes = 6;
  summary.counts.actions = 3;
  return summary;
}

SummaryContext small_context() {
  SummaryContext context;
  context.version = "0.1.0";
  context.policy = "fcfs";
  context.scenario = "tiny";
  context.seed = 7;
  context.jobs_read = 5;
  context.left_out = {{"no_run_time", 1}};
  context.audit = AuditReport{{"C1", "W1"}, 12};
  context.warnings = {"1 job is wider than the machine"};
  return context;
}

}  // namespace

TEST_SUITE("output/summary_json") {
  TEST_CASE("its keys stand in the order of format 1") {
    CHECK(
        summary_json(small_summary(), small_context()).compact() ==
        R"({"format":1,"berth":"0.1.0","policy":"fcfs","scenario":"tiny","seed":7,)"
        R"("oracle":false,"jobs":{"read":5,"left_out":{"no_run_time":1},)"
        R"("submitted":4,"rejected":1,"finished":2,"failed":1,"not_finished":0,)"
        R"("outlived_walltime":1,"finished_digest":"00000000000000ff"},)"
        R"("schedule_hash":"29f51f37374d5bdf","metrics":{)"
        R"("mean_wait":{"value":89.5,"unit":"s","n":2},)"
        R"("mean_slowdown":{"value":null,"unit":"ratio","n":0}},"users":[)"
        R"({"user":null,"jobs":2,"finished":1,"mean_wait":89.5,)"
        R"("mean_bounded_slowdown":2.5,"processor_seconds":402.0},)"
        R"({"user":3,"jobs":1,"finished":0,"mean_wait":null,)"
        R"("mean_bounded_slowdown":null,"processor_seconds":600.0}],)"
        R"("counts":{"rejected_by_machine":1,"rejected_by_policy":0,"kills":0,)"
        R"("migrations":0,"swaps":0,"suspensions":0,"resumes":0,"failures":1,)"
        R"("backfilled_starts":0,"passes":6,"actions":3,)"
        R"("queue_never_empties":false,"longest_queue_stretch":0.0,"submit_span":0.0},)"
        R"("audit":{"rules":["C1","W1"],"checked":12},)"
        R"("warnings":["1 job is wider than the machine"]})");
  }

  TEST_CASE("without an auditor there is no audit, without jobs there are no users") {
    const auto json = ordered_json::parse(summary_json({}, {}).compact());
    CHECK(json["audit"].is_null());
    CHECK(json["users"].dump() == "[]");
    CHECK(json["metrics"].dump() == "{}");
    CHECK(json["jobs"]["left_out"].dump() == "{}");
    CHECK(json["warnings"].dump() == "[]");
  }

  TEST_CASE("one rule or one warning is still a list") {
    SummaryContext context;
    context.audit = AuditReport{{"C1"}, 1};
    context.warnings = {"one"};
    const auto json = ordered_json::parse(summary_json({}, context).compact());
    CHECK(json["audit"]["rules"].dump() == R"(["C1"])");
    CHECK(json["warnings"].dump() == R"(["one"])");
  }
}

}  // namespace berth
