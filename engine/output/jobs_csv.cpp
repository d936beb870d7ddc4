#include "engine/output/jobs_csv.hpp"

#include <utility>

#include "engine/base/csv_text.hpp"
#include "engine/output/number_text.hpp"
#include "engine/output/placement_text.hpp"

namespace berth {

namespace {

constexpr std::string_view kHeader =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
    "requested_time,success,final_state,starting_time,execution_time,finish_time,"
    "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata,"
    "user,group,length,slowdown,bounded_slowdown,suspended_time,frozen_time,lost_work,"
    "kills,migrations,swaps,suspensions,queue,partition,executable";
constexpr std::string_view kNetworkHeader = ",bandwidth,switch,reserved,moved_vms";

std::string_view final_state(JobState state) {
  switch (state) {
    case JobState::kFinished: return "COMPLETED_SUCCESSFULLY";
    case JobState::kFailed: return "COMPLETED_WALLTIME_REACHED";
    case JobState::kRejected: return "REJECTED";
    default: return "NOT_FINISHED";
  }
}

}  // namespace

JobsCsv::JobsCsv(Sink& sink, std::string_view workload, const SlowdownBound& bound,
                 std::shared_ptr<NetworkDemand> network)
    : text_(sink),
      workload_(csv_text(workload)),
      bound_(bound),
      network_(std::move(network)) {
  text_.append(kHeader);
  if (network_) text_.append(kNetworkHeader);
  text_.append("\n");
}

sim::RecordKinds JobsCsv::wants() const {
  const auto all = RecordVisitor::wants();
  return network_ ? all : all & ~sim::kinds<sim::StartRecord>();
}

void JobsCsv::on(const sim::StartRecord& record) {
  const Placement& now = *record.placement;
  const auto [at, is_first] = placed_.try_emplace(record.who.id);
  auto& placed = at->second;
  if (!is_first) placed.moved += now.moved_from(placed.last);
  placed.last = now;
}

std::string JobsCsv::network_columns(const sim::Subject& who,
                                     const Placement* placement) {
  const auto bandwidth = network_->bandwidth(who.id, who.job->size);
  const auto placed = placed_.extract(who.id);
  if (placed.empty()) return fmt::format(",{},,,", mbits_text(bandwidth));
  PlacementFields where;
  if (placement != nullptr) placement->columns(where);
  return fmt::format(",{},{},{},{}", mbits_text(bandwidth), where.of("switch"),
                     where.of("reserved"), placed.mapped().moved);
}

void JobsCsv::finish(Time) {
  writer_.finish();
  write(rows_);
  rows_.clear();
  text_.flush();
}

void JobsCsv::keep(const sim::Subject& who, Time at, const Placement* placement) {
  constexpr std::size_t kAtATime = 256;
  std::optional<Placement> place;
  if (placement != nullptr) place = *placement;
  rows_.push_back({who.id, who.job, *who.entry, at, std::move(place),
                   network_ ? network_columns(who, placement) : std::string()});
  if (rows_.size() < kAtATime) return;
  writer_.post([this, rows = std::exchange(rows_, {})] { write(rows); });
  rows_.reserve(kAtATime);
}

void JobsCsv::write(const std::vector<Row>& rows) {
  for (const auto& row : rows) write(row);
}

void JobsCsv::write(const Row& row) {
  const sim::Subject who{row.id, row.job, &row.entry};
  const auto outcome = outcome_of(who, row.at);
  request(*who.job);
  times(who, outcome);
  text_.print(FMT_COMPILE("{},,,"),
              placement_text(row.placement ? &*row.placement : nullptr));
  own_columns(who, outcome);
  text_.append(row.network);
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
              final_state(outcome.state));
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
              AsRatio{slowdown(outcome.response, outcome.service())});
}

void JobsCsv::own_columns(const sim::Subject& who, const JobOutcome& outcome) {
  const auto& job = *who.job;
  const auto& account = who.entry->account;
  std::optional<double> plain;
  std::optional<double> bounded;
  if (outcome.state == JobState::kFinished) {
    plain = slowdown(outcome.response, outcome.length);
    bounded = bounded_slowdown(outcome.response, outcome.length, bound_);
  }
  text_.print(FMT_COMPILE("{},{},{},{},{},"), label_text(job.user),
              label_text(job.group), InSeconds{job.length}, AsRatio{plain},
              AsRatio{bounded});
  text_.print(FMT_COMPILE("{},{},{},{},{},{},{},"), InSeconds{outcome.suspended},
              InSeconds{outcome.frozen}, InSeconds{lost_work(*who.entry)},
              account.kills, account.migrations, account.swaps, account.suspensions);
  text_.print(FMT_COMPILE("{},{},{}"), label_text(job.queue_class),
              label_text(job.partition), label_text(job.executable));
}

}  // namespace berth
