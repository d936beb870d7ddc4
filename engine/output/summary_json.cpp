#include "engine/output/summary_json.hpp"

#include <nlohmann/json.hpp>

namespace berth {

namespace {

using nlohmann::ordered_json;

template <class Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json jobs(const JobCounts& counts, const SummaryContext& context) {
  return {{"read", context.jobs_read},
          {"left_out", context.left_out},
          {"submitted", counts.submitted},
          {"rejected", counts.rejected()},
          {"finished", counts.finished},
          {"failed", counts.failed},
          {"not_finished", counts.not_finished},
          {"outlived_walltime", counts.outlived_walltime}};
}

ordered_json metrics(const std::vector<Metric>& list) {
  auto json = ordered_json::object();
  for (const auto& metric : list) {
    json[metric.name] = {
        {"value", or_null(metric.value)}, {"unit", metric.unit}, {"n", metric.n}};
  }
  return json;
}

ordered_json users(const std::vector<UserSummary>& list) {
  auto json = ordered_json::array();
  for (const auto& user : list) {
    const auto number = user.user < 0 ? ordered_json(nullptr) : ordered_json(user.user);
    json.push_back({{"user", number},
                    {"jobs", user.jobs},
                    {"finished", user.finished},
                    {"mean_wait", or_null(user.mean_wait)},
                    {"mean_bounded_slowdown", or_null(user.mean_bounded_slowdown)},
                    {"processor_seconds", user.processor_seconds}});
  }
  return json;
}

ordered_json counts(const Summary& summary) {
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

ordered_json audit(const std::optional<AuditReport>& report) {
  if (!report) return nullptr;
  return {{"rules", report->rules}, {"checked", report->checked}};
}

}  // namespace

ordered_json summary_json(const Summary& summary, const SummaryContext& context) {
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

std::string json_text(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace berth
