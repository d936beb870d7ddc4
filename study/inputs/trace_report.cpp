#include "study/inputs/trace_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/metrics/sample.hpp"
#include "engine/workload/transform.hpp"
#include "engine/workload/warnings.hpp"

namespace berth::study {

namespace {

using Findings = std::map<std::string, Finding>;
using Line = std::back_insert_iterator<std::string>;

template <class Value>
std::vector<double> sorted_values(const std::vector<Job>& jobs, Value value) {
  std::vector<double> values;
  values.reserve(jobs.size());
  for (const auto& job : jobs) values.push_back(value(job));
  sort_values(values);
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void spread(Line to, std::string_view what, const std::vector<double>& sorted,
            std::string_view unit) {
  fmt::format_to(to,
                 "{:<12} mean {:.1f}, median {:g}, 95 % {:g}, min {:g}, max {:g} {}\n",
                 what, mean(sorted), *quantile(sorted, 0.5), *quantile(sorted, 0.95),
                 sorted.front(), sorted.back(), unit);
}

template <class Value>
std::size_t distinct(const std::vector<Job>& jobs, Value value) {
  std::set<std::int64_t> seen;
  for (const auto& job : jobs) {
    if (value(job) != kUnknown) seen.insert(value(job));
  }
  return seen.size();
}

std::int64_t sum_of(const Findings& findings) {
  std::int64_t sum = 0;
  for (const auto& [name, finding] : findings) sum += finding.count;
  return sum;
}

void describe_jobs(Line to, const Workload& workload, std::int32_t processors,
                   Budget& budget) {
  const auto& jobs = workload.jobs;
  const auto span = jobs.back().submit - jobs.front().submit;
  fmt::format_to(to, "{:<12} {} to {} s ({:.1f} days)\n", "submits",
                 seconds_text(jobs.front().submit), seconds_text(jobs.back().submit),
                 to_seconds(span) / 86'400);
  if (processors > 0) {
    const auto load = offered_load(workload, processors, budget);
    fmt::format_to(to, "{:<12} {}\n", "load",
                   load ? fmt::format("{:.4f} of {} processors", *load, processors)
                        : "undefined: all jobs are submitted at one time");
  }
  spread(to, "size", sorted_values(jobs, [](const Job& j) { return double(j.size); }),
         "processors");
  spread(to, "length",
         sorted_values(jobs, [](const Job& j) { return to_seconds(j.length); }), "s");
  spread(to, "walltime",
         sorted_values(jobs, [](const Job& j) { return to_seconds(j.walltime); }), "s");
  fmt::format_to(to, "{:<12} {} users, {} groups, {} executables, {} queues\n", "who",
                 distinct(jobs, [](const Job& j) { return j.user; }),
                 distinct(jobs, [](const Job& j) { return j.group; }),
                 distinct(jobs, [](const Job& j) { return j.executable; }),
                 distinct(jobs, [](const Job& j) { return j.queue_class; }));
  const auto zero = std::count_if(jobs.begin(), jobs.end(),
                                  [](const Job& j) { return j.length == 0; });
  fmt::format_to(
      to, "{:<12} {} exceed their walltime, {} have none, {} have length 0\n",
      "notable", workload.outliving_walltime(), workload.without_walltime(), zero);
}

void describe_findings(Line to, std::string_view title, const Findings& findings) {
  if (findings.empty()) return;
  fmt::format_to(to, "\n{}\n", title);
  for (const auto& [name, finding] : findings) {
    fmt::format_to(to, "  {:<20} {:>8}{}\n", name, finding.count,
                   finding.first_line > 0
                       ? fmt::format("  first at line {}", finding.first_line)
                       : "");
  }
}

// All classes, and the one that depends on the machine.
Findings all_classes(const Workload& workload, std::int32_t processors,
                     Budget& budget) {
  auto all = workload.left_out;
  all.insert(workload.repairs.begin(), workload.repairs.end());
  if (processors > 0) {
    if (auto wide = too_wide(workload, processors, budget))
      all.emplace("too_wide", *wide);
  }
  return all;
}

Json spread_json(const std::vector<double>& sorted) {
  if (sorted.empty()) return nullptr;
  return {{"mean", mean(sorted)},
          {"median", quantile(sorted, 0.5)},
          {"p95", quantile(sorted, 0.95)},
          {"min", sorted.front()},
          {"max", sorted.back()}};
}

Json findings_json(const Findings& findings) {
  auto json = Json::object();
  for (const auto& [name, finding] : findings) {
    json.add(name, {{"count", finding.count}, {"first_line", finding.first_line}});
  }
  return json;
}

}  // namespace

Json trace_json(const Workload& workload, std::int32_t processors, Budget& budget) {
  const auto& jobs = workload.jobs;
  const bool has_load = processors > 0 && !jobs.empty();
  std::optional<double> first;
  std::optional<double> last;
  if (!jobs.empty()) {
    first = to_seconds(jobs.front().submit);
    last = to_seconds(jobs.back().submit);
  }
  return {
      {"format", 1},
      {"trace", workload.name},
      {"processors", processors > 0 ? Json(processors) : Json()},
      {"jobs_read", workload.jobs_read},
      {"jobs", jobs.size()},
      {"first_submit", first},
      {"last_submit", last},
      {"load", has_load ? offered_load(workload, processors, budget) : std::nullopt},
      {"size",
       spread_json(sorted_values(jobs, [](const Job& j) { return double(j.size); }))},
      {"length", spread_json(sorted_values(
                     jobs, [](const Job& j) { return to_seconds(j.length); }))},
      {"walltime", spread_json(sorted_values(
                       jobs, [](const Job& j) { return to_seconds(j.walltime); }))},
      {"users", distinct(jobs, [](const Job& j) { return j.user; })},
      {"groups", distinct(jobs, [](const Job& j) { return j.group; })},
      {"queues", distinct(jobs, [](const Job& j) { return j.queue_class; })},
      {"exceed_walltime", workload.outliving_walltime()},
      {"without_walltime", workload.without_walltime()},
      {"left_out", findings_json(workload.left_out)},
      {"repairs", findings_json(workload.repairs)}};
}

std::string trace_report(const Workload& workload, std::int32_t processors,
                         Budget& budget) {
  std::string text;
  const Line to(text);
  fmt::format_to(to, "{:<12} {}\n", "trace", printable_name(workload.name));
  fmt::format_to(to, "{:<12} {}\n", "machine",
                 processors > 0
                     ? fmt::format("{} processors", processors)
                     : "size unknown: the trace does not say; --processors N");
  fmt::format_to(to, "{:<12} {} read, {} left out, {} kept\n", "jobs",
                 workload.jobs_read, sum_of(workload.left_out), workload.jobs.size());
  if (!workload.jobs.empty()) describe_jobs(to, workload, processors, budget);
  describe_findings(to, "left out", workload.left_out);
  describe_findings(to, "repaired or noticed", workload.repairs);
  if (const auto wide =
          processors > 0 ? too_wide(workload, processors, budget) : std::nullopt) {
    describe_findings(to, "rejected by the machine", {{"too_wide", *wide}});
  }
  return text;
}

std::string class_listing(const Workload& workload, const std::string& name,
                          std::int32_t processors, Budget& budget) {
  const auto all = all_classes(workload, processors, budget);
  const auto found = all.find(name);
  if (found == all.end()) {
    std::vector<std::string_view> known;
    for (const auto& [known_name, finding] : all) known.push_back(known_name);
    throw Error(ErrorCode::kUsage,
                fmt::format("--list {}: this trace has no such class{}; it has: {}",
                            printable(name), did_you_mean(name, known),
                            known.empty() ? "none"
                                          : fmt::format("{}", fmt::join(known, ", "))));
  }
  std::string text;
  for (const auto line : found->second.lines) {
    fmt::format_to(Line(text), "{}:{}: {}\n", printable_name(workload.source), line,
                   name);
  }
  return text;
}

}  // namespace berth::study
