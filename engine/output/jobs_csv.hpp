#pragma once
// jobs.csv: one row for each submitted job.
//
// Columns      Those of Batsim's jobs.csv in its order, then ours, then those that only
//              the machine tells; where jobs wait for others, before these:
//              recorded_submit and held_time; where hosts go down, attempts, last_start
//              and queued_time.  Processors are those of the last
//              placement; empty for a job that holds none when the run is over.
// Order        A row is written when its job leaves: rows stand by time and, within an
//              instant, by event; jobs still in the system come last, by (submit, id).
// Numbers      Seconds exact and as short as possible; ratios as the shortest text that
//              reads back as the same number; an undefined value is empty.  Slowdowns
//              are given for finished jobs only.
// Threads      A writer thread formats the rows, 256 at a time; finish() waits for it.
// Memory       That of the rows is kept for later rows.
// Errors       What the sink throws, on() or finish() throws.

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/machine_measure.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"
#include "engine/output/buffered_text.hpp"
#include "engine/output/writer_thread.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/releases.hpp"

namespace berth {

// What else tells when jobs were in the queue.
struct QueueTimes {
  const sim::JobReleases* releases = nullptr;  // null: no job waits for another
  // Between a hit and the return of a job; nullopt: no host goes down.
  std::optional<Duration> requeue_delay{};
  bool has_checkpoints = false;  // jobs write them, and run longer for that
};

class JobsCsv : public sim::RecordVisitor<JobsCsv, sim::RejectRecord, sim::EndRecord,
                                          sim::LeftRecord> {
 public:
  // `workload` is the workload_name of every row.  Sink, measure and releases outlive
  // this object; the observer of `measure`, which may be null, is told each record
  // before.
  JobsCsv(Sink& sink, std::string_view workload, const SlowdownBound& bound = {},
          MachineMeasure* measure = nullptr, const QueueTimes& times = {});

  void on(const sim::RejectRecord& record) { keep(record.who, record.at, nullptr); }
  void on(const sim::EndRecord& record) {
    keep(record.who, record.at, record.placement);
  }
  void on(const sim::LeftRecord& record) {
    keep(record.who, record.at, record.placement);
  }
  void finish(Time at) override;

 private:
  // A job at the time when it left.
  struct Row {
    JobId id;
    const Job* job;
    JobEntry entry;
    Time at;
    // Bytes of Batch::text: its placement, then the columns of its release, attempts
    // and machine, each with a comma before it.
    std::size_t placement;
    std::size_t of_machine;
  };
  struct Batch {
    std::vector<Row> rows;
    std::string text;
  };
  void keep(const sim::Subject& who, Time at, const Placement* placement);
  void write(const Batch& batch);
  // REQUIRES: its part of Batch::text.
  void write(const Row& row, std::string_view text);
  void request(const Job& job);
  void times(const sim::Subject& who, const JobOutcome& outcome);
  void times_of_ended(Time start, const JobOutcome& outcome);
  // The text of a ratio, empty for nullopt; valid until the next call.
  [[nodiscard]] std::string_view ratio(std::optional<double> value);
  void own_columns(const sim::Subject& who, const JobOutcome& outcome);
  void disturbances(const sim::Subject& who, const JobOutcome& outcome);
  void release_columns(const sim::Subject& who, std::string& text) const;
  void attempt_columns(const sim::Subject& who, Time at, std::string& text) const;
  void machine_columns(const sim::Subject& who, std::string& text);

  BufferedText text_;
  // The ratio that was printed last, and its text.
  double ratio_ = std::numeric_limits<double>::quiet_NaN();
  std::array<char, 32> ratio_text_{};
  const char* ratio_end_ = ratio_text_.data();
  std::string workload_;  // as a field
  SlowdownBound bound_;
  MachineMeasure* measure_;
  QueueTimes queue_times_;
  // One is filled; of the others some wait to be written, and one is written.
  std::array<Batch, WriterThread::kMostWaiting + 2> batches_;
  std::size_t filled_ = 0;
  WriterThread writer_;  // last: its tasks use the members above
};

}  // namespace berth
