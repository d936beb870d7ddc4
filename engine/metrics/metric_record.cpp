#include "engine/metrics/metric_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/spelling.hpp"
#include "engine/metrics/job_metric.hpp"

namespace berth {

namespace {

void add_statistics(std::vector<MetricRecord>& records) {
  for (const auto& metric : job_metrics()) {
    for (const auto& statistic : statistics()) {
      records.push_back(
          {metric_name(statistic.prefix, metric), std::string(metric.unit),
           fmt::format("{}({})", statistic.prefix, metric.formula),
           fmt::format("{}, over finished jobs: {}.", statistic.brief, metric.brief),
           Better::kLower, metric.by_queue(), metric.to_first_start()});
    }
  }
  for (const auto& metric : job_metrics()) {
    records.push_back(
        {metric_name("weighted_mean", metric), std::string(metric.unit),
         fmt::format("sum(n L ({})) / sum(n L)", metric.formula),
         fmt::format("Mean weighted by size times length: {}.", metric.brief),
         Better::kLower, metric.by_queue(), metric.to_first_start()});
  }
}

void add_of_run(std::vector<MetricRecord>& records) {
  const std::vector<MetricRecord> of_run{
      {"load", "fraction", "sum(n L) / (P (last a - first a))",
       "Work offered by the jobs that fit the machine, by what it could do between the "
       "first submit and the last.",
       Better::kNeither},
      {"makespan", "s", "max C - min a", "From the first submit to the last end."},
      {"utilisation", "fraction", "integral of processors held / (P W)",
       "Part of the machine that jobs held.", Better::kHigher},
      {"useful_utilisation", "fraction",
       "sum(n * work delivered in W by attempts not killed) / (P W)",
       "Part of the machine that did work not lost later.", Better::kHigher},
      {"throughput", "1/s", "jobs finished in W / W", "Finished jobs in a second.",
       Better::kHigher},
      {"mean_queue_length", "jobs", "integral of queue length / W",
       "Jobs waiting or suspended, averaged over time.", Better::kLower, true},
      {"max_queue_length", "jobs", "max of queue length in W",
       "The longest queue that lasted.", Better::kLower, true},
      {"backlog_at_last_submit", "processor s", "sum(n L) over the queue",
       "Work in the queue just after the pass of the last submit.", Better::kLower,
       true},
      {"long_waits", "jobs", "jobs with wait > 10 mean(wait)",
       "Finished jobs that waited more than ten times the mean."},
      {"loss_of_capacity", "fraction", "integral of idle while one fits / (P W)",
       "Part of the machine idle while a job in the queue would fit."},
      {"accept_rate", "fraction", "(submitted - rejected) / submitted",
       "Part of the submitted jobs that were not rejected.", Better::kHigher},
      {"frozen_time", "s", "sum of frozen spans", "Migration delays of all jobs."},
      {"wasted_work", "s", "sum of progress lost at kills",
       "Dedicated run time lost when jobs were killed."},
  };
  records.insert(records.end(), of_run.begin(), of_run.end());
}

void add_of_users(std::vector<MetricRecord>& records) {
  const std::vector<MetricRecord> more{
      {"deviation_of_user_waits", "s", "sqrt(sum((x - mean x)^2) / users)",
       "Standard deviation, over all users, of the mean wait of a user."},
      {"jain_index_of_user_waits", "fraction", "(sum x)^2 / (users sum x^2)",
       "Jain's index of the mean waits of the users; 1 if they are equal.",
       Better::kHigher},
      {"jain_index_of_user_slowdowns", "fraction", "(sum x)^2 / (users sum x^2)",
       "Jain's index of the mean bounded slowdowns of the users; 1 if they are equal.",
       Better::kHigher},
  };
  records.insert(records.end(), more.begin(), more.end());
}

void add_of_expectations(std::vector<MetricRecord>& records) {
  const std::vector<MetricRecord> more{
      {"violated_jobs", "fraction", "jobs with C > EET / judged jobs",
       "Part of the judged jobs that end after their expected end time; with "
       "run.expectations only, as all that follow."},
      {"median_veet", "%", "median(100 violated / jobs of a user)",
       "Median over users of their part of violated jobs."},
      {"p75_veet", "%", "p75(100 violated / jobs of a user)",
       "75 % of the users have at most this part of violated jobs."},
      {"max_veet", "%", "max(100 violated / jobs of a user)",
       "The largest part of violated jobs of a user."},
      {"total_weighted_tardiness", "processor s", "sum(n max(0, C - EET))",
       "Size times tardiness of all judged jobs."},
      {"median_weighted_tardiness", "processor s",
       "median(sum(n max(0, C - EET)) of a user)",
       "Median over users of their weighted tardiness."},
      {"p75_weighted_tardiness", "processor s", "p75(sum(n max(0, C - EET)) of a user)",
       "75 % of the users have at most this weighted tardiness."},
      {"line_ratio", "ratio", "mean longest line of the heaviest tenth / of the others",
       "The longest run of minutes with a violation, of the users with most processor "
       "seconds over the others."},
      {"mean_held_time", "s", "mean(max(0, release - a))",
       "From the submit that the workload says to the release, where jobs wait for "
       "others; over all jobs that came in."},
      {"mean_barred_time", "s", "mean(time in the queue in which a limit bars it)",
       "For how long limits barred a waiting job, by running jobs, as one of those "
       "that wait outside, or because it would borrow; over all jobs that came in, "
       "with [limits] only."},
      {"mean_queued_time", "s", "mean(C - release - running in all attempts - delays)",
       "Time in the queue before the first start and after hits, over finished jobs; "
       "with machine.events only, as all that follow.",
       Better::kLower, true},
      {"requeues", "jobs", "attempts that were hit and followed by another",
       "How often a job lost a host and returned to the queue."},
      {"failed_by_hosts", "jobs", "jobs that failed as they were hit",
       "Jobs that failed because they lost a host."},
      {"lost_processor_seconds", "processor s",
       "sum(n * work of attempts that were hit)", "Work that was lost with hosts."},
      {"overhead_processor_seconds", "processor s",
       "sum(n * time of attempts on checkpoints)",
       "What it took to write and read checkpoints; where jobs resume only."},
      {"availability", "fraction", "integral of processors that are up / (P W)",
       "Part of the declared machine that was up.", Better::kHigher},
      {"utilisation_of_installed", "fraction", "integral of processors held / (P W)",
       "Part of the declared machine that jobs held, whether it was up or not.",
       Better::kHigher},
      {"window_delay", "s", "sum(time of windows in which they lack processors)",
       "How long windows lacked processors that others held as they began; with "
       "machine.windows only."},
      {"excused_promises", "jobs", "jobs that start later than what a loss set aside",
       "Jobs that started later than they were promised because a host was lost "
       "since; audited runs only."},
      {"longest_excuse", "s", "max(S - what a loss set aside)",
       "The longest of these delays; audited runs only."},
  };
  records.insert(records.end(), more.begin(), more.end());
}

// The word in capitals; empty: the record is that of one metric.
std::string_view word_of_family(const MetricRecord& record) {
  const auto word =
      std::string_view(record.name).substr(record.name.find_last_of("_.") + 1);
  const bool is_capital = std::all_of(
      word.begin(), word.end(), [](char each) { return each >= 'A' && each <= 'Z'; });
  return is_capital ? word : std::string_view();
}

// The member of this name.
MetricRecord member_of(const MetricRecord& family, std::string_view name) {
  auto member = family;
  const auto capitals = word_of_family(family);
  member.name = name;
  const auto own = name.substr(family.name.size() - capitals.size());
  const auto at = member.brief.find(capitals);
  if (at != std::string::npos) member.brief.replace(at, capitals.size(), own);
  return member;
}

constexpr std::array kOfSubmitted{"load", "accept_rate"};
constexpr std::array kToFirstStart{"long_waits", "deviation_of_user_waits",
                                   "jain_index_of_user_waits"};

// Says which metrics of a run may be compared where (engine/compare/comparable.hpp).
void mark_metrics_of_run(std::vector<MetricRecord>& records) {
  const auto is_in = [](const auto& names, const MetricRecord& record) {
    return std::find(names.begin(), names.end(), record.name) != names.end();
  };
  for (auto& record : records) {
    if (is_in(kOfSubmitted, record)) record.of_submitted = true;
    if (is_in(kToFirstStart, record)) record.to_first_start = true;
  }
}

std::vector<MetricRecord> make_records() {
  std::vector<MetricRecord> records;
  add_statistics(records);
  add_of_run(records);
  add_of_users(records);
  add_of_expectations(records);
  // One for each kind of the machine but processors.
  records.push_back({"utilisation_of_KIND", "fraction",
                     "integral of what is held / (capacity W)",
                     "Part of the machine's KIND that jobs held.", Better::kHigher});
  mark_metrics_of_run(records);
  return records;
}

}  // namespace

std::span<const MetricRecord> common_metrics() {
  static const auto kRecords = make_records();
  return kRecords;
}

std::string_view word(Better better) {
  switch (better) {
    case Better::kLower: return "lower";
    case Better::kHigher: return "higher";
    case Better::kNeither: return "none";
  }
  return {};
}

Better better_of(std::string_view text) {
  if (text == word(Better::kLower)) return Better::kLower;
  return text == word(Better::kHigher) ? Better::kHigher : Better::kNeither;
}

MetricRecord common_metric(std::string_view name) {
  return find_metric(common_metrics(), name);
}

const MetricRecord* family_of(std::span<const MetricRecord> records,
                              std::string_view name) {
  const auto at = std::find_if(records.begin(), records.end(), [&](const auto& each) {
    const auto capitals = word_of_family(each);
    const auto front =
        std::string_view(each.name).substr(0, each.name.size() - capitals.size());
    return !capitals.empty() && name.starts_with(front) && name.size() > front.size();
  });
  return at == records.end() ? nullptr : &*at;
}

MetricRecord find_metric(std::span<const MetricRecord> records, std::string_view name) {
  const auto plain = name.substr(0, name.find('@'));
  const auto at = std::find_if(records.begin(), records.end(),
                               [&](const auto& it) { return it.name == plain; });
  if (at != records.end()) {
    auto record = *at;
    record.name = name;
    return record;
  }
  if (const auto* family = family_of(records, plain)) return member_of(*family, plain);
  std::vector<std::string_view> known;
  for (const auto& record : records) known.push_back(record.name);
  throw Error(ErrorCode::kUsage, fmt::format("there is no metric '{}'{}", name,
                                             did_you_mean(name, known)));
}

}  // namespace berth
