#include "engine/output/summary_reader.hpp"

#include <nlohmann/json.hpp>

namespace berth {

namespace {

using nlohmann::ordered_json;

std::optional<double> number(const ordered_json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<double>();
}

JobCounts read_jobs(const ordered_json& jobs, const ordered_json& counts) {
  JobCounts read;
  jobs.at("submitted").get_to(read.submitted);
  jobs.at("finished").get_to(read.finished);
  jobs.at("failed").get_to(read.failed);
  jobs.at("not_finished").get_to(read.not_finished);
  jobs.at("outlived_walltime").get_to(read.outlived_walltime);
  counts.at("rejected_by_machine").get_to(read.rejected_by_machine);
  counts.at("rejected_by_policy").get_to(read.rejected_by_policy);
  return read;
}

RunCounts read_counts(const ordered_json& counts) {
  RunCounts read;
  counts.at("kills").get_to(read.kills);
  counts.at("migrations").get_to(read.migrations);
  counts.at("swaps").get_to(read.swaps);
  counts.at("suspensions").get_to(read.suspensions);
  counts.at("resumes").get_to(read.resumes);
  counts.at("failures").get_to(read.failures);
  counts.at("backfilled_starts").get_to(read.backfilled_starts);
  counts.at("passes").get_to(read.passes);
  counts.at("actions").get_to(read.actions);
  return read;
}

UserSummary read_user(const ordered_json& user) {
  UserSummary read;
  if (!user.at("user").is_null()) user.at("user").get_to(read.user);
  user.at("jobs").get_to(read.jobs);
  user.at("finished").get_to(read.finished);
  read.mean_wait = number(user.at("mean_wait"));
  read.mean_bounded_slowdown = number(user.at("mean_bounded_slowdown"));
  user.at("processor_seconds").get_to(read.processor_seconds);
  return read;
}

Summary summary_of(const ordered_json& json) {
  Summary summary;
  const auto& counts = json.at("counts");
  summary.jobs = read_jobs(json.at("jobs"), counts);
  summary.counts = read_counts(counts);
  counts.at("queue_never_empties").get_to(summary.queue_never_empties);
  for (const auto& [name, metric] : json.at("metrics").items()) {
    summary.metrics.push_back({name, number(metric.at("value")),
                               metric.at("unit").get<std::string>(),
                               metric.at("n").get<std::int64_t>()});
  }
  for (const auto& user : json.at("users")) summary.users.push_back(read_user(user));
  return summary;
}

}  // namespace

std::optional<Summary> read_summary(std::string_view text) {
  try {
    const auto json = ordered_json::parse(text);
    if (json.at("format") != 1) return std::nullopt;
    return summary_of(json);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace berth
