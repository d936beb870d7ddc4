#include "engine/output/summary_json.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "engine/jobs/label.hpp"
#include "engine/metrics/count_names.hpp"
#include "engine/output/json_reading.hpp"

namespace berth {

namespace {

template <class Counts, std::size_t N>
void add(Json& json, const std::array<CountName<Counts>, N>& keys,
         const Counts& counts) {
  for (const auto& [name, count] : keys) json.add(name, counts.*count);
}

template <class Counts, std::size_t N>
void read(const JsonReader& json, const std::array<CountName<Counts>, N>& keys,
          Counts& counts) {
  for (const auto& [name, count] : keys) {
    counts.*count = json.whole<std::int64_t>(name);
  }
}

// A digest has 64 bits, more than a number of JSON holds.
Json digest(const std::optional<std::uint64_t>& bits) {
  return bits ? Json(fmt::format("{:016x}", *bits)) : Json();
}

std::optional<std::uint64_t> read_digest(const JsonReader& json, const char* name) {
  const auto found = json.find(name);
  if (!found) return std::nullopt;
  const auto text = found->text();
  std::uint64_t bits = 0;
  constexpr int kHexadecimal = 16;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, bits, kHexadecimal);
  if (read.ec != std::errc() || read.ptr != end) {
    found->fail("is no digest of hexadecimal digits");
  }
  return bits;
}

Json jobs(const Summary& summary, const SummaryContext& context) {
  const auto& counts = summary.jobs;
  Json json{{"read", context.jobs_read},
            {"left_out", context.left_out},
            {"submitted", counts.submitted},
            {"rejected", counts.rejected()}};
  add(json, kOutcomeCounts, counts);
  json.add("finished_digest", digest(summary.finished_digest));
  return json;
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
    json.append({{"user", user.user < 0 ? Json() : Json(label_number(user.user))},
                 {"jobs", user.jobs},
                 {"finished", user.finished},
                 {"mean_wait", user.mean_wait},
                 {"mean_bounded_slowdown", user.mean_bounded_slowdown},
                 {"processor_seconds", user.processor_seconds}});
  }
  return json;
}

Json distributions(const SummaryContext& context) {
  auto json = Json::object();
  for (const auto& [name, of] : context.distributions) {
    if (!of) {
      json.add(name, nullptr);
      continue;
    }
    json.add(name, {{"n", of->n},
                    {"min", of->min},
                    {"low_whisker", of->low_whisker},
                    {"q1", of->q1},
                    {"median", of->median},
                    {"q3", of->q3},
                    {"high_whisker", of->high_whisker},
                    {"max", of->max},
                    {"outliers", of->outliers}});
  }
  return json;
}

template <class Key>
Json by_name(const std::map<Key, double>& values) {
  auto json = Json::object();
  for (const auto& [label, value] : values) {
    json.add(fmt::format("{}", label_number(label)), value);
  }
  return json;
}

Json shares(const ShareSettings& settings) {
  constexpr std::array kCharges{"processors", "dominant", "billing"};
  auto billing = Json::object();
  for (const auto& [kind, weight] : settings.billing) billing.add(kind, weight);
  return {{"half_life", to_seconds(settings.half_life)},
          {"charge", kCharges[static_cast<std::size_t>(settings.charge)]},
          {"billing", billing},
          {"billing_rule", settings.billing_rule == BillingRule::kSum ? "sum" : "max"},
          {"rule", settings.rule == ShareRule::kRatio ? "ratio" : "fair_tree"},
          {"period", to_seconds(settings.period)},
          {"users", by_name(settings.users)},
          {"groups", by_name(settings.groups)},
          {"class_factor", by_name(settings.class_factor)}};
}

Json counts(const Summary& summary) {
  auto json = Json::object();
  add(json, kRejectionCounts, summary.jobs);
  if (const auto never = summary.jobs.rejected_never_fits; never > 0) {
    json.add("rejected_never_embeds", never);  // on networks alone
  }
  if (const auto waited = summary.jobs.rejected_by_dependency; waited > 0) {
    json.add("rejected_by_dependency", waited);
  }
  if (const auto barred = summary.jobs.rejected_by_limit; barred > 0) {
    json.add("rejected_by_limit", barred);
  }
  add(json, kRunCounts, summary.counts);
  json.add("queue_never_empties", summary.queue_never_empties);
  json.add("longest_queue_stretch", to_seconds(summary.longest_queue_stretch));
  json.add("submit_span", to_seconds(summary.submit_span));
  return json;
}

Json audit(const std::optional<AuditReport>& report) {
  if (!report) return nullptr;
  return {{"rules", report->rules}, {"checked", report->checked}};
}

// A whole number of ticks that was written in seconds; 0 for one out of range.
Duration ticks_in(const JsonReader& json, const char* name) {
  return ticks_from_seconds(json.number(name)).value_or(0);
}

UserSummary read_user(const JsonReader& user) {
  UserSummary made;
  if (const auto number = user.find("user")) {
    made.user = label_code(number->whole_between(0, kLargestLabel));
  }
  made.jobs = user.whole<decltype(made.jobs)>("jobs");
  made.finished = user.whole<decltype(made.finished)>("finished");
  made.mean_wait = user.number_or_null("mean_wait");
  made.mean_bounded_slowdown = user.number_or_null("mean_bounded_slowdown");
  made.processor_seconds = user.number("processor_seconds");
  return made;
}

}  // namespace

Json rows_json(const std::vector<RowsOfHosts>& hosts) {
  auto json = Json::array();
  for (const auto& group : hosts) {
    Json one{{"name", group.name}, {"count", group.count}, {"each", group.each}};
    if (!group.kinds.empty()) {
      auto kinds = Json::object();
      for (const auto& [kind, amount] : group.kinds) kinds.add(kind, amount);
      one.add("kinds", kinds);
    }
    json.append(one);
  }
  return json;
}

Json summary_json(const Summary& summary, const SummaryContext& context) {
  Json json{{"format", 1},
            {"berth", context.version},
            {"policy", context.policy},
            {"scenario", context.scenario},
            {"seed", context.seed},
            {"oracle", context.oracle},
            {"jobs", jobs(summary, context)},
            {"schedule_hash", digest(summary.schedule_hash)},
            {"metrics", metrics(summary.metrics)},
            {"users", users(summary.users)},
            {"counts", counts(summary)},
            {"audit", audit(context.audit)},
            {"warnings", context.warnings}};
  if (!context.distributions.empty()) {
    json.add("distributions", distributions(context));
  }
  if (!context.rows.empty()) json.add("rows", rows_json(context.rows));
  if (context.shares) json.add("shares", shares(*context.shares));
  if (context.fidelity) json.add("fidelity", *context.fidelity);
  return json;
}

Summary read_summary(const JsonReader& json) {
  json.need_format_1("summary");
  Summary summary;
  const auto counts = json.member("counts");
  const auto jobs = json.member("jobs");
  summary.jobs.submitted = jobs.whole<decltype(summary.jobs.submitted)>("submitted");
  read(jobs, kOutcomeCounts, summary.jobs);
  summary.finished_digest = read_digest(jobs, "finished_digest");
  summary.schedule_hash = read_digest(json, "schedule_hash");
  read(counts, kRejectionCounts, summary.jobs);
  summary.jobs.rejected_never_fits =
      counts.whole_or<std::int64_t>("rejected_never_embeds", 0);
  summary.jobs.rejected_by_dependency =
      counts.whole_or<std::int64_t>("rejected_by_dependency", 0);
  summary.jobs.rejected_by_limit =
      counts.whole_or<std::int64_t>("rejected_by_limit", 0);
  read(counts, kRunCounts, summary.counts);
  summary.queue_never_empties = counts.flag("queue_never_empties");
  summary.longest_queue_stretch = ticks_in(counts, "longest_queue_stretch");
  summary.submit_span = ticks_in(counts, "submit_span");
  for (const auto& [name, metric] : json.member("metrics").members()) {
    summary.metrics.push_back({name, metric.number_or_null("value"),
                               metric.text("unit"), metric.whole<std::int64_t>("n")});
  }
  for (const auto& user : json.member("users").elements()) {
    summary.users.push_back(read_user(user));
  }
  return summary;
}

Json timing_json(const Timing& timing) {
  Json mean;
  if (timing.passes > 0) {
    mean = timing.policy_seconds / static_cast<double>(timing.passes);
  }
  return {{"format", 1},
          {"wall_seconds", timing.wall_seconds},
          {"cpu_seconds", timing.cpu_seconds},
          {"policy",
           {{"seconds", timing.policy_seconds},
            {"mean_pass_seconds", mean},
            {"longest_pass_seconds", timing.longest_pass_seconds},
            {"passes", timing.passes}}},
          {"threads", timing.threads}};
}

}  // namespace berth
