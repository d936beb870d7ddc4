#include "engine/metrics/summarise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/jobs/label.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/machine_measure.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/ratio.hpp"
#include "engine/metrics/sample.hpp"

namespace berth {

namespace {

constexpr double kLongWait = 10.0;  // factor on the mean wait

using Value = std::optional<double>;

// The share of one job in the digest of a set of jobs, a sum.
std::uint64_t digest_of(const JobOutcome& job) {
  const auto length = static_cast<std::uint64_t>(job.length);
  const auto size = static_cast<std::uint64_t>(job.size);
  return mix_bits(mix_bits(mix_bits(index(job.job)) ^ length) ^ size);
}

// Sums over the jobs of each user.
class SummedUsers {
 public:
  explicit SummedUsers(const SlowdownBound& bound) : bound_(bound) {}

  void add(const JobOutcome& job) {
    const auto place = places_.add(job.user);
    if (place == rows_.size()) rows_.emplace_back().user = job.user;
    auto& row = rows_[place];
    row.held += Int128{job.size} * job.held();
    ++row.jobs;
    if (job.state != JobState::kFinished) return;
    ++row.finished;
    row.waits += job.wait;
    row.slowdowns.add(bounded_slowdown(job.response, job.length, bound_));
  }

  // By user.
  [[nodiscard]] std::vector<UserSummary> table() const {
    std::vector<UserSummary> table;
    table.reserve(rows_.size());
    for (const auto& row : rows_) table.push_back(row.summary());
    std::sort(table.begin(), table.end(),
              [](const auto& a, const auto& b) { return LabelLess()(a.user, b.user); });
    return table;
  }

 private:
  struct Row {
    [[nodiscard]] UserSummary summary() const {
      constexpr auto kTicks = static_cast<double>(kSecond);
      UserSummary summary;
      summary.user = user;
      summary.jobs = jobs;
      summary.finished = finished;
      summary.processor_seconds = static_cast<double>(held) / kTicks;
      if (finished == 0) return summary;
      const auto n = static_cast<double>(finished);
      summary.mean_wait = static_cast<double>(waits) / (kTicks * n);
      summary.mean_bounded_slowdown = slowdowns.value() / n;
      return summary;
    }

    std::int32_t user = kUnknown;
    std::int64_t jobs = 0;
    std::int64_t finished = 0;
    Int128 held = 0;           // processor ticks
    Int128 waits = 0;          // ticks, of the finished jobs
    CompensatedSum slowdowns;  // likewise
  };

  SlowdownBound bound_;
  LabelPlaces places_;
  std::vector<Row> rows_;  // in the order in which users come
};

// Appends the metrics in the order of common_metrics().
class Writer {
 public:
  Writer(const Gathered& gathered, const MetricOptions& options, Summary& summary)
      : gathered_(gathered),
        options_(options),
        summary_(summary),
        measured_(gathered.outcomes, gathered.window.first_job),
        finished_(measured_.finished()) {}

  void write() {
    summary_.schedule_hash = gathered_.schedule_hash;
    count();
    of_jobs();
    if (options_.weight == Weight::kArea) weighted();
    of_machine();
    of_queue();
    of_losses();
    of_users();
    of_releases();
    if (options_.requeue_delay) of_hosts(*options_.requeue_delay);
    of_classes();
  }

 private:
  void add(std::string_view name, Value value, std::int64_t n) {
    auto record = common_metric(name);
    summary_.metrics.push_back(
        {std::move(record.name), value, std::move(record.unit), n});
  }

  void count() {
    SummedUsers users(options_.bound);
    std::uint64_t digest = 0;
    measured_.each([&](const JobOutcome& job) {
      ++jobs_;
      if (job.state == JobState::kFinished) {
        ++finished_jobs_;
        digest += digest_of(job);
      }
      failed_jobs_ += job.state == JobState::kFailed ? 1 : 0;
      users.add(job);
    });
    summary_.finished_digest = digest;
    summary_.users = users.table();
  }

  void of_jobs() {
    for (const auto& metric : job_metrics()) {
      Sample sample(metric, finished_, options_.bound);
      if (metric.name == "wait") long_waits_ = sample.above_mean(kLongWait);
      add_statistics(metric, std::move(sample), "");
    }
  }

  // `suffix` names the class; empty: all jobs.
  void add_statistics(const JobMetric& metric, Sample sample,
                      const std::string& suffix) {
    std::vector<double> qs;
    for (const auto& statistic : statistics()) {
      if (statistic.quantile >= 0) qs.push_back(statistic.quantile);
    }
    const auto found = sample.at(qs);
    auto next = found.begin();
    for (const auto& statistic : statistics()) {
      const auto value = statistic.quantile < 0 ? sample.mean()
                         : found.empty()        ? std::nullopt
                                                : Value(*next++);
      add(metric_name(statistic.prefix, metric) + suffix, value, sample.n());
    }
  }

  void of_classes() {
    for (const auto& one : options_.classes) {
      const auto jobs = finished_.of(one);
      for (const auto& metric : job_metrics()) {
        add_statistics(metric, Sample(metric, jobs, options_.bound), "@" + one.name());
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
    add("load", load(), gathered_.offered_jobs);
    add("makespan", makespan(), finished_jobs_ + failed_jobs_);
    add("utilisation", ratio(totals.held, totals.capacity), gathered_.started);
    add("useful_utilisation",
        ratio(totals.work - gathered_.killed_work - overhead(),
              static_cast<double>(totals.capacity)),
        gathered_.started);
    add("throughput",
        ratio(static_cast<double>(gathered_.finished_inside), to_seconds(totals.span)),
        gathered_.finished_inside);
  }

  void of_queue() {
    const auto& totals = gathered_.totals;
    const auto submitted = gathered_.jobs.submitted;
    add("mean_queue_length", ratio(totals.queue, totals.span), submitted);
    add("max_queue_length",
        if_any(totals.span, static_cast<double>(totals.longest_queue)), submitted);
    const auto& last = gathered_.at_last_submit;
    add("backlog_at_last_submit", if_any(submitted, total_seconds(last.backlog)),
        last.members);
    add("long_waits", if_any(finished_jobs_, static_cast<double>(long_waits_)),
        finished_jobs_);
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
    add("frozen_time", if_any(jobs_, total_seconds(gathered_.frozen)), jobs_);
    add("wasted_work", if_any(jobs_, total_seconds(gathered_.lost_work)), jobs_);
  }

  void of_users() {
    const auto waits = mean_waits(summary_.users);
    std::int64_t jobs = 0;
    for (const auto& user : summary_.users) {
      if (user.user >= 0) jobs += user.finished;
    }
    add("deviation_of_user_waits", standard_deviation(waits), jobs);
    add("jain_index_of_user_waits", jain_index(waits), jobs);
    add("jain_index_of_user_slowdowns", jain_index(mean_slowdowns(summary_.users)),
        jobs);
  }

  void of_releases() {
    if (gathered_.released == 0) return;
    const auto jobs = gathered_.released;
    add("mean_held_time", total_seconds(gathered_.held) / static_cast<double>(jobs),
        jobs);
  }

  void of_hosts(Duration requeue_delay) {
    const auto& counts = gathered_.of_hosts;
    const auto& totals = gathered_.totals;
    const auto jobs = gathered_.jobs.submitted;
    Int128 queued = 0;
    for (const auto& job : finished_) queued += job.queued(requeue_delay);
    add("mean_queued_time",
        ratio(total_seconds(queued), static_cast<double>(finished_jobs_)),
        finished_jobs_);
    add("requeues", static_cast<double>(counts.requeues), jobs);
    add("failed_by_hosts", static_cast<double>(counts.failed), jobs);
    add("lost_processor_seconds", total_seconds(counts.lost), jobs);
    if (options_.has_checkpoints) {
      add("overhead_processor_seconds", overhead() / static_cast<double>(kSecond),
          jobs);
    }
    const auto installed = Int128{gathered_.processors} * totals.span;
    add("availability", ratio(totals.capacity, installed), jobs);
    add("utilisation_of_installed", ratio(totals.held, installed), gathered_.started);
  }

  // Processor ticks that measured jobs spent on checkpoints.
  [[nodiscard]] double overhead() const {
    if (!options_.has_checkpoints) return 0.0;
    Int128 all = 0;
    measured_.each(
        [&](const JobOutcome& job) { all += Int128{job.size} * job.unlimited; });
    return static_cast<double>(all);
  }

  [[nodiscard]] Value load() const {
    if (!gathered_.first_submit) return std::nullopt;
    const Duration span = *gathered_.last_submit - *gathered_.first_submit;
    return ratio(gathered_.offered, Int128{gathered_.processors} * span);
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

double sum_of(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

}  // namespace

void Summary::add(std::vector<Metric> more) {
  const auto at =
      std::find_if(metrics.begin(), metrics.end(), [](const Metric& metric) {
        return metric.name.find('@') != std::string::npos ||
               family_of(common_metrics(), metric.name) != nullptr;
      });
  metrics.insert(at, std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

void add_measured(Summary& summary, const MetricGroup& group,
                  std::vector<Metric> values) {
  if (group.behind.empty()) return summary.add(std::move(values));
  auto& metrics = summary.metrics;
  const auto at =
      std::find_if(metrics.begin(), metrics.end(),
                   [&](const Metric& metric) { return metric.name == group.behind; });
  BERTH_ASSERT(at != metrics.end());
  metrics.insert(std::next(at), std::make_move_iterator(values.begin()),
                 std::make_move_iterator(values.end()));
}

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

std::vector<UserSummary> user_table(const OutcomeView& jobs,
                                    const SlowdownBound& bound) {
  SummedUsers users(bound);
  jobs.each([&](const JobOutcome& job) { users.add(job); });
  return users.table();
}

std::vector<double> mean_waits(std::span<const UserSummary> users) {
  std::vector<double> waits;
  for (const auto& user : users) {
    if (user.user >= 0 && user.mean_wait) waits.push_back(*user.mean_wait);
  }
  return waits;
}

std::vector<double> mean_slowdowns(std::span<const UserSummary> users) {
  std::vector<double> slowdowns;
  for (const auto& user : users) {
    if (user.user >= 0 && user.mean_bounded_slowdown) {
      slowdowns.push_back(*user.mean_bounded_slowdown);
    }
  }
  return slowdowns;
}

std::optional<double> jain_index(std::span<const double> values) {
  std::vector<double> squares;
  for (const double value : values) squares.push_back(value * value);
  const double sum = sum_of(values);
  const double of_squares = sum_of(squares);
  if (of_squares == 0.0) return std::nullopt;
  return sum * sum / (static_cast<double>(values.size()) * of_squares);
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double mean = sum_of(values) / n;
  CompensatedSum squares;
  for (const double value : values) squares.add((value - mean) * (value - mean));
  return std::sqrt(squares.value() / n);
}

}  // namespace berth
