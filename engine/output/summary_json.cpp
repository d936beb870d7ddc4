#include "engine/output/summary_json.hpp"

namespace berth {

namespace {

Json jobs(const JobCounts& counts, const SummaryContext& context) {
  return {{"read", context.jobs_read},
          {"left_out", context.left_out},
          {"submitted", counts.submitted},
          {"rejected", counts.rejected()},
          {"finished", counts.finished},
          {"failed", counts.failed},
          {"not_finished", counts.not_finished},
          {"outlived_walltime", counts.outlived_walltime}};
}

Json metrics(const std::vector<Metric>& list) {
  auto json = Json::object();
  for (const auto& metric : list) {
    json.add(metric.name,
             {{"value", metric.value}, {"unit", metric.unit}, {"n", metric.n}});
  }
  return json;
}

Json users(const std::vector<UserSummary>& list) {
  auto json = Json::array();
  for (const auto& user : list) {
    json.append({{"user", user.user < 0 ? Json() : Json(user.user)},
                 {"jobs", user.jobs},
                 {"finished", user.finished},
                 {"mean_wait", user.mean_wait},
                 {"mean_bounded_slowdown", user.mean_bounded_slowdown},
                 {"processor_seconds", user.processor_seconds}});
  }
  return json;
}

Json counts(const Summary& summary) {
  const auto& counts = summary.counts;
  return {{"rejected_by_machine", summary.jobs.rejected_by_machine},
          {"rejected_by_policy", summary.jobs.rejected_by_policy},
          {"kills", counts.kills},
          {"migrations", counts.migrations},
          {"swaps", counts.swaps},
          {"suspensions", counts.suspensions},
          {"resumes", counts.resumes},
          {"failures", counts.failures},
          {"backfilled_starts", counts.backfilled_starts},
          {"passes", counts.passes},
          {"actions", counts.actions},
          {"queue_never_empties", summary.queue_never_empties}};
}

Json audit(const std::optional<AuditReport>& report) {
  if (!report) return nullptr;
  return {{"rules", report->rules}, {"checked", report->checked}};
}

}  // namespace

Json summary_json(const Summary& summary, const SummaryContext& context) {
  return {{"format", 1},
          {"berth", context.version},
          {"policy", context.policy},
          {"scenario", context.scenario},
          {"seed", context.seed},
          {"oracle", context.oracle},
          {"jobs", jobs(summary.jobs, context)},
          {"metrics", metrics(summary.metrics)},
          {"users", users(summary.users)},
          {"counts", counts(summary)},
          {"audit", audit(context.audit)},
          {"warnings", context.warnings}};
}
}  // namespace berth
