#include "engine/metrics/summarise.hpp"

#include <algorithm>
#include <string_view>

#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/sample.hpp"
#include "engine/metrics/user_table.hpp"

namespace berth {

namespace {

constexpr double kLongWait = 10.0;  // factor on the mean wait

using Value = std::optional<double>;

double in_seconds(Int128 ticks) {
  return static_cast<double>(ticks) / static_cast<double>(kSecond);
}

Value ratio(double part, double whole) {
  if (whole == 0.0) return std::nullopt;
  return part / whole;
}

Value ratio(Int128 part, Int128 whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

// Appends the metrics in the order of metric_records().
class Writer {
 public:
  Writer(const Gathered& gathered, const MetricOptions& options, Summary& summary)
      : gathered_(gathered),
        options_(options),
        summary_(summary),
        measured_(gathered.outcomes, gathered.window.first_job),
        finished_(measured_.finished()) {
    for (const auto& job : measured_) {
      ++jobs_;
      finished_jobs_ += job.state == JobState::kFinished ? 1 : 0;
      failed_jobs_ += job.state == JobState::kFailed ? 1 : 0;
    }
  }

  void write() {
    summary_.users = user_table(measured_, options_.bound);
    of_jobs();
    if (options_.weight == Weight::kArea) weighted();
    of_machine();
    if (gathered_.has_tiers) of_tiers();
    of_queue();
    of_losses();
    of_users();
  }

 private:
  void add(std::string_view name, Value value, std::int64_t n) {
    const auto& record = metric_record(name);
    summary_.metrics.push_back({record.name, value, record.unit, n});
  }

  void of_jobs() {
    for (const auto& metric : job_metrics()) {
      const Sample sample(metric, finished_, options_.bound);
      if (metric.name == "wait") long_waits_ = sample.above_mean(kLongWait);
      for (const auto& statistic : statistics()) {
        const auto value =
            statistic.quantile < 0 ? sample.mean() : sample.at(statistic.quantile);
        add(metric_name(statistic.prefix, metric), value, sample.n());
      }
    }
  }

  void weighted() {
    for (const auto& metric : job_metrics()) {
      add(metric_name("weighted_mean", metric),
          area_weighted_mean(metric, finished_, options_.bound), finished_jobs_);
    }
  }

  void of_machine() {
    const auto& totals = gathered_.totals;
    add("makespan", makespan(), finished_jobs_ + failed_jobs_);
    add("utilisation", ratio(totals.held, totals.capacity), gathered_.started);
    add("useful_utilisation",
        ratio(totals.work - gathered_.killed_work,
              static_cast<double>(totals.capacity)),
        gathered_.started);
    add("throughput",
        ratio(static_cast<double>(gathered_.finished_inside), to_seconds(totals.span)),
        gathered_.finished_inside);
  }

  void of_tiers() {
    const auto& totals = gathered_.totals;
    add("cpu_utilisation", ratio(totals.busy, static_cast<double>(totals.capacity)),
        gathered_.started);
    add("foreground_utilisation", ratio(totals.foreground, totals.capacity),
        gathered_.started);
    add("background_utilisation", ratio(totals.background, totals.capacity),
        gathered_.started);
  }

  void of_queue() {
    const auto& totals = gathered_.totals;
    const auto submitted = gathered_.jobs.submitted;
    add("mean_queue_length", ratio(totals.queue, totals.span), submitted);
    Value longest;
    if (totals.span > 0) longest = static_cast<double>(totals.longest_queue);
    add("max_queue_length", longest, submitted);
    const auto& last = gathered_.at_last_submit;
    Value backlog;
    if (submitted > 0) backlog = in_seconds(last.backlog);
    add("backlog_at_last_submit", backlog, last.members);
    Value long_waits;
    if (finished_jobs_ > 0) long_waits = static_cast<double>(long_waits_);
    add("long_waits", long_waits, finished_jobs_);
  }

  void of_losses() {
    const auto& totals = gathered_.totals;
    const auto& measured = gathered_.measured;
    const auto accepted = measured.submitted - measured.rejected;
    add("loss_of_capacity", ratio(totals.lost, totals.capacity),
        gathered_.jobs.submitted);
    add("accept_rate",
        ratio(static_cast<double>(accepted), static_cast<double>(measured.submitted)),
        measured.submitted);
    Value frozen;
    Value lost;
    if (jobs_ > 0) {
      frozen = to_seconds(gathered_.frozen);
      lost = to_seconds(gathered_.lost_work);
    }
    add("frozen_time", frozen, jobs_);
    add("wasted_work", lost, jobs_);
  }

  void of_users() {
    const auto waits = mean_waits(summary_.users);
    std::int64_t jobs = 0;
    for (const auto& user : summary_.users) {
      if (user.user >= 0) jobs += user.finished;
    }
    add("deviation_of_user_waits", standard_deviation(waits), jobs);
    add("jain_index_of_user_waits", jain_index(waits), jobs);
  }

  [[nodiscard]] Value makespan() const {
    if (!gathered_.first_measured || !gathered_.last_end) return std::nullopt;
    return to_seconds(*gathered_.last_end - *gathered_.first_measured);
  }

  const Gathered& gathered_;
  const MetricOptions& options_;
  Summary& summary_;
  OutcomeView measured_;
  OutcomeView finished_;
  std::int64_t jobs_ = 0;  // measured
  std::int64_t finished_jobs_ = 0;
  std::int64_t failed_jobs_ = 0;
  std::int64_t long_waits_ = 0;
};

bool never_empties(const Gathered& gathered) {
  const auto since = gathered.at_last_submit.never_empty_since;
  if (!since || *since >= *gathered.last_submit) return false;
  return *since - *gathered.first_submit < *gathered.last_submit - *since;
}

}  // namespace

const Metric* Summary::find(std::string_view name) const {
  const auto at = std::find_if(metrics.begin(), metrics.end(),
                               [&](const Metric& it) { return it.name == name; });
  return at == metrics.end() ? nullptr : &*at;
}

Summary summarise(const Gathered& gathered, const MetricOptions& options) {
  Summary summary;
  summary.jobs = gathered.jobs;
  summary.counts = gathered.counts;
  summary.never_empty_since = gathered.at_last_submit.never_empty_since;
  summary.queue_never_empties = never_empties(gathered);
  summary.longest_queue_stretch = gathered.at_last_submit.longest_stretch;
  if (gathered.first_submit) {
    summary.submit_span = *gathered.last_submit - *gathered.first_submit;
  }
  Writer(gathered, options, summary).write();
  return summary;
}

}  // namespace berth
