#pragma once
// jobs.csv: one row for each submitted job.
//
// Batsim's columns come first, in Batsim's order, then ours (DESIGN.md 6).  A job's row
// is written when it leaves: rows are in the order of instants and, within one, of
// events; jobs still in the system come last, by (submit, id).
//
// Numbers      Seconds as short as exact; ratios as the shortest text that reads back;
//              undefined is empty.  Slowdowns are of jobs that finished.
// Threads      Rows are written by a thread of its own, some hundred at a time;
// finish()
//              waits for it.  What the sink throws comes out of note() or finish().
// Memory       One buffer, and the rows on their way.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"
#include "engine/output/background.hpp"
#include "engine/output/buffered_text.hpp"
#include "engine/sim/observer.hpp"

namespace berth {

class JobsCsv : public sim::Observer {
 public:
  // `workload` is the name that stands in every row.  The sink outlives the writer.
  JobsCsv(Sink& sink, std::string_view workload, const SlowdownBound& bound = {});

  [[nodiscard]] sim::RecordKinds wants() const override;
  void note(const sim::Record& record) override;
  void ended(const sim::EndRecord& record) override;
  void finish(Time at) override;

 private:
  // A job as it was when it left.
  struct Row {
    JobId id;
    const Job* job;
    JobEntry entry;
    Time at;
    std::optional<Placement> placement;
  };
  void keep(const sim::Subject& who, Time at, const Placement* placement);
  void write(const std::vector<Row>& rows);
  void write(const Row& row);
  void what_was_asked(const Job& job);
  void times(const sim::Subject& who, const JobOutcome& outcome);
  void times_of_ended(Time start, const JobOutcome& outcome);
  void own_columns(const sim::Subject& who, const JobOutcome& outcome);

  BufferedText text_;
  std::string workload_;  // as a field
  SlowdownBound bound_;
  std::vector<Row> rows_;
  Background background_;  // last: its work uses the members above
};

}  // namespace berth
