#include "engine/output/jobs_csv.hpp"

#include "engine/base/csv_text.hpp"
#include "engine/output/csv_fields.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

namespace {

constexpr std::string_view kHeader =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
    "requested_time,success,final_state,starting_time,execution_time,finish_time,"
    "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata,"
    "user,group,length,slowdown,bounded_slowdown,suspended_time,frozen_time,lost_work,"
    "kills,migrations,swaps,suspensions,queue,partition,executable";

std::string_view final_state(const JobOutcome& outcome) {
  if (outcome.failed_by_host) return "COMPLETED_NODE_FAILED";
  switch (outcome.state) {
    case JobState::kFinished: return "COMPLETED_SUCCESSFULLY";
    case JobState::kFailed: return "COMPLETED_WALLTIME_REACHED";
    case JobState::kRejected: return "REJECTED";
    default: return "NOT_FINISHED";
  }
}

}  // namespace

JobsCsv::JobsCsv(Sink& sink, std::string_view workload, const SlowdownBound& bound,
                 MachineMeasure* measure, const QueueTimes& times)
    : text_(sink),
      workload_(csv_text(workload)),
      bound_(bound),
      measure_(measure),
      queue_times_(times) {
  text_.append(kHeader);
  if (times.releases != nullptr) text_.append(",recorded_submit,held_time");
  if (times.requeue_delay) text_.append(",attempts,last_start,queued_time");
  if (times.has_checkpoints) text_.append(",overhead_time");
  if (measure_ != nullptr) {
    for (const auto column : measure_->job_columns()) text_.print(",{}", column);
  }
  text_.append("\n");
}

void JobsCsv::release_columns(const sim::Subject& who, std::string& text) const {
  const auto* releases = queue_times_.releases;
  if (releases == nullptr) return;
  fmt::format_to(std::back_inserter(text), ",{},{}",
                 seconds_text(releases->as_recorded(who.id).submit),
                 seconds_text(releases->held(who.id)));
}

// The time in the queue is known once the job has ended.
void JobsCsv::attempt_columns(const sim::Subject& who, Time at,
                              std::string& text) const {
  const auto& delay = queue_times_.requeue_delay;
  if (!delay) return;
  const auto outcome = outcome_of(who, at);
  const bool has_ended =
      outcome.state == JobState::kFinished || outcome.state == JobState::kFailed;
  const bool holds_last = outcome.state == JobState::kRunning ||
                          outcome.state == JobState::kSuspended ||
                          (has_ended && !outcome.failed_by_host);
  const Time last = who.entry->attempt_start;
  fmt::format_to(std::back_inserter(text), ",{},{},{}",
                 outcome.hits + (holds_last ? 1 : 0),
                 last == kNever ? std::string() : seconds_text(last),
                 has_ended ? seconds_text(outcome.queued(*delay)) : std::string());
  if (!queue_times_.has_checkpoints) return;
  fmt::format_to(std::back_inserter(text), ",{}",
                 has_ended ? seconds_text(outcome.unlimited) : std::string());
}

void JobsCsv::machine_columns(const sim::Subject& who, std::string& text) {
  if (measure_ == nullptr || measure_->job_columns().empty()) return;
  CsvFields told;
  measure_->tell_job(who, told);
  for (const auto column : measure_->job_columns()) {
    text += ',';
    text += told.of(column);
  }
}

void JobsCsv::finish(Time) {
  writer_.finish();
  write(batches_[filled_]);
  batches_[filled_] = {};
  text_.flush();
}

void JobsCsv::keep(const sim::Subject& who, Time at, const Placement* placement) {
  constexpr std::size_t kAtATime = 256;
  auto& batch = batches_[filled_];
  const auto begin = batch.text.size();
  batch.text += placement_text(placement);
  const auto end = batch.text.size();
  release_columns(who, batch.text);
  attempt_columns(who, at, batch.text);
  machine_columns(who, batch.text);
  batch.rows.push_back(
      {who.id, who.job, *who.entry, at, end - begin, batch.text.size() - end});
  if (batch.rows.size() < kAtATime) return;
  writer_.post([this, &batch] { write(batch); });
  filled_ = (filled_ + 1) % batches_.size();
  batches_[filled_].rows.clear();
  batches_[filled_].text.clear();
}

void JobsCsv::write(const Batch& batch) {
  std::string_view text = batch.text;
  for (const auto& row : batch.rows) {
    const auto bytes = row.placement + row.of_machine;
    write(row, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

void JobsCsv::write(const Row& row, std::string_view text) {
  const sim::Subject who{row.id, row.job, &row.entry};
  const auto outcome = outcome_of(who, row.at);
  request(*who.job);
  times(who, outcome);
  text_.print(FMT_COMPILE("{},,,"), text.substr(0, row.placement));
  own_columns(who, outcome);
  text_.append(text.substr(row.placement));
  text_.append("\n");
}

void JobsCsv::request(const Job& job) {
  text_.print(FMT_COMPILE("{},{},,{},{},{},"), job.id, workload_, InSeconds{job.submit},
              job.size, InSeconds{job.walltime});
}

void JobsCsv::times(const sim::Subject& who, const JobOutcome& outcome) {
  const Time start = who.entry->first_start;
  const bool ended =
      outcome.state == JobState::kFinished || outcome.state == JobState::kFailed;
  text_.print(FMT_COMPILE("{},{},"), outcome.state == JobState::kFinished ? 1 : 0,
              final_state(outcome));
  if (start == kNever) {
    text_.append(",,,,,,");
  } else if (!ended) {
    text_.print("{},,,{},,,", InSeconds{start}, InSeconds{outcome.wait});
  } else {
    times_of_ended(start, outcome);
  }
}

void JobsCsv::times_of_ended(Time start, const JobOutcome& outcome) {
  text_.print(FMT_COMPILE("{},{},{},{},{},{},"), InSeconds{start},
              InSeconds{outcome.service()}, InSeconds{start + outcome.service()},
              InSeconds{outcome.wait}, InSeconds{outcome.response},
              ratio(slowdown(outcome.response, outcome.service())));
}

// The slowdowns of a job that is neither short nor disturbed are one number.
std::string_view JobsCsv::ratio(std::optional<double> value) {
  if (!value) return "";  // no null pointer, which fmt would copy from
  if (*value != ratio_) {
    ratio_ = *value;
    ratio_end_ = print_ratio(ratio_text_.data(), ratio_);
  }
  return {ratio_text_.data(), ratio_end_};
}

void JobsCsv::own_columns(const sim::Subject& who, const JobOutcome& outcome) {
  const auto& job = *who.job;
  std::optional<double> plain;
  std::optional<double> bounded;
  if (outcome.state == JobState::kFinished) {
    plain = slowdown(outcome.response, outcome.length);
    bounded = bounded_slowdown(outcome.response, outcome.length, bound_);
  }
  text_.print(FMT_COMPILE("{},{},{},{},"), AsLabel{job.user}, AsLabel{job.group},
              InSeconds{job.length}, ratio(plain));
  text_.print(FMT_COMPILE("{},"), ratio(bounded));
  disturbances(who, outcome);
  text_.print(FMT_COMPILE("{},{},{}"), AsLabel{job.queue_class}, AsLabel{job.partition},
              AsLabel{job.executable});
}

// Most jobs have none.
void JobsCsv::disturbances(const sim::Subject& who, const JobOutcome& outcome) {
  const auto& account = who.entry->account;
  const auto lost = lost_work(*who.entry);
  const auto moves =
      account.kills | account.migrations | account.swaps | account.suspensions;
  if ((outcome.suspended | outcome.frozen | lost | moves) == 0) {
    return text_.append("0,0,0,0,0,0,0,");
  }
  text_.print(FMT_COMPILE("{},{},{},{},{},{},{},"), InSeconds{outcome.suspended},
              InSeconds{outcome.frozen}, InSeconds{lost}, account.kills,
              account.migrations, account.swaps, account.suspensions);
}

}  // namespace berth
